// SPDX-License-Identifier: MIT
/// \file All that a pipeline is made from, in one place that a compilation can keep.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/device/gpu.hpp"
#include "vulkan/pipeline/pipeline_key.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

/// The modules of a pipeline, by graphics_stage; null = no such stage.
using stage_modules = std::array<VkShaderModule, graphics_stage_count>;

/// The arguments of vkCreateGraphicsPipelines or vkCreateComputePipelines. They point into the
/// recipe, which stays where it is; of other objects it knows handles alone.
class pipeline_recipe {
 public:
  pipeline_recipe() noexcept = default;
  pipeline_recipe(const pipeline_recipe&) = delete;
  auto operator=(const pipeline_recipe&) -> pipeline_recipe& = delete;

  void describe(const pipeline_key& key, const stage_modules& stages,
                VkPipelineLayout layout) noexcept;
  void describe_compute(VkShaderModule shader, VkPipelineLayout layout) noexcept;

  /// Makes what was described last. Errors: those of the call.
  [[nodiscard]] auto create(const gpu& device, VkPipelineCache cache) noexcept
      -> result<VkPipeline>;
  /// Whether the driver says that `cache` had what was made last.
  [[nodiscard]] auto was_cached() const noexcept -> bool;

 private:
  /// What a description's chain ends with.
  [[nodiscard]] auto feedback_request() noexcept -> const void*;
  void describe_stages(const stage_modules& stages, std::uint32_t alpha_function) noexcept;
  void describe_vertex_input(const pipeline_key& key) noexcept;
  void describe_fixed_function(const pipeline_key& key) noexcept;
  void describe_targets(const pipeline_key& key) noexcept;

  bool is_compute_ = false;
  VkPipelineCreationFeedback feedback_{};
  VkPipelineCreationFeedbackCreateInfo feedback_info_{};
  VkComputePipelineCreateInfo compute_{};
  VkGraphicsPipelineCreateInfo graphics_{};

  std::array<VkPipelineShaderStageCreateInfo, graphics_stage_count> stages_{};
  std::uint32_t alpha_function_ = 0;
  VkSpecializationMapEntry alpha_entry_{};
  VkSpecializationInfo alpha_info_{};
  std::array<VkVertexInputBindingDescription, vertex_input_limit> bindings_{};
  std::array<VkVertexInputAttributeDescription, vertex_input_limit> attributes_{};
  std::array<VkVertexInputBindingDivisorDescriptionEXT, vertex_input_limit> divisors_{};
  VkPipelineVertexInputDivisorStateCreateInfoEXT divisor_info_{};
  VkPipelineVertexInputStateCreateInfo vertex_input_{};
  VkPipelineInputAssemblyStateCreateInfo assembly_{};
  VkPipelineTessellationStateCreateInfo tessellation_{};
  VkPipelineViewportStateCreateInfo viewport_{};
  VkPipelineRasterizationDepthClipStateCreateInfoEXT depth_clip_{};
  VkPipelineRasterizationLineStateCreateInfoEXT lines_{};
  VkPipelineRasterizationStateCreateInfo raster_{};
  VkPipelineMultisampleStateCreateInfo samples_{};
  VkPipelineDepthStencilStateCreateInfo depth_{};
  std::array<VkPipelineColorBlendAttachmentState, AEROGPU_MAX_RENDER_TARGETS> blends_{};
  VkPipelineColorBlendStateCreateInfo blend_{};
  VkPipelineDynamicStateCreateInfo dynamic_{};
  std::array<VkFormat, AEROGPU_MAX_RENDER_TARGETS> color_formats_{};
  VkPipelineRenderingCreateInfo targets_{};
};

}  // namespace aerogpu::vulkan
