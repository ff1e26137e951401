// SPDX-License-Identifier: MIT
/// \file What the host has in the float registers of one stage.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/fixed/constant_layout.hpp"
#include "drivers/win7/umd/d3d9/fixed/vertex/matrix.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace aerogpu::umd::fixed {

/// The application's constants and the fixed-function pipeline's lie in one file: each sends what
/// the other overwrote before it draws. Nothing is known at first, nor after `forget`.
class constant_file {
 public:
  /// Values that were written into the stream. None, or out of range: ignored.
  void note_sent(std::size_t first, std::span<const float4> values) noexcept {
    if (values.empty() || first > values_.size() || values.size() > values_.size() - first) return;
    copy_registers(mutable_bytes_of(values_).data() + first * sizeof(float4),
                   std::as_bytes(values));
    const std::size_t last = first + values.size() - 1;
    std::uint64_t bits = ~std::uint64_t{0} << first % 64;
    for (std::size_t word = first / 64; word < last / 64; ++word) {
      known_[word] |= bits;
      bits = ~std::uint64_t{0};
    }
    known_[last / 64] |= bits & ~std::uint64_t{0} >> (63 - last % 64);
    ++generation_;
  }
  /// The host lost them, or another writer may have changed them.
  void forget() noexcept {
    known_ = {};
    ++generation_;
  }

  /// The part of `wanted` from the first to the last register that the host does not have, bit by
  /// bit; empty when it has all. Precondition: in range.
  [[nodiscard]] auto missing(register_block block, std::span<const float4> wanted) const noexcept
      -> register_block {
    std::size_t begin = 0;
    std::size_t end = wanted.size();
    while (begin < end && has(block.first + begin, wanted[begin])) ++begin;
    while (end > begin && has(block.first + end - 1, wanted[end - 1])) --end;
    return {static_cast<std::uint16_t>(block.first + begin),
            static_cast<std::uint16_t>(end - begin)};
  }

  /// Counts changes: equal numbers mean that nothing was sent or forgotten in between.
  [[nodiscard]] auto generation() const noexcept -> std::uint64_t { return generation_; }

 private:
  [[nodiscard]] auto has(std::size_t number, const float4& value) const noexcept -> bool {
    const bool is_known = (known_[number / 64] >> number % 64 & 1) != 0;
    return is_known && std::memcmp(&values_[number], &value, sizeof value) == 0;
  }

  std::array<float4, constant_register_count> values_{};
  std::array<std::uint64_t, constant_register_count / 64> known_{};  ///< A bit a register.
  std::uint64_t generation_ = 1;
};

}  // namespace aerogpu::umd::fixed
