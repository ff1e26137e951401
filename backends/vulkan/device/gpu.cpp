// SPDX-License-Identifier: MIT
#include "vulkan/device/gpu.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"
#include "vulkan/device/gpu_features.hpp"
#include "vulkan/device/instance.hpp"
#include "vulkan/device/physical_device.hpp"
#include "vulkan/device/validation.hpp"

#include <utility>

namespace aerogpu::vulkan {

namespace {

auto open_instance(gpu& into) -> result<void> {
  const auto instance = create_instance(into.options, into.messages);
  if (!instance) return instance.why();
  into.instance = *instance;
  if (!into.options.validate) return {};

  const auto create_messenger = instance_function<PFN_vkCreateDebugUtilsMessengerEXT>(
      into.instance, "vkCreateDebugUtilsMessengerEXT");
  if (create_messenger == nullptr)
    return make_error(error_code::unsupported, "the Vulkan loader lacks VK_EXT_debug_utils");
  const auto info = messenger_info(into.messages);
  const VkResult code = create_messenger(into.instance, &info, nullptr, &into.messenger);
  if (code != VK_SUCCESS) return vulkan_error(code, "vkCreateDebugUtilsMessengerEXT fails");
  return {};
}

void load_debug_functions(gpu& into) noexcept {
  if (!into.options.name_objects && !into.options.validate) return;
  auto& debug = into.debug;
  const VkInstance of = into.instance;
  debug.set_name =
      instance_function<PFN_vkSetDebugUtilsObjectNameEXT>(of, "vkSetDebugUtilsObjectNameEXT");
  debug.begin_label =
      instance_function<PFN_vkCmdBeginDebugUtilsLabelEXT>(of, "vkCmdBeginDebugUtilsLabelEXT");
  debug.insert_label =
      instance_function<PFN_vkCmdInsertDebugUtilsLabelEXT>(of, "vkCmdInsertDebugUtilsLabelEXT");
  debug.end_label =
      instance_function<PFN_vkCmdEndDebugUtilsLabelEXT>(of, "vkCmdEndDebugUtilsLabelEXT");
  into.features.debug_utils = debug.set_name != nullptr;
}

void read_properties(gpu& into) noexcept {
  VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT divisor{};
  divisor.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT;
  VkPhysicalDeviceMaintenance4Properties buffers{};
  buffers.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES;
  if (into.features.instance_divisor) buffers.pNext = &divisor;
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &buffers;
  vkGetPhysicalDeviceProperties2(into.physical, &all);
  if (into.features.instance_divisor) into.most_instance_divisor = divisor.maxVertexAttribDivisor;
  into.most_buffer_bytes = buffers.maxBufferSize;
}

auto open_device(gpu& into, const device_candidate& chosen) -> result<void> {
  into.physical = chosen.handle;
  into.properties = chosen.properties;
  into.queue_family = chosen.queue_family;
  vkGetPhysicalDeviceMemoryProperties(into.physical, &into.memory);

  const auto extensions = device_extensions(into.physical);
  if (!extensions) return extensions.why();
  feature_chain offered{extensions->view()};
  vkGetPhysicalDeviceFeatures2(into.physical, &offered.core);
  feature_chain enabled{extensions->view()};
  into.features = enable_features(offered, enabled);
  read_properties(into);

  constexpr float priority = 1.0f;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = into.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &enabled.core;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<std::uint32_t>(enabled.extensions.size());
  info.ppEnabledExtensionNames = enabled.extensions.begin();
  const VkResult code = vkCreateDevice(into.physical, &info, nullptr, &into.handle);
  if (code != VK_SUCCESS) return vulkan_error(code, "vkCreateDevice fails");

  volkLoadDeviceTable(&into.vk, into.handle);
  into.vk.vkGetDeviceQueue(into.handle, into.queue_family, 0, &into.queue);
  load_debug_functions(into);
  return {};
}

auto open_chosen(gpu& into, const gpu_options& options) noexcept -> result<void> {
  if (auto opened = open_instance(into); !opened) return opened.why();
  const auto candidates = list_candidates(into.instance);
  if (!candidates) return candidates.why();
  const auto chosen = choose_candidate(candidates->view(), options);
  if (!chosen) return chosen.why();
  return open_device(into, (*candidates)[*chosen]);
}

}  // namespace

auto gpu::create(const gpu_options& options) noexcept -> result<std::unique_ptr<gpu>> {
  auto made = make_heap<gpu>();
  if (made == nullptr) {
    return make_error(error_code::out_of_memory, "the host has no memory for a device's record");
  }
  made->options = options;
  made->options.device = {};
  const auto opened = made->threads.watch([&] { return open_chosen(*made, options); });
  if (!opened) return opened.why();
  return made;
}

gpu::~gpu() {
  if (handle != VK_NULL_HANDLE) {
    vk.vkDeviceWaitIdle(handle);
    vk.vkDestroyDevice(handle, nullptr);
  }
  if (messenger != VK_NULL_HANDLE) {
    const auto destroy_messenger = instance_function<PFN_vkDestroyDebugUtilsMessengerEXT>(
        instance, "vkDestroyDebugUtilsMessengerEXT");
    destroy_messenger(instance, messenger, nullptr);
  }
  if (instance != VK_NULL_HANDLE) vkDestroyInstance(instance, nullptr);
}

auto gpu::supports(VkFormat format, VkFormatFeatureFlags wanted) const noexcept -> bool {
  VkFormatProperties offered{};
  vkGetPhysicalDeviceFormatProperties(physical, format, &offered);
  return (offered.optimalTilingFeatures & wanted) == wanted;
}

auto gpu::image_limits(const VkImageCreateInfo& info) const noexcept -> VkImageFormatProperties {
  VkPhysicalDeviceImageFormatInfo2 asked{};
  asked.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2;
  asked.pNext = info.pNext;  // The same structures as of an image.
  asked.format = info.format;
  asked.type = info.imageType;
  asked.tiling = info.tiling;
  asked.usage = info.usage;
  asked.flags = info.flags;
  VkImageFormatProperties2 limits{};
  limits.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2;
  const auto found = vkGetPhysicalDeviceImageFormatProperties2(physical, &asked, &limits);
  return found == VK_SUCCESS ? limits.imageFormatProperties : VkImageFormatProperties{};
}

auto gpu::supports_vertices(VkFormat format) const noexcept -> bool {
  VkFormatProperties offered{};
  vkGetPhysicalDeviceFormatProperties(physical, format, &offered);
  return (offered.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) != 0;
}

}  // namespace aerogpu::vulkan
