// SPDX-License-Identifier: MIT
/// \file How a run ends that cannot go on: each program has its own way to say why.
#pragma once

namespace aerogpu::run_sys {

/// Statuses of a run that ended so.
inline constexpr int undecoded_status = 3;
inline constexpr int unloadable_status = 4;
inline constexpr int no_memory_status = 5;

/// Leaves the line where the test finds it, and ends the process at once. Any thread.
[[noreturn]] void end_run(const char* line, int status) noexcept;

}  // namespace aerogpu::run_sys
