// SPDX-License-Identifier: MIT
/// \file Which call a thread is in, without storage of its own for each thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd::trace {

class traced_call;

/// Calls between entry and return, by the thread that makes them. Any thread; lock-free.
class calls_in_flight {
 public:
  static constexpr std::size_t most_calls = 32;  ///< At once; more are not found.
  static constexpr std::size_t none = most_calls;

  /// A place for `call` of thread `thread`, or none. A thread is in one call at a time.
  [[nodiscard]] auto enter(std::uint32_t thread, traced_call& call) noexcept -> std::size_t {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      std::uint32_t nobody = 0;
      if (!places_[i].thread.compare_exchange_strong(nobody, thread)) continue;
      places_[i].call = &call;
      return i;
    }
    return none;
  }
  void leave(std::size_t place) noexcept {
    if (place != none) places_[place].thread.store(0);
  }
  [[nodiscard]] auto find(std::uint32_t thread) const noexcept -> traced_call* {
    for (const place& each : places_) {
      if (each.thread.load() == thread) return each.call;
    }
    return nullptr;
  }

 private:
  struct place {
    std::atomic<std::uint32_t> thread{0};  ///< 0 = free.
    traced_call* call = nullptr;           ///< Of that thread alone.
  };

  std::array<place, most_calls> places_;
};

}  // namespace aerogpu::umd::trace
