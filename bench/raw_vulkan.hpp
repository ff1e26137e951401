// SPDX-License-Identifier: MIT
// The scenes of scene.hpp by hand on Vulkan: what a program does that knows its frame. Constants
// lie in one mapped buffer with dynamic offsets, textures have a set each, and the pipeline is
// static.
#pragma once

#include "bench/raw_device.hpp"
#include "bench/raw_shaders.hpp"
#include "bench/scene.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::bench {

class raw_vulkan {
 public:
  raw_vulkan(raw_device& on, const scene& picture) : on_(on), scene_(picture) {
    target_ = on.make_image({picture.width, picture.height});
    pixels_ = on.make_buffer(pixel_bytes(), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    make_geometry();
    make_textures();
    make_layouts();
    vertex_module_ = on.make_module(raw_quad_vert);
    pipeline_ = make_pipeline(on.make_module(raw_textured_frag));
    make_sets();
  }

  /// Records and submits a frame; what is drawn stays in the target.
  void draw() {
    on_.begin();
    record(pipeline_);
    on_.submit();
  }
  /// The same, and copies the target to mapped memory.
  void draw_and_read() {
    on_.begin();
    record(pipeline_);
    record_read_back();
    on_.submit();
    on_.wait();
  }
  /// The target to mapped memory, nothing else.
  void read() {
    on_.begin();
    record_read_back();
    on_.submit();
    on_.wait();
  }
  void submit_nothing() {
    on_.begin();
    on_.submit();
    on_.wait();
  }
  /// Texels into the target, until the device has them.
  void upload(const std::vector<std::byte>& texels) {
    std::memcpy(pixels_in().mapped, texels.data(), texels.size());
    const VkCommandBuffer commands = on_.begin();
    move_target(VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    const VkBufferImageCopy copy = raw_device::whole(target_);
    on_.vk.vkCmdCopyBufferToImage(commands, pixels_in().handle, target_.handle,
                                  VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    on_.submit();
    on_.wait();
  }
  /// A frame with a pixel shader that was never seen: with another constant in it. Its pipeline
  /// stays, as the backend keeps its own: driver code takes longer to free than to find again.
  void draw_with_new_shader(float constant) {
    auto words = raw_textured_frag;
    std::ranges::replace(words, std::bit_cast<std::uint32_t>(shader_constant),
                         std::bit_cast<std::uint32_t>(constant));
    const VkShaderModule module = on_.make_module(words);
    const VkPipeline pipeline = make_pipeline(module);
    on_.begin();
    record(pipeline);
    on_.submit();
    on_.wait();
  }
  void wait() { on_.wait(); }
  [[nodiscard]] auto pixels() const -> std::span<const std::byte> {
    return {pixels_.mapped, pixel_bytes()};
  }

  /// What textured.frag adds to red.
  static constexpr float shader_constant = 0.0078125f;

 private:
  static constexpr std::size_t constants_stride = 64;
  static constexpr VkShaderStageFlags vertex = VK_SHADER_STAGE_VERTEX_BIT;
  static constexpr VkShaderStageFlags fragment = VK_SHADER_STAGE_FRAGMENT_BIT;

  [[nodiscard]] auto pixel_bytes() const -> std::size_t {
    return std::size_t{scene_.width} * scene_.height * 4;
  }
  auto pixels_in() -> raw_buffer& {
    if (upload_.handle == VK_NULL_HANDLE) {
      upload_ = on_.make_buffer(pixel_bytes(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    }
    return upload_;
  }

  void move_target(VkImageLayout to) {
    on_.transition(target_, target_layout_, to);
    target_layout_ = to;
  }

  void record(VkPipeline pipeline) {
    const VolkDeviceTable& vk = on_.vk;
    const VkCommandBuffer commands = on_.commands();
    move_target(VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
    auto color = raw_info<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
    color.imageView = target_.view;
    color.imageLayout = target_layout_;
    color.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    color.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    auto pass = raw_info<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
    pass.renderArea.extent = target_.extent;
    pass.layerCount = 1;
    pass.colorAttachmentCount = 1;
    pass.pColorAttachments = &color;
    vk.vkCmdBeginRendering(commands, &pass);
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    std::uint32_t offset = 0;
    for (const quad_draw& draw : scene_.draws) {
      std::memcpy(constants_.mapped + offset, draw.rows.data(), sizeof draw.rows);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1,
                                 &constant_set_, 1, &offset);
      vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 1, 1,
                                 &texture_sets_[draw.texture], 0, nullptr);
      constexpr VkDeviceSize start = 0;
      vk.vkCmdBindVertexBuffers(commands, 0, 1, &geometry_[draw.buffer].handle, &start);
      vk.vkCmdDraw(commands, quad_vertices.size(), 1, 0, 0);
      offset += constants_stride;
    }
    vk.vkCmdEndRendering(commands);
  }

  void record_read_back() {
    move_target(VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    const VkBufferImageCopy copy = raw_device::whole(target_);
    on_.vk.vkCmdCopyImageToBuffer(on_.commands(), target_.handle, target_layout_, pixels_.handle, 1,
                                  &copy);
  }

  void make_geometry() {
    for (std::uint32_t i = 0; i < scene_.buffer_count; ++i) {
      geometry_.push_back(on_.make_buffer(sizeof quad_vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT));
      std::memcpy(geometry_.back().mapped, quad_vertices.data(), sizeof quad_vertices);
    }
    constants_ = on_.make_buffer((scene_.draws.size() + 1) * constants_stride,
                                 VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    tint_ = on_.make_buffer(sizeof scene_.tint, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    std::memcpy(tint_.mapped, scene_.tint.data(), sizeof scene_.tint);
  }

  void make_textures() {
    for (std::uint32_t i = 0; i < scene_.texture_count; ++i) {
      const raw_image made = on_.make_image({scene_.texture_width, scene_.texture_height});
      const auto texels = texels_of(scene_, i);
      const raw_buffer staging = on_.make_buffer(texels.size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
      std::memcpy(staging.mapped, texels.data(), texels.size());
      const VkCommandBuffer commands = on_.begin();
      const VkBufferImageCopy copy = raw_device::whole(made);
      on_.transition(made, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
      on_.vk.vkCmdCopyBufferToImage(commands, staging.handle, made.handle,
                                    VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
      on_.transition(made, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                     VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
      on_.submit();
      on_.wait();
      textures_.push_back(made);
    }
  }

  auto make_set_layout(std::span<const VkDescriptorSetLayoutBinding> rows)
      -> VkDescriptorSetLayout {
    auto info = raw_info<VkDescriptorSetLayoutCreateInfo>(
        VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
    info.bindingCount = static_cast<std::uint32_t>(rows.size());
    info.pBindings = rows.data();
    VkDescriptorSetLayout made = VK_NULL_HANDLE;
    raw_must(on_.vk.vkCreateDescriptorSetLayout(on_.handle, &info, nullptr, &made));
    return made;
  }

  void make_layouts() {
    const std::array<VkDescriptorSetLayoutBinding, 2> constants{
        {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, vertex, nullptr},
         {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, fragment, nullptr}}};
    const std::array<VkDescriptorSetLayoutBinding, 1> textures{
        {{0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, fragment, nullptr}}};
    set_layouts_ = {make_set_layout(constants), make_set_layout(textures)};
    auto info = raw_info<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
    info.setLayoutCount = 2;
    info.pSetLayouts = set_layouts_.data();
    raw_must(on_.vk.vkCreatePipelineLayout(on_.handle, &info, nullptr, &layout_));
  }

  auto allocate_set(VkDescriptorPool pool, VkDescriptorSetLayout layout) -> VkDescriptorSet {
    auto info =
        raw_info<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    info.descriptorPool = pool;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet made = VK_NULL_HANDLE;
    raw_must(on_.vk.vkAllocateDescriptorSets(on_.handle, &info, &made));
    return made;
  }

  void write_set(VkDescriptorSet set, std::uint32_t binding, VkDescriptorType type,
                 const VkDescriptorBufferInfo* buffer, const VkDescriptorImageInfo* image) {
    auto write = raw_info<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    write.dstBinding = binding;
    write.descriptorCount = 1;
    write.descriptorType = type;
    write.pBufferInfo = buffer;
    write.pImageInfo = image;
    on_.vk.vkUpdateDescriptorSets(on_.handle, 1, &write, 0, nullptr);
  }

  void make_sets() {
    const std::array<VkDescriptorPoolSize, 3> sizes{
        {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1},
         {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
         {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, scene_.texture_count}}};
    auto info = raw_info<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
    info.maxSets = scene_.texture_count + 1;
    info.poolSizeCount = sizes.size();
    info.pPoolSizes = sizes.data();
    VkDescriptorPool pool = VK_NULL_HANDLE;
    raw_must(on_.vk.vkCreateDescriptorPool(on_.handle, &info, nullptr, &pool));
    constant_set_ = allocate_set(pool, set_layouts_[0]);
    const VkDescriptorBufferInfo rows{constants_.handle, 0, constants_stride};
    const VkDescriptorBufferInfo tint{tint_.handle, 0, sizeof scene_.tint};
    write_set(constant_set_, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, &rows, nullptr);
    write_set(constant_set_, 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &tint, nullptr);
    auto sampler = raw_info<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
    sampler.magFilter = sampler.minFilter = VK_FILTER_LINEAR;
    sampler.addressModeU = sampler.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    VkSampler linear = VK_NULL_HANDLE;
    raw_must(on_.vk.vkCreateSampler(on_.handle, &sampler, nullptr, &linear));
    for (const raw_image& texture : textures_) {
      texture_sets_.push_back(allocate_set(pool, set_layouts_[1]));
      const VkDescriptorImageInfo image{linear, texture.view,
                                        VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
      write_set(texture_sets_.back(), 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, nullptr,
                &image);
    }
  }

  auto make_pipeline(VkShaderModule pixel) -> VkPipeline {
    std::array<VkPipelineShaderStageCreateInfo, 2> stages{};
    for (auto& stage : stages) {
      stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
      stage.pName = "main";
    }
    stages[0].stage = VK_SHADER_STAGE_VERTEX_BIT;
    stages[0].module = vertex_module_;
    stages[1].stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    stages[1].module = pixel;
    const VkVertexInputBindingDescription binding{0, sizeof(quad_vertex),
                                                  VK_VERTEX_INPUT_RATE_VERTEX};
    const std::array<VkVertexInputAttributeDescription, 2> attributes{
        {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
         {1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(quad_vertex, coordinate)}}};
    auto input = raw_info<VkPipelineVertexInputStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO);
    input.vertexBindingDescriptionCount = 1;
    input.pVertexBindingDescriptions = &binding;
    input.vertexAttributeDescriptionCount = 2;
    input.pVertexAttributeDescriptions = attributes.data();
    auto assembly = raw_info<VkPipelineInputAssemblyStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO);
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    // Direct3D's y grows upwards.
    const auto width = static_cast<float>(scene_.width), height = static_cast<float>(scene_.height);
    const VkViewport viewport{0, height, width, -height, 0, 1};
    const VkRect2D scissor{{0, 0}, target_.extent};
    auto area = raw_info<VkPipelineViewportStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO);
    area.viewportCount = area.scissorCount = 1;
    area.pViewports = &viewport;
    area.pScissors = &scissor;
    auto raster = raw_info<VkPipelineRasterizationStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO);
    raster.lineWidth = 1;
    auto samples = raw_info<VkPipelineMultisampleStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO);
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    VkPipelineColorBlendAttachmentState target{};
    target.blendEnable = scene_.is_blended ? VK_TRUE : VK_FALSE;
    target.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    target.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    target.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
    target.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    target.colorWriteMask = 0xF;
    auto blend = raw_info<VkPipelineColorBlendStateCreateInfo>(
        VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO);
    blend.attachmentCount = 1;
    blend.pAttachments = &target;
    constexpr VkFormat format = VK_FORMAT_B8G8R8A8_UNORM;
    auto formats =
        raw_info<VkPipelineRenderingCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO);
    formats.colorAttachmentCount = 1;
    formats.pColorAttachmentFormats = &format;
    auto info =
        raw_info<VkGraphicsPipelineCreateInfo>(VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO);
    info.pNext = &formats;
    info.stageCount = stages.size();
    info.pStages = stages.data();
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &area;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &samples;
    info.pColorBlendState = &blend;
    info.layout = layout_;
    VkPipeline made = VK_NULL_HANDLE;
    raw_must(
        on_.vk.vkCreateGraphicsPipelines(on_.handle, VK_NULL_HANDLE, 1, &info, nullptr, &made));
    return made;
  }

  raw_device& on_;
  const scene& scene_;
  raw_image target_;
  VkImageLayout target_layout_ = VK_IMAGE_LAYOUT_UNDEFINED;
  raw_buffer pixels_;
  raw_buffer upload_;
  raw_buffer constants_;
  raw_buffer tint_;
  std::vector<raw_buffer> geometry_;
  std::vector<raw_image> textures_;
  std::array<VkDescriptorSetLayout, 2> set_layouts_{};
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorSet constant_set_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorSet> texture_sets_;
  VkShaderModule vertex_module_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace aerogpu::bench
