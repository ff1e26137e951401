// SPDX-License-Identifier: MIT
/// \file Commands of one command buffer, with the barriers that they need and no others.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/resources/resources.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

enum class access_kind : std::uint8_t { read, write };

enum class image_use : std::uint8_t {
  copy_source,
  copy_destination,
  sampled,
  color_target,
  depth_target,
};

/// The layout in which an image serves a use.
[[nodiscard]] constexpr auto layout_of(const image_record& image, image_use use) noexcept
    -> VkImageLayout {
  if (image.is_general) return VK_IMAGE_LAYOUT_GENERAL;
  switch (use) {
    case image_use::copy_source: return VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    case image_use::copy_destination: return VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    case image_use::sampled: return VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    case image_use::color_target: return VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    case image_use::depth_target: return VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  }
  return VK_IMAGE_LAYOUT_GENERAL;
}

[[nodiscard]] constexpr auto access_of(image_use use) noexcept -> access_kind {
  const bool reads = use == image_use::copy_source || use == image_use::sampled;
  return reads ? access_kind::read : access_kind::write;
}

/// A command buffer that is being recorded. Uses are announced before the command that makes them;
/// `settle` then records one barrier for everything, if any use needs it. Two uses of a resource
/// need one when either writes and no barrier stands between them; images also when the layout
/// changes.
class command_stream {
 public:
  command_stream() noexcept = default;
  /// `epoch` counts for all streams of a device, so that no two epochs are the same.
  command_stream(const VolkDeviceTable& vk, std::uint64_t& epoch) noexcept
      : vk_(&vk), counter_(&epoch) {}

  /// Room for what usual commands announce. False when the heap is exhausted.
  [[nodiscard]] auto reserve() noexcept -> bool;
  /// Starts over with a command buffer in recording state.
  void begin(VkCommandBuffer commands) noexcept;

  void use(buffer_record& buffer, access_kind kind) noexcept { use(buffer.access, kind); }
  void use(image_record& image, image_use wanted) noexcept;
  void use(access_epochs& access, access_kind kind) noexcept;
  /// Commands write to staging memory, which others may have read: buffers are shared by what is
  /// staged for different commands.
  void use_scratch(access_epochs& access) noexcept {
    use(access, access_kind::read);
    use(access, access_kind::write);
  }
  /// A use that was announced may come to nothing, and its resource may go.
  void forget(const access_epochs& access) noexcept;

  /// Whether `settle` would record a barrier.
  [[nodiscard]] auto needs_barrier() const noexcept -> bool { return needs_barrier_; }
  void settle() noexcept;
  /// Makes all that was recorded visible to whatever comes behind the command buffer, and to
  /// the host.
  void finish() noexcept;

  [[nodiscard]] auto commands() const noexcept -> VkCommandBuffer { return commands_; }
  /// Whether a use could not be noted since `begin`: barriers are missing, and the commands must
  /// not run.
  [[nodiscard]] auto is_exhausted() const noexcept -> bool { return is_exhausted_; }
  [[nodiscard]] auto is_empty() const noexcept -> bool { return is_empty_; }
  /// Says that a command was recorded, or as many as a list of regions is worth, and returns the
  /// command buffer for it.
  auto record(std::uint32_t count = 1) noexcept -> VkCommandBuffer {
    settle();
    is_empty_ = false;
    recorded_ += count;
    return commands_;
  }
  /// Commands since `begin`, as told.
  [[nodiscard]] auto recorded() const noexcept -> std::uint32_t { return recorded_; }

 private:
  struct announced_use {
    access_epochs* access;
    access_kind kind;
  };

  void mark(const announced_use& use) noexcept;
  void start_epoch() noexcept;

  const VolkDeviceTable* vk_ = nullptr;
  std::uint64_t* counter_ = nullptr;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  std::uint64_t epoch_ = 0;
  bool needs_barrier_ = false;
  bool is_empty_ = true;
  std::uint32_t recorded_ = 0;
  bool is_exhausted_ = false;
  heap_array<VkImageMemoryBarrier2> transitions_;
  heap_array<announced_use> announced_;  ///< Since the last `settle`.
};

}  // namespace aerogpu::vulkan
