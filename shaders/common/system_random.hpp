// SPDX-License-Identifier: MIT
/// \file Random bytes of the operating system, for seeds and names that a guest must not guess.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstdint>

namespace aerogpu {

/// Fills all of `into`; false when the system has no random bytes, and `into` is unchanged then or
/// filled in part. Unlike std::random_device it never throws. Thread-safe.
[[nodiscard]] auto fill_random(mutable_bytes into) noexcept -> bool;

/// From the clock, the process and an address: differs from call to call, but can be guessed.
[[nodiscard]] auto guessable_seed() noexcept -> std::uint64_t;

/// From `fill_random`, or else `guessable_seed`. Never 0, which stands for "none" in options.
[[nodiscard]] auto random_seed() noexcept -> std::uint64_t;

}  // namespace aerogpu
