/// \file Host-visible memory that lives as long as one batch of commands: uploads, constants,
/// read-backs.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "vulkan/memory_allocator.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::vulkan {

/// Copies between buffers and images start at multiples of every texel's size.
inline constexpr VkDeviceSize staging_alignment = 16;

/// A part of a mapped buffer. `bytes` stays valid until its batch is done.
struct transfer_range {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset_bytes = 0;
  mutable_bytes bytes;
};

/// A mapped buffer that is handed out from front to back.
struct transfer_chunk {
  VkBuffer buffer = VK_NULL_HANDLE;
  allocation memory;
  VkDeviceSize size_bytes = 0;
  VkDeviceSize used_bytes = 0;
};

/// Chunks that no batch uses. Keeps a bounded number of bytes for the next one.
class transfer_pool {
 public:
  transfer_pool(gpu& device, memory_allocator& memory, memory_use use) noexcept
      : gpu_(device), memory_(memory), use_(use) {}
  ~transfer_pool();
  transfer_pool(const transfer_pool&) = delete;
  auto operator=(const transfer_pool&) -> transfer_pool& = delete;

  /// A chunk of at least `size_bytes`. Errors: out_of_memory; device_lost.
  [[nodiscard]] auto take(VkDeviceSize size_bytes) -> result<transfer_chunk>;
  void give_back(transfer_chunk&& chunk) noexcept;

 private:
  [[nodiscard]] auto create(VkDeviceSize size_bytes) -> result<transfer_chunk>;
  void destroy(transfer_chunk& chunk) noexcept;

  gpu& gpu_;
  memory_allocator& memory_;
  memory_use use_;
  std::vector<transfer_chunk> spare_;
  VkDeviceSize spare_bytes_ = 0;
};

/// What one batch took from a pool.
class transfer_arena {
 public:
  explicit transfer_arena(transfer_pool& pool) noexcept : pool_(&pool) {}

  /// `alignment` is a power of two. At least `reach_bytes` of the buffer follow the range's start,
  /// for descriptors that cover more than is written. Errors: those of the pool.
  [[nodiscard]] auto allocate(VkDeviceSize size_bytes, VkDeviceSize alignment,
                              VkDeviceSize reach_bytes = 0) -> result<transfer_range>;
  /// Whether `bytes` lie in what was allocated last, and if so where they are.
  [[nodiscard]] auto find(const_bytes bytes) const noexcept -> transfer_range;
  /// Returns everything; the batch is done.
  void release() noexcept;

 private:
  transfer_pool* pool_;
  std::vector<transfer_chunk> chunks_;
};

}  // namespace aerogpu::vulkan
