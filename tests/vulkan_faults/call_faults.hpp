// SPDX-License-Identifier: MIT
/// \file Vulkan calls that fail on purpose, by their number, on whatever device is opened next.
#pragma once

#include "vulkan/device/api.hpp"

#include <cstdint>

namespace aerogpu::test {

/// While one lives, every device that is opened goes through counted calls: all that can fail and
/// that the backend makes. It also counts what devices hold. One at a time; Vulkan is loaded.
class call_faults {
 public:
  call_faults();
  ~call_faults();
  call_faults(const call_faults&) = delete;
  auto operator=(const call_faults&) -> call_faults& = delete;

  /// Call `number` from now on fails with `code`, without reaching the device. 0 = none does.
  void plan(std::uint64_t number, VkResult code) noexcept;
  /// As above; and call `second`, counted from the first failure, fails too.
  void plan_two(std::uint64_t number, std::uint64_t second, VkResult code) noexcept;
  /// Calls since the last plan.
  [[nodiscard]] auto calls() const noexcept -> std::uint64_t;
  /// Name of the call that failed last; "none" since the last plan.
  [[nodiscard]] auto failed() const noexcept -> const char*;
  /// Objects and memory of all devices that were opened.
  [[nodiscard]] auto held() const noexcept -> std::int64_t;

  /// Devices seem to stand still: nothing is ever done, and waits end with their timeout.
  void freeze(bool is_frozen) noexcept;
  /// Devices are lost, of which only waits tell; the timeline reads as `count`. `freeze` ends it.
  void lose_silently(std::uint64_t count) noexcept;
  /// Devices stand still, and whoever asks or waits for their end is told `code`. `freeze` ends it.
  void fail_waits(VkResult code) noexcept;
  /// The next compilation of a pipeline stays inside the driver until all may go on.
  void hold_next_compilation() noexcept;
  void release_compilations() noexcept;
  /// The driver refuses every pipeline.
  void refuse_pipelines(bool are_refused) noexcept;
  /// The driver says of every pipeline that its cache had it.
  void find_pipelines_cached(bool are_cached) noexcept;
  /// Pipelines that were handed to the driver, whatever came of it.
  [[nodiscard]] auto compilations() const noexcept -> std::uint64_t;
  /// No device can be opened.
  void forbid_devices(bool are_forbidden) noexcept;
};

}  // namespace aerogpu::test
