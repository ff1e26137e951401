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
inline auto thread_seconds() -> double {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Seconds of this thread that one call takes.
template <class Work>
auto seconds_of(Work&& work) -> double {
  const double begin = thread_seconds();
  work();
  benchmark::ClobberMemory();
  return thread_seconds() - begin;
}

inline auto median_of(std::vector<double> values) -> double {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Runs baseline and subject by turns. Counters: nanoseconds for each of `items` of both, and the
/// median of the ratios.
template <class Baseline, class Subject>
void run_ratio(benchmark::State& state, std::size_t items, Baseline&& baseline, Subject&& subject) {
  std::vector<double> floors, ratios;
  std::vector<double> times;
  for ([[maybe_unused]] auto turn : state) {
    const double floor = seconds_of(baseline);
    const double time = seconds_of(subject);
    state.SetIterationTime(time);
    floors.push_back(floor);
    times.push_back(time);
    ratios.push_back(time / floor);
  }
  const double to_ns = 1e9 / static_cast<double>(items);
  state.counters["floor_ns"] = median_of(floors) * to_ns;
  state.counters["ns"] = median_of(times) * to_ns;
  state.counters["ratio"] = median_of(ratios);
  state.SetItemsProcessed(static_cast<std::int64_t>(items) * state.iterations());
}

}  // namespace aerogpu::bench
