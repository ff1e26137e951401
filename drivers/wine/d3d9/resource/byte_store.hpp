// SPDX-License-Identifier: MIT
/// \file Where a buffer's bytes are: the driver's resource, memory of the runtime, or both.
#pragma once

#include "drivers/sim/runtime/resource.hpp"

namespace aerogpu::d3d9 {

class device;

/// Managed buffers and those in system memory have memory, and a copy that the driver reads.
class byte_store {
 public:
  byte_store(device& of, const sim::resource_description& shape) : owner_(of), shape_(shape) {}
  ~byte_store();
  byte_store(const byte_store&) = delete;
  auto operator=(const byte_store&) -> byte_store& = delete;

  [[nodiscard]] auto create() -> HRESULT;
  [[nodiscard]] auto shape() const noexcept -> const sim::resource_description& { return shape_; }
  [[nodiscard]] auto video() const noexcept -> sim::d3d9_resource* { return video_; }

  /// `bytes` 0: to the end. Locks nest, and end together.
  [[nodiscard]] auto lock(UINT offset, UINT bytes, void*& data, DWORD flags) -> HRESULT;
  /// One too many changes nothing.
  [[nodiscard]] auto unlock() -> HRESULT;
  /// What a program writes under a lock that it holds is there for the draw as well.
  [[nodiscard]] auto prepare() -> HRESULT;
  [[nodiscard]] auto is_locked() const noexcept -> bool { return locks_ != 0; }
  auto evict() -> bool;

 private:
  struct range {
    UINT begin = 0;
    UINT end = 0;
  };
  [[nodiscard]] auto lock_video(const range& wanted, void*& data, DWORD flags) -> HRESULT;
  // Of the driver's lock; after a failure nothing is locked.
  [[nodiscard]] auto start_video_lock(const range& wanted, void*& data, DWORD flags) -> HRESULT;
  [[nodiscard]] auto end_video_lock() -> HRESULT;
  [[nodiscard]] auto unlock_video() -> HRESULT;
  [[nodiscard]] auto send_locked() -> HRESULT;
  [[nodiscard]] auto flags_of_further_lock() const noexcept -> DWORD;
  void set_locks(UINT count) noexcept;
  [[nodiscard]] auto make_video() -> HRESULT;
  void count_change() const;

  device& owner_;
  sim::resource_description shape_;  ///< As the API has it.
  sim::d3d9_resource* system_ = nullptr;
  sim::d3d9_resource* video_ = nullptr;
  sim::lockable_bytes lost_memory_;  ///< What a lost device's lock is of.
  range dirty_;                      ///< Of memory, against the copy.
  range locked_;                     ///< What the driver has locked.
  DWORD lock_flags_ = 0;
  UINT locks_ = 0;
};

}  // namespace aerogpu::d3d9
