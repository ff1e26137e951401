// SPDX-License-Identifier: MIT
#include "vulkan/commands/descriptor_pools.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

namespace {

constexpr std::uint32_t sets_of_a_pool = 512;
/// A batch of a desktop has one or two; some are in flight and one is recorded.
constexpr std::size_t most_spare = 32;

}  // namespace

descriptor_pools::~descriptor_pools() {
  for (const VkDescriptorPool pool : spare_) {
    gpu_.vk.vkDestroyDescriptorPool(gpu_.handle, pool, nullptr);
  }
}

auto descriptor_pools::initialize() -> result<void> {
  if (spare_.reserve(most_spare)) return {};
  return make_error(error_code::out_of_memory, "the host has no memory for descriptor pools");
}

auto descriptor_pools::create() -> result<VkDescriptorPool> {
  constexpr std::array<VkDescriptorPoolSize, 7> sizes{{
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4 * sets_of_a_pool},
      {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2 * sets_of_a_pool},
      {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2 * sets_of_a_pool},
      {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 2 * sets_of_a_pool},
      {VK_DESCRIPTOR_TYPE_SAMPLER, 2 * sets_of_a_pool},
      {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, sets_of_a_pool},
      {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, sets_of_a_pool},
  }};
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = sets_of_a_pool;
  info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  const auto created = gpu_.vk.vkCreateDescriptorPool(gpu_.handle, &info, nullptr, &pool);
  if (created != VK_SUCCESS) return vulkan_error(created, "creating a descriptor pool fails");
  return pool;
}

auto descriptor_pools::take(heap_array<VkDescriptorPool>& to) -> result<void> {
  if (!to.reserve_more(1)) {
    return make_error(error_code::out_of_memory, "the host has no memory for a descriptor pool");
  }
  VkDescriptorPool pool = VK_NULL_HANDLE;
  if (spare_.empty()) {
    const auto created = create();
    if (!created) return created.why();
    pool = *created;
  } else {
    pool = spare_.back();
    const auto reset = gpu_.vk.vkResetDescriptorPool(gpu_.handle, pool, 0);
    if (reset != VK_SUCCESS) return vulkan_error(reset, "resetting a descriptor pool fails");
    spare_.pop_back();
  }
  AEROGPU_CHECK(to.push_back(pool));
  ++used_;
  return {};
}

void descriptor_pools::give_back(heap_array<VkDescriptorPool>& from) noexcept {
  used_ -= from.size();
  for (const VkDescriptorPool pool : from) {
    if (spare_.size() == most_spare) {
      gpu_.vk.vkDestroyDescriptorPool(gpu_.handle, pool, nullptr);
    } else {
      AEROGPU_CHECK(spare_.push_back(pool));  // Reserved at the start.
    }
  }
  from.clear();
}

}  // namespace aerogpu::vulkan
