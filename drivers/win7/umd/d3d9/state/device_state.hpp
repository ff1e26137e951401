// SPDX-License-Identifier: MIT
/// \file What the application has set: the values that draws, getters and state blocks read.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/stream/stage.hpp"
#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/ddi/d3d9/state_counts.hpp"
#include "drivers/win7/umd/d3d9/state/fixed_state.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"
#include "drivers/win7/umd/d3d9/state/stream_bindings.hpp"

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd {

using ddi::pixel_sampler_count;
using ddi::render_state_count;
using ddi::render_target_count;
using ddi::sampler_state_count;
using ddi::stage_state_count;
using ddi::texture_stage_count;
using ddi::vertex_sampler_count;

inline constexpr std::size_t sampler_count = pixel_sampler_count + vertex_sampler_count;
inline constexpr std::size_t constant_count = 256;
/// Render states that the host is told by the surfaces that are bound: the colours that each target
/// takes, then STENCILENABLE.
inline constexpr std::size_t target_state_count = render_target_count + 1;

inline constexpr std::uint32_t first_vertex_stage = 257;  ///< D3DVERTEXTEXTURESAMPLER0
inline constexpr std::uint32_t no_sampler = 0xFFFFFFFF;

/// The driver's sampler of one of Direct3D's stages, or `no_sampler`.
[[nodiscard]] constexpr auto sampler_of_stage(std::uint32_t stage) noexcept -> std::uint32_t {
  if (stage < pixel_sampler_count) return stage;
  const bool is_vertex =
      stage >= first_vertex_stage && stage < first_vertex_stage + vertex_sampler_count;
  if (!is_vertex) return no_sampler;
  return stage - first_vertex_stage + static_cast<std::uint32_t>(pixel_sampler_count);
}

/// A surface: one subresource of a resource. Null when nothing is bound.
struct surface_ref {
  umd::resource* resource = nullptr;
  std::uint32_t subresource = 0;

  friend constexpr auto operator==(const surface_ref&, const surface_ref&) -> bool = default;
};

/// Constant registers of one stage as the application set them. `sent` says which the host has as
/// they are here, so that a value is never taken for redundant before it was sent once; of floats,
/// which generated shaders overwrite, the device's `host_floats` says it.
struct constant_registers {
  std::array<float_register, constant_count> floats{};
  std::array<int_register, constant_count> ints{};
  std::array<std::uint32_t, constant_count> bools{};
  std::bitset<constant_count> sent_ints;
  std::bitset<constant_count> sent_bools;
};

/// The shader stages that a Direct3D 9 application programs.
enum class stage : std::uint8_t { vertex, pixel };
[[nodiscard]] constexpr auto wire_stage(stage which) noexcept -> shader_stage {
  return which == stage::vertex ? shader_stage::vertex : shader_stage::pixel;
}

/// Render states that Direct3D 9 has not (docs/extensions.md).
enum class private_state : std::uint8_t {
  pixel_centers,     ///< 1: at integers, as Direct3D 9 has them.
  unbound_textures,  ///< 1: opaque black, as Direct3D 9's shaders read them.
  /// 1: COLOR0 is white and FOG 1 where a program's vertex shader writes none.
  unwritten_varyings,
  host_fog,              ///< `fixed::host_fog`.
  transformed_clip = 5,  ///< 1: the depth of transformed vertices is clipped. 4 is the kernel's.
};
inline constexpr std::uint32_t first_private_state = 2000;
inline constexpr std::size_t private_state_count = 6;

/// What the host has bound, where that is not what the application set but what draws need.
struct host_bindings {
  shader_handle vertex_shader{};
  shader_handle pixel_shader{};
  input_layout_handle input_layout{};
  std::uint32_t topology = 0;  ///< aerogpu_primitive_topology; 0 = none sent.
  std::array<std::uint32_t, private_state_count> private_states{};
  std::array<std::uint32_t, target_state_count> target_states{0xF, 0xF, 0xF, 0xF, 0};
  bool has_screen_depth = false;     ///< The depth of vertices in screen space is used as it is.
  std::uint64_t shader_changes = 0;  ///< Grows with each change of shaders, private states, depth.
};

/// Values only. Who changes one emits its packet: the setters, and nobody else. A draw or blit that
/// binds something of its own restores what stands here.
struct device_state {
  std::array<std::uint32_t, render_state_count> render_states{};
  std::bitset<render_state_count> sent_render_states;
  std::array<std::array<std::uint32_t, stage_state_count>, texture_stage_count> stage_states{};
  std::array<std::array<std::uint32_t, sampler_state_count>, sampler_count> sampler_states{};
  std::array<std::bitset<sampler_state_count>, sampler_count> sent_sampler_states;
  std::array<resource*, sampler_count> textures{};  ///< Pixel samplers, then vertex samplers.
  std::uint32_t bound_textures = 0;                 ///< Bit n = sampler n has one.

  stream_bindings streams;
  index_source indices;
  vertex_declaration* declaration = nullptr;
  shader* vertex_shader = nullptr;  ///< Null = the fixed-function pipeline.
  shader* pixel_shader = nullptr;
  std::array<constant_registers, 2> constants{};  ///< By stage.

  std::array<surface_ref, render_target_count> render_targets{};
  surface_ref depth_stencil;
  rectangle scissor_rect;
  bool has_scissor_rect = false;
  fixed_state fixed;
  host_bindings host;
  /// Grows when something changed that generated shaders or their constants depend on.
  std::uint64_t fixed_changes = 0;

  [[nodiscard]] auto constants_of(stage which) noexcept -> constant_registers& {
    return constants[static_cast<std::size_t>(which)];
  }
};

/// Direct3D's defaults (umd-d3d9.md 2.3, 6.3); nothing counts as sent.
void reset_state(device_state& state) noexcept;

}  // namespace aerogpu::umd
