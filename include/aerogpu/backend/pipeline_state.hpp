// SPDX-License-Identifier: MIT
/// \file Effective pipeline state of a context: what the state packets and render states add up to.
#pragma once

#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/abi/cmd_state.h"
#include "aerogpu/stream/slot_counts.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace aerogpu {

/// Blend factors: those of the packets and those only D3DRS_SRCBLEND can name (host.md 3.11, D-37).
/// Snapshots store the numbers: a new one comes last.
enum class blend_factor : std::uint8_t {
  zero,
  one,
  src_alpha,
  inv_src_alpha,
  dest_alpha,
  inv_dest_alpha,
  constant,
  inv_constant,
  src_color,
  inv_src_color,
  dest_color,
  inv_dest_color,
  src_alpha_sat,
};

/// How packets, Direct3D 9 and reports name a factor.
struct blend_factor_row {
  blend_factor factor;
  std::optional<std::uint32_t> packet;    ///< aerogpu_blend_factor.
  std::optional<std::uint32_t> d3dblend;  ///< D3DBLEND.
  std::string_view name;
};

inline constexpr std::array blend_factor_rows{
    blend_factor_row{blend_factor::zero, AEROGPU_BLEND_ZERO, 1, "ZERO"},
    blend_factor_row{blend_factor::one, AEROGPU_BLEND_ONE, 2, "ONE"},
    blend_factor_row{blend_factor::src_alpha, AEROGPU_BLEND_SRC_ALPHA, 5, "SRC_ALPHA"},
    blend_factor_row{blend_factor::inv_src_alpha, AEROGPU_BLEND_INV_SRC_ALPHA, 6, "INV_SRC_ALPHA"},
    blend_factor_row{blend_factor::dest_alpha, AEROGPU_BLEND_DEST_ALPHA, 7, "DEST_ALPHA"},
    blend_factor_row{blend_factor::inv_dest_alpha, AEROGPU_BLEND_INV_DEST_ALPHA, 8,
                     "INV_DEST_ALPHA"},
    blend_factor_row{blend_factor::constant, AEROGPU_BLEND_CONSTANT, 14, "CONSTANT"},
    blend_factor_row{blend_factor::inv_constant, AEROGPU_BLEND_INV_CONSTANT, 15, "INV_CONSTANT"},
    blend_factor_row{blend_factor::src_color, std::nullopt, 3, "SRC_COLOR"},
    blend_factor_row{blend_factor::inv_src_color, std::nullopt, 4, "INV_SRC_COLOR"},
    blend_factor_row{blend_factor::dest_color, std::nullopt, 9, "DEST_COLOR"},
    blend_factor_row{blend_factor::inv_dest_color, std::nullopt, 10, "INV_DEST_COLOR"},
    blend_factor_row{blend_factor::src_alpha_sat, std::nullopt, 11, "SRC_ALPHA_SAT"},
};
inline constexpr blend_factor last_blend_factor = blend_factor_rows.back().factor;

namespace detail {

[[nodiscard]] consteval auto rows_follow_blend_factors() noexcept -> bool {
  for (std::size_t i = 0; i < blend_factor_rows.size(); ++i) {
    if (static_cast<std::size_t>(blend_factor_rows[i].factor) != i) return false;
  }
  return true;
}
static_assert(rows_follow_blend_factors(), "the rows stand in the order of the factors");

}  // namespace detail

/// The row in which `column` holds `value`; null when no factor is named so.
template <class T>
[[nodiscard]] constexpr auto find_blend_factor(T blend_factor_row::*column, const T& value) noexcept
    -> const blend_factor_row* {
  for (const blend_factor_row& row : blend_factor_rows) {
    if (row.*column == value) return &row;
  }
  return nullptr;
}

enum class stencil_op : std::uint8_t {
  keep,
  zero,
  replace,
  increment_clamp,
  decrement_clamp,
  invert,
  increment_wrap,
  decrement_wrap,
};

struct blend_equation {
  blend_factor source = blend_factor::one;
  blend_factor destination = blend_factor::zero;
  aerogpu_blend_op op = AEROGPU_BLEND_OP_ADD;
};

/// host.md 3.1 and 3.5. Write mask bits: 0 R, 1 G, 2 B, 3 A, one mask for each target.
struct blend_state {
  bool enable = false;
  blend_equation color;
  blend_equation alpha;
  std::array<std::uint8_t, AEROGPU_MAX_RENDER_TARGETS> write_masks{0xF, 0xF, 0xF, 0xF,
                                                                   0xF, 0xF, 0xF, 0xF};
  std::array<float, 4> constant{1, 1, 1, 1};
  std::uint32_t sample_mask = 0xFFFFFFFF;  ///< Only bit 0 matters; CLEAR ignores it.
  /// D3DRS_SRCBLEND names both colour factors (BOTHSRCALPHA): D3DRS_DESTBLEND waits until it ends.
  bool destination_by_source = false;
};

struct stencil_face {
  stencil_op fail = stencil_op::keep;
  stencil_op depth_fail = stencil_op::keep;
  stencil_op pass = stencil_op::keep;
  aerogpu_compare_func func = AEROGPU_COMPARE_ALWAYS;
};

/// host.md 3.6. `counter_clockwise` applies to faces that wind so on screen when `two_sided`.
struct depth_stencil_state {
  bool depth_enable = true;
  bool depth_write = true;
  aerogpu_compare_func depth_func = AEROGPU_COMPARE_LESS_EQUAL;
  bool stencil_enable = false;
  bool two_sided = false;
  std::uint8_t stencil_read_mask = 0xFF;
  std::uint8_t stencil_write_mask = 0xFF;
  std::uint8_t stencil_reference = 0;
  stencil_face clockwise;
  stencil_face counter_clockwise;
};

/// host.md 3.7.
struct rasterizer_state {
  aerogpu_fill_mode fill = AEROGPU_FILL_SOLID;
  aerogpu_cull_mode cull = AEROGPU_CULL_BACK;
  bool front_counter_clockwise = false;
  bool depth_clip = true;
  bool scissor_enable = false;
  bool scissor_by_render_state = false;  ///< Enabled through D3DRS 174: clears obey it (D-41).
  bool cull_by_winding = false;  ///< D3DRS 22 named the winding: a new front keeps it culled.
  std::int32_t depth_bias = 0;   ///< In units of the depth format's resolution.
};

/// D3D9 alpha test, host.md 3.11.
struct alpha_test_state {
  bool enable = false;
  aerogpu_compare_func func = AEROGPU_COMPARE_ALWAYS;
  std::uint8_t reference = 0;  ///< Compared as reference / 255.
};

/// host.md 3.9. `is_set` false = whole render target, depth 0..1.
struct viewport_state {
  bool is_set = false;
  float x = 0, y = 0, width = 0, height = 0;
  float min_depth = 0, max_depth = 1;
};

/// host.md 3.9. `is_set` false = whole render target.
struct scissor_state {
  bool is_set = false;
  std::int32_t x = 0, y = 0, width = 0, height = 0;
};

/// Effective fixed-function state; last writer wins between packets and render states.
struct fixed_function_state {
  blend_state blend;
  depth_stencil_state depth_stencil;
  rasterizer_state rasterizer;
  alpha_test_state alpha_test;
  viewport_state viewport;
  scissor_state scissor;
  bool srgb_write = false;  ///< D3DRS_SRGBWRITEENABLE.
  aerogpu_primitive_topology topology = AEROGPU_TOPOLOGY_TRIANGLELIST;
};

inline constexpr std::uint32_t render_state_count =
    4'097;  ///< Ids 0..4096 are cached (host.md 3.11).
inline constexpr std::uint32_t sampler_state_count = 14;  ///< D3DSAMP ids 0..13.
inline constexpr std::uint32_t d3d9_sampler_slots = 16;   ///< For VS and for PS (host.md 3.12).

/// Raw D3D9 states as the guest wrote them. Ids without a default of their own start at 0.
struct d3d9_state {
  std::array<std::uint32_t, render_state_count> render_states{};
  std::array<std::array<std::array<std::uint32_t, sampler_state_count>, d3d9_sampler_slots>, 2>
      sampler_states{};  ///< [0 vertex, 1 pixel][slot][D3DSAMP id].
};

using vec4f = std::array<float, 4>;
using vec4i = std::array<std::int32_t, 4>;

inline constexpr std::uint32_t d3d9_float_constants = 256;  ///< Visible to SM1-3.

}  // namespace aerogpu
