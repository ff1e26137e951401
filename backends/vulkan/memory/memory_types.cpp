// SPDX-License-Identifier: MIT
#include "vulkan/memory/memory_types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// Types with any other flag need a feature, or lose their contents.
constexpr VkMemoryPropertyFlags usable_flags =
    host_memory_flags | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;

struct memory_rule {
  VkMemoryPropertyFlags required;
  VkMemoryPropertyFlags preferred;
  VkMemoryPropertyFlags avoided;
};

/// Cached for uploads too: a draw's constants are a few lines here and there, and each costs a
/// write-combined memory its own trip.
constexpr memory_rule system_memory{host_memory_flags, VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
                                    VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};

// By memory_use.
constexpr std::array rules{
    // The host-visible part of a GPU's memory can be small.
    memory_rule{0, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT},
    system_memory,
    system_memory,
};

/// Lower is better: a missing preferred flag weighs more than all avoided ones together.
auto cost(VkMemoryPropertyFlags flags, const memory_rule& rule) noexcept -> int {
  return 8 * std::popcount(rule.preferred & ~flags) + std::popcount(rule.avoided & flags);
}

}  // namespace

auto rank_memory_types(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t type_bits,
                       memory_use use) noexcept -> memory_type_list {
  const memory_rule& rule = rules[static_cast<std::size_t>(use)];
  const auto flags_of = [&](std::uint32_t type) { return memory.memoryTypes[type].propertyFlags; };
  memory_type_list types;
  for (std::uint32_t type = 0; type < memory.memoryTypeCount; ++type) {
    const bool is_offered = ((type_bits >> type) & 1u) != 0;
    const bool fits = (flags_of(type) & rule.required) == rule.required;
    if (!is_offered || !fits || (flags_of(type) & ~usable_flags) != 0) continue;
    AEROGPU_CHECK(types.push_back(type));
  }
  // The number of a type breaks ties, because the device's own order means something.
  std::ranges::sort(types, {}, [&](std::uint32_t type) {
    return std::pair{cost(flags_of(type), rule), type};
  });
  return types;
}

}  // namespace aerogpu::vulkan
