// SPDX-License-Identifier: MIT
// A scene that uses the whole backend, with each of its Vulkan calls failing once.
#include "tests/catch.hpp"
#include "tests/support/fault_stride.hpp"
#include "tests/vulkan_faults/faulty_guest.hpp"
#include "vulkan/engine.hpp"

#include <string>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// What a scene on a new backend leaves in guest memory, and in the device's after a reset.
struct good_scene {
  byte_vector written;
  std::uint64_t used_bytes = 0;
};

auto used_bytes(vulkan::vulkan_backend& backend) -> std::uint64_t {
  return backend.inside().device()->memory.usage().used_bytes;
}

auto run_good_scene(vulkan::vulkan_backend& backend, faulty_guest& guest) -> good_scene {
  guest.forget_written();
  CHECK(guest.run_scene());
  const byte_vector written = guest.written();
  guest.reset();
  CHECK(backend.live_objects() == 0);
  return {written, used_bytes(backend)};
}

/// Runs the scene on a new backend with one call failing, then once more. False when the scene
/// made fewer calls.
auto survives(call_faults& faults, std::uint64_t number, VkResult code, const good_scene& expected)
    -> bool {
  bool was_reached = false;
  {
    const auto backend = open_faulty_backend(fault_options());
    faulty_guest guest{*backend};
    faults.plan(number, code);
    const bool was_good = guest.run_scene();
    guest.reset();
    was_reached = faults.calls() >= number;
    CAPTURE(number, code, faults.failed());
    faults.plan(0, VK_SUCCESS);
    if (!was_reached) CHECK(was_good);
    if (was_reached && code == VK_ERROR_DEVICE_LOST) {
      CHECK(backend->counters().device_losses == 1);
    }
    const good_scene again = run_good_scene(*backend, guest);
    CHECK(again.written == expected.written);
    CHECK(again.used_bytes == expected.used_bytes);
    CHECK(backend->pending_submissions() == 0);
  }
  CAPTURE(number, code);
  CHECK(faults.held() == 0);
  return was_reached;
}

}  // namespace

TEST_CASE("whichever Vulkan call fails, the guest goes on and nothing is left behind", "[faults]") {
  load_vulkan();
  call_faults faults;
  good_scene expected;
  {
    const auto backend = open_faulty_backend(fault_options());
    faulty_guest guest{*backend};
    expected = run_good_scene(*backend, guest);
    CHECK(run_good_scene(*backend, guest).used_bytes == expected.used_bytes);
  }
  REQUIRE(faults.held() == 0);
  const VkResult code = GENERATE(VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST);
  std::uint64_t number = 1;
  while (survives(faults, number, code, expected)) number += fault_stride();
  CHECK(number > 50);
}

TEST_CASE("a backend that cannot be opened leaves nothing behind", "[faults]") {
  load_vulkan();
  call_faults faults;
  const VkResult code = GENERATE(VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_DEVICE_LOST);
  std::uint64_t number = 1;
  for (bool was_reached = true; was_reached; number += fault_stride()) {
    CAPTURE(number, code);
    faults.plan(number, code);
    {
      const auto backend = vulkan::vulkan_backend::create(fault_options());
      was_reached = faults.calls() >= number;
      // A missing block of memory is asked for in another way, which may go well.
      if (!was_reached) CHECK(backend);
      if (was_reached && code == VK_ERROR_DEVICE_LOST) CHECK_FALSE(backend);
      faults.plan(0, VK_SUCCESS);
    }
    CHECK(faults.held() == 0);
  }
  CHECK(number > 20);
}
