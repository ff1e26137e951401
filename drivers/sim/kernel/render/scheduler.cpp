// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/render/scheduler.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace aerogpu::sim {
namespace {

/// How far the clock moves at a time while somebody waits.
constexpr std::uint64_t step_ns = 1'000'000;
constexpr std::uint64_t minute_ns = 60'000'000'000;

}  // namespace

scheduler::scheduler(kernel& windows, const scheduler_config& chosen)
    : config(chosen),
      windows_(windows),
      buffers_(windows.machine),
      next_fence_(chosen.first_fence) {
  windows_.dxgk.on_retired = [this](std::uint32_t fence) { on_retired(fence); };
  windows_.dxgk.on_preempted = [this] { was_preempted_.store(true); };
}

scheduler::~scheduler() {
  windows_.dxgk.on_retired = {};
  windows_.dxgk.on_preempted = {};
}

auto scheduler::submit(gpu_work work) -> std::uint32_t {
  const std::lock_guard hold{gpu};
  collect();
  // Windows hands out nothing while a preemption is outstanding.
  while (in_flight() >= config.buffers_in_flight || windows_.dxgk.fences.is_preempting()) step();
  auto one = std::make_shared<flight>();
  one->work = std::move(work);
  issue(*one);
  {
    const std::lock_guard list{mutex_};
    flights_.push_back(one);
  }
  patch(*one);
  DXGKARG_SUBMITCOMMAND submission{};
  const auto& part = one->work;
  submission.hContext = part.context;
  submission.DmaBufferPhysicalAddress.QuadPart = static_cast<LONGLONG>(part.buffer->physical);
  submission.DmaBufferSize = part.buffer->size_bytes;
  submission.DmaBufferSubmissionStartOffset = part.start;
  submission.DmaBufferSubmissionEndOffset = part.end;
  submission.pDmaBufferPrivateData = part.buffer->private_data.get();
  submission.DmaBufferPrivateDataSize = part.buffer->private_bytes;
  submission.DmaBufferPrivateDataSubmissionStartOffset = part.private_start;
  submission.DmaBufferPrivateDataSubmissionEndOffset = part.private_end;
  submission.SubmissionFenceId = one->fence;
  submission.Flags.Paging = part.is_paging ? 1 : 0;
  submission.Flags.Present = part.is_present ? 1 : 0;
  submission.Flags.RedirectedPresent = part.is_redirected ? 1 : 0;
  submission.Flags.NullRendering = part.is_null_rendering ? 1 : 0;
  windows_.dxgk.fences.submitted(one->fence, part.is_system || part.is_paging);
  const auto fence = one->fence;
  windows_.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiSubmitCommand, windows_.context(),
                static_cast<const DXGKARG_SUBMITCOMMAND*>(&submission));
  collect();
  return fence;
}

void scheduler::issue(flight& one) {
  one.fence = next_fence_++;
  one.since_ns = windows_.machine.clock.now_ns();
}

void scheduler::patch(const flight& one) {
  const auto& part = one.work;
  const bool none_moved =
      std::none_of(part.moved.begin(), part.moved.end(), [](bool m) { return m; });
  if (config.patch == patch_policy::skip_when_valid && none_moved && !part.is_paging) return;
  std::vector<D3DDDI_PATCHLOCATIONLIST> list;
  for (const auto& entry : part.patches) {
    if (config.patch == patch_policy::moved_only && entry.AllocationIndex < part.moved.size() &&
        !part.moved[entry.AllocationIndex]) {
      continue;
    }
    list.push_back(entry);
  }
  DXGKARG_PATCH arguments{};
  arguments.hContext = part.context;
  arguments.DmaBufferPhysicalAddress.QuadPart = static_cast<LONGLONG>(part.buffer->physical);
  arguments.pDmaBuffer = part.buffer->bytes;
  arguments.DmaBufferSize = part.buffer->size_bytes;
  arguments.DmaBufferSubmissionStartOffset = part.start;
  arguments.DmaBufferSubmissionEndOffset = part.end;
  arguments.pDmaBufferPrivateData = part.buffer->private_data.get();
  arguments.DmaBufferPrivateDataSize = part.buffer->private_bytes;
  arguments.DmaBufferPrivateDataSubmissionStartOffset = part.private_start;
  arguments.DmaBufferPrivateDataSubmissionEndOffset = part.private_end;
  arguments.pAllocationList = part.allocations.empty() ? nullptr : part.allocations.data();
  arguments.AllocationListSize = static_cast<UINT>(part.allocations.size());
  arguments.pPatchLocationList = list.empty() ? nullptr : list.data();
  arguments.PatchLocationListSize = static_cast<UINT>(list.size());
  arguments.PatchLocationListSubmissionLength = static_cast<UINT>(list.size());
  arguments.SubmissionFenceId = one.fence;
  arguments.Flags.Paging = part.is_paging ? 1 : 0;
  arguments.Flags.Present = part.is_present ? 1 : 0;
  arguments.Flags.RedirectedPresent = part.is_redirected ? 1 : 0;
  arguments.Flags.NullRendering = part.is_null_rendering ? 1 : 0;
  const int times = config.patch == patch_policy::twice ? 2 : 1;
  for (int i = 0; i < times; ++i) {
    windows_.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiPatch, windows_.context(),
                  static_cast<const DXGKARG_PATCH*>(&arguments));
  }
}

/// DIRQL. The buffer is nobody's from here on.
void scheduler::on_retired(std::uint32_t fence) {
  const std::lock_guard hold{mutex_};
  for (const auto& one : flights_) {
    if (one->is_done || one->fence != fence) continue;
    const auto& part = one->work;
    part.buffer->scribble(part.start, part.end, part.private_start, part.private_end);
    one->is_done = true;
    return;
  }
}

void scheduler::collect() {
  const std::lock_guard hold_gpu{gpu};
  std::vector<std::shared_ptr<flight>> ended;
  std::vector<std::shared_ptr<flight>> preempted;
  {
    const std::lock_guard hold{mutex_};
    if (was_preempted_.exchange(false)) {
      for (const auto& one : flights_) {
        if (one->is_done) continue;
        preempted.push_back(one);
        auto& earlier = one->work.earlier_fences;
        earlier.push_back(one->fence);
        handed_back_.insert(handed_back_.end(), earlier.begin(), earlier.end());
      }
    }
    for (const auto& one : flights_) {
      if (one->is_done) ended.push_back(one);
    }
    std::erase_if(flights_, [&](const auto& one) {
      return one->is_done || std::find(preempted.begin(), preempted.end(), one) != preempted.end();
    });
  }
  for (const auto& one : ended) {
    if (one->work.on_done) one->work.on_done(one->was_dropped);
  }
  if (preempted.empty()) return;
  static_cast<void>(windows_.dxgk.fences.drop());
  for (const auto& one : preempted) submit_again(std::move(one->work));
}

/// In the order of before. What waits for an earlier fence waits on.
void scheduler::submit_again(gpu_work work) {
  const auto earlier = work.earlier_fences;
  static_cast<void>(submit(std::move(work)));
  const std::lock_guard hold{mutex_};
  for (const auto fence : earlier) {
    const auto at = std::find(handed_back_.begin(), handed_back_.end(), fence);
    if (at != handed_back_.end()) handed_back_.erase(at);
  }
}

auto scheduler::in_flight() const -> std::size_t {
  const std::lock_guard hold{mutex_};
  return static_cast<std::size_t>(std::count_if(flights_.begin(), flights_.end(),
                                                [](const auto& one) { return !one->is_done; }));
}

auto scheduler::is_pending(std::uint32_t fence) const -> bool {
  const auto has = [fence](const std::vector<std::uint32_t>& list) {
    return std::find(list.begin(), list.end(), fence) != list.end();
  };
  const std::lock_guard hold{mutex_};
  return has(handed_back_) || std::any_of(flights_.begin(), flights_.end(), [&](const auto& one) {
           return !one->is_done && (one->fence == fence || has(one->work.earlier_fences));
         });
}

auto scheduler::oldest_since_ns() const -> std::uint64_t {
  const std::lock_guard hold{mutex_};
  for (const auto& one : flights_) {
    if (!one->is_done) return one->since_ns;
  }
  return UINT64_MAX;
}

/// One breath of somebody who waits: the device may work, then time passes.
void scheduler::step() {
  if (windows_.machine.config.is_concurrent) {
    std::this_thread::sleep_for(std::chrono::microseconds{20});
    windows_.machine.interrupts.settle();
  } else {
    const auto before = in_flight();
    windows_.machine.settle();
    if (in_flight() >= before) windows_.machine.clock.advance(step_ns);
  }
  check_timeouts();
  collect();
}

void scheduler::wait(std::uint32_t fence) {
  const std::lock_guard hold{gpu};
  while (is_pending(fence)) step();
  collect();
}

void scheduler::wait_idle() {
  const std::lock_guard hold{gpu};
  while (in_flight() != 0) step();
  collect();
}

void scheduler::advance(std::uint64_t ns) {
  const std::lock_guard hold{gpu};
  for (std::uint64_t left = ns; left != 0;) {
    const auto part = std::min(left, step_ns);
    windows_.machine.clock.advance(part);
    left -= part;
    check_timeouts();
    collect();
  }
}

void scheduler::preempt() {
  const std::lock_guard hold_gpu{gpu};
  if (windows_.dxgk.fences.is_preempting()) return;
  DXGKARG_PREEMPTCOMMAND arguments{};
  arguments.PreemptionFenceId = next_preemption_++;
  preempted_at_ns_ = windows_.machine.clock.now_ns();
  windows_.dxgk.fences.preempting(arguments.PreemptionFenceId);
  windows_.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiPreemptCommand, windows_.context(),
                static_cast<const DXGKARG_PREEMPTCOMMAND*>(&arguments));
}

auto scheduler::query_fence() -> std::uint32_t {
  const std::lock_guard hold{gpu};
  DXGKARG_QUERYCURRENTFENCE arguments{};
  windows_.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiQueryCurrentFence, windows_.context(),
                &arguments);
  if (windows_.dxgk.fences.is_pending(arguments.CurrentFence)) {
    stop(stop_code::video_scheduler_internal_error, {1, arguments.CurrentFence, 0, 0},
         "QueryCurrentFence gives a fence that it did not report first");
  }
  return arguments.CurrentFence;
}

/// Work that takes too long is preempted; a preemption that takes too long is a timeout. Before
/// either, the driver is asked whether an interrupt was lost.
void scheduler::check_timeouts() {
  const auto now = windows_.machine.clock.now_ns();
  const auto since = oldest_since_ns();
  const bool is_preempting = windows_.dxgk.fences.is_preempting();
  const auto start = is_preempting ? preempted_at_ns_ : since;
  if (start == UINT64_MAX || now < start || now - start < config.timeout_ns) return;
  static_cast<void>(query_fence());
  if (!is_preempting) {
    if (oldest_since_ns() == since) preempt();
  } else if (windows_.dxgk.fences.is_preempting()) {
    reset_from_timeout();
  }
}

/// For the report of a timeout from which Windows recovers, 0x117.
void scheduler::collect_debug_information() {
  if (windows_.table.DxgkDdiCollectDbgInfo == nullptr) return;
  constexpr UINT reason = 0x117;
  std::vector<std::byte> report(4096);
  DXGKARG_COLLECTDBGINFO_EXT extension{};
  const DXGKARG_COLLECTDBGINFO arguments{reason, report.data(), report.size(), &extension};
  static_cast<void>(windows_.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiCollectDbgInfo,
                                  windows_.context(), &arguments));
}

void scheduler::reset_from_timeout() {
  const std::lock_guard hold_gpu{gpu};
  const auto now = windows_.machine.clock.now_ns();
  ++resets_;
  reset_times_ns_.push_back(now);
  while (now - reset_times_ns_.front() > minute_ns) reset_times_ns_.pop_front();
  if (reset_times_ns_.size() > config.resets_in_a_minute) {
    stop(stop_code::video_tdr_failure, {resets_, 0, 0, 0},
         "the display driver failed to recover: too many timeouts within a minute");
  }
  collect_debug_information();
  windows_.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiResetFromTimeout, windows_.context());
  static_cast<void>(windows_.dxgk.fences.drop_as_done());
  {
    const std::lock_guard hold{mutex_};
    was_preempted_.store(false);
    for (const auto& one : flights_) {
      if (one->is_done) continue;
      const auto& part = one->work;
      part.buffer->scribble(part.start, part.end, part.private_start, part.private_end);
      one->is_done = one->was_dropped = true;
    }
  }
  collect();
  if (on_reset) on_reset();
  windows_.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiRestartFromTimeout, windows_.context());
}

}  // namespace aerogpu::sim
