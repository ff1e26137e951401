// SPDX-License-Identifier: MIT
/// \file The render pass that is being recorded: dynamic rendering over the guest's targets.
#pragma once

#include "aerogpu/abi/cmd_state.h"
#include "vulkan/commands/command_stream.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan {

/// A subresource as an attachment. `image` null = a gap.
struct attachment {
  image_record* image = nullptr;
  VkImageView view = VK_NULL_HANDLE;
  VkFormat format = VK_FORMAT_UNDEFINED;

  friend auto operator==(const attachment&, const attachment&) -> bool = default;
};

/// What a pass draws to.
struct pass_targets {
  std::array<attachment, AEROGPU_MAX_RENDER_TARGETS> colors{};  ///< Gaps behind `color_count`.
  std::uint32_t color_count = 0;
  attachment depth_stencil;
  VkExtent2D extent{};

  friend auto operator==(const pass_targets& a, const pass_targets& b) -> bool {
    return a.color_count == b.color_count &&
           std::equal(a.colors.begin(), a.colors.begin() + a.color_count, b.colors.begin()) &&
           a.depth_stencil == b.depth_stencil && a.extent.width == b.extent.width &&
           a.extent.height == b.extent.height;
  }
};

/// What the beginning of a pass clears, and where.
struct pass_clear {
  bool color = false;
  bool depth = false;
  bool stencil = false;
  std::array<VkClearColorValue, AEROGPU_MAX_RENDER_TARGETS> colors{};
  VkClearDepthStencilValue depth_stencil{};
  VkRect2D area{};
};

class render_pass {
 public:
  explicit render_pass(gpu& device) noexcept : gpu_(device) {}

  [[nodiscard]] auto is_open() const noexcept -> bool { return is_open_; }
  /// Whether commands recorded now draw to exactly these targets.
  [[nodiscard]] auto draws_to(const pass_targets& targets) const noexcept -> bool {
    return is_open_ && targets_ == targets;
  }
  /// Begins a pass; one that is open ends. `clear` may be null. Targets are announced to `stream`,
  /// which then settles.
  void begin(command_stream& stream, const pass_targets& targets, const pass_clear* clear) noexcept;
  void end(command_stream& stream) noexcept;
  /// The command buffer is gone.
  void forget() noexcept;

  /// Passes begun since the device was opened.
  [[nodiscard]] auto count() const noexcept -> std::uint64_t { return count_; }

 private:
  void mark_attached(bool is_attached) noexcept;

  gpu& gpu_;
  pass_targets targets_;
  bool is_open_ = false;
  std::uint64_t count_ = 0;
};

}  // namespace aerogpu::vulkan
