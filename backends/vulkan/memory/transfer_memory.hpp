// SPDX-License-Identifier: MIT
/// \file Host-visible memory that lives as long as one batch of commands: uploads, constants,
/// read-backs.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/memory/memory_allocator.hpp"

#include <cstdint>

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

/// What a pool may hold.
struct transfer_bounds {
  VkDeviceSize most_bytes = 0;        ///< In use and kept.
  VkDeviceSize most_arena_bytes = 0;  ///< Of one arena.
  VkDeviceSize most_spare_bytes = 0;  ///< Kept while no batch uses it.
  VkDeviceSize first_chunk_bytes = 0;
};

/// The chunks of all batches, and those that no batch uses.
class transfer_pool {
 public:
  transfer_pool(gpu& device, memory_allocator& memory, memory_use use,
                const transfer_bounds& bounds) noexcept
      : gpu_(device), memory_(memory), use_(use), bounds_(bounds) {}
  ~transfer_pool();
  transfer_pool(const transfer_pool&) = delete;
  auto operator=(const transfer_pool&) -> transfer_pool& = delete;

  /// A chunk of `wanted_bytes` or so, from `size_bytes` to `most_bytes`. Errors: out_of_memory,
  /// also at the pool's bound; device_lost.
  [[nodiscard]] auto take(VkDeviceSize size_bytes, VkDeviceSize wanted_bytes,
                          VkDeviceSize most_bytes) -> result<transfer_chunk>;
  void give_back(transfer_chunk&& chunk) noexcept;

  [[nodiscard]] auto bounds() const noexcept -> const transfer_bounds& { return bounds_; }
  /// Of chunks that arenas hold.
  [[nodiscard]] auto used_bytes() const noexcept -> VkDeviceSize {
    return held_bytes_ - spare_bytes_;
  }
  /// Of all chunks.
  [[nodiscard]] auto held_bytes() const noexcept -> VkDeviceSize { return held_bytes_; }

 private:
  [[nodiscard]] auto take_spare(VkDeviceSize size_bytes, VkDeviceSize most_bytes) noexcept
      -> transfer_chunk;
  [[nodiscard]] auto make_room(VkDeviceSize size_bytes) noexcept -> bool;
  [[nodiscard]] auto create(VkDeviceSize size_bytes) -> result<transfer_chunk>;
  void destroy(transfer_chunk& chunk) noexcept;

  gpu& gpu_;
  memory_allocator& memory_;
  memory_use use_;
  transfer_bounds bounds_;
  heap_array<transfer_chunk> spare_;
  VkDeviceSize spare_bytes_ = 0;
  VkDeviceSize held_bytes_ = 0;
};

/// What one batch took from a pool.
class transfer_arena {
 public:
  explicit transfer_arena(transfer_pool& pool) noexcept : pool_(&pool) {}

  /// `alignment` is a power of two. At least `reach_bytes` of the buffer follow the range's start,
  /// for descriptors that cover more than is written. Errors: those of the pool; out_of_memory when
  /// the arena's bound is reached, and then `is_full`, unless nothing was allocated yet.
  [[nodiscard]] auto allocate(VkDeviceSize size_bytes, VkDeviceSize alignment,
                              VkDeviceSize reach_bytes = 0) -> result<transfer_range>;
  /// Whether an allocation failed that an empty arena could have served.
  [[nodiscard]] auto is_full() const noexcept -> bool { return is_full_; }
  [[nodiscard]] auto is_empty() const noexcept -> bool { return chunks_.empty(); }
  /// Whether `bytes` lie in what was allocated last, and if so where they are.
  [[nodiscard]] auto find(const_bytes bytes) const noexcept -> transfer_range;
  /// Returns everything; the batch is done.
  void release() noexcept;
  /// Hands everything on, to be kept for longer.
  [[nodiscard]] auto take_chunks() noexcept -> heap_array<transfer_chunk>;

 private:
  [[nodiscard]] auto add_chunk(VkDeviceSize size_bytes) -> result<void>;

  transfer_pool* pool_;
  heap_array<transfer_chunk> chunks_;
  VkDeviceSize taken_bytes_ = 0;  ///< Of all chunks.
  bool is_full_ = false;
};

}  // namespace aerogpu::vulkan
