// SPDX-License-Identifier: MIT
// What a frame of an honest desktop takes while a hostile guest does its worst in the same process.
// A Catch program, because the guests are those of tests/hostile.
#include "bench/ratio.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/fleet/fleet_desktop.hpp"
#include "tests/hostile/fleet/fleet_guests.hpp"
#include "tests/support/test_runner.hpp"
#include "vulkan/device/host_allocator.hpp"
#include "vulkan/device/stuck_devices.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace aerogpu;
using namespace aerogpu::hostile;

auto the_desktop() -> honest_desktop& {
  static honest_desktop only;
  return only;
}

auto load_average() -> double {
  std::array<double, 1> load{};
  return getloadavg(load.data(), 1) == 1 ? load[0] : 0;
}

/// Sums over frames, because a frame may be lucky; and the unluckiest of them.
struct comparison {
  double alone_ns = 0, beside_ns = 0, alone_thread_ns = 0, thread_ns = 0, worst = 0, frames = 0;

  void add(const std::vector<shown_frame>& alone, const std::vector<shown_frame>& beside) {
    for (std::size_t i = 0; i < alone.size(); ++i) {
      const auto floor = static_cast<double>(alone[i].wall_ns);
      const auto time = static_cast<double>(beside[i].wall_ns);
      alone_ns += floor;
      beside_ns += time;
      worst = std::max(worst, time / floor);
      alone_thread_ns += static_cast<double>(alone[i].thread_ns);
      thread_ns += static_cast<double>(beside[i].thread_ns);
      ++frames;
    }
  }
};

/// Nothing is alone in a process that a guest left stuck devices in: what was before it counts.
auto show_alone(const neighbour* other) -> std::vector<shown_frame> {
  static const std::vector<shown_frame> first = the_desktop().show();
  const bool leaves_devices = other != nullptr && other->watchdog_ms != 0;
  return leaves_devices ? first : the_desktop().show();
}

/// Time on the wall for each frame, beside `other` and alone by turns. Null: alone both times,
/// which tells what the machine itself makes of a ratio.
void desktop_frame(benchmark::State& state, const neighbour* other, int niceness) {
  comparison sums;
  double rounds = 0, seconds = 0;
  for ([[maybe_unused]] auto turn : state) {
    const auto alone = show_alone(other);
    const auto loop = other != nullptr ? std::make_unique<hostile_loop>(*other, niceness) : nullptr;
    const std::uint32_t before = loop != nullptr ? loop->rounds() : 0;
    std::vector<shown_frame> beside;
    const double time =
        bench::seconds_of(bench::wall_clock, [&] { beside = the_desktop().show(); });
    if (loop != nullptr) rounds += loop->rounds() - before;
    seconds += time;
    state.SetIterationTime(time);
    sums.add(alone, beside);
  }
  state.counters["floor_ns"] = sums.alone_ns / sums.frames;
  state.counters["ns"] = sums.beside_ns / sums.frames;
  state.counters["ratio"] = sums.beside_ns / sums.alone_ns;
  state.counters["worst_ratio"] = sums.worst;
  state.counters["thread_ratio"] = sums.thread_ns / sums.alone_thread_ns;
  state.counters["rounds_per_s"] = rounds / seconds;
  state.counters["load"] = load_average();
}

void add(const std::string& name, const neighbour* other, int niceness, int turns) {
  benchmark::RegisterBenchmark(("desktop_frame/" + name).c_str(), desktop_frame, other, niceness)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(turns);
}

/// Each guest also with threads of a lower priority, as docs/security.md asks of an embedder.
void add_all() {
  constexpr int turns = 3, nice = 10;
  static_cast<void>(show_alone(nullptr));
  add("alone", nullptr, 0, turns);
  for (const neighbour& each : neighbours()) {
    const int few = each.watchdog_ms != 0 ? 1 : turns;
    add(std::string{each.name} + "/nice", &each, nice, few);
    add(each.name, &each, 0, few);
  }
}

TEST_CASE("benchmarks") {
  add_all();
  benchmark::RunSpecifiedBenchmarks();
}

}  // namespace

auto main(int argc, char** argv) -> int {
  vulkan::tune_host_allocator();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const int code = aerogpu::test::run_tests(1, argv);
  std::fflush(stdout);
  if (vulkan::has_stuck_devices()) std::_Exit(code);
  return code;
}
