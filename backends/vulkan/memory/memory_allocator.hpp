// SPDX-License-Identifier: MIT
/// \file Device memory in blocks, handed out in ranges.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/backend_limits.hpp"
#include "vulkan/device/gpu.hpp"
#include "vulkan/memory/memory_types.hpp"
#include "vulkan/memory/range_allocator.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aerogpu::vulkan {

/// A range of a block. Empty when `memory` is null.
struct allocation {
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkDeviceSize offset_bytes = 0;
  VkDeviceSize size_bytes = 0;
  std::byte* mapped = nullptr;  ///< First byte of the range, or null.
  std::uint32_t block = 0;      ///< For `free`.
};

struct memory_usage {
  std::uint64_t used_bytes = 0;      ///< In live allocations.
  std::uint64_t reserved_bytes = 0;  ///< In blocks.
  std::uint32_t allocations = 0;
  std::uint32_t blocks = 0;
};

/// First fit in blocks of one memory type; large requests that no block has room for get one of
/// their own. Buffers and images never share a block, so that bufferImageGranularity does not
/// matter. Not thread-safe.
class memory_allocator {
 public:
  static constexpr VkDeviceSize first_block_bytes = VkDeviceSize{32} << 20;
  /// Blocks of one kind double up to this: many bytes do not need many blocks, and the last range
  /// of one does not keep much that nobody uses.
  static constexpr VkDeviceSize largest_block_bytes = VkDeviceSize{64} << 20;
  /// No block takes more than this part of its heap.
  static constexpr VkDeviceSize heap_parts = 8;

  /// `device` outlives the allocator. Of `bounds` holds `reserved_bytes`.
  explicit memory_allocator(gpu& device, const backend_limits& bounds = {}) noexcept;
  /// Ends all blocks, and with them what is still allocated.
  ~memory_allocator();
  memory_allocator(const memory_allocator&) = delete;
  auto operator=(const memory_allocator&) -> memory_allocator& = delete;

  /// Precondition: `needs.size` is not 0.
  /// Errors: out_of_memory (also when the device's count of allocations or the bound of blocks is
  /// reached); device_lost.
  [[nodiscard]] auto allocate(const VkMemoryRequirements& needs, memory_use use, bool is_image)
      -> result<allocation>;
  /// Empties `range`. Blocks that are empty are given back, but one of each kind.
  void free(allocation& range) noexcept;
  [[nodiscard]] auto usage() const noexcept -> memory_usage { return usage_; }
  /// Blocks of other devices that count against `reserved_bytes`, too.
  void set_reserved_elsewhere(std::uint64_t size_bytes) noexcept {
    reserved_elsewhere_bytes_ = size_bytes;
  }

 private:
  /// What two allocations of one block have in common.
  struct block_kind {
    std::uint32_t type = 0;
    bool is_image = false;
    auto operator==(const block_kind&) const -> bool = default;
  };
  struct block {
    block_kind kind;
    bool is_dedicated = false;  ///< For one allocation alone, and given back with it.
    VkDeviceSize size_bytes = 0;
    VkDeviceMemory memory = VK_NULL_HANDLE;  ///< Null: the slot is free.
    std::byte* mapped = nullptr;
    range_allocator ranges;
  };

  [[nodiscard]] auto allocate_once(const VkMemoryRequirements& needs, memory_use use, bool is_image)
      -> result<allocation>;
  [[nodiscard]] auto allocate_of(block_kind kind, const VkMemoryRequirements& needs)
      -> result<allocation>;
  [[nodiscard]] auto take_from_blocks(block_kind kind, const VkMemoryRequirements& needs)
      -> std::optional<allocation>;
  [[nodiscard]] auto take_from(std::uint32_t slot, const VkMemoryRequirements& needs)
      -> std::optional<allocation>;
  [[nodiscard]] auto take_from_new_block(block_kind kind, const VkMemoryRequirements& needs,
                                         VkDeviceSize block_bytes) -> result<allocation>;
  [[nodiscard]] auto open_block(block& opened) -> result<void>;
  /// None when the heap is exhausted.
  [[nodiscard]] auto free_slot() noexcept -> std::optional<std::uint32_t>;
  [[nodiscard]] auto next_block_bytes(block_kind kind) const noexcept -> VkDeviceSize;
  [[nodiscard]] auto has_other_unused(const block& than) const noexcept -> bool;
  [[nodiscard]] auto close_unused_blocks() noexcept -> bool;
  void close_block(block& closed) noexcept;

  gpu& device_;
  std::uint64_t most_reserved_bytes_;
  std::uint64_t reserved_elsewhere_bytes_ = 0;
  heap_array<block> blocks_;
  memory_usage usage_;
};

}  // namespace aerogpu::vulkan
