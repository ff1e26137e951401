// SPDX-License-Identifier: MIT
/// \file The checks of a draw, as bits, and sets of stages.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/processor/bindings/slot_mask.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

/// The checks of a draw, each with a bit that says it must be made again. A stage's tables have
/// one bit each from `stage` on.
enum class draw_part : std::uint32_t {
  index_buffer = 1u << 0,
  shaders = 1u << 1,
  targets = 1u << 2,
  layout = 1u << 3,
  vertex_buffers = 1u << 4,
  area = 1u << 5,   ///< Whether viewport, scissor and sample mask leave anything.
  names = 1u << 6,  ///< A name or content changed, so that nothing holds before `follow`.
  stage = 1u << 8,
};

/// A bit set over an enumeration whose values are bits.
template <class Bit>
struct bit_set {
  std::uint32_t bits = 0;

  [[nodiscard]] static constexpr auto mask_of(Bit bit) noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(bit);
  }
  /// The bit of one stage, where `bit` is that of stage 0.
  [[nodiscard]] static constexpr auto mask_of(Bit bit, shader_stage stage) noexcept
      -> std::uint32_t {
    return mask_of(bit) << static_cast<std::uint32_t>(stage);
  }

  template <class... Stage>
  constexpr void insert(Bit bit, Stage... stage) noexcept {
    bits |= mask_of(bit, stage...);
  }
  template <class... Stage>
  constexpr void erase(Bit bit, Stage... stage) noexcept {
    bits &= ~mask_of(bit, stage...);
  }
  template <class... Stage>
  [[nodiscard]] constexpr auto contains(Bit bit, Stage... stage) const noexcept -> bool {
    return (bits & mask_of(bit, stage...)) != 0;
  }
};

inline constexpr std::uint32_t all_bits = 0xFFFFFFFF;

using stage_mask = slot_mask<shader_stage_count>;

[[nodiscard]] constexpr auto mask_of_stages(std::span<const shader_stage> stages) noexcept
    -> stage_mask {
  stage_mask mask;
  for (const shader_stage stage : stages) mask.insert(static_cast<std::size_t>(stage));
  return mask;
}

}  // namespace aerogpu
