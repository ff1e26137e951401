// SPDX-License-Identifier: MIT
#include "aerogpu/device/state/device_time.hpp"

#include "tests/catch.hpp"
#include "tests/support/device_harness.hpp"

namespace aerogpu {
namespace {

using namespace test;

struct time_rig {
  time_rig() { machine.time_ns = 1'000; }

  fake_machine machine{memory_mood::calm};
};

}  // namespace

TEST_CASE("a device's time begins at power-on", "[device][state]") {
  time_rig rig;
  device_time time{rig.machine, vblank_clock{}};
  CHECK(time.now_ns() == 0);
  rig.machine.time_ns += 30;
  CHECK(time.now_ns() == 30);
  CHECK(time.host_time_of(30) == rig.machine.time_ns);
}

TEST_CASE("a host whose clock falls back does not turn a device's time", "[device][state]") {
  time_rig rig;
  device_time time{rig.machine, vblank_clock{}};
  rig.machine.time_ns += 30;
  time.clock().advance(time.now_ns(), [](const vblank_edge&) {});
  rig.machine.time_ns -= 500;
  CHECK(time.now_ns() == 30);
}

TEST_CASE("a restored time goes on where it was saved", "[device][state]") {
  time_rig rig;
  device_time time{rig.machine, vblank_clock{10, 4}};
  const vblank_state saved{.last = {3, 70}, .next_edge_ns = 80, .now_ns = 75};
  time.restore(saved, 77);
  CHECK(time.now_ns() == 77);
  CHECK(time.clock().state() == saved);
  rig.machine.time_ns += 5;
  CHECK(time.now_ns() == 82);
}

TEST_CASE("what was due before a young host's clock began is due at once", "[device][state]") {
  time_rig rig;
  rig.machine.time_ns = GENERATE(std::uint64_t{0}, 3, UINT64_MAX - 100);
  const auto host_ns = rig.machine.time_ns;
  device_time time{rig.machine, vblank_clock{}};
  time.restore({.last = {}, .next_edge_ns = 0, .now_ns = 40}, 50);
  CHECK(time.host_time_of(40) == (host_ns > 10 ? host_ns - 10 : 0));
  CHECK(time.host_time_of(48) == (host_ns > 2 ? host_ns - 2 : 0));
  CHECK(time.host_time_of(50) == host_ns);
  CHECK(time.host_time_of(57) == host_ns + 7);
}

}  // namespace aerogpu
