// SPDX-License-Identifier: MIT
/// \file How many of each there are in a Direct3D 9 device: for the runtime and the driver.
#pragma once

#include <cstddef>

namespace aerogpu::ddi {

inline constexpr std::size_t render_state_count = 256;  ///< From 0, with gaps.
inline constexpr std::size_t sampler_state_count = 14;  ///< From 1.
inline constexpr std::size_t stage_state_count = 33;    ///< From 1, with gaps.
inline constexpr std::size_t texture_stage_count = 8;
inline constexpr std::size_t pixel_sampler_count = 16;
inline constexpr std::size_t vertex_sampler_count = 4;  ///< From D3DVERTEXTEXTURESAMPLER0.
inline constexpr std::size_t render_target_count = 4;

}  // namespace aerogpu::ddi
