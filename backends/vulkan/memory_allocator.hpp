/// \file Device memory in blocks, handed out in ranges.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/gpu.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu::vulkan {

enum class memory_use : std::uint8_t {
  device,     ///< Best for the GPU; `mapped` is null unless it is host-visible anyway.
  upload,     ///< Host-visible and coherent; written once, in order.
  read_back,  ///< Host-visible and coherent, cached where the device has that.
};

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

/// First fit in blocks of one memory type; large requests get a block of their own. Buffers and
/// images never share a block, so that bufferImageGranularity does not matter. Not thread-safe.
class memory_allocator {
 public:
  explicit memory_allocator(gpu& device) noexcept;
  ~memory_allocator();
  memory_allocator(const memory_allocator&) = delete;
  auto operator=(const memory_allocator&) -> memory_allocator& = delete;

  /// Errors: out_of_memory; device_lost.
  [[nodiscard]] auto allocate(const VkMemoryRequirements& needs, memory_use use, bool is_image)
      -> result<allocation>;
  /// Empties `range`. Blocks that are empty are given back, but one of each kind.
  void free(allocation& range) noexcept;
  [[nodiscard]] auto usage() const noexcept -> memory_usage;
};

}  // namespace aerogpu::vulkan
