#include "vulkan/pipeline_store.hpp"

#include "vulkan/dynamic_state.hpp"

#include <algorithm>
#include <cstdio>
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

}  // namespace

void pipeline_store::destroy_objects() {
  if (cache_ != nullptr && !cache_file_.empty()) {
    if (const auto saved = cache_->save(); !saved) {
      std::fprintf(stderr, "vulkan: the pipeline cache is not saved: %s\n", saved.why().what);
    }
  }
  for (const auto& entry : pipelines_) {
    device_->work.discard(VK_OBJECT_TYPE_PIPELINE, entry.second);
  }
  for (const auto& entry : compute_) {
    device_->work.discard(VK_OBJECT_TYPE_PIPELINE, entry.second);
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
  if (const auto known = pipelines_.find(key); known != pipelines_.end()) return known->second;
  const auto made = create(key, stages, layout.handle);
  if (!made) return made.why();
  pipelines_.emplace(key, *made);
  ++made_;
  return *made;
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

auto pipeline_store::find_compute(const shader_variant& shader, const pipeline_layout& layout)
    -> result<VkPipeline> {
  if (const auto known = compute_.find(shader.id); known != compute_.end()) return known->second;
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage = describe_stage(VK_SHADER_STAGE_COMPUTE_BIT, shader.module, nullptr);
  info.layout = layout.handle;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const gpu& device = *device_->gpu;
  const auto created = device.vk.vkCreateComputePipelines(device.handle, cache_->handle(), 1, &info,
                                                          nullptr, &pipeline);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a compute pipeline fails");
  compute_.emplace(shader.id, pipeline);
  ++made_;
  return pipeline;
}

void pipeline_store::forget(std::span<const std::uint32_t> variants) {
  const auto is_gone = [&](std::uint32_t id) {
    return std::ranges::find(variants, id) != variants.end();
  };
  if (variants.empty()) return;
  std::erase_if(pipelines_, [&](const auto& entry) {
    if (std::ranges::none_of(entry.first.shaders, is_gone)) return false;
    device_->work.discard(VK_OBJECT_TYPE_PIPELINE, entry.second);
    return true;
  });
  std::erase_if(compute_, [&](const auto& entry) {
    if (!is_gone(entry.first)) return false;
    device_->work.discard(VK_OBJECT_TYPE_PIPELINE, entry.second);
    return true;
  });
}

}  // namespace aerogpu::vulkan
