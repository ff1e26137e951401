// SPDX-License-Identifier: MIT
#include "vulkan/programs/dxbc_link.hpp"

#include "vulkan/pipeline/state_map.hpp"

#include <algorithm>

namespace aerogpu::vulkan {

namespace {

using dxbc::binding_kind;
using dxbc::component_class;

/// The stages in the order of the pipeline.
constexpr std::array pipeline_order{graphics_stage::vertex, graphics_stage::hull,
                                    graphics_stage::domain, graphics_stage::geometry,
                                    graphics_stage::pixel};

/// D3D10_SB_PRIMITIVE.
enum class primitive : std::uint8_t { none = 0, point, line, triangle, line_adj = 6, triangle_adj };

auto primitive_of(VkPrimitiveTopology topology) noexcept -> primitive {
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST: return primitive::point;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP: return primitive::line;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY: return primitive::line_adj;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY: return primitive::triangle_adj;
    default: return primitive::triangle;
  }
}

/// What the tessellator makes of a patch.
auto primitive_of(const dxbc::tessellation_facts& hull) noexcept -> primitive {
  constexpr std::array made{primitive::none, primitive::point, primitive::line, primitive::triangle,
                            primitive::triangle};
  return made[hull.output_primitive];
}

auto variant_at(const stage_variants& found, graphics_stage stage) noexcept
    -> const shader_variant* {
  return found[static_cast<std::size_t>(stage)];
}

/// The programs as they are, before they are fitted to each other.
auto resolve_base_variants(const draw_state_of& state, shader_store& shaders, device_parts& device)
    -> result<stage_variants> {
  stage_variants found{};
  for (std::size_t i = 0; i < found.size(); ++i) {
    shader_record* const shader = shader_of(state, stages_of_draws[i]);
    if (shader == nullptr) continue;
    if (shader->code->language != shader_language::dxbc_container) {
      return make_error(error_code::unsupported,
                        "a shader of Direct3D 9 stands behind one of Direct3D 10",
                        static_cast<std::uint32_t>(shader->name));
    }
    const auto variant =
        shaders.variant(device, *shader, shaders.base_compile_options(*device.gpu));
    if (!variant) return variant.why();
    if (auto ok = check_device(**variant, *device.gpu); !ok) return ok.why();
    found[i] = *variant;
  }
  return found;
}

auto check_primitives(const draw_state_of& state, const stage_variants& found) -> result<void> {
  const primitive assembled = primitive_of(topology_of(state.fixed->topology).topology);
  const shader_variant* geometry = variant_at(found, graphics_stage::geometry);
  if (geometry == nullptr) return {};
  const shader_variant* hull = variant_at(found, graphics_stage::hull);
  const primitive made = hull != nullptr ? primitive_of(hull->compiled.tessellation) : assembled;
  const std::uint8_t taken = geometry->compiled.geometry.input_primitive;
  if (taken == static_cast<std::uint8_t>(made)) return {};
  return make_error(error_code::invalid_parameter,
                    "the geometry shader takes other primitives than it is given", taken,
                    static_cast<std::uint8_t>(made));
}

/// Registers are shared bit by bit in Direct3D, by type in Vulkan.
auto check_types(const dxbc::interface_registers& writer, const dxbc::interface_registers& reader)
    -> result<void> {
  for (std::size_t i = 0; i < writer.size(); ++i) {
    const bool is_shared = writer[i].mask != 0 && reader[i].mask != 0;
    if (is_shared && writer[i].components != reader[i].components) {
      return make_error(error_code::unsupported,
                        "a stage reads a register as another type than it was written", i);
    }
  }
  return {};
}

auto is_empty(const dxbc::interface_registers& registers) noexcept -> bool {
  return std::ranges::all_of(registers, [](const auto& row) { return row.mask == 0; });
}

auto check_patch_constants(const dxbc::interface_registers& writer,
                           const dxbc::interface_registers& reader) -> result<void> {
  if (auto ok = check_types(writer, reader); !ok) return ok.why();
  if (is_empty(dxbc::missing_outputs(writer, reader))) return {};
  return make_error(error_code::unsupported,
                    "the domain shader reads a patch constant that the hull shader does not write");
}

auto check_tessellation(const stage_variants& found) -> result<void> {
  const shader_variant* hull = variant_at(found, graphics_stage::hull);
  const shader_variant* domain = variant_at(found, graphics_stage::domain);
  if (hull == nullptr || domain == nullptr) return {};
  const dxbc::tessellation_facts& made = hull->compiled.tessellation;
  const dxbc::tessellation_facts& taken = domain->compiled.tessellation;
  if (made.domain != taken.domain) {
    return make_error(error_code::invalid_parameter,
                      "the hull and the domain shader are of different domains", taken.domain,
                      made.domain);
  }
  const std::uint8_t points = taken.input_control_points;
  if (points != 0 && points != made.output_control_points) {
    return make_error(error_code::invalid_parameter,
                      "the domain shader takes other control points than the hull shader makes",
                      points, made.output_control_points);
  }
  return check_patch_constants(hull->compiled.patch_constants, domain->compiled.patch_constants);
}

/// All targets hold numbers with fractions.
auto check_targets(const shader_variant* pixel) -> result<void> {
  if (pixel == nullptr) return {};
  for (const dxbc::interface_register& output : pixel->compiled.outputs) {
    if (output.mask != 0 && output.components != component_class::floating) {
      return make_error(error_code::unsupported, "the pixel shader writes integers to a target");
    }
  }
  return {};
}

/// What stands around a program.
struct neighbours {
  const shader_variant* reader = nullptr;  ///< Null = nothing follows.
  const shader_variant* hull = nullptr;
  bool draws_points = false;  ///< Vertices go to the rasterizer as points.
};

/// The module of a program that suits what stands around it.
auto fit(shader_record& shader, const shader_variant& base, const neighbours& around,
         shader_store& shaders, device_parts& device) -> result<const shader_variant*> {
  const auto [reader, hull, draws_points] = around;
  const shader_stage stage = base.compiled.stage;
  auto options = shaders.base_compile_options(*device.gpu);
  options.draws_points = draws_points && stage == shader_stage::vertex;
  if (stage == shader_stage::domain && hull != nullptr) options.hull = hull->compiled.tessellation;
  if (reader != nullptr) {
    const dxbc::interface_registers& inputs = reader->compiled.inputs;
    if (auto ok = check_types(base.compiled.outputs, inputs); !ok) return ok.why();
    options.extra_outputs = dxbc::missing_outputs(base.compiled.outputs, inputs);
  }
  if (stage == shader_stage::hull && !is_empty(options.extra_outputs)) {
    return make_error(error_code::unsupported,
                      "the domain shader reads what the hull shader does not write");
  }
  const auto fitted = shaders.variant(device, shader, options);
  if (!fitted) return fitted.why();
  if (reader == nullptr) return *fitted;
  if (!is_empty(dxbc::missing_outputs((*fitted)->compiled.outputs, reader->compiled.inputs))) {
    return make_error(error_code::unsupported,
                      "a stage reads a system value as if it were a plain register");
  }
  return *fitted;
}

struct descriptor_limit {
  std::array<binding_kind, 2> kinds;
  std::uint32_t VkPhysicalDeviceLimits::*most;
  const char* lack;
};
constexpr std::array descriptor_limits{
    descriptor_limit{{binding_kind::constant_buffer, binding_kind::constant_buffer},
                     &VkPhysicalDeviceLimits::maxPerStageDescriptorUniformBuffers,
                     "the shader has more constant buffers than the device"},
    descriptor_limit{{binding_kind::texture, binding_kind::buffer_resource},
                     &VkPhysicalDeviceLimits::maxPerStageDescriptorSampledImages,
                     "the shader has more resources than the device"},
    descriptor_limit{{binding_kind::sampler, binding_kind::sampler},
                     &VkPhysicalDeviceLimits::maxPerStageDescriptorSamplers,
                     "the shader has more samplers than the device"},
    descriptor_limit{{binding_kind::uav_buffer, binding_kind::uav_buffer},
                     &VkPhysicalDeviceLimits::maxPerStageDescriptorStorageImages,
                     "the shader has more unordered access views than the device"}};

auto check_descriptors(const dxbc::compiled& shader, const VkPhysicalDeviceLimits& most)
    -> result<void> {
  for (const descriptor_limit& row : descriptor_limits) {
    const auto is_counted = [&](const dxbc::binding& binding) {
      return binding.kind == row.kinds[0] || binding.kind == row.kinds[1];
    };
    const auto count = std::ranges::count_if(shader.bindings, is_counted);
    if (static_cast<std::uint64_t>(count) > most.*row.most) {
      return make_error(error_code::unsupported, row.lack, static_cast<std::uint64_t>(count),
                        most.*row.most);
    }
  }
  const std::uint64_t count = shader.bindings.size();
  if (count <= most.maxPerStageResources) return {};
  return make_error(error_code::unsupported, "the shader has more bindings than the device", count,
                    most.maxPerStageResources);
}

/// Whether a stage may write to buffers.
auto has_stores(shader_stage stage, const gpu_features& features) noexcept -> bool {
  if (stage == shader_stage::compute) return true;
  return stage == shader_stage::pixel ? features.fragment_stores : features.vertex_stores;
}

/// Depth textures are flat or cubes.
auto can_compare(dxbc::image_dimension dimension) noexcept -> bool {
  using dxbc::image_dimension;
  return dimension == image_dimension::image_2d || dimension == image_dimension::image_2d_array ||
         dimension == image_dimension::cube || dimension == image_dimension::cube_array;
}

auto check_bindings(const dxbc::compiled& shader, const gpu& device) -> result<void> {
  const std::uint32_t most_constants = device.properties.limits.maxUniformBufferRange;
  for (const dxbc::binding& binding : shader.bindings) {
    if (binding.kind == binding_kind::uav_buffer && !has_stores(shader.stage, device.features)) {
      return make_error(error_code::unsupported, "the device has no stores in this shader stage");
    }
    if (binding.kind == binding_kind::constant_buffer && binding.size_bytes > most_constants) {
      return make_error(error_code::unsupported,
                        "a constant buffer is larger than the device's uniform buffers",
                        binding.size_bytes, most_constants);
    }
    if (binding.kind != binding_kind::texture) continue;
    if (binding.delivers != component_class::floating) {
      return make_error(error_code::unsupported, "the shader reads a texture of integers",
                        binding.register_index);
    }
    if (binding.is_comparison && !can_compare(binding.dimension)) {
      return make_error(error_code::unsupported,
                        "the shader compares with a texture that is neither flat nor a cube",
                        binding.register_index);
    }
  }
  return {};
}

}  // namespace

auto check_device(const shader_variant& shader, const gpu& device) -> result<void> {
  const dxbc::compiled& compiled = shader.compiled;
  constexpr std::uint8_t points = 1;
  const bool makes_points = compiled.geometry.output_topology == points ||
                            compiled.tessellation.output_primitive == points;
  if (makes_points && !device.features.sized_points) {
    return make_error(error_code::unsupported, "the device makes no points of other primitives");
  }
  if (auto ok = check_bindings(compiled, device); !ok) return ok.why();
  return check_descriptors(compiled, device.properties.limits);
}

auto resolve_dxbc_variants(const draw_state_of& state, shader_store& shaders, device_parts& device)
    -> result<stage_variants> {
  const auto base = resolve_base_variants(state, shaders, device);
  if (!base) return base.why();
  if (auto ok = check_primitives(state, *base); !ok) return ok.why();
  if (auto ok = check_tessellation(*base); !ok) return ok.why();
  if (auto ok = check_targets(variant_at(*base, graphics_stage::pixel)); !ok) return ok.why();
  stage_variants found{};
  neighbours around;
  around.hull = variant_at(*base, graphics_stage::hull);
  around.draws_points = variant_at(*base, graphics_stage::geometry) == nullptr &&
                        state.fixed->topology == AEROGPU_TOPOLOGY_POINTLIST;
  for (std::size_t i = pipeline_order.size(); i-- > 0;) {
    const auto place = static_cast<std::size_t>(pipeline_order[i]);
    const shader_variant* const now = (*base)[place];
    if (now == nullptr) continue;
    const auto fitted =
        fit(*shader_of(state, stages_of_draws[place]), *now, around, shaders, device);
    if (!fitted) return fitted.why();
    found[place] = *fitted;
    around.reader = now;
  }
  return found;
}

auto descriptor_type_of(binding_kind kind) noexcept -> VkDescriptorType {
  constexpr std::array types{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                             VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_SAMPLER,
                             VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER};
  return types[static_cast<std::size_t>(kind)];
}

auto set_bindings_of(const shader_variant& shader, VkShaderStageFlags stage) noexcept
    -> result<heap_array<set_binding>> {
  heap_array<set_binding> bindings;
  if (!bindings.reserve(shader.compiled.bindings.size())) return no_memory_for_record();
  for (const dxbc::binding& from : shader.compiled.bindings) {
    AEROGPU_CHECK(bindings.push_back({from.slot, descriptor_type_of(from.kind), stage}));
  }
  return bindings;
}

}  // namespace aerogpu::vulkan
