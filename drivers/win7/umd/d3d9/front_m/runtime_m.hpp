// SPDX-License-Identifier: MIT
/// \file The runtime of one device as Windows 7 gives it: the device callbacks of profile M.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

#include <cstdint>

namespace aerogpu::umd::front_m {

/// Calls the callbacks with exact structures, zeroed but for what is meant (umd-d3d9.md 1.3.4).
class runtime_m final : public runtime {
 public:
  /// `device` is the runtime's handle; the table is copied.
  runtime_m(HANDLE device, const D3DDDI_DEVICECALLBACKS& callbacks) noexcept
      : device_(device), callbacks_(callbacks) {}

  /// Whether all callbacks are there that a device cannot do without.
  [[nodiscard]] auto is_complete() const noexcept -> bool;

  auto create_context(recording_space& out) noexcept -> HRESULT override;
  void destroy_context() noexcept override;
  auto acquire(std::uint32_t needed_bytes, recording_space& space) noexcept -> HRESULT override;
  auto submit(const submission& work, recording_space& space) noexcept -> HRESULT override;
  void wish_for(std::uint32_t command_bytes, std::uint32_t list_entries) noexcept override;
  auto submit_callback(submission_kind) const noexcept -> const char* override;
  auto present(kernel_allocation source, kernel_allocation destination) noexcept
      -> HRESULT override;
  auto set_display_mode(kernel_allocation primary) noexcept -> HRESULT override;
  auto allocate(const allocation_request& request, kernel_allocation& out) noexcept
      -> HRESULT override;
  void deallocate(kernel_allocation allocation, void* runtime_resource) noexcept override;
  auto set_priority(kernel_allocation allocation, void* runtime_resource,
                    std::uint32_t priority) noexcept -> HRESULT override;
  auto lock(kernel_allocation allocation, lock_access access, bool may_wait,
            std::byte*& out) noexcept -> HRESULT override;
  void unlock(kernel_allocation allocation) noexcept override;
  auto gives_fences() const noexcept -> bool override { return false; }
  auto poll_completed(fence_value&) noexcept -> bool override { return false; }

 private:
  /// What the runtime lent for recording; it says anew after each submission.
  struct buffers {
    void* commands = nullptr;
    UINT command_bytes = 0;
    D3DDDI_ALLOCATIONLIST* list = nullptr;
    UINT list_entries = 0;
    D3DDDI_PATCHLOCATIONLIST* patches = nullptr;  ///< Passed on, never filled.
    UINT patch_entries = 0;
  };

  [[nodiscard]] auto space() const noexcept -> recording_space;
  void adopt(const D3DDDICB_RENDER& answer) noexcept;
  void log_context(const D3DDDICB_CREATECONTEXT& context) const noexcept;

  HANDLE device_;
  D3DDDI_DEVICECALLBACKS callbacks_;
  HANDLE context_ = nullptr;
  buffers lent_;
  std::uint32_t wished_bytes_ = 0;
  std::uint32_t wished_entries_ = 0;
};

}  // namespace aerogpu::umd::front_m
