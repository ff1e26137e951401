// SPDX-License-Identifier: MIT
#include "vulkan/programs/d3d9_constants.hpp"

#include "vulkan/programs/d3d9_constant_block.hpp"

namespace aerogpu::vulkan {

using d3d9::constant_block;

/// Offsets of an earlier batch mean nothing: both stages start at some memory of this one.
auto d3d9_constant_binder::follow_batch() -> result<void> {
  batch& now = device_.work.current();
  if (batch_ == now.number) return {};
  const auto somewhere = now.uploads.allocate(
      0, device_.gpu->properties.limits.minUniformBufferOffsetAlignment, sizeof(constant_block));
  if (!somewhere) return somewhere.why();
  sets_.clear();
  buffers_.fill(somewhere->buffer);
  offsets_.fill(static_cast<std::uint32_t>(somewhere->offset_bytes));
  batch_ = now.number;
  return {};
}

auto d3d9_constant_binder::write(std::size_t place, const constant_registers& registers,
                                 const d3d9::translation& shader) -> result<void> {
  if (auto ready = follow_batch(); !ready) return ready.why();
  if (!shader.uses_constants) return {};
  const std::size_t size = constant_block_bytes(shader);
  const auto block = device_.work.current().uploads.allocate(
      size, device_.gpu->properties.limits.minUniformBufferOffsetAlignment, sizeof(constant_block));
  if (!block) return block.why();
  write_constant_block(registers, shader, block->bytes);
  buffers_[place] = block->buffer;
  offsets_[place] = static_cast<std::uint32_t>(block->offset_bytes);
  return {};
}

auto d3d9_constant_binder::resolve_set(VkDescriptorSetLayout layout) -> result<d3d9_constant_set> {
  for (const known_set& known : sets_) {
    if (known.buffers == buffers_) return d3d9_constant_set{known.handle, offsets_};
  }
  const auto set = device_.work.allocate_set(layout);
  if (!set) return set.why();
  std::array<VkDescriptorBufferInfo, 2> infos{};
  std::array<VkWriteDescriptorSet, 2> writes{};
  for (std::uint32_t i = 0; i < writes.size(); ++i) {
    infos[i] = {buffers_[i], 0, sizeof(constant_block)};
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = *set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    writes[i].pBufferInfo = &infos[i];
  }
  device_.vk().vkUpdateDescriptorSets(device_.gpu->handle, 2, writes.data(), 0, nullptr);
  // Where the heap has no place for it, the next draw makes its own.
  static_cast<void>(sets_.push_back({buffers_, *set}));
  return d3d9_constant_set{*set, offsets_};
}

}  // namespace aerogpu::vulkan
