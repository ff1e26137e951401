// SPDX-License-Identifier: MIT
#include "vulkan/programs/draw_programs.hpp"

#include "vulkan/draw/vertex_bindings.hpp"
#include "vulkan/pipeline/state_map.hpp"
#include "vulkan/programs/d3d9_render_states.hpp"
#include "vulkan/programs/d3d9_textures.hpp"

namespace aerogpu::vulkan {

namespace {

/// Slots whose shape the program leaves to what is bound.
void take_slot_kinds(const shader_record& shader, const d3d9_slot_kinds& kinds,
                     d3d9::translate_options& options) noexcept {
  for (std::uint32_t i = 0; i < d3d9::sampler_count; ++i) {
    const bool is_open = (shader.code->undeclared_samplers >> i & 1u) != 0;
    if (is_open) options.undeclared_samplers[i] = kinds.dimensions[i];
  }
  options.depth_samplers = kinds.depth & shader.code->flat_samplers;
}

/// Bits of the colours that a pixel shader writes.
auto color_outputs(const shader_variant* shader) noexcept -> std::uint32_t {
  if (shader == nullptr) return 0;
  if (shader->compiled.words.empty()) return shader->translated.color_outputs;
  std::uint32_t outputs = 0;
  for (std::uint32_t i = 0; i < AEROGPU_MAX_RENDER_TARGETS; ++i) {
    if (shader->compiled.outputs[i].mask != 0) outputs |= 1u << i;
  }
  return outputs;
}

auto blend_of(const blend_state& state, std::uint32_t write_mask, bool has_alpha) noexcept
    -> blend_key {
  constexpr std::uint32_t color_bits = 0x7;
  blend_key key{};
  key.write_mask = (has_alpha ? write_mask : write_mask & color_bits) & 0xFu;
  if (!state.enable || key.write_mask == 0) return key;
  const auto factor = [&](blend_factor from) {
    return static_cast<std::uint32_t>(to_vulkan(from, has_alpha)) & 0x1Fu;
  };
  key.is_enabled = 1;
  key.source = factor(state.color.source) & 0x1Fu;
  key.destination = factor(state.color.destination) & 0x1Fu;
  key.op = static_cast<std::uint32_t>(to_vulkan(state.color.op)) & 7u;
  key.alpha_source = factor(state.alpha.source) & 0x1Fu;
  key.alpha_destination = factor(state.alpha.destination) & 0x1Fu;
  key.alpha_op = static_cast<std::uint32_t>(to_vulkan(state.alpha.op)) & 7u;
  return key;
}

/// The shaders of such a draw are all of Direct3D 9.
auto refuse_d3d10_stages(const draw_state_of& state) -> result<void> {
  for (const shader_stage stage :
       {shader_stage::geometry, shader_stage::hull, shader_stage::domain}) {
    const shader_record* const shader = shader_of(state, stage);
    if (shader == nullptr) continue;
    return make_error(error_code::unsupported,
                      "a stage of Direct3D 10 stands behind a vertex shader of Direct3D 9",
                      static_cast<std::uint32_t>(shader->name));
  }
  const shader_record* const pixel = shader_of(state, shader_stage::pixel);
  if (pixel == nullptr || pixel->code->language == shader_language::d3d9_tokens) return {};
  return make_error(error_code::unsupported,
                    "a pixel shader of Direct3D 10 stands behind a vertex shader of Direct3D 9",
                    static_cast<std::uint32_t>(pixel->name));
}

void describe_targets(const draw_state_of& state, const pass_targets& targets,
                      std::uint32_t outputs, pipeline_key& key) noexcept {
  key.color_count = static_cast<std::uint8_t>(targets.color_count);
  for (std::uint32_t i = 0; i < AEROGPU_MAX_RENDER_TARGETS; ++i) {
    key.color_formats[i] = targets.colors[i].format;
    key.blends[i] = {};
    if (targets.colors[i].image == nullptr || (outputs >> i & 1u) == 0) continue;
    const bool has_alpha = find_format(state.targets.colors[i].format)->has_alpha;
    key.blends[i] = blend_of(state.fixed->blend, state.fixed->blend.write_masks[i], has_alpha);
  }
  const attachment& depth = targets.depth_stencil;
  key.depth_format = depth.format;
  key.has_stencil =
      depth.image != nullptr && (depth.image->format->aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0;
}

}  // namespace

auto resolve_d3d9_variants(const draw_state_of& state, const program_sources& from)
    -> result<stage_variants> {
  if (const auto ok = refuse_d3d10_stages(state); !ok) return ok.why();
  shader_record& vertex = *shader_of(state, shader_stage::vertex);
  stage_variants found{};
  d3d9::varying_mask read_varyings = 0;
  const bool draws_points = state.fixed->topology == AEROGPU_TOPOLOGY_POINTLIST;
  if (shader_record* const pixel = shader_of(state, shader_stage::pixel); pixel != nullptr) {
    auto options = from.shaders.base_options(*from.device.gpu);
    options.extra_varyings = vertex.code->extra_varyings;
    const auto& bindings = state.stages[static_cast<std::size_t>(shader_stage::pixel)];
    take_slot_kinds(*pixel, find_slot_kinds(bindings), options);
    apply_pixel_states(*state.d3d9, draws_points, from.options.applies_fog, options);
    const auto variant = from.shaders.variant(from.device, *pixel, options);
    if (!variant) return variant.why();
    found[static_cast<std::size_t>(graphics_stage::pixel)] = *variant;
    read_varyings = (*variant)->translated.read_varyings;
  }
  auto options = from.shaders.base_options(*from.device.gpu);
  const input_fixups fixups = find_input_fixups(state.fetch, *from.device.gpu);
  options.inputs_with_w_one = fixups.with_w_one;
  options.unsigned_inputs = fixups.is_unsigned;
  options.signed_inputs = fixups.is_signed;
  options.written_varyings = read_varyings;
  apply_vertex_states(*state.d3d9, from.device.gpu->features.clip_distance, draws_points,
                      from.options.applies_fog, options);
  const auto variant = from.shaders.variant(from.device, vertex, options);
  if (!variant) return variant.why();
  found[static_cast<std::size_t>(graphics_stage::vertex)] = *variant;
  return found;
}

void describe_pipeline(const draw_state_of& state, const stage_variants& stages,
                       const pass_targets& targets, const gpu& device, pipeline_key& key) noexcept {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    key.shaders[i] = stages[i] != nullptr ? stages[i]->id : 0;
  }
  const fixed_function_state& fixed = *state.fixed;
  const auto* pixel = stages[static_cast<std::size_t>(graphics_stage::pixel)];
  describe_targets(state, targets, color_outputs(pixel), key);
  const topology_choice topology = topology_of(fixed.topology);
  key.topology_class = topology_class_of(topology.topology);
  key.patch_control_points = static_cast<std::uint8_t>(topology.patch_control_points);
  const bool tests_alpha = fixed.alpha_test.enable && is_d3d9(state);
  key.alpha_function = static_cast<std::uint8_t>(
      tests_alpha ? static_cast<std::uint32_t>(fixed.alpha_test.func) + 1 : d3d9::alpha_always);
  const bool wants_wires = fixed.rasterizer.fill == AEROGPU_FILL_WIREFRAME ||
                           (is_d3d9(state) && draws_wires(*state.d3d9));
  key.is_wireframe = wants_wires && device.features.wireframe;
  const bool is_like_gdi =
      is_d3d9(state) && state.d3d9->render_states[aerogpurs_pixel_centers] == 1;
  const bool draws_lines =
      key.is_wireframe != 0 || key.topology_class == VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  key.has_bresenham_lines = is_like_gdi && draws_lines && device.features.bresenham_lines;
  // The driver placed transformed vertices itself, and says whether their depth is clipped.
  const bool clips =
      fixed.rasterizer.depth_clip && (!has_transformed_vertices(state) ||
                                      state.d3d9->render_states[aerogpurs_transformed_clip] == 1);
  // Direct3D 10 and 11 hold what a pixel shader writes in the viewport's range, clipped or not.
  const bool holds =
      clips && device.features.depth_clip && pixel != nullptr && pixel->compiled.writes_depth;
  key.clamps_depth = (!clips || holds) && device.features.depth_clamp;
  key.clips_depth = holds && device.features.depth_clamp;
}

}  // namespace aerogpu::vulkan
