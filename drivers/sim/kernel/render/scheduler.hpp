// SPDX-License-Identifier: MIT
/// \file The GPU scheduler: fences, Patch and SubmitCommand, preemption, timeouts and their
/// recovery.
#pragma once

#include "drivers/sim/kernel/kernel.hpp"
#include "drivers/sim/kernel/render/dma_buffer.hpp"
#include "drivers/sim/kernel/system/ranked_lock.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace aerogpu::sim {

/// When Patch is called, and with what: a driver that forgot to pre-patch shows.
enum class patch_policy : std::uint8_t {
  always_full,
  moved_only,       ///< Only entries whose allocation is not where the driver was told.
  skip_when_valid,  ///< Not at all when none moved.
  twice,
};

/// A part of a DMA buffer on its way.
struct gpu_work {
  std::shared_ptr<dma_buffer> buffer;
  HANDLE context = nullptr;  ///< The driver's; NULL for paging.
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  std::uint32_t private_start = 0;
  std::uint32_t private_end = 0;
  std::vector<DXGK_ALLOCATIONLIST> allocations;
  std::vector<D3DDDI_PATCHLOCATIONLIST> patches;
  std::vector<bool> moved;  ///< By allocation: elsewhere than Render was told.
  bool is_paging = false;
  bool is_present = false;
  bool is_redirected = false;  ///< A present to a surface that the compositor shows.
  bool is_system = false;
  bool is_null_rendering = false;
  /// That it had before preemptions: whoever waits for it knows one of them.
  std::vector<std::uint32_t> earlier_fences;
  /// PASSIVE, once: the fence was reported, or the work was dropped by a timeout.
  std::function<void(bool was_dropped)> on_done;
};

struct scheduler_config {
  std::uint32_t first_fence = 1;
  std::uint32_t buffers_in_flight = 8;
  patch_policy patch = patch_policy::always_full;
  std::uint64_t timeout_ns = 2'000'000'000;
  std::size_t resets_in_a_minute = 5;  ///< One more is a bug check.
};

class scheduler {
 public:
  scheduler(kernel& windows, const scheduler_config& chosen = {});
  ~scheduler();
  scheduler(const scheduler&) = delete;
  auto operator=(const scheduler&) -> scheduler& = delete;

  // --- PASSIVE; each takes the gpu lock, and keeps it while it waits ---
  /// Gives the work a fence and hands it to the driver. Waits while too much is in flight.
  auto submit(gpu_work work) -> std::uint32_t;
  /// Until the fence was reported or dropped. Lets the clock run in deterministic mode.
  void wait(std::uint32_t fence);
  void wait_idle();
  /// Calls `on_done` of what ended, and hands preempted work out again.
  void collect();
  /// PreemptCommand. Nothing happens while another one is outstanding.
  void preempt();
  /// QueryCurrentFence, as for a lost interrupt; what the driver says.
  auto query_fence() -> std::uint32_t;
  /// Lets time pass in steps, with the timeout watch that Windows keeps.
  void advance(std::uint64_t ns);
  /// The timeout sequence of kmd.md 3.12, at once.
  void reset_from_timeout();

  /// The next fence; the driver sees a jump, as after much work of others. At most 2^31 ahead.
  void skip_to(std::uint32_t fence) noexcept { next_fence_ = fence; }

  // --- any level ---
  /// Whether the work that has this fence, or had it before a preemption, is still to be done.
  [[nodiscard]] auto is_pending(std::uint32_t fence) const -> bool;
  [[nodiscard]] auto in_flight() const -> std::size_t;
  [[nodiscard]] auto last_fence() const noexcept -> std::uint32_t { return next_fence_ - 1; }
  [[nodiscard]] auto resets() const noexcept -> std::uint32_t { return resets_; }
  [[nodiscard]] auto buffers() noexcept -> dma_buffer_cache& { return buffers_; }

  /// Between ResetFromTimeout and RestartFromTimeout: memory is lost, devices are removed.
  std::function<void()> on_reset;
  scheduler_config config;
  /// Held by whoever submits, pages, waits or resets: scheduler and VidMm belong to one thread at a
  /// time. Taken after a process's lock, and before the list's, the clock's and the interrupt lock.
  ranked_lock gpu{lock_rank::gpu};

 private:
  struct flight {
    gpu_work work;
    std::uint32_t fence = 0;
    std::uint64_t since_ns = 0;
    bool is_done = false;
    bool was_dropped = false;
  };
  void issue(flight& one);
  void submit_again(gpu_work work);
  void patch(const flight& one);
  void on_retired(std::uint32_t fence);
  void check_timeouts();
  void collect_debug_information();
  [[nodiscard]] auto oldest_since_ns() const -> std::uint64_t;
  void step();

  kernel& windows_;
  dma_buffer_cache buffers_;
  mutable std::mutex mutex_;  ///< The list; taken at DIRQL too, never held over a driver call.
  std::deque<std::shared_ptr<flight>> flights_;
  std::vector<std::uint32_t> handed_back_;  ///< Fences of preempted work on its way back.
  std::atomic<std::uint32_t> next_fence_ = 1;
  std::uint32_t next_preemption_ = 0x80000000;
  std::uint64_t preempted_at_ns_ = 0;
  std::atomic<bool> was_preempted_ = false;
  std::uint32_t resets_ = 0;
  std::deque<std::uint64_t> reset_times_ns_;
};

}  // namespace aerogpu::sim
