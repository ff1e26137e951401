// SPDX-License-Identifier: MIT
/// \file The modules, layout and pipeline key of a draw, from its shaders and fixed-function state.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "vulkan/commands/render_pass.hpp"
#include "vulkan/pipeline/pipeline_key.hpp"
#include "vulkan/pipeline/pipeline_store.hpp"
#include "vulkan/pipeline/shader_store.hpp"
#include "vulkan/programs/layout_record.hpp"
#include "vulkan/programs/program_sources.hpp"
#include "vulkan/vulkan_backend.hpp"

namespace aerogpu::vulkan {

using draw_state_of = draw_state<vulkan_backend>;

[[nodiscard]] inline auto shader_of(const draw_state_of& state, shader_stage stage) noexcept
    -> shader_record* {
  const vulkan_shader* shader = state.stages[static_cast<std::size_t>(stage)].shader;
  return shader != nullptr ? shader->record : nullptr;
}

/// Whether the driver placed the vertices itself (shaders.md 2.1).
[[nodiscard]] inline auto has_transformed_vertices(const draw_state_of& state) noexcept -> bool {
  return state.input_layout != nullptr && state.input_layout->record->has_transformed_position;
}

/// Whether the draw's programs are SM1-3.
[[nodiscard]] inline auto is_d3d9(const draw_state_of& state) noexcept -> bool {
  return shader_of(state, shader_stage::vertex)->code->language == shader_language::d3d9_tokens;
}

/// Modules of SM1-3 programs. Errors: unsupported for programs that cannot be linked;
/// out_of_memory, device_lost.
[[nodiscard]] auto resolve_d3d9_variants(const draw_state_of& state, const program_sources& from)
    -> result<stage_variants>;

/// Fills all of `key` but vertex input and layout.
void describe_pipeline(const draw_state_of& state, const stage_variants& stages,
                       const pass_targets& targets, const gpu& device, pipeline_key& key) noexcept;

}  // namespace aerogpu::vulkan
