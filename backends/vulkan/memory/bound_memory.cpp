// SPDX-License-Identifier: MIT
#include "vulkan/memory/bound_memory.hpp"

#include <algorithm>
#include <cstdint>

namespace aerogpu::vulkan {

namespace {

constexpr VkBufferUsageFlags every_buffer_usage =
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
    VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
    VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT |
    VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT;

auto buffer_info(VkDeviceSize size_bytes) noexcept -> VkBufferCreateInfo {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size_bytes;
  info.usage = every_buffer_usage;
  return info;
}

/// More than there is for what the device cannot make: it has no other way to say so.
auto aligned_bytes(const VkMemoryRequirements& needs) noexcept -> std::uint64_t {
  const VkDeviceSize alignment = std::max<VkDeviceSize>(needs.alignment, 1);
  if (needs.size == 0 || needs.size > UINT64_MAX - alignment) return UINT64_MAX;
  return (needs.size + alignment - 1) / alignment * alignment;
}

}  // namespace

auto buffer_memory_bytes(const gpu& device, VkDeviceSize size_bytes) noexcept -> std::uint64_t {
  if (size_bytes > device.most_buffer_bytes) return UINT64_MAX;
  const VkBufferCreateInfo info = buffer_info(size_bytes);
  VkDeviceBufferMemoryRequirements asked{};
  asked.sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS;
  asked.pCreateInfo = &info;
  VkMemoryRequirements2 needs{};
  needs.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2;
  device.vk.vkGetDeviceBufferMemoryRequirements(device.handle, &asked, &needs);
  return aligned_bytes(needs.memoryRequirements);
}

auto image_memory_bytes(const gpu& device, const VkImageCreateInfo& info) noexcept
    -> std::uint64_t {
  VkDeviceImageMemoryRequirements asked{};
  asked.sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS;
  asked.pCreateInfo = &info;
  VkMemoryRequirements2 needs{};
  needs.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2;
  device.vk.vkGetDeviceImageMemoryRequirements(device.handle, &asked, &needs);
  return aligned_bytes(needs.memoryRequirements);
}

auto create_bound_buffer(const gpu& device, memory_allocator& memory, VkDeviceSize size_bytes,
                         memory_use use, const bound_failures& texts) -> result<bound<VkBuffer>> {
  if (size_bytes > device.most_buffer_bytes) {
    return make_error(error_code::out_of_memory, "the device makes no buffer as large", size_bytes,
                      device.most_buffer_bytes);
  }
  const VkBufferCreateInfo info = buffer_info(size_bytes);
  bound<VkBuffer> made;
  const auto created = device.vk.vkCreateBuffer(device.handle, &info, nullptr, &made.handle);
  if (created != VK_SUCCESS) return vulkan_error(created, texts.creating);
  VkMemoryRequirements needs{};
  device.vk.vkGetBufferMemoryRequirements(device.handle, made.handle, &needs);
  auto allocated = memory.allocate(needs, use, false);
  if (!allocated) {
    device.vk.vkDestroyBuffer(device.handle, made.handle, nullptr);
    return allocated.why();
  }
  made.memory = *allocated;
  const auto done = device.vk.vkBindBufferMemory(device.handle, made.handle, made.memory.memory,
                                                 made.memory.offset_bytes);
  if (done == VK_SUCCESS) return made;
  device.vk.vkDestroyBuffer(device.handle, made.handle, nullptr);
  memory.free(made.memory);
  return vulkan_error(done, texts.binding);
}

auto create_bound_image(const gpu& device, memory_allocator& memory, const VkImageCreateInfo& info,
                        const bound_failures& texts) -> result<bound<VkImage>> {
  bound<VkImage> made;
  const auto created = device.vk.vkCreateImage(device.handle, &info, nullptr, &made.handle);
  if (created != VK_SUCCESS) return vulkan_error(created, texts.creating);
  VkMemoryRequirements needs{};
  device.vk.vkGetImageMemoryRequirements(device.handle, made.handle, &needs);
  auto allocated = memory.allocate(needs, memory_use::device, true);
  if (!allocated) {
    device.vk.vkDestroyImage(device.handle, made.handle, nullptr);
    return allocated.why();
  }
  made.memory = *allocated;
  const auto done = device.vk.vkBindImageMemory(device.handle, made.handle, made.memory.memory,
                                                made.memory.offset_bytes);
  if (done == VK_SUCCESS) return made;
  device.vk.vkDestroyImage(device.handle, made.handle, nullptr);
  memory.free(made.memory);
  return vulkan_error(done, texts.binding);
}

auto create_texel_view(const gpu& device, VkBuffer buffer, VkFormat format,
                       VkDeviceSize offset_bytes, VkDeviceSize size_bytes) -> result<VkBufferView> {
  VkBufferViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  info.buffer = buffer;
  info.format = format;
  info.offset = offset_bytes;
  info.range = size_bytes;
  VkBufferView view = VK_NULL_HANDLE;
  const auto created = device.vk.vkCreateBufferView(device.handle, &info, nullptr, &view);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a buffer view fails");
  return view;
}

}  // namespace aerogpu::vulkan
