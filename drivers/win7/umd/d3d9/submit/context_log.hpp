// SPDX-License-Identifier: MIT
/// \file What the log says of a new context, of either profile (umd-d3d9.md 5.3).
#pragma once

#include <cstdint>

namespace aerogpu::umd {

/// Memory that the runtime lends, and how much: bytes or entries.
struct logged_buffer {
  const void* address = nullptr;
  std::uint32_t size = 0;
};

struct logged_context {
  std::uint64_t device = 0;
  std::uint64_t context = 0;
  std::uint64_t sync_object = 0;
  logged_buffer commands{};
  logged_buffer allocations{};
  logged_buffer patches{};
  logged_buffer private_data{};
};
void log_context(const logged_context& made) noexcept;

/// Null for one that the profile does not have.
struct logged_callbacks {
  const void* submit_command = nullptr;
  const void* render = nullptr;
  const void* present = nullptr;
};
void log_callbacks(const logged_callbacks& given) noexcept;

void log_patch_list(const logged_buffer& patches) noexcept;

}  // namespace aerogpu::umd
