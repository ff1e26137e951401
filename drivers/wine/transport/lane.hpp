// SPDX-License-Identifier: MIT
/// \file The words of a lane, as both sides use them.
#pragma once

#include "drivers/wine/transport/protocol.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace aerogpu::wine {

/// A word that the other side changes.
[[nodiscard]] inline auto shared(std::uint32_t& word) noexcept -> std::atomic_ref<std::uint32_t> {
  return std::atomic_ref<std::uint32_t>{word};
}

/// Tries for a while, and yields: there may be two processors and somebody needs the other one.
template <class Test>
[[nodiscard]] auto spin_until(Test&& is_done) -> bool {
  constexpr std::chrono::microseconds longest{30};
  const auto end = std::chrono::steady_clock::now() + longest;
  do {
    if (is_done()) return true;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

/// What `waits` says of who sleeps in a FIFO. A sleeper sets it, polls once more, and sleeps; a
/// waker takes it back and sends a byte only if it was set. So there is a byte exactly for each
/// sleep.
[[nodiscard]] inline auto must_wake(std::uint32_t& waits) noexcept -> bool {
  return shared(waits).exchange(0) == 1;
}
inline void begin_wait(std::uint32_t& waits) noexcept {
  shared(waits).store(1);
}
/// Before sleeping it turned out to be needless. False: a byte is on its way all the same.
[[nodiscard]] inline auto withdraw_wait(std::uint32_t& waits) noexcept -> bool {
  return shared(waits).exchange(0) == 1;
}

}  // namespace aerogpu::wine
