// SPDX-License-Identifier: MIT
/// \file Validated commands as a backend receives them: objects resolved, state effective.
#pragma once

#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/backend/objects.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/backend/vertex_fetch.hpp"
#include "aerogpu/core/ids.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace aerogpu {

/// A texture as shaders read it. `texture` null = nothing bound.
template <class B>
struct texture_ref {
  typename B::texture* texture = nullptr;
  typename B::texture_view* view = nullptr;  ///< Null = the whole texture in its own format.
  const texture_desc* desc = nullptr;        ///< Of the texture.
};

/// One subresource of a texture as a target. `texture` null = a gap.
template <class B>
struct target_ref {
  typename B::texture* texture = nullptr;
  typename B::texture_view* view = nullptr;
  aerogpu_format format = AEROGPU_FORMAT_INVALID;  ///< Of the view when there is one.
  subresource where{};
  std::uint32_t width = 0;  ///< Of that mip level.
  std::uint32_t height = 0;
};

/// A range of a buffer, clipped to it. `buffer` null = reads zero, drops writes.
template <class B>
struct buffer_ref {
  typename B::buffer* buffer = nullptr;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
};

template <class B>
struct vertex_buffer_ref {
  typename B::buffer* buffer = nullptr;
  std::uint32_t offset_bytes = 0;
  std::uint32_t stride_bytes = 0;
  std::uint64_t buffer_size_bytes = 0;
};

template <class B>
struct index_buffer_ref {
  typename B::buffer* buffer = nullptr;
  aerogpu_index_format format = AEROGPU_INDEX_FORMAT_UINT16;
  std::uint32_t offset_bytes = 0;  ///< Multiple of the index size.
  std::uint64_t buffer_size_bytes = 0;
};

/// What one t slot holds: a texture, or a buffer, or nothing.
template <class B>
struct shader_resource_ref {
  texture_ref<B> texture;
  buffer_ref<B> buffer;
};

/// Colour and depth targets of a draw or clear; trailing gaps are cut.
template <class B>
struct target_set {
  std::array<target_ref<B>, AEROGPU_MAX_RENDER_TARGETS> colors{};
  std::uint32_t color_count = 0;
  target_ref<B> depth_stencil;
};

/// Constant registers of one stage (host.md 2.12). `floats` reaches to the highest register ever
/// written, rounded up; registers past it are zero.
struct constant_registers {
  std::span<const vec4f> floats;
  std::span<const vec4i> ints;
  std::span<const std::uint8_t> bools;  ///< 0 or 1.
};

/// What the shader of one stage can see. Nothing but `shader` holds while that is null. While no
/// b0 is bound, an SM4+ shader reads `constants.floats` there (host.md 3.13).
template <class B>
struct stage_bindings {
  typename B::shader* shader = nullptr;  ///< Null = no shader in this stage.
  std::array<shader_resource_ref<B>, shader_resource_slots> resources{};
  std::array<typename B::sampler*, sampler_slots> samplers{};  ///< Null = default sampler.
  std::array<buffer_ref<B>, constant_buffer_slots> constant_buffers{};
  std::array<buffer_ref<B>, unordered_access_slots> unordered_access{};
  std::uint32_t resource_limit = 0;         ///< One past the highest t slot in use.
  std::uint32_t constant_buffer_limit = 0;  ///< The same of b slots; 0 for SM1-3 programs.
  std::uint32_t unordered_access_limit = 0;
  constant_registers constants;
};

/// What changed in a context since the last draw or dispatch that this context handed on, so that
/// a backend need not compare. Bits 8.. and 16.. are one stage each. A bit may be set without a
/// change; all are set at first and after a call that failed.
enum class state_change : std::uint32_t {
  fixed_function = 1u << 0,  ///< fixed_function_state, render and sampler states.
  targets = 1u << 1,
  input_layout = 1u << 2,
  vertex_buffers = 1u << 3,
  index_buffer = 1u << 4,
  shaders = 1u << 5,
  stage_bindings = 1u << 8,    ///< << stage: resources, samplers, constant buffers, UAVs.
  stage_constants = 1u << 16,  ///< << stage: constant registers.
};

/// Everything a draw or dispatch reads. Lives in the context; valid during the call.
template <class B>
struct draw_state {
  context_id context{};
  const fixed_function_state* fixed = nullptr;
  const d3d9_state* d3d9 = nullptr;
  target_set<B> targets;
  typename B::input_layout* input_layout = nullptr;  ///< Null = none.
  const vertex_fetch* fetch = nullptr;  ///< The layout as the vertex shader sees it; of draws only.
  /// Slots of `fetch->slots`; others are null. A null buffer among them reads zero.
  std::array<vertex_buffer_ref<B>, vertex_buffer_slots> vertex_buffers{};
  index_buffer_ref<B> index_buffer;  ///< Of indexed draws only.
  std::array<stage_bindings<B>, shader_stage_count> stages;
};

/// DRAW or DRAW_INDEXED with at least one vertex and instance, and all it needs bound. Targets,
/// viewport, scissor and sample mask leave something to write. Hull and domain shaders are there
/// for patch lists only.
template <class B>
struct draw_call {
  const draw_state<B>& state;
  std::uint32_t changes;  ///< state_change bits.
  bool is_indexed;
  std::uint32_t count;  ///< Vertices, or indices.
  std::uint32_t instance_count;
  std::uint32_t first;  ///< First vertex, or first index.
  std::int32_t base_vertex;
  std::uint32_t first_instance;
};

/// DISPATCH with 1 to 65535 groups in each dimension; `stage` is where its shader is bound. Of the
/// state only that stage counts.
template <class B>
struct dispatch_call {
  const draw_state<B>& state;
  std::uint32_t changes;
  shader_stage stage;
  std::uint32_t x, y, z;
};

/// A rectangle of a target, in texels; inside it.
struct pixel_rect {
  std::uint32_t x = 0, y = 0, width = 0, height = 0;
};

/// CLEAR of bound targets (host.md 3.14); write masks, viewport and sample mask do not matter.
/// `color` is as the guest sent it; clamp and encode on store (clear_color.hpp).
template <class B>
struct clear_call {
  const target_set<B>& targets;
  bool has_scissor;
  scissor_state scissor;  ///< Valid with has_scissor; clip to each target.
  std::uint32_t flags;    ///< aerogpu_clear_flags that have a target.
  vec4f color;
  bool srgb_write;  ///< Encode linear to sRGB also on UNORM targets.
  float depth;      ///< 0..1
  std::uint8_t stencil;
};

/// PRESENT or PRESENT_EX. `texture` null = the guest frame buffer is shown, and `desc` is null too.
template <class B>
struct present_call {
  std::uint32_t scanout_id;
  std::uint32_t flags;
  typename B::texture* texture;
  const texture_desc* desc;
};

}  // namespace aerogpu
