// SPDX-License-Identifier: MIT
/// \file The self-test of the SELFTEST escape: ring, vertical blank, cursor registers
/// (kmd.md 3.21).
#pragma once

#include "aerogpu/abi/dbgctl_escape.h"

#include <cstdint>

namespace aerogpu::kmd {

class adapter;

inline constexpr std::uint32_t default_selftest_ms = 2000;
/// A thread that is in the driver for 5 s during a TDR stops the system (kmd.md 2.11).
inline constexpr std::uint32_t most_selftest_ms = 3000;

/// Needs an idle device, one caller at a time, and leaves mask and cursor as Windows wants them.
/// `timeout_ms` 0 is the default; larger ones than the most are the most. PASSIVE.
[[nodiscard]] auto run_selftest(adapter& adapter, std::uint32_t timeout_ms) noexcept
    -> aerogpu_dbgctl_selftest_error;

}  // namespace aerogpu::kmd
