// SPDX-License-Identifier: MIT
// Times a subject against a baseline in turns, so that the ratio holds on a machine whose speed
// changes.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

namespace aerogpu::bench {

/// Processor time of this thread, so that other programs on the machine do not count.
inline constexpr clockid_t thread_clock = CLOCK_THREAD_CPUTIME_ID;
/// Processor time of all threads of this program.
inline constexpr clockid_t process_clock = CLOCK_PROCESS_CPUTIME_ID;
/// The time that someone waits.
inline constexpr clockid_t wall_clock = CLOCK_MONOTONIC;

inline auto seconds_on(clockid_t clock) -> double {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Seconds of `clock` that one call takes.
template <class Work>
auto seconds_of(clockid_t clock, Work&& work) -> double {
  const double begin = seconds_on(clock);
  work();
  benchmark::ClobberMemory();
  return seconds_on(clock) - begin;
}

inline auto median_of(std::vector<double> values) -> double {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Runs baseline and subject by turns, and `settle` untimed behind each. Counters: nanoseconds for
/// each of `items` of both, and the median of the ratios; also that of all threads' processor time,
/// which other programs on the machine do not lengthen.
template <class Baseline, class Subject, class Settle>
void run_ratio(benchmark::State& state, std::size_t items, clockid_t clock, Baseline&& baseline,
               Subject&& subject, Settle&& settle) {
  std::vector<double> floors, ratios, cpu_ratios;
  std::vector<double> times;
  const auto settled = [&](auto&& work) {
    return [&] {
      work();
      settle();
    };
  };
  for ([[maybe_unused]] auto turn : state) {
    double floor = 0, time = 0;
    const double floor_cpu =
        seconds_of(process_clock, settled([&] { floor = seconds_of(clock, baseline); }));
    const double cpu =
        seconds_of(process_clock, settled([&] { time = seconds_of(clock, subject); }));
    cpu_ratios.push_back(cpu / floor_cpu);
    state.SetIterationTime(time);
    floors.push_back(floor);
    times.push_back(time);
    ratios.push_back(time / floor);
  }
  const double to_ns = 1e9 / static_cast<double>(items);
  state.counters["floor_ns"] = median_of(floors) * to_ns;
  state.counters["ns"] = median_of(times) * to_ns;
  state.counters["ratio"] = median_of(ratios);
  state.counters["cpu_ratio"] = median_of(cpu_ratios);
  state.SetItemsProcessed(static_cast<std::int64_t>(items) * state.iterations());
}

/// The same, for work of this thread alone.
template <class Baseline, class Subject>
void run_ratio(benchmark::State& state, std::size_t items, Baseline&& baseline, Subject&& subject) {
  run_ratio(state, items, thread_clock, baseline, subject, [] {});
}

}  // namespace aerogpu::bench
