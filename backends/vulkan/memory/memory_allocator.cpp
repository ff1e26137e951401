// SPDX-License-Identifier: MIT
#include "vulkan/memory/memory_allocator.hpp"

#include <algorithm>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// vkMapMemory fails with a code of its own when the address space is exhausted.
auto map_error(VkResult code) noexcept -> error {
  constexpr const char* what = "vkMapMemory fails";
  if (code != VK_ERROR_MEMORY_MAP_FAILED) return vulkan_error(code, what);
  return make_error(error_code::out_of_memory, what, static_cast<std::uint32_t>(code));
}

}  // namespace

memory_allocator::memory_allocator(gpu& device, const backend_limits& bounds) noexcept
    : device_(device), most_reserved_bytes_(bounds.reserved_bytes) {}

memory_allocator::~memory_allocator() {
  for (block& each : blocks_) {
    if (each.memory != VK_NULL_HANDLE) close_block(each);
  }
}

auto memory_allocator::allocate(const VkMemoryRequirements& needs, memory_use use, bool is_image)
    -> result<allocation> {
  if (needs.size == 0 || needs.alignment == 0) {
    return make_error(error_code::out_of_memory, "the device says no size for the resource");
  }
  const auto first = allocate_once(needs, use, is_image);
  if (first) return *first;
  // Blocks that were kept for later may be what is missing now.
  const bool may_help = first.why().code == error_code::out_of_memory && close_unused_blocks();
  if (!may_help) return first.why();
  return allocate_once(needs, use, is_image);
}

auto memory_allocator::allocate_once(const VkMemoryRequirements& needs, memory_use use,
                                     bool is_image) -> result<allocation> {
  error why = make_error(error_code::out_of_memory,
                         "the device has no memory type for the resource", needs.memoryTypeBits);
  for (const std::uint32_t type : rank_memory_types(device_.memory, needs.memoryTypeBits, use)) {
    const auto taken = allocate_of({type, is_image}, needs);
    if (taken) return *taken;
    why = taken.why();
    if (why.code != error_code::out_of_memory) break;
  }
  return why;
}

auto memory_allocator::allocate_of(block_kind kind, const VkMemoryRequirements& needs)
    -> result<allocation> {
  if (const auto taken = take_from_blocks(kind, needs)) return *taken;
  const VkDeviceSize shared_bytes = next_block_bytes(kind);
  if (needs.size <= shared_bytes / 2) {
    const auto taken = take_from_new_block(kind, needs, shared_bytes);
    if (taken) return *taken;
    if (taken.why().code != error_code::out_of_memory) return taken.why();
  }
  return take_from_new_block(kind, needs, needs.size);
}

auto memory_allocator::take_from_blocks(block_kind kind, const VkMemoryRequirements& needs)
    -> std::optional<allocation> {
  for (std::uint32_t slot = 0; slot < blocks_.size(); ++slot) {
    const block& each = blocks_[slot];
    if (each.memory == VK_NULL_HANDLE || each.is_dedicated || each.kind != kind) continue;
    if (const auto taken = take_from(slot, needs)) return taken;
  }
  return std::nullopt;
}

auto memory_allocator::take_from(std::uint32_t slot, const VkMemoryRequirements& needs)
    -> std::optional<allocation> {
  block& from = blocks_[slot];
  const auto offset = from.ranges.take(needs.size, needs.alignment);
  if (!offset) return std::nullopt;
  usage_.used_bytes += needs.size;
  ++usage_.allocations;
  return allocation{.memory = from.memory,
                    .offset_bytes = *offset,
                    .size_bytes = needs.size,
                    .mapped = from.mapped == nullptr ? nullptr : from.mapped + *offset,
                    .block = slot};
}

auto memory_allocator::take_from_new_block(block_kind kind, const VkMemoryRequirements& needs,
                                           VkDeviceSize block_bytes) -> result<allocation> {
  const auto no_memory =
      make_error(error_code::out_of_memory, "the host has no memory for a block's record");
  auto ranges = range_allocator::create(block_bytes);
  if (!ranges) return ranges.why();
  const auto slot = free_slot();
  if (!slot) return no_memory;
  block made{.kind = kind,
             .is_dedicated = block_bytes == needs.size,
             .size_bytes = block_bytes,
             .ranges = *std::move(ranges)};
  if (const auto opened = open_block(made); !opened) return opened.why();
  blocks_[*slot] = std::move(made);
  const auto taken = take_from(*slot, needs);
  if (taken) return *taken;
  close_block(blocks_[*slot]);
  return no_memory;
}

auto memory_allocator::open_block(block& opened) -> result<void> {
  const auto& type = device_.memory.memoryTypes[opened.kind.type];
  const VkDeviceSize heap_bytes = device_.memory.memoryHeaps[type.heapIndex].size;
  if (opened.size_bytes > heap_bytes)
    return make_error(error_code::out_of_memory, "the size is more than the memory heap",
                      opened.size_bytes, heap_bytes);
  const std::uint64_t reserved = usage_.reserved_bytes + reserved_elsewhere_bytes_;
  const std::uint64_t left = most_reserved_bytes_ - std::min(most_reserved_bytes_, reserved);
  if (opened.size_bytes > left)
    return make_error(error_code::out_of_memory, "the device's blocks are at reserved_bytes",
                      opened.size_bytes, left);
  const std::uint32_t most_blocks = device_.properties.limits.maxMemoryAllocationCount;
  if (usage_.blocks >= most_blocks)
    return make_error(error_code::out_of_memory, "maxMemoryAllocationCount is reached",
                      usage_.blocks, most_blocks);

  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = opened.size_bytes;
  info.memoryTypeIndex = opened.kind.type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkResult code = device_.vk.vkAllocateMemory(device_.handle, &info, nullptr, &memory);
  if (code != VK_SUCCESS) return vulkan_error(code, "vkAllocateMemory fails");
  void* mapped = nullptr;
  if ((type.propertyFlags & host_memory_flags) == host_memory_flags) {
    code = device_.vk.vkMapMemory(device_.handle, memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  }
  if (code != VK_SUCCESS) {
    device_.vk.vkFreeMemory(device_.handle, memory, nullptr);
    return map_error(code);
  }
  opened.memory = memory;
  opened.mapped = static_cast<std::byte*>(mapped);
  ++usage_.blocks;
  usage_.reserved_bytes += opened.size_bytes;
  return {};
}

auto memory_allocator::free_slot() noexcept -> std::optional<std::uint32_t> {
  const block* const place =
      std::ranges::find(blocks_, VkDeviceMemory{VK_NULL_HANDLE}, &block::memory);
  const auto slot = static_cast<std::uint32_t>(place - blocks_.begin());
  if (place == blocks_.end() && !blocks_.push_back({})) return std::nullopt;
  return slot;
}

auto memory_allocator::next_block_bytes(block_kind kind) const noexcept -> VkDeviceSize {
  const auto& type = device_.memory.memoryTypes[kind.type];
  const VkDeviceSize heap_bytes = device_.memory.memoryHeaps[type.heapIndex].size;
  VkDeviceSize bytes = first_block_bytes;
  for (const block& each : blocks_) {
    const bool is_shared = each.memory != VK_NULL_HANDLE && !each.is_dedicated;
    if (is_shared && each.kind == kind && bytes < largest_block_bytes) bytes *= 2;
  }
  return std::min(bytes, heap_bytes / heap_parts);
}

void memory_allocator::free(allocation& range) noexcept {
  if (range.memory == VK_NULL_HANDLE) return;
  AEROGPU_CHECK(range.block < blocks_.size() && blocks_[range.block].memory == range.memory);
  block& from = blocks_[range.block];
  from.ranges.give_back(range.offset_bytes, range.size_bytes);
  usage_.used_bytes -= range.size_bytes;
  --usage_.allocations;
  range = {};
  if (from.ranges.is_unused() && (from.is_dedicated || has_other_unused(from))) close_block(from);
}

auto memory_allocator::has_other_unused(const block& than) const noexcept -> bool {
  return std::ranges::any_of(blocks_, [&than](const block& each) {
    return &each != &than && each.memory != VK_NULL_HANDLE && each.kind == than.kind &&
           each.ranges.is_unused();
  });
}

auto memory_allocator::close_unused_blocks() noexcept -> bool {
  bool is_any_closed = false;
  for (block& each : blocks_) {
    if (each.memory == VK_NULL_HANDLE || !each.ranges.is_unused()) continue;
    close_block(each);
    is_any_closed = true;
  }
  return is_any_closed;
}

void memory_allocator::close_block(block& closed) noexcept {
  device_.vk.vkFreeMemory(device_.handle, closed.memory, nullptr);  // Unmaps it too.
  --usage_.blocks;
  usage_.reserved_bytes -= closed.size_bytes;
  closed = {};
}

}  // namespace aerogpu::vulkan
