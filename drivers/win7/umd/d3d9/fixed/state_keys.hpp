// SPDX-License-Identifier: MIT
/// \file From device state to the keys of shaders (umd-d3d9.md 3.1 to 3.8).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/fixed/draw_inputs.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace aerogpu::umd::fixed {

/// Of the stages that the application leaves to the driver; the others are as constructed.
struct shader_keys {
  vertex_key vertex;
  pixel_key pixel;

  friend constexpr auto operator==(const shader_keys&, const shader_keys&) noexcept
      -> bool = default;
};

/// D3DERR_INVALIDCALL: a declaration that is not valid, an operation or argument that no stage has.
[[nodiscard]] auto make_keys(const draw_inputs& draw, shader_keys& out) noexcept -> HRESULT;

/// The enabled lights that count, at most 8 of the lowest numbers: directional ones first, then
/// points, then spots, each by number. What the key and the constants call light 0, 1, ...
struct active_lights {
  std::array<const D3DLIGHT9*, active_light_count> lights{};
  std::size_t count = 0;
};
[[nodiscard]] auto find_active_lights(const fixed_state& state) noexcept -> active_lights;

/// Whether fog takes w, not z: as the runtime says, or PROJECTION's last column is not (0, 0, 0,
/// 1).
[[nodiscard]] auto is_w_fog(const fixed_state& state) noexcept -> bool;

/// Fog of a draw with a shader of the application: the host's (docs/extensions.md, state 2003).
enum class host_fog : std::uint32_t {
  none,
  on,        ///< FOG0 is the factor of vertices.
  by_depth,  ///< FOG0 is the depth.
  by_w,      ///< The depth of a table is the position's w.
  by_z,      ///< The depth of a table is the pixel's.
};
[[nodiscard]] auto host_fog_of(const draw_inputs& draw) noexcept -> host_fog;

namespace detail {

[[nodiscard]] auto make_pixel_key(const draw_inputs& draw, pixel_key& out) noexcept -> HRESULT;
[[nodiscard]] auto make_vertex_key(const draw_inputs& draw, const pixel_key& pixel) noexcept
    -> vertex_key;
/// D3DFOGMODE of the pixels, or of the driver's vertex shader; fog there is at all.
struct fog_modes {
  bool is_on = false;
  std::uint32_t table = 0;
  std::uint32_t vertex = 0;
};
[[nodiscard]] auto fog_modes_of(const draw_inputs& draw) noexcept -> fog_modes;

}  // namespace detail

}  // namespace aerogpu::umd::fixed
