// SPDX-License-Identifier: MIT
/// \file Hostile guests that share a host process with others: each does one thing in a loop, with
/// a device and a thread of its own.
#pragma once

#include "tests/hostile/computer.hpp"
#include "tests/support/stream_builder.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <thread>

namespace aerogpu::hostile {

struct neighbour {
  const char* name;
  test::stream_builder (*make)(std::uint32_t round);
  /// 0 = as `default_options`.
  std::uint32_t watchdog_ms = 0;
};

/// The one that leaves stuck devices behind comes last.
[[nodiscard]] auto neighbours() -> std::span<const neighbour>;
/// Precondition: there is one of that name.
[[nodiscard]] auto neighbour_of(std::string_view name) -> const neighbour&;

/// Submits and waits, again and again, on a thread of its own.
class hostile_loop {
 public:
  /// Returns once the first round is over. `niceness` is what the thread lowers its priority by,
  /// before it opens its device: threads of a driver inherit it.
  explicit hostile_loop(const neighbour& guest, int niceness = 0);
  hostile_loop(const hostile_loop&) = delete;
  auto operator=(const hostile_loop&) -> hostile_loop& = delete;
  ~hostile_loop();

  [[nodiscard]] auto rounds() const -> std::uint32_t { return rounds_; }

 private:
  void run(int niceness);

  const neighbour& guest_;
  std::atomic<std::uint32_t> rounds_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace aerogpu::hostile
