// SPDX-License-Identifier: MIT
// Fills in a pipeline's state.
#include "tests/support/shaders/shader_pipeline_state.hpp"

namespace aerogpu::test {

shader_pipeline_state::shader_pipeline_state(const shader_draw& draw, VkShaderModule vertex,
                                             VkShaderModule pixel, bool has_targets) {
  set_stages(draw, vertex, pixel);
  set_inputs(draw);
  set_raster(draw);
  set_outputs(draw, has_targets);
}

void shader_pipeline_state::set_stages(const shader_draw& draw, VkShaderModule vertex,
                                       VkShaderModule pixel) {
  stages_.fill(vulkan_info<VkPipelineShaderStageCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO));
  stages_[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
  stages_[0].module = vertex;
  stages_[0].pName = "main";
  alpha_entry_ = {d3d9::alpha_function_spec_id, 0, sizeof draw.alpha_function};
  alpha_ = {1, &alpha_entry_, sizeof draw.alpha_function, &draw.alpha_function};
  stages_[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  stages_[1].module = pixel;
  stages_[1].pName = "main";
  stages_[1].pSpecializationInfo = &alpha_;
}

void shader_pipeline_state::set_inputs(const shader_draw& draw) {
  vertex_ = {0, sizeof(attributes), VK_VERTEX_INPUT_RATE_VERTEX};
  for (std::uint32_t i = 0; i < location_count; ++i) {
    attributes_[i] = {i, 0, test_color_format, i * static_cast<std::uint32_t>(sizeof(float4))};
  }
  input_ = vulkan_info<VkPipelineVertexInputStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
  input_.vertexBindingDescriptionCount = 1;
  input_.pVertexBindingDescriptions = &vertex_;
  input_.vertexAttributeDescriptionCount = location_count;
  input_.pVertexAttributeDescriptions = attributes_.data();
  assembly_ = vulkan_info<VkPipelineInputAssemblyStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
  assembly_.topology = draw.topology;
}

/// Direct3D's orientation: y points up in clip space, and front faces are clockwise.
void shader_pipeline_state::set_raster(const shader_draw& draw) {
  const auto height = static_cast<float>(draw.height);
  area_ = {0, height, static_cast<float>(draw.width), -height, 0, 1};
  scissor_ = {{0, 0}, {draw.width, draw.height}};
  viewport_ = vulkan_info<VkPipelineViewportStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
  viewport_.viewportCount = viewport_.scissorCount = 1;
  viewport_.pViewports = &area_;
  viewport_.pScissors = &scissor_;
  raster_ = vulkan_info<VkPipelineRasterizationStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
  raster_.frontFace = VK_FRONT_FACE_CLOCKWISE;
  raster_.lineWidth = 1;
  samples_ = vulkan_info<VkPipelineMultisampleStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
  samples_.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
}

void shader_pipeline_state::set_outputs(const shader_draw& draw, bool has_targets) {
  constexpr VkStencilOp mark = VK_STENCIL_OP_REPLACE;
  depth_ = vulkan_info<VkPipelineDepthStencilStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO);
  depth_.depthTestEnable = depth_.depthWriteEnable = depth_.stencilTestEnable = VK_TRUE;
  depth_.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  depth_.front = depth_.back = {mark, mark, mark, VK_COMPARE_OP_ALWAYS, 0xFF, 0xFF, 1};
  for (std::uint32_t i = 0; i < target_count; ++i) {
    masks_[i].colorWriteMask = (draw.color_outputs >> i & 1u) != 0 ? 0xFu : 0u;
  }
  blend_ = vulkan_info<VkPipelineColorBlendStateCreateInfo>(
      VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
  blend_.attachmentCount = has_targets ? target_count : 0;
  blend_.pAttachments = masks_.data();
  formats_.fill(test_color_format);
  rendering_ =
      vulkan_info<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
  rendering_.colorAttachmentCount = blend_.attachmentCount;
  rendering_.pColorAttachmentFormats = formats_.data();
  if (!has_targets) return;
  rendering_.depthAttachmentFormat = rendering_.stencilAttachmentFormat = test_depth_format;
}

auto shader_pipeline_state::info(VkPipelineLayout layout) const -> VkGraphicsPipelineCreateInfo {
  auto all =
      vulkan_info<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
  all.pNext = &rendering_;
  all.stageCount = static_cast<std::uint32_t>(stages_.size());
  all.pStages = stages_.data();
  all.pVertexInputState = &input_;
  all.pInputAssemblyState = &assembly_;
  all.pViewportState = &viewport_;
  all.pRasterizationState = &raster_;
  all.pMultisampleState = &samples_;
  all.pDepthStencilState = &depth_;
  all.pColorBlendState = &blend_;
  all.layout = layout;
  return all;
}

}  // namespace aerogpu::test
