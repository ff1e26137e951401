// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/completion.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"

namespace aerogpu::kmd {

namespace {

void notify_completed(adapter& adapter, std::uint32_t fence) noexcept {
  DXGKARGCB_NOTIFY_INTERRUPT_DATA data{};
  data.InterruptType = DXGK_INTERRUPT_DMA_COMPLETED;
  data.DmaCompleted.SubmissionFenceId = fence;
  adapter.dxgkrnl.DxgkCbNotifyInterrupt(adapter.dxgkrnl.DeviceHandle, &data);
}

void notify_preempted(adapter& adapter, std::uint32_t preemption, std::uint32_t last) noexcept {
  DXGKARGCB_NOTIFY_INTERRUPT_DATA data{};
  data.InterruptType = DXGK_INTERRUPT_DMA_PREEMPTED;
  data.DmaPreempted.PreemptionFenceId = preemption;
  data.DmaPreempted.LastCompletedFenceId = last;
  adapter.dxgkrnl.DxgkCbNotifyInterrupt(adapter.dxgkrnl.DeviceHandle, &data);
}

}  // namespace

void completion::start() noexcept {
  fences_ = {};
  is_preempting_ = false;
  given_low_.store(0, std::memory_order_relaxed);
  reported_low_.store(0, std::memory_order_relaxed);
}

auto completion::given() const noexcept -> fence_value {
  const std::uint64_t completed = raw(fences_.completed());
  const std::uint32_t ahead =
      given_low_.load(std::memory_order_acquire) - static_cast<std::uint32_t>(completed);
  return static_cast<fence_value>(completed + ahead);
}

void completion::observe_device(fence_value stated) noexcept {
  fences_.observe(stated, given());
}

void completion::finish(fence_value fence) noexcept {
  if (fence > given()) give_to_device(fence);
  fences_.observe(fence, fence);
}

void completion::settle(fence_value fence) noexcept {
  fences_.settle(fence);
  given_low_.store(narrow_fence(fences_.completed()), std::memory_order_release);
  reported_low_.store(narrow_fence(fences_.reported()), std::memory_order_relaxed);
  is_preempting_ = false;
}

void completion::preempt(std::uint32_t preemption_fence, fence_value after) noexcept {
  preemption_fence_ = preemption_fence;
  preemption_after_ = after;
  is_preempting_ = true;
}

auto completion::report(adapter& adapter) noexcept -> bool {
  const fence_report due = fences_.take_report();
  if (due.is_due) {
    reported_low_.store(due.id, std::memory_order_relaxed);
    notify_completed(adapter, due.id);
  }
  const bool is_preempted = is_preempting_ && fences_.completed() >= preemption_after_;
  if (is_preempted) {
    is_preempting_ = false;
    notify_preempted(adapter, preemption_fence_, narrow_fence(fences_.completed()));
  }
  if (!due.is_due && !is_preempted) return false;
  adapter.queue_dpc();
  return true;
}

}  // namespace aerogpu::kmd
