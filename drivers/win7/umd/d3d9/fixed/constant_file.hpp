// SPDX-License-Identifier: MIT
/// \file What the host has in the float registers of one stage.
#pragma once

#include "drivers/win7/umd/d3d9/fixed/constant_layout.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/matrix.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::umd::fixed {

/// The application's constants and the fixed-function pipeline's lie in one file: each sends what
/// the other overwrote before it draws. Nothing is known at first, nor after `forget`.
class constant_file {
 public:
  /// Values that were written into the stream. Out of range: ignored.
  void note_sent(std::size_t first, std::span<const float4> values) noexcept;
  /// The host lost them, or another writer may have changed them.
  void forget() noexcept;

  /// The part of `wanted` from the first to the last register that the host does not have, bit by
  /// bit; empty when it has all. Precondition: in range.
  [[nodiscard]] auto missing(register_block block, std::span<const float4> wanted) const noexcept
      -> register_block;

  /// Counts changes: equal numbers mean that nothing was sent or forgotten in between.
  [[nodiscard]] auto generation() const noexcept -> std::uint64_t { return generation_; }

 private:
  [[nodiscard]] auto has(std::size_t number, const float4& value) const noexcept -> bool;

  struct host_register {
    float4 value{};
    bool is_known = false;
  };

  std::array<host_register, constant_register_count> registers_{};
  std::uint64_t generation_ = 1;
};

}  // namespace aerogpu::umd::fixed
