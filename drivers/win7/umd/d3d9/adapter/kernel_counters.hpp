// SPDX-License-Identifier: MIT
/// \file What the kernel driver counts, asked by escape.
#pragma once

#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"

#include <cstdint>

namespace aerogpu::umd {

/// Fences of the whole adapter, which complete in order.
struct fence_counters {
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
};
/// False when the kernel driver cannot be asked.
[[nodiscard]] auto query_fences(const adapter& of, fence_counters& out) noexcept -> bool;

}  // namespace aerogpu::umd
