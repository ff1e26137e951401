// SPDX-License-Identifier: MIT
/// \file One draw for `shader_device`: descriptors, pipeline, targets and what comes back.
#pragma once

#include "tests/support/shaders/shader_device.hpp"
#include "tests/support/vulkan/vulkan_device.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace aerogpu::test {

class shader_pass {
 public:
  enum class output : std::uint8_t { targets, capture };

  shader_pass(vulkan_device& device, const shader_draw& draw, output what)
      : device_(device), vk_(device.vk()), objects_(device), draw_(draw), what_(what) {}

  [[nodiscard]] auto run() -> shader_pixels;

 private:
  struct upload {
    test_image image;
    test_buffer staging;
    std::vector<VkBufferImageCopy> regions;
  };
  struct binding {
    VkDescriptorType type;
    VkDescriptorBufferInfo buffer{};
    VkDescriptorImageInfo image{};
    std::uint32_t number = 0;
  };

  void make_targets();
  void make_descriptors();
  [[nodiscard]] auto make_set(const std::vector<binding>& bindings) -> VkDescriptorSet;
  [[nodiscard]] auto constants_of(const shader_code& code, std::uint32_t number) -> binding;
  [[nodiscard]] auto make_texture(const shader_texture& from) -> binding;
  [[nodiscard]] auto make_sampler(const shader_texture& from) -> VkSampler;
  void make_pipeline();
  void record(VkCommandBuffer commands);
  void record_draw(VkCommandBuffer commands);
  void record_downloads(VkCommandBuffer commands);
  void move_to_general(VkCommandBuffer commands, const test_image& image);
  void wait_for_all(VkCommandBuffer commands);
  [[nodiscard]] auto collect() const -> shader_pixels;

  vulkan_device& device_;
  const VolkDeviceTable& vk_;
  vulkan_objects objects_;
  const shader_draw& draw_;
  output what_;
  std::vector<test_image> colors_;
  test_image depth_;
  std::vector<test_buffer> downloads_;  ///< Of the colours, of depth, of stencil.
  test_buffer vertices_, captured_;
  std::vector<upload> uploads_;
  std::vector<VkDescriptorSetLayout> set_layouts_;
  std::vector<VkDescriptorSet> sets_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace aerogpu::test
