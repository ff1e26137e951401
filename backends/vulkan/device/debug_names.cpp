// SPDX-License-Identifier: MIT
#include "vulkan/device/debug_names.hpp"

namespace aerogpu::vulkan {

namespace {

auto label_of(const debug_text& text) noexcept -> VkDebugUtilsLabelEXT {
  VkDebugUtilsLabelEXT label{};
  label.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT;
  label.pLabelName = text.c_str();
  return label;
}

}  // namespace

void detail::set_name(const gpu& device, VkObjectType type, std::uint64_t handle,
                      const debug_text& name) noexcept {
  VkDebugUtilsObjectNameInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT;
  info.objectType = type;
  info.objectHandle = handle;
  info.pObjectName = name.c_str();
  // It fails for want of memory only, and an object without a name works as well.
  static_cast<void>(device.debug.set_name(device.handle, &info));
}

void detail::begin_label(const gpu& device, VkCommandBuffer commands,
                         const debug_text& text) noexcept {
  const auto label = label_of(text);
  device.debug.begin_label(commands, &label);
}

void detail::insert_label(const gpu& device, VkCommandBuffer commands,
                          const debug_text& text) noexcept {
  const auto label = label_of(text);
  device.debug.insert_label(commands, &label);
}

void end_label(const gpu& device, VkCommandBuffer commands) noexcept {
  if (device.debug.end_label != nullptr) device.debug.end_label(commands);
}

}  // namespace aerogpu::vulkan
