// SPDX-License-Identifier: MIT
// A Vulkan device as a program of its own opens it, and what that program needs to draw on it. No
// line of it comes from the backend that is measured beside it. Whatever fails ends the program.
#pragma once

#include "aerogpu/core/check.hpp"

#include <volk.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aerogpu::bench {

/// A structure of its type, all else zero.
template <class T>
auto raw_info(VkStructureType type) -> T {
  T info{};
  info.sType = type;
  return info;
}

inline void raw_must(VkResult code) {
  AEROGPU_CHECK(code == VK_SUCCESS);
}

struct raw_buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  std::byte* mapped = nullptr;
};

struct raw_image {
  VkImage handle = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkExtent2D extent{};
};

/// The first device, one queue, one command buffer that is recorded again and again, and a
/// timeline. Objects live until the program ends.
class raw_device {
 public:
  raw_device() {
    raw_must(volkInitialize());
    auto app = raw_info<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    app.apiVersion = VK_API_VERSION_1_3;
    auto instance = raw_info<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    instance.pApplicationInfo = &app;
    raw_must(vkCreateInstance(&instance, nullptr, &instance_));
    volkLoadInstanceOnly(instance_);
    std::uint32_t count = 1;
    AEROGPU_CHECK(vkEnumeratePhysicalDevices(instance_, &count, &physical_) >= VK_SUCCESS);
    vkGetPhysicalDeviceMemoryProperties(physical_, &memory_);
    open();
    auto pool = raw_info<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    raw_must(vk.vkCreateCommandPool(handle, &pool, nullptr, &pool_));
    auto commands =
        raw_info<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    commands.commandPool = pool_;
    commands.commandBufferCount = 1;
    raw_must(vk.vkAllocateCommandBuffers(handle, &commands, &commands_));
    auto type = raw_info<VkSemaphoreTypeCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    auto timeline = raw_info<VkSemaphoreCreateInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO);
    timeline.pNext = &type;
    raw_must(vk.vkCreateSemaphore(handle, &timeline, nullptr, &timeline_));
  }
  raw_device(const raw_device&) = delete;
  auto operator=(const raw_device&) -> raw_device& = delete;

  /// Starts the command buffer over; the last submission has to be done.
  auto begin() -> VkCommandBuffer {
    raw_must(vk.vkResetCommandPool(handle, pool_, 0));
    auto info = raw_info<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    raw_must(vk.vkBeginCommandBuffer(commands_, &info));
    return commands_;
  }
  void submit() {
    raw_must(vk.vkEndCommandBuffer(commands_));
    auto commands =
        raw_info<VkCommandBufferSubmitInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO);
    commands.commandBuffer = commands_;
    auto signal = raw_info<VkSemaphoreSubmitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO);
    signal.semaphore = timeline_;
    signal.value = ++submitted_;
    signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    auto info = raw_info<VkSubmitInfo2>(VK_STRUCTURE_TYPE_SUBMIT_INFO_2);
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &commands;
    info.signalSemaphoreInfoCount = 1;
    info.pSignalSemaphoreInfos = &signal;
    raw_must(vk.vkQueueSubmit2(queue_, 1, &info, VK_NULL_HANDLE));
  }
  void wait() {
    auto info = raw_info<VkSemaphoreWaitInfo>(VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO);
    info.semaphoreCount = 1;
    info.pSemaphores = &timeline_;
    info.pValues = &submitted_;
    raw_must(vk.vkWaitSemaphores(handle, &info, UINT64_MAX));
  }

  /// A mapped buffer.
  auto make_buffer(VkDeviceSize size_bytes, VkBufferUsageFlags usage) -> raw_buffer {
    raw_buffer made;
    auto info = raw_info<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = size_bytes;
    info.usage = usage;
    raw_must(vk.vkCreateBuffer(handle, &info, nullptr, &made.handle));
    VkMemoryRequirements needs{};
    vk.vkGetBufferMemoryRequirements(handle, made.handle, &needs);
    const VkDeviceMemory memory =
        allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
    raw_must(vk.vkBindBufferMemory(handle, made.handle, memory, 0));
    void* mapped = nullptr;
    raw_must(vk.vkMapMemory(handle, memory, 0, VK_WHOLE_SIZE, 0, &mapped));
    made.mapped = static_cast<std::byte*>(mapped);
    return made;
  }

  /// A B8G8R8A8 image that can be drawn to, sampled and copied.
  auto make_image(VkExtent2D extent) -> raw_image {
    raw_image made;
    made.extent = extent;
    auto info = raw_info<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = VK_FORMAT_B8G8R8A8_UNORM;
    info.extent = {extent.width, extent.height, 1};
    info.mipLevels = 1;
    info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
    raw_must(vk.vkCreateImage(handle, &info, nullptr, &made.handle));
    VkMemoryRequirements needs{};
    vk.vkGetImageMemoryRequirements(handle, made.handle, &needs);
    const VkDeviceMemory memory = allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    raw_must(vk.vkBindImageMemory(handle, made.handle, memory, 0));
    auto view = raw_info<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
    view.image = made.handle;
    view.viewType = VK_IMAGE_VIEW_TYPE_2D;
    view.format = info.format;
    view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    raw_must(vk.vkCreateImageView(handle, &view, nullptr, &made.view));
    return made;
  }

  auto make_module(std::span<const std::uint32_t> words) -> VkShaderModule {
    auto info = raw_info<VkShaderModuleCreateInfo>(VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    info.codeSize = words.size_bytes();
    info.pCode = words.data();
    VkShaderModule made = VK_NULL_HANDLE;
    raw_must(vk.vkCreateShaderModule(handle, &info, nullptr, &made));
    return made;
  }

  /// Waits for what was written before, and puts the image into another layout.
  void transition(const raw_image& image, VkImageLayout from, VkImageLayout to) {
    auto barrier = raw_info<VkImageMemoryBarrier2>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2);
    barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    barrier.oldLayout = from;
    barrier.newLayout = to;
    barrier.image = image.handle;
    barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    auto info = raw_info<VkDependencyInfo>(VK_STRUCTURE_TYPE_DEPENDENCY_INFO);
    info.imageMemoryBarrierCount = 1;
    info.pImageMemoryBarriers = &barrier;
    vk.vkCmdPipelineBarrier2(commands_, &info);
  }

  /// All of an image, in copies from and to buffers.
  static auto whole(const raw_image& image) -> VkBufferImageCopy {
    VkBufferImageCopy copy{};
    copy.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    copy.imageExtent = {image.extent.width, image.extent.height, 1};
    return copy;
  }

  [[nodiscard]] auto commands() const -> VkCommandBuffer { return commands_; }

  VkDevice handle = VK_NULL_HANDLE;
  VolkDeviceTable vk{};

 private:
  void open() {
    const float priority = 1;
    auto queue = raw_info<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    auto features = raw_info<VkPhysicalDeviceVulkan13Features>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    features.dynamicRendering = VK_TRUE;
    features.synchronization2 = VK_TRUE;
    auto timelines = raw_info<VkPhysicalDeviceVulkan12Features>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    timelines.timelineSemaphore = VK_TRUE;
    features.pNext = &timelines;
    auto info = raw_info<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &features;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    raw_must(vkCreateDevice(physical_, &info, nullptr, &handle));
    volkLoadDeviceTable(&vk, handle);
    vk.vkGetDeviceQueue(handle, 0, 0, &queue_);
  }

  auto allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) -> VkDeviceMemory {
    auto info = raw_info<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
    info.allocationSize = needs.size;
    for (std::uint32_t i = memory_.memoryTypeCount; i-- > 0;) {
      const bool is_allowed = (needs.memoryTypeBits >> i & 1u) != 0;
      if (is_allowed && (memory_.memoryTypes[i].propertyFlags & wanted) == wanted) {
        info.memoryTypeIndex = i;
      }
    }
    VkDeviceMemory memory = VK_NULL_HANDLE;
    raw_must(vk.vkAllocateMemory(handle, &info, nullptr, &memory));
    return memory;
  }

  VkInstance instance_ = VK_NULL_HANDLE;
  VkPhysicalDevice physical_ = VK_NULL_HANDLE;
  VkPhysicalDeviceMemoryProperties memory_{};
  VkQueue queue_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkSemaphore timeline_ = VK_NULL_HANDLE;
  std::uint64_t submitted_ = 0;
};

}  // namespace aerogpu::bench
