// SPDX-License-Identifier: MIT
// One draw: makes what it needs, records it, reads it back.
#include "tests/support/shaders/shader_pass.hpp"

#include "tests/support/shaders/shader_pipeline_state.hpp"

#include <algorithm>
#include <cstring>

namespace aerogpu::test {

namespace {

constexpr VkShaderStageFlags both_stages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr std::size_t smallest_constants = sizeof(d3d9::constant_block);

auto image_info(VkFormat format, VkExtent3D size, VkImageUsageFlags usage) -> VkImageCreateInfo {
  auto info = vulkan_info<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = size;
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = usage;
  return info;
}

auto aspect_of(const shader_texture& texture) -> VkImageAspectFlags {
  return texture.compares ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

}  // namespace

auto shader_pass::run() -> shader_pixels {
  vertices_ = objects_.buffer(draw_.vertices.size() * sizeof(attributes),
                              VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  std::memcpy(vertices_.bytes.data(), draw_.vertices.data(), vertices_.bytes.size());
  if (what_ == output::targets) make_targets();
  make_descriptors();
  make_pipeline();
  device_.run([this](VkCommandBuffer commands) { record(commands); });
  return collect();
}

void shader_pass::make_targets() {
  const VkExtent3D size{draw_.width, draw_.height, 1};
  const std::size_t pixels = std::size_t{draw_.width} * draw_.height;
  for (std::uint32_t i = 0; i < target_count; ++i) {
    colors_.push_back(objects_.image(
        image_info(test_color_format, size,
                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT),
        VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT));
    downloads_.push_back(
        objects_.buffer(pixels * sizeof(float4), VK_BUFFER_USAGE_TRANSFER_DST_BIT));
  }
  depth_ = objects_.image(
      image_info(test_depth_format, size,
                 VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT),
      VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
  downloads_.push_back(objects_.buffer(pixels * sizeof(float), VK_BUFFER_USAGE_TRANSFER_DST_BIT));
  downloads_.push_back(objects_.buffer(pixels, VK_BUFFER_USAGE_TRANSFER_DST_BIT));
}

auto shader_pass::constants_of(const shader_code& code, std::uint32_t number) -> binding {
  const std::size_t size = std::max(code.constants.size(), smallest_constants);
  const test_buffer buffer = objects_.buffer(size, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
  std::ranges::copy(code.constants, buffer.bytes.begin());
  return {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, {buffer.handle, 0, VK_WHOLE_SIZE}, {}, number};
}

void shader_pass::make_descriptors() {
  sets_.push_back(make_set({constants_of(draw_.vertex, 0), constants_of(draw_.pixel, 1)}));
  std::vector<binding> textures;
  for (const shader_texture& t : draw_.textures) textures.push_back(make_texture(t));
  sets_.push_back(make_set(textures));
  if (what_ == output::targets) return;
  captured_ = objects_.buffer(draw_.width * sizeof(varyings), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  sets_.push_back(
      make_set({{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, {captured_.handle, 0, VK_WHOLE_SIZE}, {}, 0}}));
}

auto shader_pass::make_set(const std::vector<binding>& bindings) -> VkDescriptorSet {
  std::vector<VkDescriptorSetLayoutBinding> slots;
  for (const binding& b : bindings) slots.push_back({b.number, b.type, 1, both_stages, nullptr});
  auto layout = vulkan_info<VkDescriptorSetLayoutCreateInfo>(
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  layout.bindingCount = static_cast<std::uint32_t>(slots.size());
  layout.pBindings = slots.data();
  set_layouts_.push_back(
      objects_.create(vk_.vkCreateDescriptorSetLayout, vk_.vkDestroyDescriptorSetLayout, layout));
  if (bindings.empty()) return VK_NULL_HANDLE;
  const VkDescriptorPoolSize size{bindings[0].type, layout.bindingCount};
  auto pool_info =
      vulkan_info<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  pool_info.maxSets = pool_info.poolSizeCount = 1;
  pool_info.pPoolSizes = &size;
  auto what =
      vulkan_info<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  what.descriptorPool =
      objects_.create(vk_.vkCreateDescriptorPool, vk_.vkDestroyDescriptorPool, pool_info);
  what.descriptorSetCount = 1;
  what.pSetLayouts = &set_layouts_.back();
  VkDescriptorSet set = VK_NULL_HANDLE;
  must(vk_.vkAllocateDescriptorSets(device_.handle(), &what, &set), "vkAllocateDescriptorSets");
  for (const binding& b : bindings) {
    auto write = vulkan_info<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
    write.dstSet = set;
    write.dstBinding = b.number;
    write.descriptorCount = 1;
    write.descriptorType = b.type;
    write.pBufferInfo = &b.buffer;
    write.pImageInfo = &b.image;
    vk_.vkUpdateDescriptorSets(device_.handle(), 1, &write, 0, nullptr);
  }
  return set;
}

auto shader_pass::make_sampler(const shader_texture& from) -> VkSampler {
  auto info = vulkan_info<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
  info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  info.addressModeU = info.addressModeV = info.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  info.maxLod = VK_LOD_CLAMP_NONE;
  info.mipLodBias = from.level_bias;
  info.compareEnable = from.compares ? VK_TRUE : VK_FALSE;
  info.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  return objects_.create(vk_.vkCreateSampler, vk_.vkDestroySampler, info);
}

auto shader_pass::make_texture(const shader_texture& from) -> binding {
  const bool is_cube = from.type == VK_IMAGE_VIEW_TYPE_CUBE;
  const bool is_volume = from.type == VK_IMAGE_VIEW_TYPE_3D;
  VkImageCreateInfo info =
      image_info(from.compares ? VK_FORMAT_D32_SFLOAT : test_color_format, from.size,
                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  info.imageType = is_volume ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
  info.mipLevels = static_cast<std::uint32_t>(from.levels.size());
  info.arrayLayers = is_cube ? 6 : 1;
  info.flags = is_cube ? VkImageCreateFlags{VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT} : 0u;
  std::vector<std::byte> bytes;
  upload to;
  for (std::uint32_t level = 0; level < info.mipLevels; ++level) {
    const VkExtent3D size{std::max(from.size.width >> level, 1u),
                          std::max(from.size.height >> level, 1u),
                          std::max(from.size.depth >> level, 1u)};
    to.regions.push_back(
        {bytes.size(), 0, 0, {aspect_of(from), level, 0, info.arrayLayers}, {}, size});
    for (const float4& texel : from.levels[level]) {
      const auto words = std::as_bytes(std::span{texel}.first(from.compares ? 1 : 4));
      bytes.insert(bytes.end(), words.begin(), words.end());
    }
  }
  to.image = objects_.image(info, from.type, aspect_of(from));
  to.staging = objects_.buffer(bytes.size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
  std::ranges::copy(bytes, to.staging.bytes.begin());
  const VkDescriptorImageInfo image{make_sampler(from), to.image.view, VK_IMAGE_LAYOUT_GENERAL};
  uploads_.push_back(std::move(to));
  return {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, {}, image, from.binding};
}

void shader_pass::make_pipeline() {
  const VkPushConstantRange pushed{both_stages, 0, sizeof(d3d9::push_constants)};
  auto layout =
      vulkan_info<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  layout.setLayoutCount = static_cast<std::uint32_t>(set_layouts_.size());
  layout.pSetLayouts = set_layouts_.data();
  layout.pushConstantRangeCount = 1;
  layout.pPushConstantRanges = &pushed;
  layout_ = objects_.create(vk_.vkCreatePipelineLayout, vk_.vkDestroyPipelineLayout, layout);
  const shader_pipeline_state state{draw_, objects_.shader(draw_.vertex.words),
                                    objects_.shader(draw_.pixel.words), what_ == output::targets};
  pipeline_ = objects_.pipeline(state.info(layout_));
}

void shader_pass::wait_for_all(VkCommandBuffer commands) {
  auto barrier = vulkan_info<VkMemoryBarrier>(VK_STRUCTURE_TYPE_MEMORY_BARRIER);
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  vk_.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                           &barrier, 0, nullptr, 0, nullptr);
}

void shader_pass::move_to_general(VkCommandBuffer commands, const test_image& image) {
  auto barrier = vulkan_info<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  barrier.image = image.handle;
  barrier.subresourceRange = image.range;
  vk_.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1,
                           &barrier);
}

void shader_pass::record(VkCommandBuffer commands) {
  for (const upload& u : uploads_) {
    move_to_general(commands, u.image);
    vk_.vkCmdCopyBufferToImage(commands, u.staging.handle, u.image.handle, VK_IMAGE_LAYOUT_GENERAL,
                               static_cast<std::uint32_t>(u.regions.size()), u.regions.data());
  }
  if (what_ == output::targets) {
    for (const test_image& c : colors_) move_to_general(commands, c);
    move_to_general(commands, depth_);
  }
  wait_for_all(commands);
  record_draw(commands);
  wait_for_all(commands);
  if (what_ == output::targets) record_downloads(commands);
  wait_for_all(commands);
}

void shader_pass::record_draw(VkCommandBuffer commands) {
  auto target = vulkan_info<VkRenderingAttachmentInfo>(VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO);
  target.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  target.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  target.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  std::vector<VkRenderingAttachmentInfo> colors(colors_.size(), target);
  for (std::size_t i = 0; i < colors.size(); ++i) {
    colors[i].imageView = colors_[i].view;
    std::ranges::fill(colors[i].clearValue.color.float32, unwritten_color);
  }
  target.imageView = depth_.view;
  auto rendering = vulkan_info<VkRenderingInfo>(VK_STRUCTURE_TYPE_RENDERING_INFO);
  rendering.renderArea.extent = {draw_.width, draw_.height};
  rendering.layerCount = 1;
  rendering.colorAttachmentCount = static_cast<std::uint32_t>(colors.size());
  rendering.pColorAttachments = colors.data();
  if (what_ == output::targets) {
    rendering.pDepthAttachment = rendering.pStencilAttachment = &target;
  }
  vk_.vkCmdBeginRendering(commands, &rendering);
  vk_.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_);
  for (std::uint32_t i = 0; i < sets_.size(); ++i) {
    if (sets_[i] == VK_NULL_HANDLE) continue;
    vk_.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, i, 1, &sets_[i],
                                0, nullptr);
  }
  vk_.vkCmdPushConstants(commands, layout_, both_stages, 0, sizeof draw_.pushed, &draw_.pushed);
  const VkDeviceSize start = 0;
  vk_.vkCmdBindVertexBuffers(commands, 0, 1, &vertices_.handle, &start);
  vk_.vkCmdDraw(commands, static_cast<std::uint32_t>(draw_.vertices.size()), 1, 0, 0);
  vk_.vkCmdEndRendering(commands);
}

void shader_pass::record_downloads(VkCommandBuffer commands) {
  const auto copy = [&](const test_image& from, VkImageAspectFlags aspect, std::size_t to) {
    VkBufferImageCopy region{};
    region.imageSubresource = {aspect, 0, 0, 1};
    region.imageExtent = {draw_.width, draw_.height, 1};
    vk_.vkCmdCopyImageToBuffer(commands, from.handle, VK_IMAGE_LAYOUT_GENERAL,
                               downloads_[to].handle, 1, &region);
  };
  for (std::size_t i = 0; i < colors_.size(); ++i) copy(colors_[i], VK_IMAGE_ASPECT_COLOR_BIT, i);
  copy(depth_, VK_IMAGE_ASPECT_DEPTH_BIT, target_count);
  copy(depth_, VK_IMAGE_ASPECT_STENCIL_BIT, target_count + 1);
}

auto shader_pass::collect() const -> shader_pixels {
  const auto read = []<class T>(std::vector<T>& to, const test_buffer& from) {
    to.resize(from.bytes.size() / sizeof(T));
    std::memcpy(to.data(), from.bytes.data(), to.size() * sizeof(T));
  };
  shader_pixels all;
  if (what_ == output::capture) {
    read(all.captured, captured_);
    return all;
  }
  for (std::size_t i = 0; i < target_count; ++i) read(all.colors[i], downloads_[i]);
  read(all.depth, downloads_[target_count]);
  read(all.is_kept, downloads_[target_count + 1]);
  return all;
}

}  // namespace aerogpu::test
