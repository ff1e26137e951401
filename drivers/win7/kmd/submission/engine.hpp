// SPDX-License-Identifier: MIT
/// \file The one engine: software queue, ring, fences (kmd.md 3.7 to 3.9).
///
/// Locks, in order: queue lock, token lock, interrupt lock (inside SynchronizeExecution). The ISR
/// takes none but the interrupt lock, which dxgkrnl holds for it: the device may complete work and
/// interrupt within a write to its doorbell, which happens under the queue lock.
#pragma once

#include "aerogpu/core/span_queue.hpp"
#include "aerogpu/ring/ring_producer.hpp"
#include "aerogpu/sync/fence_extender.hpp"
#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/submission/completion.hpp"
#include "drivers/win7/kmd/submission/host_contexts.hpp"
#include "drivers/win7/kmd/submission/internal_slots.hpp"
#include "drivers/win7/kmd/system/lock_scope.hpp"
#include "drivers/win7/kmd/system/os.hpp"
#include "drivers/win7/kmd/system/registers.hpp"
#include "drivers/win7/kmd/system/work_item.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace aerogpu::kmd {

class adapter;

/// Ring shape and queue length (kmd.md 3.18).
inline constexpr std::uint32_t ring_entries = 256;
inline constexpr std::uint32_t ring_stride_bytes = 64;
inline constexpr std::uint32_t queue_items = 1024;

/// Whether the device forgets its objects when the ring is programmed (kmd.md 3.7, 3.13).
enum class ring_start : std::uint8_t { keep_host_state, reset_host };

/// Figures for escapes and debuggers.
struct engine_progress {
  fence_value submitted{};
  fence_value completed{};
  std::uint32_t head = 0;  ///< Of the ring: next index that the device takes.
  std::uint32_t tail = 0;
  std::uint32_t ring_bytes = 0;  ///< In use: header and slots.
  std::uint32_t queued = 0;      ///< Items that wait in the software queue.
};

class engine {
 public:
  explicit engine(adapter& owner) noexcept : adapter_(owner) {}

  // --- PASSIVE, nobody else in the driver ---
  /// Allocates ring, fence page (not fatal), queue and slots; fence ids begin anew.
  /// STATUS_INSUFFICIENT_RESOURCES.
  [[nodiscard]] auto create() noexcept -> NTSTATUS;
  /// Gives all of it back. The device must not read it any more.
  void destroy() noexcept;
  /// Writes headers and registers in the order of kmd.md 3.7, up to RING_CONTROL = ENABLE. The ring
  /// goes on at the index where it stopped. What the ring held is gone.
  void start(ring_start how) noexcept;
  /// As above, at an index of choice: all 2^32 are legal.
  void start(ring_start how, std::uint32_t first_index) noexcept;
  /// RING_CONTROL 0, and the addresses 0 when `forgets_addresses`.
  void stop(bool forgets_addresses) noexcept;
  /// Drops what is queued: all that was submitted counts as complete, unreported, and no preemption
  /// waits. For a device that forgot its objects: no context's end is pending any more. Releases
  /// of share tokens that are still pending stay so.
  void drop_work() noexcept;
  /// What the device has not done is lost, and queued paging is done: all that was submitted is
  /// complete, and reported, preemptions too. Streams of the driver's own that the device did not
  /// take are queued anew. The device is stopped, and not ready.
  void finish_work() noexcept;
  /// Whether the device still holds the addresses that `start` wrote.
  [[nodiscard]] auto is_programmed() const noexcept -> bool;
  [[nodiscard]] auto has_fence_page() const noexcept -> bool {
    return static_cast<bool>(fence_page_);
  }
  [[nodiscard]] auto ring_memory() const noexcept -> const os::contiguous_memory& {
    return ring_memory_;
  }
  [[nodiscard]] auto fence_page_memory() const noexcept -> const os::contiguous_memory& {
    return fence_page_;
  }

  // --- scheduler class, DISPATCH ---
  /// Takes an item; never fails. When the queue is full its fence joins that of the newest item.
  void submit(const work_item& item, std::uint32_t fence_id) noexcept;
  void preempt(std::uint32_t preemption_fence) noexcept;

  // --- PASSIVE or DISPATCH ---
  /// Reports what is complete and unreported, and gives the newest id.
  [[nodiscard]] auto query_fence() noexcept -> std::uint32_t;
  /// A share token's last holder is gone: tell the host, now or when there is room. While the
  /// device is not ready the release stays pending.
  void send_pending() noexcept;
  /// As above for a context that is no more, behind all of its work. A host that never had any is
  /// not told.
  void end_context(context_id id) noexcept;
  /// Whether nothing is queued or executes.
  [[nodiscard]] auto is_idle() noexcept -> bool;
  [[nodiscard]] auto progress() noexcept -> engine_progress;
  /// Copies the newest descriptors of the ring, oldest first, and says how many.
  [[nodiscard]] auto copy_descriptors(std::span<aerogpu_submit_desc> to) noexcept -> std::uint32_t;
  /// Pushes an empty descriptor without fence and interrupt when the engine is idle and ready:
  /// `tail_after` is what `has_taken` asks for.
  [[nodiscard]] auto push_probe(std::uint32_t& tail_after) noexcept -> bool;
  [[nodiscard]] auto has_taken(std::uint32_t tail_after) noexcept -> bool;

  // --- DPC ---
  void on_dpc() noexcept;

  // --- ISR, or inside `at_dirql` ---
  /// Reads the completed fence and notifies dxgkrnl when it is news; true when it was.
  auto report_completion() noexcept -> bool;

  // --- any IRQL, no lock: what may be torn or old ---
  [[nodiscard]] auto peek() const noexcept -> engine_progress;

  /// Holds the queue lock, which also guards where allocations are.
  class [[nodiscard]] queue_guard {
   public:
    explicit queue_guard(engine& owner) noexcept : held_(owner.lock_) {}

   private:
    lock_scope held_;
  };

  /// As `submit` above, for a caller that holds the queue lock.
  void submit(const queue_guard& held, const work_item& item, std::uint32_t fence_id) noexcept;

 private:
  // All below: queue lock held.
  void program(ring_start how) noexcept;
  void write_fence_page(fence_value completed) noexcept;
  void append(const work_item& item) noexcept;
  /// Moves the queue on as far as ring, completions and the CPU budget allow.
  void pump() noexcept;
  /// Runs the oldest item; true when it left the queue's hands.
  [[nodiscard]] auto run_front(std::uint64_t& budget_bytes) noexcept -> bool;
  [[nodiscard]] auto push(work_item& item) noexcept -> bool;
  [[nodiscard]] auto run_here(work_item& item, std::uint64_t& budget_bytes) noexcept -> bool;
  /// Rings the doorbell when descriptors were pushed since the last time.
  void announce() noexcept;
  /// Whether the device completed all that it was given.
  [[nodiscard]] auto is_device_done() noexcept -> bool;
  /// Sends as many of the pending streams of our own as have room.
  void emit_pending() noexcept;
  void queue_pending() noexcept;
  void queue_internal(const ring_submission& submission) noexcept;
  [[nodiscard]] auto has_pending() noexcept -> bool;
  /// Takes the next pending stream into a slot; false when there is none.
  [[nodiscard]] auto queue_next_pending() noexcept -> bool;
  /// Notes that the host comes to know the context.
  void note_context(context_id id) noexcept;
  /// Queues the slots that the device did not take anew.
  void requeue_internal() noexcept;
  [[nodiscard]] auto read_device_fence() const noexcept -> fence_value;
  [[nodiscard]] auto regs() const noexcept -> const registers&;

  adapter& adapter_;
  os::contiguous_memory ring_memory_;
  os::contiguous_memory fence_page_;
  work_item* items_ = nullptr;

  os::spin_lock lock_;  ///< The queue lock.
  std::optional<ring_producer> ring_;
  span_queue<work_item> queue_;
  internal_slots slots_;
  host_contexts contexts_;
  fence_extender fences_;
  fence_value pushed_{};           ///< The newest fence in the ring.
  fence_value known_done_{};       ///< Complete for sure; `completion_` may know more.
  std::uint32_t first_index_ = 0;  ///< Where the ring's last `start` began.
  std::uint32_t next_index_ = 0;   ///< Where the next one begins.
  bool has_fences_ = false;
  bool is_unannounced_ = false;

  completion completion_;  ///< Interrupt lock.
};

}  // namespace aerogpu::kmd
