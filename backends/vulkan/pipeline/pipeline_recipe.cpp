// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/pipeline_recipe.hpp"

#include "d3d9_to_spirv/translate.hpp"
#include "vulkan/pipeline/dynamic_state.hpp"

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

void pipeline_recipe::describe(const pipeline_key& key, const stage_modules& stages,
                               VkPipelineLayout layout) noexcept {
  is_compute_ = false;
  graphics_ = {};
  graphics_.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  graphics_.layout = layout;
  describe_stages(stages, key.alpha_function);
  describe_vertex_input(key);
  describe_fixed_function(key);
  describe_targets(key);
}

void pipeline_recipe::describe_compute(VkShaderModule shader, VkPipelineLayout layout) noexcept {
  is_compute_ = true;
  compute_ = {};
  compute_.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  compute_.pNext = feedback_request();
  compute_.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;  // Dispatches may be cut.
  compute_.stage = describe_stage(VK_SHADER_STAGE_COMPUTE_BIT, shader, nullptr);
  compute_.layout = layout;
}

auto pipeline_recipe::feedback_request() noexcept -> const void* {
  feedback_info_ = {};
  feedback_info_.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO;
  feedback_info_.pPipelineCreationFeedback = &feedback_;
  return &feedback_info_;
}

auto pipeline_recipe::was_cached() const noexcept -> bool {
  constexpr VkPipelineCreationFeedbackFlags wanted =
      VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT |
      VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
  return (feedback_.flags & wanted) == wanted;
}

auto pipeline_recipe::create(const gpu& device, VkPipelineCache cache) noexcept
    -> result<VkPipeline> {
  feedback_ = {};
  VkPipeline made = VK_NULL_HANDLE;
  const VkResult created = is_compute_ ? device.vk.vkCreateComputePipelines(
                                             device.handle, cache, 1, &compute_, nullptr, &made)
                                       : device.vk.vkCreateGraphicsPipelines(
                                             device.handle, cache, 1, &graphics_, nullptr, &made);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a pipeline fails");
  return made;
}

void pipeline_recipe::describe_stages(const stage_modules& stages,
                                      std::uint32_t alpha_function) noexcept {
  alpha_function_ = alpha_function;
  alpha_entry_ = {d3d9::alpha_function_spec_id, 0, sizeof alpha_function_};
  alpha_info_ = {1, &alpha_entry_, sizeof alpha_function_, &alpha_function_};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (stages[i] == VK_NULL_HANDLE) continue;
    const bool tests_alpha = i == static_cast<std::size_t>(graphics_stage::pixel);
    stages_[graphics_.stageCount++] =
        describe_stage(stage_bits[i], stages[i], tests_alpha ? &alpha_info_ : nullptr);
  }
  graphics_.pStages = stages_.data();
}

void pipeline_recipe::describe_vertex_input(const pipeline_key& key) noexcept {
  divisor_info_ = {};
  divisor_info_.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT;
  divisor_info_.pVertexBindingDivisors = divisors_.data();
  for (std::uint32_t i = 0; i < key.binding_count; ++i) {
    const bool per_instance = (key.instance_bindings >> i & 1u) != 0;
    bindings_[i] = {i, 0,
                    per_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
    if (!per_instance || key.divisors[i] == 1) continue;
    divisors_[divisor_info_.vertexBindingDivisorCount++] = {i, key.divisors[i]};
  }
  for (std::uint32_t i = 0; i < key.attribute_count; ++i) {
    const attribute_key& from = key.attributes[i];
    attributes_[i] = {from.location, from.binding, from.format, from.offset_bytes};
  }
  vertex_input_ = {};
  vertex_input_.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
  vertex_input_.pNext = divisor_info_.vertexBindingDivisorCount != 0 ? &divisor_info_ : nullptr;
  vertex_input_.vertexBindingDescriptionCount = key.binding_count;
  vertex_input_.pVertexBindingDescriptions = bindings_.data();
  vertex_input_.vertexAttributeDescriptionCount = key.attribute_count;
  vertex_input_.pVertexAttributeDescriptions = attributes_.data();
  graphics_.pVertexInputState = &vertex_input_;
}

void pipeline_recipe::describe_fixed_function(const pipeline_key& key) noexcept {
  assembly_ = {};
  assembly_.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly_.topology = key.topology_class;
  tessellation_ = {};
  tessellation_.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO;
  tessellation_.patchControlPoints = key.patch_control_points;
  viewport_ = {};
  viewport_.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
  viewport_.viewportCount = 1;
  viewport_.scissorCount = 1;
  depth_clip_ = {};
  depth_clip_.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT;
  depth_clip_.depthClipEnable = VK_TRUE;
  lines_ = {};
  lines_.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT;
  lines_.pNext = key.clips_depth != 0 ? &depth_clip_ : nullptr;
  lines_.lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT;
  raster_ = {};
  raster_.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  raster_.pNext = key.has_bresenham_lines != 0 ? &lines_ : lines_.pNext;
  raster_.depthClampEnable = key.clamps_depth;
  raster_.polygonMode = key.is_wireframe != 0 ? VK_POLYGON_MODE_LINE : VK_POLYGON_MODE_FILL;
  raster_.lineWidth = 1;
  samples_ = {};
  samples_.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  samples_.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  dynamic_ = {};
  dynamic_.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
  // Strides come last; without vertex buffers nobody sets them.
  dynamic_.dynamicStateCount =
      static_cast<std::uint32_t>(dynamic_states.size()) - (key.binding_count == 0 ? 1 : 0);
  dynamic_.pDynamicStates = dynamic_states.data();
  graphics_.pInputAssemblyState = &assembly_;
  graphics_.pTessellationState = key.patch_control_points != 0 ? &tessellation_ : nullptr;
  graphics_.pViewportState = &viewport_;
  graphics_.pRasterizationState = &raster_;
  graphics_.pMultisampleState = &samples_;
  graphics_.pDynamicState = &dynamic_;
}

void pipeline_recipe::describe_targets(const pipeline_key& key) noexcept {
  depth_ = {};
  depth_.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  for (std::size_t i = 0; i < key.color_count; ++i) blends_[i] = describe_blend(key.blends[i]);
  blend_ = {};
  blend_.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  blend_.attachmentCount = key.color_count;
  blend_.pAttachments = blends_.data();
  color_formats_ = key.color_formats;
  targets_ = {};
  targets_.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
  targets_.pNext = feedback_request();
  targets_.colorAttachmentCount = key.color_count;
  targets_.pColorAttachmentFormats = color_formats_.data();
  targets_.depthAttachmentFormat = key.depth_format;
  targets_.stencilAttachmentFormat = key.has_stencil != 0 ? key.depth_format : VK_FORMAT_UNDEFINED;
  graphics_.pNext = &targets_;
  graphics_.pDepthStencilState = &depth_;
  graphics_.pColorBlendState = &blend_;
}

}  // namespace aerogpu::vulkan
