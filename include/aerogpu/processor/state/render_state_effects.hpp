// SPDX-License-Identifier: MIT
/// \file What a D3D9 render state does to effective state: the vocabulary of render_state.hpp.
#pragma once

#include "aerogpu/backend/d3d9_values.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu {

using render_state_values = std::array<std::uint32_t, render_state_count>;

/// Writes effective state. `raw` already holds `value` at the state's own id.
using render_state_effect = void (*)(fixed_function_state& fixed, const render_state_values& raw,
                                     std::uint32_t value) noexcept;

namespace detail {

template <class T, class U>
constexpr void assign(T& to, const std::optional<U>& from) noexcept {
  if (from) to = *from;
}

// clang-format off
template <auto... Members>
[[nodiscard]] constexpr auto member(fixed_function_state& fixed) noexcept -> auto& {
  return (fixed .* ... .* Members);
}
// clang-format on

/// Culls a winding, whichever face is called front: 2 clockwise, 3 counter-clockwise.
constexpr void cull_winding(rasterizer_state& state, std::uint32_t d3dcull) noexcept {
  if (d3dcull > 3) return;
  state.cull_by_winding = true;
  const bool culls_front = (d3dcull == 3) == state.front_counter_clockwise;
  state.cull = d3dcull < 2   ? AEROGPU_CULL_NONE
               : culls_front ? AEROGPU_CULL_FRONT
                             : AEROGPU_CULL_BACK;
}

/// D3DRS_SRCBLEND. BOTHSRCALPHA and its inverse name both factors; when they end, the destination
/// is what D3DRS_DESTBLEND says.
constexpr void set_source(blend_state& blend, const render_state_values& raw,
                          std::uint32_t d3dblend) noexcept {
  using enum blend_factor;
  const bool is_inverse = d3dblend == d3dblend_bothinvsrcalpha;
  if (is_inverse || d3dblend == d3dblend_bothsrcalpha) {
    blend.color.source = is_inverse ? inv_src_alpha : src_alpha;
    blend.color.destination = is_inverse ? src_alpha : inv_src_alpha;
    blend.destination_by_source = true;
    return;
  }
  const auto factor = blend_factor_of(d3dblend);
  if (!factor) return;
  blend.color.source = *factor;
  if (blend.destination_by_source) {
    assign(blend.color.destination, blend_factor_of(raw[d3drs_destblend]));
    blend.destination_by_source = false;
  }
}

/// Alpha follows colour, or the separate states apply, where 0 means ONE, ZERO and ADD.
constexpr void derive_alpha(blend_state& blend, const render_state_values& raw) noexcept {
  if (raw[d3drs_separatealphablendenable] == 0) {
    blend.alpha = blend.color;
    return;
  }
  const auto or_default = [&](std::uint32_t id, std::uint32_t standard) {
    return raw[id] == 0 ? standard : raw[id];
  };
  assign(blend.alpha.source, blend_factor_of(or_default(d3drs_srcblendalpha, 2)));
  assign(blend.alpha.destination, blend_factor_of(or_default(d3drs_destblendalpha, 1)));
  assign(blend.alpha.op, blend_op_of(or_default(d3drs_blendopalpha, 1)));
}

constexpr void follow_color(blend_state& blend, const render_state_values& raw) noexcept {
  if (raw[d3drs_separatealphablendenable] == 0) blend.alpha = blend.color;
}

}  // namespace detail

namespace effect {

template <auto... Members>
constexpr void flag(fixed_function_state& fixed, const render_state_values&,
                    std::uint32_t value) noexcept {
  detail::member<Members...>(fixed) = value != 0;
}

template <auto... Members>
constexpr void low_byte(fixed_function_state& fixed, const render_state_values&,
                        std::uint32_t value) noexcept {
  detail::member<Members...>(fixed) = static_cast<std::uint8_t>(value & 0xFFu);
}

/// D3DCMPFUNC; 0 is unknown.
template <auto... Members>
constexpr void compare(fixed_function_state& fixed, const render_state_values&,
                       std::uint32_t value) noexcept {
  detail::assign(detail::member<Members...>(fixed), compare_func_of(value));
}

/// D3DCMPFUNC; 0 is ALWAYS.
template <auto... Members>
constexpr void compare_or_always(fixed_function_state& fixed, const render_state_values&,
                                 std::uint32_t value) noexcept {
  constexpr std::uint32_t d3dcmp_always = 8;
  detail::assign(detail::member<Members...>(fixed),
                 compare_func_of(value == 0 ? d3dcmp_always : value));
}

template <auto... Members>
constexpr void stencil(fixed_function_state& fixed, const render_state_values&,
                       std::uint32_t value) noexcept {
  detail::assign(detail::member<Members...>(fixed), stencil_op_of(value));
}

template <std::size_t Target>
constexpr void write_mask(fixed_function_state& fixed, const render_state_values&,
                          std::uint32_t value) noexcept {
  fixed.blend.write_masks[Target] = static_cast<std::uint8_t>(value & 0xFu);
}

constexpr void scissor_test(fixed_function_state& fixed, const render_state_values&,
                            std::uint32_t value) noexcept {
  fixed.rasterizer.scissor_enable = fixed.rasterizer.scissor_by_render_state = value != 0;
}

constexpr void cull_mode(fixed_function_state& fixed, const render_state_values&,
                         std::uint32_t value) noexcept {
  detail::cull_winding(fixed.rasterizer, value);
}

/// A winding that CULLMODE culls stays culled under the new front.
constexpr void front_face(fixed_function_state& fixed, const render_state_values&,
                          std::uint32_t value) noexcept {
  rasterizer_state& state = fixed.rasterizer;
  const bool turns = state.front_counter_clockwise != (value != 0);
  state.front_counter_clockwise = value != 0;
  if (!turns || !state.cull_by_winding || state.cull == AEROGPU_CULL_NONE) return;
  state.cull = state.cull == AEROGPU_CULL_FRONT ? AEROGPU_CULL_BACK : AEROGPU_CULL_FRONT;
}

constexpr void source_factor(fixed_function_state& fixed, const render_state_values& raw,
                             std::uint32_t value) noexcept {
  detail::set_source(fixed.blend, raw, value);
  detail::follow_color(fixed.blend, raw);
}

constexpr void destination_factor(fixed_function_state& fixed, const render_state_values& raw,
                                  std::uint32_t value) noexcept {
  if (fixed.blend.destination_by_source) return;
  detail::assign(fixed.blend.color.destination, blend_factor_of(value));
  detail::follow_color(fixed.blend, raw);
}

constexpr void blend_op(fixed_function_state& fixed, const render_state_values& raw,
                        std::uint32_t value) noexcept {
  detail::assign(fixed.blend.color.op, blend_op_of(value));
  detail::follow_color(fixed.blend, raw);
}

constexpr void separate_alpha(fixed_function_state& fixed, const render_state_values& raw,
                              std::uint32_t) noexcept {
  detail::derive_alpha(fixed.blend, raw);
}

/// One of the three separate alpha states: cached only until D3DRS 206 turns them on.
constexpr void alpha_part(fixed_function_state& fixed, const render_state_values& raw,
                          std::uint32_t) noexcept {
  if (raw[d3drs_separatealphablendenable] != 0) detail::derive_alpha(fixed.blend, raw);
}

constexpr void blend_constant(fixed_function_state& fixed, const render_state_values&,
                              std::uint32_t value) noexcept {
  fixed.blend.constant = color_of(value);
}

}  // namespace effect

}  // namespace aerogpu
