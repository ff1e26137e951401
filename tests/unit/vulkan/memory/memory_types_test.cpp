// SPDX-License-Identifier: MIT
#include "vulkan/memory/memory_types.hpp"

#include "tests/catch.hpp"

#include <initializer_list>
#include <vector>

using namespace aerogpu::vulkan;

namespace {

constexpr VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags visible = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
constexpr VkMemoryPropertyFlags coherent = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
constexpr std::uint32_t all_types = 0xFFFF'FFFF;

auto types_with(std::initializer_list<VkMemoryPropertyFlags> flags)
    -> VkPhysicalDeviceMemoryProperties {
  VkPhysicalDeviceMemoryProperties memory{};
  for (const auto each : flags) memory.memoryTypes[memory.memoryTypeCount++].propertyFlags = each;
  return memory;
}

/// What a discrete GPU offers: system, cached system, its own, its own through a window.
const auto discrete = types_with(
    {visible | coherent, visible | coherent | cached, local, local | visible | coherent});

using type_list = std::vector<std::uint32_t>;

auto ranked(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t type_bits, memory_use use)
    -> type_list {
  const memory_type_list types = rank_memory_types(memory, type_bits, use);
  return {types.begin(), types.end()};
}

}  // namespace

TEST_CASE("each use ranks the memory types of a discrete GPU", "[vulkan][memory]") {
  CHECK(ranked(discrete, all_types, memory_use::device) == type_list{2, 3, 0, 1});
  CHECK(ranked(discrete, all_types, memory_use::upload) == type_list{1, 0, 3});
  CHECK(ranked(discrete, all_types, memory_use::read_back) == type_list{1, 0, 3});
}

TEST_CASE("only types that the resource allows are ranked", "[vulkan][memory]") {
  CHECK(ranked(discrete, 0b1001, memory_use::device) == type_list{3, 0});
  CHECK(ranked(discrete, 0b0100, memory_use::upload).empty());
  CHECK(ranked(discrete, 0, memory_use::device).empty());
}

TEST_CASE("a single type serves every use", "[vulkan][memory]") {
  const auto shared = types_with({local | visible | coherent | cached});
  const auto use = GENERATE(memory_use::device, memory_use::upload, memory_use::read_back);
  CHECK(ranked(shared, all_types, use) == type_list{0});
}

TEST_CASE("memory that needs a feature, flushes or loses its contents is not taken",
          "[vulkan][memory]") {
  const auto odd = types_with(
      {local | VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT, local | VK_MEMORY_PROPERTY_PROTECTED_BIT,
       visible | coherent | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD, visible | cached});
  CHECK(ranked(odd, all_types, memory_use::device) == type_list{3});
  CHECK(ranked(odd, all_types, memory_use::upload).empty());
  CHECK(ranked(odd, all_types, memory_use::read_back).empty());
}
