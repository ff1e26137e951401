// SPDX-License-Identifier: MIT
/// \file Buffers, images and their views on the device, from creation to destruction.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/memory/record_list.hpp"

#include <memory>

namespace aerogpu::vulkan {

/// Owns the records of all live buffers, textures and views. The records outlive a lost device:
/// `rebuild` gives them new objects, whose content is zero.
class resource_store {
 public:
  resource_store(device_parts*& device, const backend_options& options) noexcept;

  /// What creating it takes of device memory and of the host's, for the guest's content. Without
  /// a device, the content alone.
  [[nodiscard]] auto memory_bytes(const buffer_desc& desc) const noexcept -> std::uint64_t;
  [[nodiscard]] auto memory_bytes(const texture_desc& desc) const noexcept -> std::uint64_t;

  /// Errors: out_of_memory, also for sizes that the device does not have; device_lost.
  [[nodiscard]] auto create(const buffer_desc& desc) -> result<buffer_record*>;
  [[nodiscard]] auto create(const texture_desc& desc) -> result<image_record*>;
  [[nodiscard]] auto create(const texture_view_desc& desc) -> result<view_record*>;
  void destroy(buffer_record* buffer);
  void destroy(image_record* image);
  void destroy(view_record* view);

  /// A view of the image; holds for the open batch. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto view(image_record& image, const image_view_key& key) -> result<VkImageView>;
  /// A texel view of the buffer; holds for the open batch. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto view(buffer_record& buffer, VkFormat format, VkDeviceSize offset_bytes,
                          VkDeviceSize size_bytes) -> result<VkBufferView>;
  [[nodiscard]] auto kept_image_views() const noexcept -> std::size_t {
    return image_views_.size();
  }
  [[nodiscard]] auto kept_buffer_views() const noexcept -> std::size_t {
    return buffer_views_.size();
  }

  /// Gives content that was never written its zeros, in the open batch. Errors: out_of_memory,
  /// device_lost.
  [[nodiscard]] auto materialize(buffer_record& buffer) -> result<void>;
  [[nodiscard]] auto materialize(image_record& image) -> result<void>;
  /// The content that the image has elsewhere does not matter any more.
  void drop_deferred(image_record& image) noexcept;

  /// Announces a use by main commands of the open batch, whose content then is there. Errors: as
  /// above.
  [[nodiscard]] auto use_in_main(buffer_record& buffer, access_kind kind) -> result<void>;
  [[nodiscard]] auto use_in_main(image_record& image, image_use use) -> result<void>;

  /// Zeros for vertex inputs that nothing feeds. Made by `initialize`, in the open batch.
  [[nodiscard]] auto zero_buffer() const noexcept -> VkBuffer { return zero_->handle; }
  [[nodiscard]] auto initialize() -> result<void>;

  /// Makes all objects again on the device that replaced a lost one. Errors: out_of_memory,
  /// device_lost.
  [[nodiscard]] auto rebuild() -> result<void>;
  /// Gives the device's objects up, once its work is done. The records are as new.
  void destroy_objects();

  [[nodiscard]] auto live_objects() const noexcept -> std::size_t {
    return buffers_.size() + images_.size() + views_.size();
  }

 private:
  [[nodiscard]] auto create_object(buffer_record& buffer) -> result<void>;
  [[nodiscard]] auto create_object(image_record& image) -> result<void>;
  void destroy_object(buffer_record& buffer);
  void destroy_object(image_record& image);
  void clear_image(image_record& image) noexcept;
  void fetch_deferred(image_record& image) noexcept;
  [[nodiscard]] auto clear_blocks(image_record& image) -> result<void>;
  void copy_zero_blocks(const image_record& image, subresource to, const transfer_range& zeros,
                        std::uint32_t strip_height);

  [[nodiscard]] auto create_view(const image_record& image, const image_view_key& key)
      -> result<VkImageView>;

  device_parts*& device_;
  std::uint64_t next_id_ = 1;
  image_view_cache image_views_;
  buffer_view_cache buffer_views_;
  std::unique_ptr<buffer_record> zero_;
  record_list<buffer_record> buffers_;
  record_list<image_record> images_;
  record_list<view_record> views_;
};

}  // namespace aerogpu::vulkan
