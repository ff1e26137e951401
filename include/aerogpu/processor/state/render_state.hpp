// SPDX-License-Identifier: MIT
/// \file Direct3D 9 render states: one row for each id that has an effect (host.md 3.11).
#pragma once

#include "aerogpu/processor/state/render_state_effects.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"

#include <array>
#include <cstdint>

namespace aerogpu {

/// A render state with an effect. Values that a row does not know leave the state as it was.
struct render_state_row {
  std::uint32_t id;
  render_state_effect apply;
};

namespace detail::render_states {

using state = fixed_function_state;
using depth_stencil = depth_stencil_state;
inline constexpr auto depth = &state::depth_stencil;
inline constexpr auto front = &depth_stencil::clockwise;
inline constexpr auto back = &depth_stencil::counter_clockwise;
inline constexpr auto alpha = &state::alpha_test;

[[nodiscard]] consteval auto make_table() noexcept {
  using namespace effect;
  return std::array<render_state_row, 36>{{
      {d3drs_zenable, flag<depth, &depth_stencil::depth_enable>},
      {d3drs_zwriteenable, flag<depth, &depth_stencil::depth_write>},
      {d3drs_alphatestenable, flag<alpha, &alpha_test_state::enable>},
      {d3drs_frontcounterclockwise, front_face},
      {d3drs_srcblend, source_factor},
      {d3drs_destblend, destination_factor},
      {d3drs_cullmode, cull_mode},
      {d3drs_zfunc, compare<depth, &depth_stencil::depth_func>},
      {d3drs_alpharef, low_byte<alpha, &alpha_test_state::reference>},
      {d3drs_alphafunc, compare_or_always<alpha, &alpha_test_state::func>},
      {d3drs_alphablendenable, flag<&state::blend, &blend_state::enable>},
      {d3drs_stencilenable, flag<depth, &depth_stencil::stencil_enable>},
      {d3drs_stencilfail, stencil<depth, front, &stencil_face::fail>},
      {d3drs_stencilzfail, stencil<depth, front, &stencil_face::depth_fail>},
      {d3drs_stencilpass, stencil<depth, front, &stencil_face::pass>},
      {d3drs_stencilfunc, compare_or_always<depth, front, &stencil_face::func>},
      {d3drs_stencilref, low_byte<depth, &depth_stencil::stencil_reference>},
      {d3drs_stencilmask, low_byte<depth, &depth_stencil::stencil_read_mask>},
      {d3drs_stencilwritemask, low_byte<depth, &depth_stencil::stencil_write_mask>},
      {d3drs_colorwriteenable, write_mask<0>},
      {d3drs_blendop, blend_op},
      {d3drs_scissortestenable, scissor_test},
      {d3drs_twosidedstencilmode, flag<depth, &depth_stencil::two_sided>},
      {d3drs_ccw_stencilfail, stencil<depth, back, &stencil_face::fail>},
      {d3drs_ccw_stencilzfail, stencil<depth, back, &stencil_face::depth_fail>},
      {d3drs_ccw_stencilpass, stencil<depth, back, &stencil_face::pass>},
      {d3drs_ccw_stencilfunc, compare_or_always<depth, back, &stencil_face::func>},
      {d3drs_colorwriteenable1, write_mask<1>},
      {d3drs_colorwriteenable2, write_mask<2>},
      {d3drs_colorwriteenable3, write_mask<3>},
      {d3drs_blendfactor, blend_constant},
      {d3drs_srgbwriteenable, flag<&state::srgb_write>},
      {d3drs_separatealphablendenable, separate_alpha},
      {d3drs_srcblendalpha, alpha_part},
      {d3drs_destblendalpha, alpha_part},
      {d3drs_blendopalpha, alpha_part},
  }};
}

}  // namespace detail::render_states

/// The table, by rising id. Ids without a row are cached only.
inline constexpr auto render_state_table = detail::render_states::make_table();

/// A value that does not start at 0: the host's defaults, those of host.md 3.11. A driver sends
/// Direct3D's.
struct render_state_default {
  std::uint32_t id;
  std::uint32_t value;
};

inline constexpr std::array<render_state_default, 33> render_state_defaults{{
    {d3drs_zenable, 1},
    {d3drs_fillmode, 3},   // Solid.
    {d3drs_shademode, 2},  // Gouraud.
    {d3drs_zwriteenable, 1},
    {d3drs_lastpixel, 1},
    {d3drs_srcblend, 2},
    {d3drs_destblend, 1},
    {d3drs_cullmode, 3},
    {d3drs_zfunc, 4},
    {d3drs_alphafunc, 8},
    {d3drs_fogend, 0x3F800000},      // 1.0
    {d3drs_fogdensity, 0x3F800000},  // 1.0
    {d3drs_stencilfail, 1},
    {d3drs_stencilzfail, 1},
    {d3drs_stencilpass, 1},
    {d3drs_stencilfunc, 8},
    {d3drs_stencilmask, 0xFFFFFFFF},
    {d3drs_stencilwritemask, 0xFFFFFFFF},
    {d3drs_texturefactor, 0xFFFFFFFF},
    {d3drs_pointsize, 0x3F800000},      // 1.0
    {d3drs_pointsize_min, 0x3F800000},  // 1.0
    {d3drs_multisamplemask, 0xFFFFFFFF},
    {d3drs_pointsize_max, 0x42800000},  // 64.0
    {d3drs_colorwriteenable, 0xF},
    {d3drs_blendop, 1},
    {d3drs_ccw_stencilfail, 1},
    {d3drs_ccw_stencilzfail, 1},
    {d3drs_ccw_stencilpass, 1},
    {d3drs_ccw_stencilfunc, 8},
    {d3drs_colorwriteenable1, 0xF},
    {d3drs_colorwriteenable2, 0xF},
    {d3drs_colorwriteenable3, 0xF},
    {d3drs_blendfactor, 0xFFFFFFFF},
}};

namespace detail {

inline constexpr std::uint32_t render_state_limit = 256;

/// id -> 1 + row, 0 = cached only.
[[nodiscard]] consteval auto make_render_state_index() noexcept {
  std::array<std::uint8_t, render_state_limit> index{};
  for (std::size_t i = 0; i < render_state_table.size(); ++i) {
    index[render_state_table[i].id] = static_cast<std::uint8_t>(i + 1);
  }
  return index;
}
inline constexpr auto render_state_index = make_render_state_index();

}  // namespace detail

/// The row of `id`, or null when it is cached only.
[[nodiscard]] constexpr auto find_render_state(std::uint32_t id) noexcept
    -> const render_state_row* {
  if (id >= detail::render_state_limit) return nullptr;
  const std::uint32_t row = detail::render_state_index[id];
  return row == 0 ? nullptr : &render_state_table[row - 1];
}

constexpr void reset_render_states(render_state_values& raw) noexcept {
  raw = {};
  for (const auto& [id, value] : render_state_defaults) raw[id] = value;
}

/// SET_RENDER_STATE: caches the value and applies it, also when it equals the cached one, since an
/// explicit packet may have come between (D-36). Ids past 4096 are ignored. True when effective
/// state was written.
constexpr auto set_render_state(fixed_function_state& fixed, render_state_values& raw,
                                std::uint32_t id, std::uint32_t value) noexcept -> bool {
  if (id >= render_state_count) return false;
  raw[id] = value;
  const render_state_row* row = find_render_state(id);
  if (row == nullptr) return false;
  row->apply(fixed, raw, value);
  return true;
}

}  // namespace aerogpu
