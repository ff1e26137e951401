// SPDX-License-Identifier: MIT
// Devices that stand still: how many are given up, what the guest hears, and what is left at exit.
#include "tests/support/device_harness.hpp"
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "vulkan/device/stuck_devices.hpp"
#include "vulkan/engine.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// What a device was at ends soon, but on a busy machine later than its backend waits. The time
/// limit of the whole program is the watchdog.
void wait_for_stuck_devices() {
  while (vulkan::has_stuck_devices()) std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

/// A backend whose devices stand still when asked to, and whose watchdog goes by a test's clock.
struct stuck_rig {
  explicit stuck_rig(const vulkan::backend_options& options = fault_options()) {
    load_vulkan();
    faults.emplace();
    backend = open_faulty_backend(options);
    guest.emplace(*backend);
    REQUIRE(guest->run(faulty_guest::objects()).code == error_code::none);
  }
  ~stuck_rig() {
    faults->freeze(false);
    guest.reset();
    backend.reset();
    wait_for_stuck_devices();
    CHECK(faults->held() == 0);
  }
  /// Gives the device up in the middle of a submission. The guest hears of it.
  void hang() {
    faults->freeze(true);
    REQUIRE(guest->submit(faulty_guest::picture()).code == error_code::none);
    guest->finish();
    CHECK(guest->submit(faulty_guest::upload_again()).code == error_code::device_lost);
  }
  auto abandoned() -> std::size_t { return backend->inside().abandoned(); }
  /// Of the device that is at work.
  auto reserved() -> std::uint64_t {
    return backend->inside().device()->memory.usage().reserved_bytes;
  }

  std::optional<call_faults> faults;
  std::unique_ptr<vulkan::vulkan_backend> backend;
  std::optional<faulty_guest> guest;
};

}  // namespace

TEST_CASE("devices that stand still are counted, and past the cap nothing is drawn",
          "[faults][stuck]") {
  const std::uint64_t most = GENERATE(1u, 2u, 3u);
  vulkan::backend_options options = fault_options();
  options.bounds.abandoned_devices = most;
  stuck_rig rig{options};
  for (std::uint64_t count = 1; count <= most; ++count) {
    rig.hang();
    CHECK(rig.abandoned() == count);
  }
  for (int again = 0; again < 3; ++again) {
    const error why = rig.guest->run(faulty_guest::upload_again());
    CHECK(why.code == error_code::device_lost);
    CHECK(std::string_view{why.what}.starts_with("3D is off"));
    CHECK(why.detail == most);
    CHECK(why.limit == most);
  }
  CHECK(rig.abandoned() == most);
  CHECK(rig.backend->counters().device_losses == most);
  CHECK(rig.backend->device_name() == "no device");
}

TEST_CASE("a device that comes back is closed, and 3D goes on", "[faults][stuck]") {
  stuck_rig rig;
  const auto picture = [&] {
    REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
    REQUIRE(rig.guest->run(faulty_guest::picture()).code == error_code::none);
    REQUIRE(rig.guest->run(faulty_guest::read_picture()).code == error_code::none);
    return rig.guest->written();
  };
  const byte_vector before = picture();
  rig.hang();
  rig.hang();
  REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::device_lost);
  rig.faults->freeze(false);
  // The real devices were at work all the time; they end soon.
  error why;
  do {
    why = rig.guest->run(faulty_guest::upload_again());
  } while (why.code == error_code::device_lost);
  CHECK(why.code == error_code::none);
  CHECK((picture() == before));
  while (rig.abandoned() != 0) rig.guest->finish();
  CHECK(rig.backend->counters().device_losses == 2);
}

TEST_CASE("memory of a device that was given up counts until the device comes back",
          "[faults][stuck]") {
  constexpr std::uint32_t lasting = 70, later = 71;
  constexpr std::uint64_t large_bytes = 40ull << 20;  // A block of its own.
  std::uint64_t small_bytes = 0;
  {
    stuck_rig rig;
    small_bytes = rig.reserved();
  }
  vulkan::backend_options options = fault_options();
  options.bounds.reserved_bytes = 2 * small_bytes + 3 * large_bytes - 1;  // Of two devices.
  stuck_rig rig{options};
  REQUIRE(rig.guest->run(stream_builder{}.create_buffer(lasting, large_bytes)).code ==
          error_code::none);
  REQUIRE(rig.reserved() == small_bytes + large_bytes);
  rig.hang();
  const auto create_later = [&] {
    return rig.guest->submit(stream_builder{}.create_buffer(later, large_bytes)).code;
  };
  CHECK(create_later() == error_code::out_of_memory);
  CHECK(rig.reserved() == small_bytes + large_bytes);
  rig.faults->freeze(false);
  while (rig.abandoned() != 0) rig.guest->finish();
  CHECK(create_later() == error_code::none);
  rig.guest->finish();
}

TEST_CASE("with 3D off the desktop goes on: fences advance with the error, guest memory is shown",
          "[faults][stuck]") {
  load_vulkan();
  call_faults faults;
  {
    vulkan::backend_options options = fault_options();
    options.bounds.abandoned_devices = 1;
    device_harness<vulkan::vulkan_backend> rig{open_faulty_backend(options)};
    rig.start();
    constexpr gpa surface{0x800000};
    rig.machine.ram.map(surface, 4 * 4 * 4);
    rig.set_scanout({.width = 4,
                     .height = 4,
                     .format = AEROGPU_FORMAT_B8G8R8X8_UNORM,
                     .pitch = 16,
                     .address = raw(surface)});
    rig.submit({.fence = 1, .stream = faulty_guest::without_memory().bytes()});
    rig.submit({.fence = 2, .stream = faulty_guest::without_memory_again().bytes()});
    REQUIRE(rig.completed() == 2);
    faults.freeze(true);
    rig.submit({.fence = 3, .stream = faulty_guest::without_memory_again().bytes()});
    rig.backend->wait_idle();
    rig.submit({.fence = 4, .stream = faulty_guest::without_memory_again().bytes()});
    rig.submit({.fence = 5, .stream = faulty_guest::without_memory_again().bytes()});
    CHECK(rig.completed() == 5);
    CHECK(rig.error_fence() == 5);
    REQUIRE_FALSE(rig.machine.errors.empty());
    const error last = rig.machine.errors.back().why;
    CHECK(last.code == error_code::device_lost);
    CHECK(std::string_view{last.what}.starts_with("3D is off"));
    rig.machine.ram.poke(surface, filled(64, 0x5A));
    rgba8_image image;
    REQUIRE(rig.dev->read_scanout(image));
    REQUIRE(image.width() == 4);
    CHECK(image.row(0)[0] == std::byte{0x5A});
    faults.freeze(false);
  }
  wait_for_stuck_devices();
  CHECK(faults.held() == 0);
}

TEST_CASE("with 3D off the machine can be saved, and goes on elsewhere without what the device had",
          "[faults][stuck]") {
  vulkan::backend_options options = fault_options();
  options.bounds.abandoned_devices = 1;
  snapshot_writer out;
  byte_vector picture;
  {
    stuck_rig rig{options};
    REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
    REQUIRE(rig.guest->run(faulty_guest::picture()).code == error_code::none);
    REQUIRE(rig.guest->run(faulty_guest::read_picture()).code == error_code::none);
    picture = rig.guest->written();
    rig.hang();
    REQUIRE(rig.guest->path().processor().save(out));
    snapshot_writer again;
    REQUIRE(rig.guest->path().processor().save(again));
    CHECK(std::ranges::equal(out.bytes(), again.bytes()));
    snapshot_reader in{out.bytes()};
    CHECK(rig.guest->path().processor().load(in).why().code == error_code::device_lost);
  }
  stuck_rig rig;
  snapshot_reader in{out.bytes()};
  REQUIRE(rig.guest->path().processor().load(in));
  REQUIRE(rig.guest->run(faulty_guest::read_picture()).code == error_code::none);
  CHECK((rig.guest->written() != picture));
  REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
  REQUIRE(rig.guest->run(faulty_guest::picture()).code == error_code::none);
  REQUIRE(rig.guest->run(faulty_guest::read_picture()).code == error_code::none);
  CHECK((rig.guest->written() == picture));
}

TEST_CASE("a backend that goes while its device stands still does not wait for ever",
          "[faults][stuck]") {
  load_vulkan();
  call_faults faults;
  {
    const auto backend = open_faulty_backend(fault_options());
    faulty_guest guest{*backend};
    REQUIRE(guest.run(faulty_guest::objects()).code == error_code::none);
    faults.freeze(true);
    REQUIRE(guest.submit(faulty_guest::picture()).code == error_code::none);
  }
  CHECK(vulkan::has_stuck_devices());
  CHECK(faults.held() != 0);
  faults.freeze(false);
  wait_for_stuck_devices();
  CHECK(faults.held() == 0);
}

TEST_CASE("a device of which nobody can say whether it is done may stand still",
          "[faults][stuck]") {
  load_vulkan();
  call_faults faults;
  {
    const auto backend = open_faulty_backend(fault_options());
    faulty_guest guest{*backend};
    REQUIRE(guest.run(faulty_guest::objects()).code == error_code::none);
    faults.freeze(true);
    REQUIRE(guest.submit(faulty_guest::picture()).code == error_code::none);
    SECTION("when its backend goes") {
      faults.fail_waits(VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    SECTION("when its backend is gone") {}
  }
  faults.fail_waits(VK_ERROR_OUT_OF_HOST_MEMORY);
  CHECK(vulkan::has_stuck_devices());
  CHECK(faults.held() != 0);
  faults.fail_waits(VK_ERROR_DEVICE_LOST);
  CHECK_FALSE(vulkan::has_stuck_devices());
  CHECK(faults.held() == 0);
}
