// SPDX-License-Identifier: MIT
/// \file The state of the pipeline that runs two shaders: nothing is culled, blended or tested, and
/// the stencil of each fragment that survives becomes 1.
#pragma once

#include "tests/support/shaders/shader_device.hpp"

#include <array>

namespace aerogpu::test {

inline constexpr VkFormat test_color_format = VK_FORMAT_R32G32B32A32_SFLOAT;
inline constexpr VkFormat test_depth_format = VK_FORMAT_D32_SFLOAT_S8_UINT;

/// Its parts point at each other: it stays where it is made.
class shader_pipeline_state {
 public:
  shader_pipeline_state(const shader_draw& draw, VkShaderModule vertex, VkShaderModule pixel,
                        bool has_targets);
  shader_pipeline_state(const shader_pipeline_state&) = delete;
  auto operator=(const shader_pipeline_state&) -> shader_pipeline_state& = delete;

  [[nodiscard]] auto info(VkPipelineLayout layout) const -> VkGraphicsPipelineCreateInfo;

 private:
  void set_stages(const shader_draw& draw, VkShaderModule vertex, VkShaderModule pixel);
  void set_inputs(const shader_draw& draw);
  void set_raster(const shader_draw& draw);
  void set_outputs(const shader_draw& draw, bool has_targets);

  VkSpecializationMapEntry alpha_entry_{};
  VkSpecializationInfo alpha_{};
  std::array<VkPipelineShaderStageCreateInfo, 2> stages_{};
  VkVertexInputBindingDescription vertex_{};
  std::array<VkVertexInputAttributeDescription, location_count> attributes_{};
  VkPipelineVertexInputStateCreateInfo input_{};
  VkPipelineInputAssemblyStateCreateInfo assembly_{};
  VkViewport area_{};
  VkRect2D scissor_{};
  VkPipelineViewportStateCreateInfo viewport_{};
  VkPipelineRasterizationStateCreateInfo raster_{};
  VkPipelineMultisampleStateCreateInfo samples_{};
  VkPipelineDepthStencilStateCreateInfo depth_{};
  std::array<VkPipelineColorBlendAttachmentState, target_count> masks_{};
  VkPipelineColorBlendStateCreateInfo blend_{};
  std::array<VkFormat, target_count> formats_{};
  VkPipelineRenderingCreateInfo rendering_{};
};

}  // namespace aerogpu::test
