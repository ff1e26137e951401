// SPDX-License-Identifier: MIT
/// \file Values of Direct3D 9 states as guests write them, and their meaning here.
#pragma once

#include "aerogpu/backend/pipeline_state.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace aerogpu {

inline constexpr std::uint32_t d3dblend_bothsrcalpha = 12;
inline constexpr std::uint32_t d3dblend_bothinvsrcalpha = 13;

namespace detail {

template <class T, std::size_t N>
[[nodiscard]] constexpr auto value_at(const std::array<T, N>& table, std::uint32_t first,
                                      std::uint32_t value) noexcept -> std::optional<T> {
  if (value < first || value - first >= N) return std::nullopt;
  return table[value - first];
}

// Not inside the function, where GCC builds the array on the stack for each call.
inline constexpr std::array compare_funcs_from_one{
    AEROGPU_COMPARE_NEVER,         AEROGPU_COMPARE_LESS,    AEROGPU_COMPARE_EQUAL,
    AEROGPU_COMPARE_LESS_EQUAL,    AEROGPU_COMPARE_GREATER, AEROGPU_COMPARE_NOT_EQUAL,
    AEROGPU_COMPARE_GREATER_EQUAL, AEROGPU_COMPARE_ALWAYS};

}  // namespace detail

/// D3DBLEND as a factor; none for values that name no single factor.
[[nodiscard]] constexpr auto blend_factor_of(std::uint32_t d3dblend) noexcept
    -> std::optional<blend_factor> {
  const auto* row = find_blend_factor(&blend_factor_row::d3dblend, {d3dblend});
  return row != nullptr ? std::optional{row->factor} : std::nullopt;
}

/// D3DBLENDOP.
[[nodiscard]] constexpr auto blend_op_of(std::uint32_t d3dblendop) noexcept
    -> std::optional<aerogpu_blend_op> {
  constexpr std::array from_one{AEROGPU_BLEND_OP_ADD, AEROGPU_BLEND_OP_SUBTRACT,
                                AEROGPU_BLEND_OP_REV_SUBTRACT, AEROGPU_BLEND_OP_MIN,
                                AEROGPU_BLEND_OP_MAX};
  return detail::value_at(from_one, 1, d3dblendop);
}

/// D3DCMPFUNC, 1..8.
[[nodiscard]] constexpr auto compare_func_of(std::uint32_t d3dcmp) noexcept
    -> std::optional<aerogpu_compare_func> {
  return detail::value_at(detail::compare_funcs_from_one, 1, d3dcmp);
}

/// D3DSTENCILOP, with 0 as KEEP.
[[nodiscard]] constexpr auto stencil_op_of(std::uint32_t d3dstencilop) noexcept
    -> std::optional<stencil_op> {
  using enum stencil_op;
  constexpr std::array from_zero{
      keep,   keep,           zero,          replace, increment_clamp, decrement_clamp,
      invert, increment_wrap, decrement_wrap};
  return detail::value_at(from_zero, 0, d3dstencilop);
}

/// D3DCOLOR 0xAARRGGBB as red, green, blue, alpha in 0..1.
[[nodiscard]] constexpr auto color_of(std::uint32_t d3dcolor) noexcept -> vec4f {
  const auto channel = [&](std::uint32_t shift) {
    return static_cast<float>((d3dcolor >> shift) & 0xFFu) / 255.0f;
  };
  return {channel(16), channel(8), channel(0), channel(24)};
}

}  // namespace aerogpu
