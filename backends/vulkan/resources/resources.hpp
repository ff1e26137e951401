// SPDX-License-Identifier: MIT
/// \file What the backend knows of a buffer, texture or view of the guest.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/hosted/bounded_cache.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/memory/texture_layout.hpp"
#include "vulkan/memory/memory_allocator.hpp"
#include "vulkan/memory/transfer_memory.hpp"
#include "vulkan/texels/texture_format.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan {

/// When a resource was last used, in epochs of the command stream that used it: no barrier stands
/// between two uses of one epoch.
struct access_epochs {
  std::uint64_t written = 0;
  std::uint64_t read = 0;
};

/// A range of a buffer as texels.
struct buffer_view_key {
  std::uint64_t buffer = 0;  ///< Id of its record.
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkDeviceSize offset_bytes = 0;
  VkDeviceSize size_bytes = 0;

  void hash_into(keyed_hash& hash) const noexcept {
    hash.add(buffer);
    hash.add(static_cast<std::uint64_t>(format));
    hash.add(offset_bytes);
    hash.add(size_bytes);
  }
  friend auto operator==(const buffer_view_key&, const buffer_view_key&) -> bool = default;
};
using buffer_view_cache = bounded_cache<buffer_view_key, VkBufferView>;

/// What a buffer is on the device. As new, without a handle, while there is no device.
struct buffer_object {
  VkBuffer handle = VK_NULL_HANDLE;
  allocation memory;
  access_epochs access;
  std::uint64_t main_batch = 0;  ///< Last batch whose main commands use it.
  bool is_zero = true;           ///< Nothing was written; the memory is not cleared yet.
};

struct buffer_record : buffer_object {
  std::uint64_t id = 0;  ///< Never the same for two.
  buffer_desc desc{};
  buffer_view_cache::group views;
  std::size_t place = 0;  ///< In the backend's list of all buffers.
};

/// How a shader or pass sees an image; equal keys share a view.
struct image_view_key {
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT;
  bool is_opaque = false;  ///< Alpha reads one.
  std::uint32_t base_mip_level = 0;
  std::uint32_t mip_level_count = 1;
  std::uint32_t base_array_layer = 0;
  std::uint32_t array_layer_count = 1;

  friend auto operator==(const image_view_key&, const image_view_key&) -> bool = default;
};

struct known_view_key {
  std::uint64_t image = 0;  ///< Id of its record.
  image_view_key view;

  void hash_into(keyed_hash& hash) const noexcept {
    hash.add(image);
    hash.add(std::uint64_t{view.aspects} << 32 | static_cast<std::uint32_t>(view.format));
    hash.add(std::uint64_t{view.is_opaque} << 32 | static_cast<std::uint32_t>(view.type));
    hash.add(std::uint64_t{view.base_mip_level} << 32 | view.mip_level_count);
    hash.add(std::uint64_t{view.base_array_layer} << 32 | view.array_layer_count);
  }
  friend auto operator==(const known_view_key&, const known_view_key&) -> bool = default;
};
using image_view_cache = bounded_cache<known_view_key, VkImageView>;

/// Rows that were copied for the guest and not into the image yet: its content, until it is used.
struct deferred_content {
  heap_array<transfer_chunk> chunks;  ///< One, or none.
  access_epochs access;
  std::uint64_t batch = 0;  ///< Whose commands write the rows.
};

/// What a texture is on the device. As new, without a handle, while there is no device.
struct image_object {
  const texture_format* format = nullptr;
  VkImage handle = VK_NULL_HANDLE;
  allocation memory;
  VkImageLayout image_layout = VK_IMAGE_LAYOUT_UNDEFINED;
  access_epochs access;
  std::uint64_t main_batch = 0;
  bool is_zero = true;
  bool is_general = false;   ///< Was read and drawn to at once: stays in the general layout.
  bool is_attached = false;  ///< A target of the open pass.
  deferred_content deferred;
  heap_array<std::byte> blocks;  ///< With texel_path::rgba_blocks: what the guest wrote.

  [[nodiscard]] auto is_deferred() const noexcept -> bool { return !deferred.chunks.empty(); }
};

struct image_record : image_object {
  std::uint64_t id = 0;  ///< Never the same for two.
  texture_desc desc{};
  texture_layout layout;  ///< Tight: the form that contents speak.
  image_view_cache::group views;
  std::size_t place = 0;

  explicit image_record(const texture_layout& tight) noexcept : layout(tight) {}
};

/// A range of a texture's subresources that the guest named.
struct view_record {
  texture_view_desc desc{};
  std::size_t place = 0;
};

}  // namespace aerogpu::vulkan
