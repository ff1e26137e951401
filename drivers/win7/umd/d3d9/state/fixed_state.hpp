// SPDX-License-Identifier: MIT
/// \file State of the fixed-function pipeline that is no render state: matrices, material, lights.
#pragma once

#include "aerogpu/hosted/heap_map.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::umd {

inline constexpr std::size_t transform_count = 512;  ///< Numbers of D3DTRANSFORMSTATETYPE.
inline constexpr std::size_t clip_plane_count = 6;
inline constexpr std::size_t active_light_count = 8;  ///< MaxActiveLights.

enum class light_key : std::uint32_t {};  ///< Index of a light, plus 1.

struct light {
  D3DLIGHT9 values{};
  bool is_enabled = false;
};

struct viewport {
  float x = 0, y = 0, width = 0, height = 0;  ///< Pixels; 0 by 0 = the whole target.
  float min_z = 0, max_z = 1;
};

/// Row vectors times row-major matrices, as Direct3D has them.
struct fixed_state {
  std::array<D3DMATRIX, transform_count> transforms{};
  D3DMATERIAL9 material{};
  heap_map<light_key, light> lights;
  std::array<std::array<float, 4>, clip_plane_count> clip_planes{};
  umd::viewport viewport;
  /// Whether fog takes w, as the runtime said after PROJECTION was set; else PROJECTION says it.
  std::optional<bool> has_w_fog;
};

}  // namespace aerogpu::umd
