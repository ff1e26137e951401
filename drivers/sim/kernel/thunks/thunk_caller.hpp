// SPDX-License-Identifier: MIT
/// \file Who calls a thunk: the process of the calling thread, its session, its handles.
#pragma once

#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/kernel/windows.hpp"

#include <memory>
#include <mutex>

namespace aerogpu::sim {

/// Holds the process for the length of a thunk.
class thunk_caller {
 public:
  thunk_caller() : host_(windows::current()) {
    if (!is_ready()) return;
    by_ = &host_->session().objects.process_of(this_thread().process);
    hold_ = std::unique_lock{by_->mutex};
    host_->poll();
  }

  [[nodiscard]] auto is_ready() const noexcept -> bool {
    return host_ != nullptr && host_->is_running() && !host_->is_asleep();
  }
  [[nodiscard]] auto host() const noexcept -> windows& { return *host_; }
  [[nodiscard]] auto session() const noexcept -> desktop_session& { return host_->session(); }
  [[nodiscard]] auto process() const noexcept -> sim::process& { return *by_; }
  [[nodiscard]] auto machine() const noexcept -> pc& { return host_->machine_kernel.machine; }

  template <class Object>
  [[nodiscard]] auto find(D3DKMT_HANDLE handle) const -> std::shared_ptr<Object> {
    return by_->handles.find<Object>(handle);
  }
  /// The process's other threads may come in while this one waits.
  template <class Test>
  [[nodiscard]] auto wait_until(Test&& is_done, std::uint64_t limit_ns) -> bool {
    hold_.unlock();
    const bool was_done = session().base.wait_until(is_done, limit_ns);
    hold_.lock();
    return was_done;
  }

 private:
  windows* host_ = nullptr;
  sim::process* by_ = nullptr;
  std::unique_lock<ranked_lock> hold_;
};

/// A live device behind a handle, or what the thunk answers.
struct found_device {
  std::shared_ptr<user_device> device;
  NTSTATUS status = STATUS_SUCCESS;
};
[[nodiscard]] inline auto find_live_device(const thunk_caller& caller, D3DKMT_HANDLE handle)
    -> found_device {
  auto device = caller.find<user_device>(handle);
  if (device == nullptr) return {nullptr, STATUS_INVALID_HANDLE};
  if (device->is_lost.load()) return {nullptr, STATUS_DEVICE_REMOVED};
  return {std::move(device), STATUS_SUCCESS};
}

/// An opening of that device.
[[nodiscard]] inline auto find_opening(const thunk_caller& caller, const user_device& device,
                                       D3DKMT_HANDLE handle) -> std::shared_ptr<user_allocation> {
  auto opening = caller.find<user_allocation>(handle);
  return opening != nullptr && opening->device == &device ? opening : nullptr;
}

}  // namespace aerogpu::sim
