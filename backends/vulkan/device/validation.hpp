// SPDX-License-Identifier: MIT
/// \file The Khronos validation layer: switched on with an instance, its messages counted.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/device/gpu.hpp"

#include <array>

namespace aerogpu::vulkan {

inline constexpr const char* validation_layer_name = "VK_LAYER_KHRONOS_validation";

/// Whether the layer is installed. Errors: out_of_memory.
[[nodiscard]] auto has_validation_layer() noexcept -> result<bool>;

/// How the messages of the layer reach `into`: each is counted, and printed to stderr with its id.
[[nodiscard]] auto messenger_info(gpu_messages& into) noexcept
    -> VkDebugUtilsMessengerCreateInfoEXT;

/// What an instance's pNext needs for core and synchronisation validation, and for the messages of
/// its own creation and end. Stays where it is made.
class validation_chain {
 public:
  explicit validation_chain(gpu_messages& into) noexcept;
  validation_chain(const validation_chain&) = delete;
  auto operator=(const validation_chain&) -> validation_chain& = delete;

  [[nodiscard]] auto head() const noexcept -> const void* { return &features_; }

 private:
  std::array<VkValidationFeatureEnableEXT, 1> enabled_{
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  VkDebugUtilsMessengerCreateInfoEXT messenger_;
  VkValidationFeaturesEXT features_{};
};

}  // namespace aerogpu::vulkan
