// SPDX-License-Identifier: MIT
/// \file What a module needs of the device, before the device sees it.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/device/gpu.hpp"
#include "vulkan/modules/module_outputs.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::vulkan {

/// Whether the device has what the module's capabilities ask for. Errors: unsupported.
/// Precondition: a module that was made or checked here.
[[nodiscard]] auto check_features(std::span<const std::uint32_t> spirv,
                                  const gpu_features& features) noexcept -> result<void>;
/// Whether the device makes so much geometry. Errors: unsupported.
[[nodiscard]] auto check_outputs(const module_outputs& made,
                                 const VkPhysicalDeviceLimits& most) noexcept -> result<void>;

}  // namespace aerogpu::vulkan
