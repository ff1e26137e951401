// SPDX-License-Identifier: MIT
/// \file Callbacks that fail because a test says so.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <atomic>
#include <cstdint>
#include <optional>

namespace aerogpu::sim {

/// In the order of their tables, the device's first.
enum class callback : std::uint8_t {
  allocate,
  deallocate,
  set_priority,
  query_residency,
  set_display_mode,
  present,
  render,
  lock,
  unlock,
  escape,
  create_overlay,
  update_overlay,
  flip_overlay,
  destroy_overlay,
  create_context,
  destroy_context,
  create_synchronization_object,
  destroy_synchronization_object,
  wait_for_synchronization_object,
  signal_synchronization_object,
  set_async_callbacks,
  set_display_private_driver_format,
  query_adapter_info,
  get_multisample_method_list,
  // Of profile U alone.
  submit_command,
  get_command_buffer,
  create_device,
  destroy_device,
  set_error,
};

/// "RenderCb".
[[nodiscard]] auto callback_name(callback which) -> const char*;

/// Counts all callbacks. Any thread.
class callback_faults {
 public:
  /// The `nth` callback from now on, 1 being the next, fails with what is usual for it, or with
  /// `result`. One that releases something does so all the same.
  void fail(std::uint32_t nth, std::optional<HRESULT> result = std::nullopt);
  /// As above, where only calls of `which` count.
  void fail_one_of(callback which, std::uint32_t nth, HRESULT result);
  void stop() { fail(0); }
  /// Since `fail` was called last.
  [[nodiscard]] auto count() const noexcept -> std::uint32_t { return count_.load(); }
  /// Counts one; what it has to fail with, if it has to.
  [[nodiscard]] auto next(callback which) -> std::optional<HRESULT>;

 private:
  std::atomic<std::uint32_t> count_ = 0;
  std::atomic<std::uint32_t> nth_ = 0;
  // Set while no callback runs.
  std::optional<HRESULT> result_;
  std::optional<callback> only_;
};

}  // namespace aerogpu::sim
