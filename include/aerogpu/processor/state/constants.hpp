// SPDX-License-Identifier: MIT
/// \file Direct3D 9 constant registers of one stage: memory only for what was written.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/check.hpp"
#include "aerogpu/hosted/heap_array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu {

/// Float, int and bool registers of a stage; all zero until written (host.md 3.1).
class constant_file {
 public:
  /// Whether there is memory for float registers below `end`.
  [[nodiscard]] auto has_floats(std::size_t end) const noexcept -> bool {
    return end <= floats_.size();
  }
  /// SET_SHADER_CONSTANTS_F: copies 16 bytes for each register from `start` on. False, and nothing
  /// happens, when there is no memory for them yet.
  [[nodiscard]] auto set_floats(std::size_t start, const_bytes data) noexcept -> bool {
    if (!has_floats(start + data.size() / sizeof(vec4f))) return false;
    if (!data.empty()) std::memcpy(floats_.view().data() + start, data.data(), data.size());
    return true;
  }
  /// Makes memory for registers below `end`: a power of two, from 256 up. `view` is another one
  /// then. False when the heap is exhausted. Precondition: they fit `float_constant_count`.
  [[nodiscard]] auto grow_floats(std::size_t end) noexcept -> bool {
    AEROGPU_CHECK(end <= float_constant_count);
    return floats_.resize(std::max<std::size_t>(std::bit_ceil(end), d3d9_float_constants));
  }

  /// SET_SHADER_CONSTANTS_I, likewise, and makes memory the first time. False when the heap is
  /// exhausted. Precondition: the registers fit `int_constant_count`.
  [[nodiscard]] auto set_ints(std::uint32_t start, const_bytes data) noexcept -> bool {
    if (data.empty()) return true;
    AEROGPU_CHECK(start + data.size() / sizeof(vec4i) <= int_constant_count);
    if (ints_.empty() && !ints_.resize(int_constant_count)) return false;
    std::memcpy(&ints_[start], data.data(), data.size());
    return true;
  }

  /// One register of SET_SHADER_CONSTANTS_B. Precondition: it is in the file.
  void set_bool(std::uint32_t index, bool value) noexcept {
    AEROGPU_CHECK(index < bool_constant_count);
    bools_[index] = value ? 1 : 0;
  }

  [[nodiscard]] auto view() const noexcept -> constant_registers {
    return {floats_.view(), ints_.view(), bools_};
  }

 private:
  heap_array<vec4f> floats_;
  heap_array<vec4i> ints_;
  std::array<std::uint8_t, bool_constant_count> bools_{};
};

}  // namespace aerogpu
