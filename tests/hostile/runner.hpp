// SPDX-License-Identifier: MIT
/// \file Runs attacks, each in a process of its own with limits on it, and tells how they ended.
#pragma once

#include <span>
#include <string_view>

namespace aerogpu::hostile {

/// Runs the attacks of the groups or of the names that are given, all when none is. The number of
/// attacks that were not held.
[[nodiscard]] auto run_attacks(std::span<char* const> names) -> int;

}  // namespace aerogpu::hostile
