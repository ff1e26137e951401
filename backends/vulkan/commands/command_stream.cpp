// SPDX-License-Identifier: MIT
#include "vulkan/commands/command_stream.hpp"

namespace aerogpu::vulkan {

namespace {

constexpr VkMemoryBarrier2 full_barrier{
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
    .pNext = nullptr,
    .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
    .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};

}  // namespace

auto command_stream::reserve() noexcept -> bool {
  constexpr std::size_t usual_transitions = 128;
  constexpr std::size_t usual_uses = 512;
  return transitions_.reserve(usual_transitions) && announced_.reserve(usual_uses);
}

void command_stream::begin(VkCommandBuffer commands) noexcept {
  commands_ = commands;
  transitions_.clear();
  announced_.clear();
  needs_barrier_ = false;
  is_empty_ = true;
  is_exhausted_ = false;
  recorded_ = 0;
  epoch_ = ++*counter_;
}

void command_stream::mark(const announced_use& use) noexcept {
  (use.kind == access_kind::write ? use.access->written : use.access->read) = epoch_;
}

void command_stream::start_epoch() noexcept {
  if (needs_barrier_) return;
  needs_barrier_ = true;
  epoch_ = ++*counter_;
  for (const announced_use& use : announced_) mark(use);  // They come behind the barrier, too.
}

void command_stream::use(access_epochs& access, access_kind kind) noexcept {
  const bool writes = kind == access_kind::write;
  if (access.written == epoch_ || (writes && access.read == epoch_)) start_epoch();
  const announced_use announced{&access, kind};
  is_exhausted_ |= !announced_.push_back(announced);
  mark(announced);
}

void command_stream::use(image_record& image, image_use wanted) noexcept {
  const VkImageLayout layout = layout_of(image, wanted);
  if (image.image_layout != layout) {
    start_epoch();
    is_exhausted_ |= !transitions_.push_back(
        {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
         .pNext = nullptr,
         .srcStageMask = full_barrier.srcStageMask,
         .srcAccessMask = full_barrier.srcAccessMask,
         .dstStageMask = full_barrier.dstStageMask,
         .dstAccessMask = full_barrier.dstAccessMask,
         .oldLayout = image.image_layout,
         .newLayout = layout,
         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
         .image = image.handle,
         .subresourceRange = {image.format->aspects, 0, VK_REMAINING_MIP_LEVELS, 0,
                              VK_REMAINING_ARRAY_LAYERS}});
    image.image_layout = layout;
  }
  use(image.access, access_of(wanted));
}

void command_stream::forget(const access_epochs& access) noexcept {
  announced_.erase_if([&](const announced_use& use) { return use.access == &access; });
}

void command_stream::settle() noexcept {
  announced_.clear();
  if (!needs_barrier_) return;
  needs_barrier_ = false;
  const VkDependencyInfo dependency{
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
      .pNext = nullptr,
      .dependencyFlags = 0,
      .memoryBarrierCount = 1,
      .pMemoryBarriers = &full_barrier,
      .bufferMemoryBarrierCount = 0,
      .pBufferMemoryBarriers = nullptr,
      .imageMemoryBarrierCount = static_cast<std::uint32_t>(transitions_.size()),
      .pImageMemoryBarriers = transitions_.data()};
  vk_->vkCmdPipelineBarrier2(commands_, &dependency);
  transitions_.clear();
  is_empty_ = false;
}

void command_stream::finish() noexcept {
  settle();
  if (is_empty_) return;
  VkMemoryBarrier2 barrier = full_barrier;
  barrier.dstStageMask |= VK_PIPELINE_STAGE_2_HOST_BIT;
  barrier.dstAccessMask |= VK_ACCESS_2_HOST_READ_BIT;
  VkDependencyInfo dependency{};
  dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  dependency.memoryBarrierCount = 1;
  dependency.pMemoryBarriers = &barrier;
  vk_->vkCmdPipelineBarrier2(commands_, &dependency);
}

}  // namespace aerogpu::vulkan
