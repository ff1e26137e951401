// SPDX-License-Identifier: MIT
#include "vulkan/draw/draw_cost.hpp"

#include <algorithm>

namespace aerogpu::vulkan {

namespace {

/// The same for a primitive: to assemble, clip and set it up.
constexpr std::uint64_t setup_of_primitive = 2'048;
/// Primitives that a geometry shader makes of one: quads of points, the faces of a cube.
constexpr std::uint64_t usual_geometry = 16;
/// Triangles of a patch at the largest factor.
constexpr std::uint64_t triangles_of_patch = 2 * 64 * 64;

auto invocation(const stage_variants& stages, graphics_stage stage) noexcept -> std::uint64_t {
  const shader_variant* const variant = stages[static_cast<std::size_t>(stage)];
  return variant != nullptr ? variant->work.instructions + start_of_invocation : 0;
}

/// Whether each stream of instances goes on by one element an instance, so that a draw from a later
/// instance on reads on where the one before stopped.
auto steps_by_instance(const pipeline_key& key, const vertex_bindings& vertices) noexcept -> bool {
  for (std::uint32_t i = 0; i < vertices.count; ++i) {
    if ((key.instance_bindings >> i & 1u) != 0 && key.divisors[i] != 1) return false;
  }
  return true;
}

/// A vertex as a driver keeps it.
auto bytes_of_vertex(const module_outputs& made) noexcept -> std::uint64_t {
  constexpr std::uint64_t header = 64, vector = 16;
  return saturating_add(header, saturating_multiply(vector, made.vectors));
}

/// What a driver may keep for what is made of a primitive: for each run of a geometry shader the
/// most vertices, and one where those land that it may not make; for a patch the most triangles.
auto made_bytes(const stage_variants& stages) noexcept -> std::uint64_t {
  const auto outputs = [&](graphics_stage stage) -> const module_outputs* {
    const shader_variant* const variant = stages[static_cast<std::size_t>(stage)];
    return variant != nullptr ? &variant->outputs : nullptr;
  };
  std::uint64_t bytes = 0;
  if (const module_outputs* const made = outputs(graphics_stage::geometry); made != nullptr) {
    const std::uint64_t vertices =
        saturating_multiply(saturating_add(made->vertices, 1), made->invocations);
    bytes = saturating_multiply(vertices, bytes_of_vertex(*made));
  }
  if (const module_outputs* const made = outputs(graphics_stage::domain); made != nullptr) {
    bytes = saturating_multiply(saturating_add(bytes, bytes_of_vertex(*made)), triangles_of_patch);
  }
  return bytes;
}

}  // namespace

auto cost_of_draw(const stage_variants& stages, VkExtent2D targets) noexcept -> draw_cost {
  const std::uint64_t pixels = saturating_multiply(targets.width, targets.height);
  std::uint64_t primitive = saturating_add(
      saturating_multiply(pixels, invocation(stages, graphics_stage::pixel) + start_of_invocation),
      setup_of_primitive);
  if (const std::uint64_t geometry = invocation(stages, graphics_stage::geometry); geometry != 0) {
    primitive = saturating_add(saturating_multiply(primitive, usual_geometry), geometry);
  }
  if (const std::uint64_t domain = invocation(stages, graphics_stage::domain); domain != 0) {
    primitive =
        saturating_add(saturating_multiply(saturating_add(primitive, domain), triangles_of_patch),
                       invocation(stages, graphics_stage::hull));
  }
  return {invocation(stages, graphics_stage::vertex), primitive, made_bytes(stages)};
}

auto cost_of_group(const shader_variant& compute) noexcept -> std::uint64_t {
  std::uint64_t threads = 1;
  for (const std::uint32_t size : compute.compiled.group_size)
    threads = saturating_multiply(threads, size);
  const std::uint64_t thread = saturating_add(compute.work.instructions, start_of_invocation);
  return saturating_add(saturating_multiply(threads, thread), start_of_group);
}

auto cuts_of_draw(aerogpu_primitive_topology topology, bool restarts, const stage_variants& stages,
                  const pipeline_key& key, const vertex_bindings& vertices) noexcept -> draw_cuts {
  draw_cuts cuts = cuts_of(topology);
  cuts.instances = steps_by_instance(key, vertices);
  cuts.of_primitive = std::max(cuts.vertices, 1u);
  for (const shader_variant* const variant : stages) {
    if (variant == nullptr) continue;
    if (variant->work.counts_instances) cuts.instances = false;
    if (variant->work.counts_vertices || variant->work.counts_primitives) cuts.vertices = 0;
  }
  if (restarts) cuts.vertices = 0;
  return cuts;
}

}  // namespace aerogpu::vulkan
