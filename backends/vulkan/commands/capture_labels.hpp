// SPDX-License-Identifier: MIT
/// \file Which packets and regions of the guest's the commands in a capture come from.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "vulkan/device/debug_names.hpp"

#include <cstdint>
#include <string_view>

namespace aerogpu::vulkan {

/// Packets are counted in their submission. One region is open at most, in the main commands of the
/// open batch. Everything does nothing when debug_utils is off.
class capture_labels {
 public:
  void begin_submission(submission_id id) noexcept {
    submission_ = id;
    packets_ = 0;
  }
  /// The next commands come from `packet`.
  void mark_packet(const gpu& on, VkCommandBuffer main, std::string_view packet) noexcept {
    insert_label(on, main, packet, " ", ++packets_, " of submission ", submission_);
  }
  /// Ends the region before.
  void begin_region(const gpu& on, VkCommandBuffer main, std::string_view text) noexcept {
    end_region(on, main);
    begin_label(on, main, text);
    has_region_ = on.debug.begin_label != nullptr;
  }
  /// Before the commands are ended.
  void end_region(const gpu& on, VkCommandBuffer main) noexcept {
    if (has_region_) end_label(on, main);
    has_region_ = false;
  }
  /// The commands are gone.
  void forget_region() noexcept { has_region_ = false; }

 private:
  submission_id submission_{};
  std::uint64_t packets_ = 0;
  bool has_region_ = false;
};

}  // namespace aerogpu::vulkan
