// SPDX-License-Identifier: MIT
/// \file The features that a device must have, those it may have, and how both are switched on.
#pragma once

#include "aerogpu/core/fixed_vector.hpp"
#include "vulkan/device/gpu.hpp"

#include <span>

namespace aerogpu::vulkan {

/// The feature structures of a device of Vulkan 1.3, linked for the extensions it offers. Stays
/// where it is made, because the structures point at each other.
struct feature_chain {
  explicit feature_chain(std::span<const VkExtensionProperties> offered) noexcept;
  feature_chain(const feature_chain&) = delete;
  auto operator=(const feature_chain&) -> feature_chain& = delete;

  VkPhysicalDeviceFeatures2 core{};  ///< Head of the chain.
  VkPhysicalDeviceVulkan11Features v11{};
  VkPhysicalDeviceVulkan12Features v12{};
  VkPhysicalDeviceVulkan13Features v13{};
  VkPhysicalDeviceRobustness2FeaturesEXT robustness{};
  VkPhysicalDeviceCustomBorderColorFeaturesEXT border{};
  VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT divisor{};
  VkPhysicalDeviceDepthClipEnableFeaturesEXT depth_clip{};
  VkPhysicalDeviceLineRasterizationFeaturesEXT lines{};
  VkPhysicalDevicePortabilitySubsetFeaturesKHR portability{};
  fixed_vector<const char*, 8> extensions;  ///< To enable with the device.
};

/// The sentence that says which required feature is not `offered`, or null.
[[nodiscard]] auto missing_feature(feature_chain& offered) noexcept -> const char*;

/// The sentence that says why shaders of a guest could reach memory of others here, or null: the
/// device cannot keep accesses inside the resource.
[[nodiscard]] auto missing_safety(feature_chain& offered) noexcept -> const char*;

/// Sets in `enabled` what this backend uses of `offered`, and says what optional features it got.
[[nodiscard]] auto enable_features(feature_chain& offered, feature_chain& enabled) noexcept
    -> gpu_features;

}  // namespace aerogpu::vulkan
