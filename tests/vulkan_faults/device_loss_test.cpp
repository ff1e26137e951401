// SPDX-License-Identifier: MIT
// Devices that are lost, stuck or missing: what the guest keeps, what it hears, and how it goes on.
#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/support/fault_stride.hpp"
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "vulkan/engine.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// A guest on a hooked backend, with objects that last.
struct loss_rig {
  explicit loss_rig(const vulkan::backend_options& options = fault_options()) {
    load_vulkan();
    faults.emplace();
    backend = open_faulty_backend(options);
    guest.emplace(*backend);
    REQUIRE(guest->run(faulty_guest::objects()).code == error_code::none);
  }
  ~loss_rig() {
    faults->plan(0, VK_SUCCESS);
    guest.reset();
    CHECK(backend->live_objects() == 0);
    backend.reset();
    CHECK(faults->held() == 0);
  }
  /// The next Vulkan call meets a lost device.
  void lose_next() { faults->plan(1, VK_ERROR_DEVICE_LOST); }
  /// Lets devices go on, and waits for the end of the one that was given up.
  void thaw(vulkan::device_parts& given_up) {
    faults->freeze(false);
    REQUIRE(given_up.work.wait(given_up.work.submitted(), UINT64_MAX));
  }
  auto losses() -> std::uint64_t { return backend->counters().device_losses; }
  /// Draws, and reads what the target holds.
  auto picture() -> byte_vector {
    REQUIRE(guest->run(faulty_guest::picture()).code == error_code::none);
    REQUIRE(guest->run(faulty_guest::read_picture()).code == error_code::none);
    return guest->written();
  }

  std::optional<call_faults> faults;
  std::unique_ptr<vulkan::vulkan_backend> backend;
  std::optional<faulty_guest> guest;
};

auto two_in_flight() -> vulkan::backend_options {
  vulkan::backend_options options = fault_options();
  options.bounds.batches_in_flight = 2;
  return options;
}

/// Two batches are submitted when the marker comes, and it opens the third.
auto up_to_a_marker() -> stream_builder {
  stream_builder stream = faulty_guest::picture();
  for (int flushed = 0; flushed < 2; ++flushed) {
    for (int i = 0; i < 260; ++i) stream.draw_indexed(6);
    stream.flush();
  }
  return stream.marker(filled(8, 'x'));
}

}  // namespace

TEST_CASE("what guest memory backs comes back after a loss, the rest is as new", "[faults]") {
  loss_rig rig;
  const byte_vector before = rig.picture();
  rig.lose_next();
  CHECK(rig.guest->run(faulty_guest::picture()).code == error_code::device_lost);
  CHECK(rig.losses() == 1);
  const byte_vector after = rig.picture();
  CHECK((after != before));  // The host's own textures and vertices are zero.
  REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
  CHECK((rig.picture() == before));
}

TEST_CASE("a loss that nobody met is told by the next submission, before anything runs on zeros",
          "[faults]") {
  loss_rig rig;
  const byte_vector before = rig.picture();
  rig.lose_next();
  rig.guest->finish();  // Waits, and meets the loss.
  REQUIRE(rig.losses() == 1);
  rig.guest->forget_written();
  const byte_vector nothing = rig.guest->written();
  CHECK(rig.guest->run(faulty_guest::read_picture()).code == error_code::device_lost);
  CHECK((rig.guest->written() == nothing));
  REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
  CHECK((rig.picture() == before));
  CHECK(rig.losses() == 1);
}

TEST_CASE("a loss while nothing lives is nobody's concern", "[faults]") {
  loss_rig rig;
  rig.guest->reset();
  rig.lose_next();
  rig.guest->finish();
  REQUIRE(rig.losses() == 1);
  CHECK(rig.guest->run(faulty_guest::objects()).code == error_code::none);
}

TEST_CASE("submissions that were pending complete as lost, without their write-backs", "[faults]") {
  loss_rig rig;
  REQUIRE(rig.guest->run(faulty_guest::picture()).code == error_code::none);
  rig.guest->forget_written();
  const byte_vector nothing = rig.guest->written();
  rig.faults->freeze(true);
  REQUIRE(rig.guest->submit(faulty_guest::read_picture()).code == error_code::none);
  REQUIRE(rig.guest->submit(faulty_guest::read_picture()).code == error_code::none);
  CHECK(rig.backend->pending_submissions() == 2);
  rig.lose_next();
  rig.guest->finish();
  rig.faults->freeze(false);
  CHECK(rig.losses() == 1);
  CHECK((rig.guest->written() == nothing));
}

TEST_CASE("a lost device that counts as if all were done is a lost device", "[faults]") {
  const bool counts_beyond = GENERATE(false, true);
  loss_rig rig;
  REQUIRE(rig.guest->run(faulty_guest::picture()).code == error_code::none);
  rig.guest->forget_written();
  const byte_vector nothing = rig.guest->written();
  rig.faults->freeze(true);
  REQUIRE(rig.guest->submit(faulty_guest::read_picture()).code == error_code::none);
  const std::uint64_t submitted = rig.backend->inside().device()->work.submitted();
  rig.faults->lose_silently(counts_beyond ? UINT64_MAX : submitted);
  rig.backend->inside().poll();
  rig.faults->freeze(false);
  CHECK(rig.losses() == 1);
  rig.guest->finish();
  CHECK((rig.guest->written() == nothing));
}

TEST_CASE("a loss that a marker meets is told by the next packet, and its rows stay away",
          "[faults]") {
  loss_rig rig{two_in_flight()};
  const byte_vector before = rig.picture();
  rig.guest->forget_written();
  const byte_vector nothing = rig.guest->written();
  vulkan::device_parts& given_up = *rig.backend->inside().device();
  rig.faults->freeze(true);
  stream_builder stream = up_to_a_marker();
  SECTION("of the same submission") {
    stream.append(faulty_guest::packets_of(faulty_guest::read_picture()));
    CHECK(rig.guest->submit(stream).code == error_code::device_lost);
    rig.thaw(given_up);
  }
  SECTION("of the next submission") {
    CHECK(rig.guest->submit(stream).code == error_code::none);
    CHECK(rig.losses() == 1);
    rig.thaw(given_up);
    CHECK(rig.guest->submit(faulty_guest::read_picture()).code == error_code::device_lost);
  }
  rig.guest->finish();
  CHECK(rig.losses() == 1);
  CHECK((rig.guest->written() == nothing));
  REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
  CHECK((rig.picture() == before));
}

TEST_CASE("a device that is lost while content is read fails that call", "[faults]") {
  loss_rig rig;
  REQUIRE(rig.guest->run(faulty_guest::picture()).code == error_code::none);
  auto& processor = rig.guest->path().processor();
  byte_vector texels(16 * 16 * 4);
  const byte_vector before = rig.picture();
  REQUIRE(processor.read_presented(texels));
  const byte_vector shown = texels;
  const auto call = GENERATE(1u, 2u, 3u, 4u, 5u);
  rig.faults->plan(call, VK_ERROR_DEVICE_LOST);
  CAPTURE(call);
  const error why = processor.read_presented(texels).why();
  CAPTURE(rig.faults->failed());
  const bool was_reached = rig.faults->calls() >= call;
  CHECK((was_reached || call > 1));  // A read waits, at least.
  if (!was_reached) return;
  CHECK(why.code == error_code::device_lost);
  CHECK(rig.losses() == 1);
  REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
  CHECK((rig.picture() == before));
  REQUIRE(processor.read_presented(texels));
  CHECK((texels == shown));
}

TEST_CASE("what is first done with a texture on the next device finds how that one stores it",
          "[faults]") {
  loss_rig rig;
  vulkan::vulkan_backend& backend = *rig.backend;
  texture_desc desc;
  desc.format = GENERATE(AEROGPU_FORMAT_B8G8R8A8_UNORM, AEROGPU_FORMAT_BC1_RGBA_UNORM);
  desc.width = desc.height = 16;
  desc.mip_levels = desc.array_layers = 1;
  auto from = backend.create_texture(desc);
  auto to = backend.create_texture(desc);
  REQUIRE((from && to));
  const auto layout = vulkan::tight_layout(desc);
  byte_vector bytes(static_cast<std::size_t>(layout->total_bytes()));
  texture_copy whole{};
  whole.width = whole.height = 16;
  rig.backend->inside().note(make_error(error_code::device_lost, "lost by a test"));
  REQUIRE(rig.losses() == 1);
  SECTION("a copy") {
    CHECK(backend.copy_texture(*to, *from, whole));
  }
  SECTION("an upload") {
    CHECK(backend.write_texture(*to, {0, 0}, bytes));
  }
  SECTION("a read") {
    bytes.assign(bytes.size(), std::byte{1});
    CHECK(backend.read_texture(*to, {0, 0}, bytes));
    CHECK((bytes == byte_vector(bytes.size())));
  }
  backend.destroy(*std::move(from));
  backend.destroy(*std::move(to));
}

TEST_CASE("devices can be lost again and again", "[faults]") {
  loss_rig rig;
  const byte_vector before = rig.picture();
  for (std::uint64_t i = 1; i <= 3; ++i) {
    rig.lose_next();
    CHECK(rig.guest->run(faulty_guest::picture()).code == error_code::device_lost);
    CHECK(rig.losses() == i);
    REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
    CHECK((rig.picture() == before));
  }
}

TEST_CASE("objects survive a rebuild that fails at any of its calls", "[faults]") {
  loss_rig rig;
  const byte_vector before = rig.picture();
  const VkResult code = GENERATE(VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST);
  bool was_reached = true;
  for (std::uint64_t call = 1; was_reached; call += fault_stride()) {
    CAPTURE(call, code);
    rig.lose_next();
    CHECK(rig.guest->run(faulty_guest::picture()).code == error_code::device_lost);
    rig.faults->plan(call, code);
    static_cast<void>(rig.guest->run(faulty_guest::upload_again()));
    was_reached = rig.faults->calls() >= call;
    rig.faults->plan(0, VK_SUCCESS);
    static_cast<void>(rig.guest->run(faulty_guest::upload_again()));  // Hears of a loss.
    REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
    CHECK((rig.picture() == before));
  }
}

TEST_CASE("without a device nothing runs, objects can still go, and a device that comes is used",
          "[faults]") {
  loss_rig rig;
  rig.faults->forbid_devices(true);
  rig.lose_next();
  CHECK(rig.guest->run(faulty_guest::picture()).code == error_code::device_lost);
  CHECK(rig.guest->run(faulty_guest::picture()).code == error_code::device_lost);
  CHECK(rig.backend->device_name() == "no device");
  rig.guest->reset();
  CHECK(rig.backend->live_objects() == 0);
  CHECK(rig.guest->run(faulty_guest::objects()).code == error_code::device_lost);
  rig.faults->forbid_devices(false);
  CHECK(rig.guest->run_scene());
}

TEST_CASE(
    "a device that stands still is given up after the watchdog's time, and closed when it "
    "comes back",
    "[faults]") {
  loss_rig rig;
  const byte_vector before = rig.picture();
  vulkan::engine& inside = rig.backend->inside();
  auto time = vulkan::engine::clock::time_point{};
  inside.set_clock([&] { return time; });
  vulkan::device_parts& given_up = *inside.device();
  rig.faults->freeze(true);
  REQUIRE(rig.guest->submit(faulty_guest::picture()).code == error_code::none);
  time += std::chrono::milliseconds{fault_options().watchdog_ms};
  inside.poll();
  CHECK(rig.losses() == 0);
  time += std::chrono::milliseconds{1};
  inside.poll();
  CHECK(rig.losses() == 1);
  rig.thaw(given_up);
  rig.guest->finish();
  static_cast<void>(rig.guest->run(faulty_guest::upload_again()));  // Hears of the loss.
  REQUIRE(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
  CHECK((rig.picture() == before));
  inside.set_clock(vulkan::engine::clock::now);
}

TEST_CASE("a wait that takes longer than the watchdog allows gives the device up", "[faults]") {
  loss_rig rig;
  vulkan::device_parts& given_up = *rig.backend->inside().device();
  rig.faults->freeze(true);
  REQUIRE(rig.guest->submit(faulty_guest::picture()).code == error_code::none);
  rig.guest->finish();
  rig.thaw(given_up);
  CHECK(rig.losses() == 1);
  static_cast<void>(rig.guest->run(faulty_guest::upload_again()));
  CHECK(rig.guest->run(faulty_guest::upload_again()).code == error_code::none);
}

TEST_CASE(
    "VK-083 a lost device is an error of its fence, which advances, and a ring reset recovers",
    "[faults]") {
  load_vulkan();
  call_faults faults;
  auto owned = open_faulty_backend(fault_options());
  vulkan::vulkan_backend& backend = *owned;
  {
    device_harness<vulkan::vulkan_backend> rig{std::move(owned)};
    rig.start();
    rig.submit({.fence = 1, .stream = faulty_guest::without_memory().bytes()});
    REQUIRE(rig.completed() == 1);
    REQUIRE(rig.error_count() == 0);
    const auto call = GENERATE(1u, 2u, 3u, 4u, 5u, 6u);
    faults.plan(call, VK_ERROR_DEVICE_LOST);
    rig.submit({.fence = 2, .stream = faulty_guest::without_memory_again().bytes()});
    faults.plan(0, VK_SUCCESS);
    CAPTURE(call);
    CHECK(rig.completed() == 2);
    CHECK(rig.page_fence() == 2);
    CHECK(backend.counters().device_losses == 1);
    CHECK(rig.error_code_register() == AEROGPU_ERROR_BACKEND);
    CHECK(rig.error_fence() == 2);
    CHECK(rig.error_count() == 1);
    REQUIRE_FALSE(rig.machine.errors.empty());
    CHECK(rig.machine.errors.front().why.code == error_code::device_lost);
    rig.reset_ring();
    CHECK(backend.live_objects() == 0);
    rig.machine.errors.clear();
    rig.submit({.fence = 1, .stream = faulty_guest::without_memory().bytes()});
    CHECK(rig.completed() == 1);
    CHECK(rig.machine.errors.empty());
  }
  CHECK(faults.held() == 0);
}

TEST_CASE("more shaders than are kept can go while there is no device", "[faults]") {
  loss_rig rig;
  stream_builder made;
  for (std::uint32_t i = 0; i < 300; ++i) {
    made.create_shader(100 + i, wire_ps, faulty_guest::numbered_shader(i));
  }
  REQUIRE(rig.guest->run(made).code == error_code::none);
  rig.faults->forbid_devices(true);
  rig.lose_next();
  CHECK(rig.guest->run(faulty_guest::picture()).code == error_code::device_lost);
  rig.guest->reset();
  CHECK(rig.backend->live_objects() == 0);
  rig.faults->forbid_devices(false);
  CHECK(rig.guest->run_scene());
}
