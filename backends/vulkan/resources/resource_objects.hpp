// SPDX-License-Identifier: MIT
/// \file Buffers, images and their views on one device, from creation to destruction.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/memory/record_list.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu::vulkan {

/// The form in which contents of a texture are spoken of. Errors: those of
/// `texture_layout::create`.
[[nodiscard]] auto tight_layout(const texture_desc& desc) -> result<texture_layout>;

/// What one device has of the guest's resources. Records of objects that were made here are
/// destroyed here, before the device goes.
class resource_objects {
 public:
  resource_objects(device_parts& device, const backend_options& options) noexcept;
  ~resource_objects();
  resource_objects(const resource_objects&) = delete;
  auto operator=(const resource_objects&) -> resource_objects& = delete;

  /// What an object takes of device memory and of the host's, for the guest's content.
  [[nodiscard]] auto memory_bytes(const buffer_desc& desc) const noexcept -> std::uint64_t;
  [[nodiscard]] auto memory_bytes(const texture_desc& desc) const noexcept -> std::uint64_t;

  /// Makes the object of a record that has none. Errors: out_of_memory, also for sizes that the
  /// device does not have; device_lost.
  [[nodiscard]] auto create(buffer_record& buffer) -> result<void>;
  [[nodiscard]] auto create(image_record& image) -> result<void>;
  /// The record is as new. One without an object already is.
  void destroy(buffer_record& buffer) noexcept;
  void destroy(image_record& image) noexcept;

  /// A view of the image; holds for the open batch. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto view(image_record& image, const image_view_key& key) -> result<VkImageView>;
  /// A texel view of the buffer; holds for the open batch. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto view(buffer_record& buffer, VkFormat format, VkDeviceSize offset_bytes,
                          VkDeviceSize size_bytes) -> result<VkBufferView>;
  [[nodiscard]] auto kept_image_views() const noexcept -> std::size_t {
    return image_views_.size();
  }

  /// Gives content that was never written its zeros, in the open batch. Errors: out_of_memory,
  /// device_lost.
  [[nodiscard]] auto materialize(buffer_record& buffer) -> result<void>;
  [[nodiscard]] auto materialize(image_record& image) -> result<void>;
  /// The same for several; some may be null.
  [[nodiscard]] auto materialize(std::span<image_record* const> images) -> result<void>;
  /// The content that the image has elsewhere does not matter any more.
  void drop_deferred(image_record& image) noexcept;

  /// Announces a use by main commands of the open batch, whose content then is there. Errors: as
  /// above.
  [[nodiscard]] auto use_in_main(buffer_record& buffer, access_kind kind) -> result<void>;
  /// The same. Precondition: the image was materialized, before anything that the command uses was
  /// announced: that may record a main command, behind which announced uses are forgotten.
  void use_in_main(image_record& image, image_use use) noexcept;

  /// Zeros for vertex inputs that nothing feeds. Made by `initialize`, in the open batch.
  [[nodiscard]] auto zero_buffer() const noexcept -> VkBuffer { return zero_.handle; }
  [[nodiscard]] auto initialize() -> result<void>;

 private:
  void clear_image(image_record& image) noexcept;
  void fetch_deferred(image_record& image) noexcept;
  [[nodiscard]] auto clear_blocks(image_record& image) -> result<void>;
  void copy_zero_blocks(const image_record& image, subresource to, const transfer_range& zeros,
                        std::uint32_t strip_height);

  [[nodiscard]] auto create_view(const image_record& image, const image_view_key& key)
      -> result<VkImageView>;

  device_parts& device_;
  image_view_cache image_views_;
  buffer_view_cache buffer_views_;
  buffer_record zero_;
};

}  // namespace aerogpu::vulkan
