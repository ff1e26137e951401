// SPDX-License-Identifier: MIT
/// \file Vulkan as this backend sees it: types, and functions through volk's tables.
#pragma once

#include "aerogpu/core/result.hpp"

#include <volk.h>

namespace aerogpu::vulkan {

/// The library's error for a failed Vulkan call. `what` names the call in the present tense;
/// `detail` is the VkResult as an unsigned number.
/// device_lost; out_of_memory for host, device and pool exhaustion and fragmentation; else
/// internal.
[[nodiscard]] constexpr auto vulkan_error(VkResult code, const char* what) noexcept -> error {
  const auto detail = static_cast<std::uint32_t>(code);
  switch (code) {
    case VK_ERROR_DEVICE_LOST: return make_error(error_code::device_lost, what, detail);
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_FRAGMENTATION:
    case VK_ERROR_TOO_MANY_OBJECTS: return make_error(error_code::out_of_memory, what, detail);
    default: return make_error(error_code::internal, what, detail);
  }
}

}  // namespace aerogpu::vulkan
