#include "vulkan/pipeline_store.hpp"

#include "vulkan/dynamic_state.hpp"
#include "vulkan/record_list.hpp"

#include <cstdio>
#include <span>
#include <vector>

namespace aerogpu::vulkan {

namespace {

constexpr std::array<VkShaderStageFlagBits, graphics_stage_count> stage_bits{
    VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT};

auto describe_stage(VkShaderStageFlagBits stage, VkShaderModule module,
                    const VkSpecializationInfo* values) noexcept
    -> VkPipelineShaderStageCreateInfo {
  VkPipelineShaderStageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage = stage;
  info.module = module;
  info.pName = "main";
  info.pSpecializationInfo = values;
  return info;
}

/// Vertex input of a key, and the arrays that it points to.
struct vertex_input_state {
  std::vector<VkVertexInputBindingDescription> bindings;
  std::vector<VkVertexInputAttributeDescription> attributes;
  std::vector<VkVertexInputBindingDivisorDescriptionEXT> divisors;
  VkPipelineVertexInputDivisorStateCreateInfoEXT divisor_info{};
  VkPipelineVertexInputStateCreateInfo info{};

  explicit vertex_input_state(const pipeline_key& key) {
    for (std::uint32_t i = 0; i < key.binding_count; ++i) {
      const bool per_instance = (key.instance_bindings >> i & 1u) != 0;
      bindings.push_back(
          {i, 0, per_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX});
      if (per_instance && key.divisors[i] != 1) divisors.push_back({i, key.divisors[i]});
    }
    for (std::uint32_t i = 0; i < key.attribute_count; ++i) {
      const attribute_key& from = key.attributes[i];
      attributes.push_back({from.location, from.binding, from.format, from.offset_bytes});
    }
    divisor_info.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT;
    divisor_info.vertexBindingDivisorCount = static_cast<std::uint32_t>(divisors.size());
    divisor_info.pVertexBindingDivisors = divisors.data();
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    info.pNext = divisors.empty() ? nullptr : &divisor_info;
    info.vertexBindingDescriptionCount = static_cast<std::uint32_t>(bindings.size());
    info.pVertexBindingDescriptions = bindings.data();
    info.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(attributes.size());
    info.pVertexAttributeDescriptions = attributes.data();
  }
};

auto describe_blend(const blend_key& key) noexcept -> VkPipelineColorBlendAttachmentState {
  return {.blendEnable = key.is_enabled,
          .srcColorBlendFactor = static_cast<VkBlendFactor>(key.source),
          .dstColorBlendFactor = static_cast<VkBlendFactor>(key.destination),
          .colorBlendOp = static_cast<VkBlendOp>(key.op),
          .srcAlphaBlendFactor = static_cast<VkBlendFactor>(key.alpha_source),
          .dstAlphaBlendFactor = static_cast<VkBlendFactor>(key.alpha_destination),
          .alphaBlendOp = static_cast<VkBlendOp>(key.alpha_op),
          .colorWriteMask = key.write_mask};
}

/// Vulkan does not say what a pipeline takes. llvmpipe takes 270 KB for the smallest.
auto estimate(std::span<const shader_variant* const> stages) noexcept -> std::uint64_t {
  constexpr std::uint64_t base_bytes = 128u << 10;
  constexpr std::uint64_t bytes_for_each_of_spirv = 16;
  std::uint64_t spirv_bytes = 0;
  for (const shader_variant* const stage : stages) {
    if (stage != nullptr) spirv_bytes += stage->spirv().size_bytes();
  }
  return base_bytes + spirv_bytes * bytes_for_each_of_spirv;
}

}  // namespace

pipeline_store::pipeline_store(device_parts*& device, const backend_options& options)
    : device_(device),
      cache_file_(options.pipeline_cache_file),
      pipelines_(options.hash_seed,
                 {options.bounds.graphics_pipelines, options.bounds.pipeline_bytes},
                 {this, discard}),
      compute_(options.hash_seed, {options.bounds.compute_pipelines, options.bounds.pipeline_bytes},
               {this, discard}) {}

void pipeline_store::discard(void* store, known_pipeline& old) noexcept {
  static_cast<pipeline_store*>(store)->device_->work.discard_sized(VK_OBJECT_TYPE_PIPELINE,
                                                                   old.handle, old.size_bytes);
}

void pipeline_store::destroy_objects() {
  if (cache_ != nullptr && !cache_file_.empty()) {
    if (const auto saved = cache_->save(); !saved) {
      std::fprintf(stderr, "vulkan: the pipeline cache is not saved: %s\n", saved.why().what);
    }
  }
  pipelines_.clear();
  compute_.clear();
  cache_.reset();
}

auto pipeline_store::initialize() -> result<void> {
  auto opened = pipeline_cache::create(*device_->gpu, cache_file_);
  if (!opened) return opened.why();
  cache_ = *std::move(opened);
  if (*cache_->warning() != '\0') {
    std::fprintf(stderr, "vulkan: %s is not used: %s\n", cache_file_.c_str(), cache_->warning());
  }
  return {};
}

auto pipeline_store::find(const pipeline_key& key, const stage_variants& stages,
                          const pipeline_layout& layout) -> result<VkPipeline> {
  if (const auto* const known = pipelines_.find(key)) return known->value.handle;
  const auto made = create(key, stages, layout.handle);
  if (!made) return made.why();
  return keep(pipelines_, key, {*made, estimate(stages)});
}

auto pipeline_store::find_compute(const shader_variant& shader, const pipeline_layout& layout)
    -> result<VkPipeline> {
  const compute_key key{shader.id, layout.id};
  if (const auto* const known = compute_.find(key)) return known->value.handle;
  const auto made = create_compute(shader, layout.handle);
  if (!made) return made.why();
  return keep(compute_, key, {*made, estimate(std::array{&shader})});
}

template <class Cache, class Key>
auto pipeline_store::keep(Cache& in, const Key& key, known_pipeline made) -> result<VkPipeline> {
  ++made_;
  const VkPipeline handle = made.handle;
  if (in.insert(key, std::move(made), made.size_bytes) != nullptr) return handle;
  discard(this, made);
  return no_memory_for_record();
}

auto pipeline_store::create(const pipeline_key& key, const stage_variants& stages,
                            VkPipelineLayout layout) -> result<VkPipeline> {
  const std::uint32_t alpha_function = key.alpha_function;
  const VkSpecializationMapEntry alpha_entry{d3d9::alpha_function_spec_id, 0,
                                             sizeof alpha_function};
  const VkSpecializationInfo alpha_info{1, &alpha_entry, sizeof alpha_function, &alpha_function};
  std::vector<VkPipelineShaderStageCreateInfo> stage_infos;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i] == nullptr) continue;
    const bool tests_alpha = i == static_cast<std::size_t>(graphics_stage::pixel);
    stage_infos.push_back(
        describe_stage(stage_bits[i], stages[i]->module, tests_alpha ? &alpha_info : nullptr));
  }
  const vertex_input_state vertex_input{key};

  VkPipelineInputAssemblyStateCreateInfo assembly{};
  assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly.topology = key.topology_class;
  VkPipelineTessellationStateCreateInfo tessellation{};
  tessellation.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO;
  tessellation.patchControlPoints = key.patch_control_points;
  VkPipelineViewportStateCreateInfo viewport{};
  viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
  viewport.viewportCount = 1;
  viewport.scissorCount = 1;
  VkPipelineRasterizationStateCreateInfo raster{};
  raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  raster.depthClampEnable = key.clamps_depth;
  raster.polygonMode = key.is_wireframe != 0 ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL;
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{};
  samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineDepthStencilStateCreateInfo depth{};
  depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  std::array<VkPipelineColorBlendAttachmentState, AEROGPU_MAX_RENDER_TARGETS> blends{};
  for (std::size_t i = 0; i < key.color_count; ++i) blends[i] = describe_blend(key.blends[i]);
  VkPipelineColorBlendStateCreateInfo blend{};
  blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  blend.attachmentCount = key.color_count;
  blend.pAttachments = blends.data();
  VkPipelineDynamicStateCreateInfo dynamic{};
  dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
  // Strides come last; without vertex buffers nobody sets them.
  dynamic.dynamicStateCount =
      static_cast<std::uint32_t>(dynamic_states.size()) - (key.binding_count == 0 ? 1 : 0);
  dynamic.pDynamicStates = dynamic_states.data();
  VkPipelineRenderingCreateInfo targets{};
  targets.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
  targets.colorAttachmentCount = key.color_count;
  targets.pColorAttachmentFormats = key.color_formats.data();
  targets.depthAttachmentFormat = key.depth_format;
  targets.stencilAttachmentFormat = key.has_stencil != 0 ? key.depth_format : VK_FORMAT_UNDEFINED;

  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.pNext = &targets;
  info.stageCount = static_cast<std::uint32_t>(stage_infos.size());
  info.pStages = stage_infos.data();
  info.pVertexInputState = &vertex_input.info;
  info.pInputAssemblyState = &assembly;
  info.pTessellationState = key.patch_control_points != 0 ? &tessellation : nullptr;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const gpu& device = *device_->gpu;
  const auto created = device.vk.vkCreateGraphicsPipelines(device.handle, cache_->handle(), 1,
                                                           &info, nullptr, &pipeline);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a pipeline fails");
  return pipeline;
}

auto pipeline_store::create_compute(const shader_variant& shader, VkPipelineLayout layout)
    -> result<VkPipeline> {
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage = describe_stage(VK_SHADER_STAGE_COMPUTE_BIT, shader.module, nullptr);
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const gpu& device = *device_->gpu;
  const auto created = device.vk.vkCreateComputePipelines(device.handle, cache_->handle(), 1, &info,
                                                          nullptr, &pipeline);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a compute pipeline fails");
  return pipeline;
}

}  // namespace aerogpu::vulkan
