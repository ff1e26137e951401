// SPDX-License-Identifier: MIT
/// \file Numbers that no two processes of the guest may share: wire handles and allocation ids.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <cstdint>

namespace aerogpu::umd {

/// Where the counters of a session of Windows begin: each session has names of its own, and all
/// have one host. Sessions lie far apart, the first ones farthest, and one that begins anew,
/// because the last process that held the counter went, seldom where it began before.
[[nodiscard]] constexpr auto first_shared_number(std::uint32_t session,
                                                 std::uint64_t random) noexcept -> std::uint64_t {
  constexpr std::uint64_t random_mask = 0x3FFFFF;
  std::uint64_t reversed = 0;
  for (int bit = 0; bit < 31; ++bit) reversed = reversed << 1 | (session >> bit & 1);
  return reversed + (random & random_mask);
}

/// Numbers from a counter that all processes share, or random ones where there is none
/// (umd-d3d9.md 2.4). Any process may write the counter: unique by good will, never a reason to
/// trust. Any thread.
class shared_numbers {
 public:
  /// `name` of the counter; numbers are masked with `mask`, random ones get `random_bits` set.
  shared_numbers(const char* name, std::uint32_t mask, std::uint32_t random_bits) noexcept;

  [[nodiscard]] auto next() noexcept -> std::uint32_t;  ///< Never 0.
  [[nodiscard]] auto is_shared() const noexcept -> bool { return counter_ != nullptr; }

 private:
  std::uint64_t* counter_;
  std::uint32_t mask_;
  std::uint32_t random_bits_;
};

/// Handles of resources, shaders and input layouts: the host's tables know no process.
class protocol_handles {
 public:
  protocol_handles() noexcept;

  [[nodiscard]] auto next_resource() noexcept -> resource_handle {
    return resource_handle{numbers_.next()};
  }
  [[nodiscard]] auto next_shader() noexcept -> shader_handle {
    return shader_handle{numbers_.next()};
  }
  [[nodiscard]] auto next_input_layout() noexcept -> input_layout_handle {
    return input_layout_handle{numbers_.next()};
  }

 private:
  shared_numbers numbers_;
};

/// Ids of guest-backed allocations of one adapter, 1 to 0x7FFFFFFF; the kernel driver's lie above.
class alloc_ids {
 public:
  explicit alloc_ids(os::adapter_luid luid) noexcept;

  [[nodiscard]] auto next() noexcept -> alloc_id { return alloc_id{numbers_.next()}; }

 private:
  shared_numbers numbers_;
};

}  // namespace aerogpu::umd
