// SPDX-License-Identifier: MIT
/// \file A device without a runtime's callbacks: it records into memory of its own, and what it
/// submits is complete at once (umd-d3d9.md 2.3).
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "drivers/win7/shared_u64.hpp"
#include "drivers/win7/umd/d3d9/submit/runtime.hpp"

namespace aerogpu::umd::front_u {

class runtime_portable final : public runtime {
 public:
  auto create_context(recording_space& out) noexcept -> HRESULT override;
  void destroy_context() noexcept override;
  auto acquire(std::uint32_t needed_bytes, recording_space& out) noexcept -> HRESULT override;
  auto submit(const submission& work, recording_space& out) noexcept -> HRESULT override;
  void wish_for(std::uint32_t, std::uint32_t) noexcept override {}
  auto submit_callback(submission_kind) const noexcept -> const char* override { return "none"; }
  auto present(kernel_allocation, kernel_allocation) noexcept -> HRESULT override { return S_OK; }
  auto set_display_mode(kernel_allocation) noexcept -> HRESULT override { return S_OK; }
  auto allocate(const allocation_request&, kernel_allocation&) noexcept -> HRESULT override {
    return D3DERR_NOTAVAILABLE;
  }
  void deallocate(kernel_allocation, void*) noexcept override {}
  auto set_priority(kernel_allocation, void*, std::uint32_t) noexcept -> HRESULT override {
    return S_OK;
  }
  auto lock(kernel_allocation, lock_access, bool, std::byte*&) noexcept -> HRESULT override {
    return D3DERR_NOTAVAILABLE;
  }
  void unlock(kernel_allocation) noexcept override {}
  auto gives_fences() const noexcept -> bool override { return true; }
  auto poll_completed(fence_value& out) noexcept -> bool override;
  auto wait_completed(fence_value, std::uint32_t) noexcept -> wait_outcome override {
    return wait_outcome::complete;
  }

 private:
  [[nodiscard]] auto space() noexcept -> recording_space;

  heap_array<std::byte> commands_;
  shared_u64 submitted_;
};

}  // namespace aerogpu::umd::front_u
