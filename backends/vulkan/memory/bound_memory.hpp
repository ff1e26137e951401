// SPDX-License-Identifier: MIT
/// \file Buffers and images together with the memory that they need.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/memory/memory_allocator.hpp"

namespace aerogpu::vulkan {

/// What the error says when a step fails, in the words of whoever asks.
struct bound_failures {
  const char* creating;
  const char* binding;
};

template <class Handle>
struct bound {
  Handle handle = VK_NULL_HANDLE;
  allocation memory;
};

/// A buffer for everything that this backend does with buffers. Nothing is left behind on failure.
/// Errors: out_of_memory, device_lost.
[[nodiscard]] auto create_bound_buffer(const gpu& device, memory_allocator& memory,
                                       VkDeviceSize size_bytes, memory_use use,
                                       const bound_failures& texts) -> result<bound<VkBuffer>>;
/// The same for an image, in memory of the device.
[[nodiscard]] auto create_bound_image(const gpu& device, memory_allocator& memory,
                                      const VkImageCreateInfo& info, const bound_failures& texts)
    -> result<bound<VkImage>>;

/// What the memory of such a buffer or image takes, alignment included, without making it.
[[nodiscard]] auto buffer_memory_bytes(const gpu& device, VkDeviceSize size_bytes) noexcept
    -> std::uint64_t;
[[nodiscard]] auto image_memory_bytes(const gpu& device, const VkImageCreateInfo& info) noexcept
    -> std::uint64_t;

/// Texels over a range of a buffer. Errors: as above.
[[nodiscard]] auto create_texel_view(const gpu& device, VkBuffer buffer, VkFormat format,
                                     VkDeviceSize offset_bytes, VkDeviceSize size_bytes)
    -> result<VkBufferView>;

}  // namespace aerogpu::vulkan
