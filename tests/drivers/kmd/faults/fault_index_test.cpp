// SPDX-License-Identifier: MIT
/// \file Each allocation, copy, callback and register read of a session fails once; the device
/// leaves at every register read. Windows survives, and the next session works.
#include "tests/drivers/kmd/faults/fault_session.hpp"
#include "tests/support/fault_stride.hpp"

#include <string>

using namespace aerogpu;
using namespace aerogpu::test;
using sim::fault_point;

namespace {

constexpr std::uint32_t whole_session_steps = 142;

/// The next start of the driver on the same machine.
void check_next_session(simulated_pc<>& m, const std::string& where) {
  {
    INFO(where + ", the next session");
    fault_session next{m, session_rule::everything_works};
    next.run();
    CHECK(next.steps() == whole_session_steps);
  }
  check_no_bug_check(m, where + ", the next session");
}

/// Fails the `nth` call; false when the session has no such call.
[[nodiscard]] auto fail_once(fault_point point, std::uint64_t nth, const std::string& where)
    -> bool {
  simulated_pc<> m;
  m.pc.faults.fail(point, nth);
  fault_session broken{m, session_rule::windows_survives};
  broken.run();
  const bool has_fired = m.pc.faults.has_fired(point);
  m.pc.faults.disarm();
  check_no_bug_check(m, where);
  check_next_session(m, where);
  return has_fired;
}

/// The device is gone from the `nth` register read on; false when the session has no such read.
[[nodiscard]] auto leave_at(std::uint64_t nth, bool is_replugged) -> bool {
  const auto where = "gone from register read " + std::to_string(nth) + " on";
  simulated_pc<> m;
  std::uint64_t reads = 0;
  auto& bus = m.pc.bus;
  bus.host.on_read = [&](std::uint32_t, std::uint32_t value) {
    if (reads++ != nth) return value;
    bus.host.is_removed = true;
    m.pc.interrupts.set_line(false);
    return 0xFFFFFFFF;
  };
  {
    fault_session broken{m, session_rule::windows_survives};
    broken.run();
  }
  const bool has_left = bus.host.is_removed;
  bus.host.on_read = nullptr;
  check_no_bug_check(m, where);
  bus.host.is_removed = false;
  if (is_replugged) bus.reset_device();
  check_next_session(m, where);
  return has_left;
}

}  // namespace

TEST_CASE("a session works, and the next one too", "[drivers][kmd][fault]") {
  simulated_pc<> m;
  fault_session first{m, session_rule::everything_works};
  first.run();
  check_no_bug_check(m, "the first session");
  check_next_session(m, "nothing failed");
}

TEST_CASE("whichever call of the kernel fails once, Windows and the next session live on",
          "[drivers][kmd][fault]") {
  struct point_case {
    fault_point point;
    const char* name;
    std::uint64_t least_calls;  ///< In a session that is worth the name.
  };
  const auto one = GENERATE(point_case{fault_point::pool, "pool", 30},
                            point_case{fault_point::contiguous, "contiguous", 3},
                            point_case{fault_point::map_mdl, "map_mdl", 4},
                            point_case{fault_point::user_copy, "user_copy", 10},
                            point_case{fault_point::callback, "callback", 100},
                            point_case{fault_point::synchronize, "synchronize", 60},
                            point_case{fault_point::register_read, "register_read", 200});
  std::uint64_t nth = 0;
  while (fail_once(one.point, nth, std::string{one.name} + " " + std::to_string(nth))) {
    nth += fault_stride();
  }
  CHECK(nth >= one.least_calls);
}

TEST_CASE("wherever the device leaves the bus, Windows lives on and the device may come back",
          "[drivers][kmd][fault]") {
  const bool is_replugged = GENERATE(true, false);  // Else it comes back as it was.
  std::uint64_t nth = 0;
  while (leave_at(nth, is_replugged)) nth += fault_stride();
  CHECK(nth >= 200);
}
