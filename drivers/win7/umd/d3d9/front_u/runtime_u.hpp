// SPDX-License-Identifier: MIT
/// \file The runtime of one device as the portable DDI gives it: whichever callbacks are there, in
/// the order of umd-d3d9.md 4.5.
#pragma once

#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"
#include "drivers/win7/umd/d3d9/front_u/kernel_fences.hpp"
#include "drivers/win7/umd/d3d9/front_u/submission_buffers.hpp"

#include <atomic>
#include <cstdint>

namespace aerogpu::umd::front_u {

/// Through which callback a submission goes.
enum class submit_route : std::uint8_t { none, render, render_present, present, submit_command };

class runtime_u final : public runtime {
 public:
  /// The table is copied. `flags` are those of CreateDevice.
  runtime_u(const umd::adapter& adapter, const u::D3DDDI_DEVICECALLBACKS& callbacks,
            std::uint32_t flags) noexcept;

  /// Whether all callbacks are there that a device cannot do without.
  [[nodiscard]] auto is_complete() const noexcept -> bool;
  /// Whether resources can have memory of the kernel's.
  [[nodiscard]] auto gives_memory() const noexcept -> bool;
  [[nodiscard]] auto route_of(submission_kind kind) const noexcept -> submit_route;

  auto create_context(recording_space& out) noexcept -> HRESULT override;
  void destroy_context() noexcept override;
  auto acquire(std::uint32_t needed_bytes, recording_space& space) noexcept -> HRESULT override;
  auto submit(const submission& work, recording_space& space) noexcept -> HRESULT override;
  /// Whoever lends buffers of profile U chooses their sizes.
  void wish_for(std::uint32_t, std::uint32_t) noexcept override {}
  auto submit_callback(submission_kind kind) const noexcept -> const char* override;
  /// Presents are submissions in profile U.
  auto present(kernel_allocation, kernel_allocation) noexcept -> HRESULT override {
    return D3DERR_NOTAVAILABLE;
  }
  auto set_display_mode(kernel_allocation) noexcept -> HRESULT override {
    return D3DERR_NOTAVAILABLE;
  }
  auto allocate(const allocation_request& request, kernel_allocation& out) noexcept
      -> HRESULT override;
  void deallocate(kernel_allocation allocation, void* runtime_resource) noexcept override;
  auto set_priority(kernel_allocation, void*, std::uint32_t) noexcept -> HRESULT override {
    return S_OK;
  }
  auto lock(kernel_allocation allocation, lock_access access, bool may_wait,
            std::byte*& out) noexcept -> HRESULT override;
  void unlock(kernel_allocation allocation) noexcept override;
  auto gives_fences() const noexcept -> bool override { return true; }
  auto poll_completed(fence_value& out) noexcept -> bool override;
  auto wait_completed(fence_value fence, std::uint32_t milliseconds) noexcept
      -> wait_outcome override;

 private:
  /// Whose the buffers are that the next submission uses.
  enum class buffer_owner : std::uint8_t { context, borrowed, allocated };

  [[nodiscard]] auto create_kernel_context(u::D3DDDIARG_CREATECONTEXT& out) noexcept -> HRESULT;
  void log_context(const u::D3DDDIARG_CREATECONTEXT& context) const noexcept;
  [[nodiscard]] auto get_buffers(std::uint32_t needed_bytes) noexcept -> bool;
  [[nodiscard]] auto allocate_buffers(std::uint32_t needed_bytes) noexcept -> bool;
  void return_buffers() noexcept;
  [[nodiscard]] auto current() noexcept -> submission_buffers& {
    return owner_ == buffer_owner::context ? lent_ : transient_;
  }

  template <class Argument>
  [[nodiscard]] auto render_arguments(const submission& work) noexcept -> Argument;
  [[nodiscard]] auto call_route(const submission& work) noexcept -> HRESULT;
  [[nodiscard]] auto call_submit_command(const submission& work) noexcept -> HRESULT;
  /// After a call that took a D3DDDICB_RENDER.
  auto finish_render(const submission& work, HRESULT done,
                     const u::D3DDDICB_RENDER& answer) noexcept -> HRESULT;
  void note_fence(const submission& work, std::uint64_t wide, std::uint32_t id) noexcept;

  const umd::adapter& adapter_;
  u::D3DDDI_DEVICECALLBACKS callbacks_;
  bool has_present_bit_;
  u::D3DKMT_HANDLE device_ = 0;
  u::D3DKMT_HANDLE context_ = 0;
  u::D3DKMT_HANDLE sync_object_ = 0;
  std::atomic<bool> is_sync_object_good_{true};

  submission_buffers lent_;       ///< The context's.
  submission_buffers transient_;  ///< For one submission.
  u::D3DDDICB_ALLOCATE allocated_{};
  buffer_owner owner_ = buffer_owner::context;
  kernel_fences fences_;
};

}  // namespace aerogpu::umd::front_u
