// SPDX-License-Identifier: MIT
// The engine at work: items in, descriptors out, completions up.
#include "aerogpu/abi/mmio.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/share/context_end_stream.hpp"
#include "aerogpu/share/release_stream.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/interrupt_lock.hpp"
#include "drivers/win7/kmd/submission/cpu_work.hpp"
#include "drivers/win7/kmd/submission/engine.hpp"

namespace aerogpu::kmd {

namespace {

/// How the ring reaches the device.
struct doorbell {
  const registers& regs;
  void full_barrier() noexcept { os::full_barrier(); }
  void write_doorbell() noexcept { regs.write(AEROGPU_MMIO_REG_DOORBELL, 1); }
};
static_assert(ring_port<doorbell>);

}  // namespace

void engine::submit(const work_item& item, std::uint32_t fence_id) noexcept {
  const queue_guard held{*this};
  submit(held, item, fence_id);
}

void engine::submit(const queue_guard&, const work_item& item, std::uint32_t fence_id) noexcept {
  const fence_value fence = fences_.extend(fence_id);
  if (!has_fences_) {
    // The first id may be any: all before it is complete.
    const auto before = static_cast<fence_value>(raw(fence) == 0 ? 0 : raw(fence) - 1);
    pushed_ = known_done_ = before;
    has_fences_ = at_dirql(adapter_, [&]() noexcept { completion_.settle(before); });
  }
  work_item numbered = item;
  numbered.submission.signal_fence = fence;
  if (item.submission.context != context_id{}) note_context(item.submission.context);
  append(numbered);
  pump();
}

void engine::append(const work_item& item) noexcept {
  if (queue_.size() == queue_.capacity()) pump();  // An interrupt may be late.
  if (queue_.push_back(item)) return;
  queue_.back().submission.signal_fence = item.submission.signal_fence;
  adapter_.counters.queue_overflow.add();
}

void engine::preempt(std::uint32_t preemption_fence) noexcept {
  const queue_guard held{*this};
  const fence_value after = fences_.last();
  static_cast<void>(at_dirql(adapter_, [&]() noexcept {
    completion_.preempt(preemption_fence, after);
    report_completion();
  }));
  pump();
}

auto engine::query_fence() noexcept -> std::uint32_t {
  const queue_guard held{*this};
  pump();  // What a lost interrupt kept from moving.
  std::uint32_t newest = completion_.reported_low();
  static_cast<void>(at_dirql(adapter_, [&]() noexcept {
    report_completion();
    newest = completion_.reported_low();
  }));
  return newest;
}

void engine::send_pending() noexcept {
  const queue_guard held{*this};
  if (adapter_.is_ready) emit_pending();
}

void engine::end_context(context_id id) noexcept {
  const queue_guard held{*this};
  contexts_.end(id);
  if (adapter_.is_ready) emit_pending();
}

void engine::note_context(context_id id) noexcept {
  if (contexts_.add(id)) return;
  if (adapter_.counters.contexts_unknown.get() == 0)
    os::log("aerogpu: too many contexts; the host does not hear of each one's end");
  adapter_.counters.contexts_unknown.add();
}

void engine::on_dpc() noexcept {
  const queue_guard held{*this};
  // Asked under the lock: what waited for it may find the device stopped.
  if (!adapter_.is_ready) return;
  pump();
  emit_pending();
}

auto engine::push_probe(std::uint32_t& tail_after) noexcept -> bool {
  const queue_guard held{*this};
  if (!adapter_.is_ready || !ring_ || !queue_.empty() || !is_device_done()) return false;
  doorbell port{regs()};
  ring_submission probe{};
  probe.flags = AEROGPU_SUBMIT_FLAG_NO_IRQ;
  const auto tail = ring_->push(probe, port);
  if (!tail) return false;
  tail_after = next_index_ = *tail;
  adapter_.counters.internal.add();
  ring_->notify(port);
  return true;
}

auto engine::has_taken(std::uint32_t tail_after) noexcept -> bool {
  const queue_guard held{*this};
  return ring_ && index_reached(ring_->head(), tail_after);
}

auto engine::report_completion() noexcept -> bool {
  if (adapter_.is_ready) completion_.observe_device(read_device_fence());
  return completion_.report(adapter_);
}

void engine::pump() noexcept {
  std::uint64_t budget_bytes = cpu_work_budget_bytes;
  while (!queue_.empty() && run_front(budget_bytes)) queue_.pop_front();
  announce();
}

auto engine::run_front(std::uint64_t& budget_bytes) noexcept -> bool {
  work_item& item = queue_.front();
  if (!is_for_device(item.kind)) return run_here(item, budget_bytes);
  if (adapter_.is_ready && ring_) {
    if (const auto free = ring_->free_slots()) return *free != 0 && push(item);
  }
  if (adapter_.is_ready) adapter_.counters.push_failures.add();
  if (item.kind == work_kind::internal) {
    // A device that sleeps gets it from its slot when it is back: see requeue_internal().
    if (adapter_.is_ready) slots_.sent(ring_ ? ring_->head() : 0);
    return true;
  }
  item.kind = work_kind::abandoned;
  return run_here(item, budget_bytes);
}

auto engine::push(work_item& item) noexcept -> bool {
  const fence_value fence = item.submission.signal_fence;
  const bool is_internal = item.kind == work_kind::internal;
  if (!is_internal) completion_.give_to_device(fence);  // Before the device can complete it.
  doorbell port{regs()};
  const auto tail = ring_->push(item.submission, port);
  if (!tail) return false;  // The ring changed since it was checked: the next run finds out.
  if (is_internal) slots_.sent(*tail);
  if (!is_internal) pushed_ = fence;
  next_index_ = *tail;
  is_unannounced_ = true;
  return true;
}

auto engine::run_here(work_item& item, std::uint64_t& budget_bytes) noexcept -> bool {
  announce();
  if (!is_device_done()) return false;
  if (is_for_processor(item.kind)) {
    if (budget_bytes == 0 || !run_cpu_work(adapter_, item, budget_bytes)) {
      adapter_.queue_dpc();  // To go on, after others had the processor.
      return false;
    }
  }
  const fence_value fence = item.submission.signal_fence;
  const bool is_reported = at_dirql(adapter_, [&]() noexcept {
    completion_.finish(fence);
    report_completion();
  });
  if (!is_reported) {
    adapter_.queue_dpc();  // The item is done, and is asked again.
    return false;
  }
  pushed_ = known_done_ = fence;
  return true;
}

void engine::announce() noexcept {
  if (!is_unannounced_) return;
  is_unannounced_ = false;
  doorbell port{regs()};
  ring_->notify(port);
}

auto engine::is_device_done() noexcept -> bool {
  if (known_done_ >= pushed_) return true;
  static_cast<void>(at_dirql(adapter_, [this]() noexcept {
    report_completion();
    known_done_ = completion_.completed();
  }));
  return known_done_ >= pushed_;
}

void engine::emit_pending() noexcept {
  queue_pending();
  pump();
  if (!ring_ || !has_pending()) return;
  // They interrupt nobody. Where the device was quick, a DPC of our own goes on with the rest.
  slots_.recycle(ring_->head());
  if (queue_.empty() && slots_.has_free()) adapter_.queue_dpc();
}

void engine::queue_pending() noexcept {
  if (!ring_) return;
  slots_.recycle(ring_->head());
  // The last line of the queue is for work with a fence: see append().
  while (queue_.size() + 2 <= queue_.capacity() && slots_.has_free() && queue_next_pending())
    adapter_.counters.internal.add();
}

auto engine::has_pending() noexcept -> bool {
  return contexts_.next_end() != context_id{} || adapter_.tokens.next_release() != share_token{};
}

auto engine::queue_next_pending() noexcept -> bool {
  if (const context_id id = contexts_.next_end(); id != context_id{}) {
    queue_internal(slots_.take(id, bytes_of(make_context_end_stream())));
    contexts_.end_emitted();
    return true;
  }
  const share_token token = adapter_.tokens.next_release();
  if (token == share_token{}) return false;
  queue_internal(slots_.take(context_id{}, bytes_of(make_release_stream(token))));
  adapter_.tokens.emitted(token);
  return true;
}

void engine::queue_internal(const ring_submission& submission) noexcept {
  work_item item{.kind = work_kind::internal, .submission = submission};
  item.submission.signal_fence = fences_.last();
  static_cast<void>(queue_.push_back(item));
}

void engine::requeue_internal() noexcept {
  if (!ring_) return;
  slots_.recycle(ring_->head());
  slots_.send_again();
  for (std::uint32_t i = 0; i < slots_.unsent(); ++i) queue_internal(slots_.unsent_at(i));
}

void engine::finish_work() noexcept {
  const queue_guard held{*this};
  for (; !queue_.empty(); queue_.pop_front()) {
    work_item& item = queue_.front();
    if (item.kind != work_kind::paging) continue;
    // Content and MDLs are VidMm's again once the fence is reported.
    for (bool is_done = false; !is_done;) {
      std::uint64_t budget_bytes = cpu_work_budget_bytes;
      is_done = run_cpu_work(adapter_, item, budget_bytes);
    }
  }
  is_unannounced_ = false;
  const fence_value last = fences_.last();
  pushed_ = known_done_ = last;
  under_interrupt_lock(adapter_, [&]() noexcept {
    completion_.finish(last);
    completion_.report(adapter_);
  });
  requeue_internal();
}

}  // namespace aerogpu::kmd
