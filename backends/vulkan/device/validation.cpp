// SPDX-License-Identifier: MIT
#include "vulkan/device/validation.hpp"

#include "vulkan/device/enumerate.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace aerogpu::vulkan {

namespace {

/// A pixel shader may write to a gap among the targets: the guest's choice, and Vulkan drops it.
auto is_about_a_gap(const VkDebugUtilsMessengerCallbackDataEXT& data) noexcept -> bool {
  if (data.pMessageIdName == nullptr || data.pMessage == nullptr) return false;
  return std::string_view{data.pMessageIdName} ==
             "UNASSIGNED-CoreValidation-Shader-InterfaceTypeMismatch" &&
         std::string_view{data.pMessage}.find("VK_FORMAT_UNDEFINED") != std::string_view::npos;
}

VKAPI_ATTR auto VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                      VkDebugUtilsMessageTypeFlagsEXT /*types*/,
                                      const VkDebugUtilsMessengerCallbackDataEXT* data, void* user)
    -> VkBool32 {
  auto& messages = *static_cast<gpu_messages*>(user);
  const bool is_error = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  if (!is_error && is_about_a_gap(*data)) return VK_FALSE;
  auto& count = is_error ? messages.errors : messages.warnings;
  count.fetch_add(1, std::memory_order_relaxed);
  std::fprintf(stderr, "Vulkan %s: %s: %s\n", is_error ? "error" : "warning",
               data->pMessageIdName != nullptr ? data->pMessageIdName : "without an id",
               data->pMessage);
  return VK_FALSE;  // The call goes on: a message never changes what the program does.
}

}  // namespace

auto has_validation_layer() noexcept -> result<bool> {
  const auto layers = enumerate<VkLayerProperties>(
      [](auto* count, auto* list) { return vkEnumerateInstanceLayerProperties(count, list); });
  if (!layers) return layers.why();
  return std::ranges::any_of(*layers, [](const VkLayerProperties& layer) {
    return std::string_view{layer.layerName} == validation_layer_name;
  });
}

auto messenger_info(gpu_messages& into) noexcept -> VkDebugUtilsMessengerCreateInfoEXT {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
                         VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  // General messages are the loader's, about drivers that do not fit this machine.
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                     VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = on_message;
  info.pUserData = &into;
  return info;
}

validation_chain::validation_chain(gpu_messages& into) noexcept : messenger_(messenger_info(into)) {
  features_.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT;
  features_.pNext = &messenger_;
  features_.enabledValidationFeatureCount = static_cast<std::uint32_t>(enabled_.size());
  features_.pEnabledValidationFeatures = enabled_.data();
}

}  // namespace aerogpu::vulkan
