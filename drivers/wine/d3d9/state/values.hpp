// SPDX-License-Identifier: MIT
/// \file What a device's state consists of, and a choice of its parts. A state block has both.
#pragma once

#include "drivers/win7/ddi/d3d9/state_counts.hpp"
#include "drivers/wine/d3d9/resource/buffer.hpp"
#include "drivers/wine/d3d9/resource/resource.hpp"
#include "drivers/wine/d3d9/state/declaration.hpp"
#include "drivers/wine/d3d9/state/shaders/shader.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <map>
#include <vector>

namespace aerogpu::d3d9 {

using ddi::pixel_sampler_count;
using ddi::render_state_count;
using ddi::render_target_count;
using ddi::sampler_state_count;
using ddi::stage_state_count;
using ddi::texture_stage_count;

inline constexpr std::size_t sampler_count = 21;  ///< With that of displacement and of vertices.
inline constexpr std::size_t transform_count = 512;
inline constexpr std::size_t clip_plane_count = 6;
inline constexpr std::size_t stream_count = 16;

/// Registers of shaders. What lies beyond the hardware's is for vertices that the CPU processes.
inline constexpr std::size_t vertex_float_count = 256;
inline constexpr std::size_t software_float_count = 8192;
inline constexpr std::size_t pixel_float_count = 224;
inline constexpr std::size_t flow_register_count = 16;  ///< Integers, booleans.
inline constexpr std::size_t software_flow_register_count = 2048;

/// Where samplers 0 to 15 and 256 to 260 lie; `sampler_count` for others.
[[nodiscard]] constexpr auto sampler_place(DWORD sampler) noexcept -> std::size_t {
  if (sampler < pixel_sampler_count) return sampler;
  const bool is_special = sampler >= D3DDMAPSAMPLER && sampler <= D3DVERTEXTEXTURESAMPLER3;
  return is_special ? pixel_sampler_count + (sampler - D3DDMAPSAMPLER) : sampler_count;
}
/// The number of the sampler at a place.
[[nodiscard]] constexpr auto sampler_at(std::size_t place) noexcept -> DWORD {
  const auto number = place < pixel_sampler_count ? place : place - pixel_sampler_count + 256;
  return static_cast<DWORD>(number);
}

struct stream_binding {
  bound<vertex_buffer> buffer;
  UINT offset_bytes = 0;
  UINT stride_bytes = 0;
  friend auto operator==(const stream_binding&, const stream_binding&) -> bool = default;
};

using float_register = std::array<float, 4>;
using integer_register = std::array<int, 4>;
using boolean_register = std::array<BOOL, 1>;

/// The constants of one kind of shader; as many as the device has.
struct constant_values {
  std::vector<float_register> floats;
  std::vector<integer_register> integers;
  std::vector<boolean_register> booleans;
};

struct state_values {
  std::array<DWORD, render_state_count> render{};
  std::array<std::array<DWORD, sampler_state_count>, sampler_count> samplers{};
  std::array<std::array<DWORD, stage_state_count>, texture_stage_count> stages{};
  std::array<bound<any_texture>, sampler_count> textures;
  std::array<D3DMATRIX, transform_count> transforms{};
  std::array<float_register, clip_plane_count> clip_planes{};
  std::map<DWORD, D3DLIGHT9> lights;  ///< Those that were defined.
  std::map<DWORD, bool> lit;          ///< Of those, or of those that a recording switches.
  std::array<stream_binding, stream_count> streams;
  std::array<UINT, stream_count> frequencies{};
  D3DVIEWPORT9 viewport{};
  RECT scissor{};
  D3DMATERIAL9 material{};
  float npatch_segments = 0;
  UINT palette = 0;
  bound<index_buffer> indices;
  bound<vertex_declaration> declaration;
  bound<vertex_shader> vertex;
  bound<pixel_shader> pixel;
  constant_values vertex_constants;
  constant_values pixel_constants;
};

struct constant_mask {
  std::bitset<software_float_count> floats;
  std::bitset<software_flow_register_count> integers;
  std::bitset<software_flow_register_count> booleans;
};

/// Parts of a state. Lights have none: those of a block are those that are in its values.
struct state_mask {
  std::bitset<render_state_count> render;
  std::array<std::bitset<sampler_state_count>, sampler_count> samplers;
  std::array<std::bitset<stage_state_count>, texture_stage_count> stages;
  std::bitset<sampler_count> textures;
  std::bitset<transform_count> transforms;
  std::bitset<clip_plane_count> clip_planes;
  std::bitset<stream_count> streams;
  std::bitset<stream_count> frequencies;
  bool viewport = false;
  bool scissor = false;
  bool material = false;
  bool npatch_segments = false;
  bool palette = false;
  bool indices = false;
  bool declaration = false;
  bool vertex = false;
  bool pixel = false;
  constant_mask vertex_constants;
  constant_mask pixel_constants;
  bool all_lights = false;  ///< Whichever there are.
};

/// What blocks of a type hold (MSDN "Saving All Device States" and its fellows). The registers are
/// as many as `like` has.
[[nodiscard]] auto states_of(D3DSTATEBLOCKTYPE type, const state_values& like) -> state_mask;

/// The states that Direct3D 9 names; others are accepted and mean nothing.
[[nodiscard]] auto named_render_states() -> const std::bitset<render_state_count>&;

}  // namespace aerogpu::d3d9
