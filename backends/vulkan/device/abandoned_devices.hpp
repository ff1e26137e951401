// SPDX-License-Identifier: MIT
/// \file Devices that were given up while they were at work: Vulkan cannot stop them.
#pragma once

#include "vulkan/device_parts.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace aerogpu::vulkan {

/// Keeps all that such a device works on until it comes to an end, then closes it.
class abandoned_devices {
 public:
  abandoned_devices() noexcept = default;
  /// Waits a second for them. Those that are still at work then are left to the process, with all
  /// that they use: see `has_stuck_devices`.
  ~abandoned_devices();
  abandoned_devices(const abandoned_devices&) = delete;
  auto operator=(const abandoned_devices&) -> abandoned_devices& = delete;

  void add(std::unique_ptr<device_parts> device) noexcept;
  /// Closes the devices that came to an end.
  void close_finished() noexcept;
  [[nodiscard]] auto count() const noexcept -> std::size_t { return count_; }
  /// Of the blocks that they hold.
  [[nodiscard]] auto reserved_bytes() const noexcept -> std::uint64_t;

 private:
  std::unique_ptr<device_parts> first_;  ///< A chain: adding a device needs no memory.
  std::size_t count_ = 0;
};

}  // namespace aerogpu::vulkan
