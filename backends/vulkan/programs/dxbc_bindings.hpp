// SPDX-License-Identifier: MIT
/// \file What the registers of one SM4+ program hold, as a set of descriptors (host.md 3.13).
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/programs/program_sources.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::vulkan {

/// What a descriptor says; members of other kinds are null.
struct dxbc_descriptor {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset_bytes = 0;
  VkDeviceSize size_bytes = 0;
  VkBufferView texels = VK_NULL_HANDLE;
  VkImageView image = VK_NULL_HANDLE;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkSampler sampler = VK_NULL_HANDLE;

  friend auto operator==(const dxbc_descriptor&, const dxbc_descriptor&) -> bool = default;
};

/// The tables of one stage. A range that the device cannot address where it lies is copied to where
/// it can: before each draw or dispatch, because its content may have changed, and back after it
/// when the program may have written it.
class dxbc_bindings {
 public:
  explicit dxbc_bindings(const program_sources& from) noexcept : from_(from) {}

  /// Looks up what the registers of `shader` hold. Holds until the open batch ends.
  /// Errors: out_of_memory, device_lost.
  [[nodiscard]] auto resolve(const stage_bindings<vulkan_backend>& bound,
                             const shader_variant& shader) -> result<void>;
  /// Copies what must be copied; ends the open pass then. Errors: as above.
  [[nodiscard]] auto copy_in() -> result<void>;
  /// Announces all uses to the main commands. Precondition: `images` are materialized.
  /// Errors: as above.
  [[nodiscard]] auto use() -> result<void>;
  /// The set with what was looked up; a new one whenever that changed. Errors: as above.
  [[nodiscard]] auto resolve_set(VkDescriptorSetLayout layout) -> result<VkDescriptorSet>;
  /// Copies back what the program may have written. Errors: as above.
  [[nodiscard]] auto copy_out() -> result<void>;

  /// Images among them, without gaps.
  [[nodiscard]] auto images() const noexcept -> std::span<image_record* const> {
    return images_.view();
  }
  [[nodiscard]] auto is_empty() const noexcept -> bool { return slots_.empty(); }
  /// No set that was written before holds any more.
  void forget() noexcept;

 private:
  /// One register and what is behind it.
  struct slot {
    dxbc::binding what;
    dxbc_descriptor now;
    image_record* image = nullptr;
    buffer_record* buffer = nullptr;
    VkDeviceSize offset_bytes = 0;  ///< Of the range in `buffer`.
    VkDeviceSize size_bytes = 0;
    bool is_copied = false;
  };

  [[nodiscard]] auto resolve_slot(const stage_bindings<vulkan_backend>& bound, slot& to)
      -> result<void>;
  [[nodiscard]] auto resolve_constants(const stage_bindings<vulkan_backend>& bound, slot& to)
      -> result<void>;
  [[nodiscard]] auto write_constants(const_bytes content, slot& to) -> result<void>;
  [[nodiscard]] auto resolve_texels(const buffer_ref<vulkan_backend>& ref, slot& to)
      -> result<void>;
  [[nodiscard]] auto resolve_texture(const texture_ref<vulkan_backend>& ref, slot& to)
      -> result<void>;
  [[nodiscard]] auto resolve_sampler(const stage_bindings<vulkan_backend>& bound, slot& to)
      -> result<void>;
  [[nodiscard]] auto copy_in(slot& to) -> result<void>;
  [[nodiscard]] auto make_texel_view(const transfer_range& range, VkFormat format)
      -> result<VkBufferView>;
  [[nodiscard]] auto write_set() noexcept -> result<void>;

  program_sources from_;
  heap_array<slot> slots_;
  heap_array<image_record*> images_;
  bool can_filter_ = true;  ///< All textures can be filtered.
  bool has_copies_ = false;
  bool writes_copies_ = false;
  access_epochs copies_;  ///< Of all copies together.

  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkDescriptorSetLayout layout_ = VK_NULL_HANDLE;
  heap_array<dxbc_descriptor> written_;  ///< What `set_` holds.
  // Kept from one set to the next.
  heap_array<VkDescriptorBufferInfo> buffer_infos_;
  heap_array<VkDescriptorImageInfo> image_infos_;
  heap_array<VkWriteDescriptorSet> writes_;
};

}  // namespace aerogpu::vulkan
