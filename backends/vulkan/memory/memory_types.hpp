// SPDX-License-Identifier: MIT
/// \file Which memory types serve a use, best first.
#pragma once

#include "aerogpu/core/fixed_vector.hpp"
#include "vulkan/device/api.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

enum class memory_use : std::uint8_t {
  device,     ///< Best for the GPU; `mapped` is null unless it is host-visible anyway.
  upload,     ///< Host-visible and coherent, cached where the device has that.
  read_back,  ///< The same.
};

/// Memory that can stay mapped, and needs neither flushes nor invalidations.
inline constexpr VkMemoryPropertyFlags host_memory_flags =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

using memory_type_list = fixed_vector<std::uint32_t, VK_MAX_MEMORY_TYPES>;

/// The types of `type_bits` (bit n: type n) that `use` may take, best first.
[[nodiscard]] auto rank_memory_types(const VkPhysicalDeviceMemoryProperties& memory,
                                     std::uint32_t type_bits, memory_use use) noexcept
    -> memory_type_list;

}  // namespace aerogpu::vulkan
