// SPDX-License-Identifier: MIT
/// \file The ring's work, entry by entry: fetch, check, hand to the executor, queue the fence.
#pragma once

#include "aerogpu/device/device_state.hpp"
#include "aerogpu/device/scratch_bytes.hpp"
#include "aerogpu/device/submission/capture_queue.hpp"
#include "aerogpu/device/submission/executor.hpp"
#include "aerogpu/device/submission/table_cache.hpp"
#include "aerogpu/device/tick_budget.hpp"
#include "aerogpu/ring/ring_consumer.hpp"
#include "aerogpu/ring/submission_fetch.hpp"
#include "aerogpu/stream/reader.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

/// Who says when a submission has ended.
enum class completion_path : std::uint8_t {
  done,       ///< It has.
  backend,    ///< This device's backend, through `poll`.
  elsewhere,  ///< An external executor, or nobody.
};

/// Whether a doorbell's entries were all taken. When not, the same doorbell is to be tried again.
enum class ring_outcome : std::uint8_t {
  drained,  ///< Or refused; the doorbell is answered.
  blocked,  ///< Queues are full: completions come first.
  paused,   ///< The tick's budget is spent: the next tick is due at once.
};

/// Consumes the ring (host.md 1.10). Buffers persist, so that a submission allocates nothing.
template <device_host Host, device_backend Backend>
class submission_consumer {
 public:
  submission_consumer(device_state<Host>& state, executor<Host, Backend>& exec) noexcept
      : state_(state), executor_(exec), table_(state.ids_key()), captured_(state.bounds()) {}
  submission_consumer(const submission_consumer&) = delete;
  auto operator=(const submission_consumer&) -> submission_consumer& = delete;

  /// Rows 3 to 13 of the doorbell algorithm. Precondition: the ring is enabled and DMA is on.
  [[nodiscard]] auto drain_ring() noexcept -> ring_outcome;

  /// Submissions that wait for an external executor.
  [[nodiscard]] auto captured() noexcept -> capture_queue& { return captured_; }
  [[nodiscard]] auto captured() const noexcept -> const capture_queue& { return captured_; }

 private:
  /// A submission as it was fetched; the bytes are in the scratch buffers.
  struct fetched {
    const aerogpu_submit_desc& desc;
    const_bytes stream;
    const_bytes table;

    [[nodiscard]] auto fence() const noexcept -> fence_value {
      return fence_value{desc.signal_fence};
    }
  };
  /// What is known of it once the executor has it.
  struct taken {
    completion_path completion = completion_path::done;
    bool has_vsync_present = false;
    std::uint32_t packets = 0;
    std::uint32_t unknown_packets = 0;
    error_code why = error_code::none;
    std::uint64_t transfer_bytes = 0;
  };

  [[nodiscard]] auto make_room() noexcept -> bool;
  void take(const ring_entry& entry, tick_budget& budget) noexcept;
  [[nodiscard]] auto fetch(const aerogpu_submit_desc& desc, fetched& out,
                           tick_budget& budget) noexcept -> error_code;
  [[nodiscard]] auto tell_tap(const fetched& work) noexcept -> std::uint64_t;
  [[nodiscard]] auto hand_over(const fetched& work) noexcept -> taken;
  [[nodiscard]] auto run(const fetched& work) noexcept -> taken;
  [[nodiscard]] auto classify(const fetched& work) const noexcept -> taken;
  [[nodiscard]] auto capture(const fetched& work) noexcept -> bool;
  void drop(fence_value fence) noexcept;
  void queue_fence(const fetched& work, const taken& how) noexcept;

  device_state<Host>& state_;
  executor<Host, Backend>& executor_;
  scratch_bytes stream_bytes_;
  scratch_bytes table_bytes_;
  table_cache table_;
  capture_queue captured_;
};

template <device_host Host, device_backend Backend>
auto submission_consumer<Host, Backend>::drain_ring() noexcept -> ring_outcome {
  const auto& registers = state_.registers();
  auto ring = open_ring(state_.memory(), gpa{registers.ring_gpa}, registers.ring_size_bytes);
  if (!ring) {
    state_.record_error(ring.why(), fence_value{});
    return ring_outcome::drained;
  }
  tick_budget budget{state_.bounds()};
  // A clock costs as much as a small submission: one alone does without.
  const std::uint64_t began_ns = ring->remaining() > 1 ? state_.work_clock_ns() : 0;
  for (bool is_first = true; ring->remaining() != 0; is_first = false) {
    if (!is_first) budget.set_elapsed(state_.work_clock_ns() - began_ns);
    if (budget.is_spent()) [[unlikely]]
      return ring_outcome::paused;
    if (!make_room()) [[unlikely]]
      return ring_outcome::blocked;
    const auto entry = ring->fetch();
    if (!entry) [[unlikely]] {
      state_.record_error(entry.why(), fence_value{});
      break;
    }
    take(*entry, budget);
    ring->consume();
  }
  return ring_outcome::drained;
}

/// Room for one submission and its fence; completions that already came in may make it.
template <device_host Host, device_backend Backend>
auto submission_consumer<Host, Backend>::make_room() noexcept -> bool {
  const auto has_room = [&] { return !executor_.is_full() && state_.fences().can_submit(); };
  if (has_room()) [[likely]]
    return true;
  executor_.collect();
  state_.release_fences();
  return has_room();
}

template <device_host Host, device_backend Backend>
void submission_consumer<Host, Backend>::take(const ring_entry& entry,
                                              tick_budget& budget) noexcept {
  budget.spend_descriptor();
  fetched work{entry.desc, {}, {}};
  taken how;
  if (!entry.is_valid()) {
    state_.record_error(entry.why, entry.fence());
    how.why = entry.why.code;
  } else {
    how.why = fetch(entry.desc, work, budget);
  }
  state_.count(&device_statistics::submissions);
  if (how.why == error_code::none) {
    budget.spend_transfers(tell_tap(work));
    how = hand_over(work);
    budget.spend_packets(how.packets);
    budget.spend_transfers(how.transfer_bytes);
    state_.count(&device_statistics::stream_bytes, work.stream.size());
    state_.count(&device_statistics::packets, how.packets);
    state_.count(&device_statistics::unknown_packets, how.unknown_packets);
  } else {
    state_.count(&device_statistics::malformed_submissions);
  }
  queue_fence(work, how);
  state_.remember({0, work.fence(), context_id{entry.desc.context_id}, entry.desc.flags,
                   static_cast<std::uint32_t>(work.stream.size()),
                   static_cast<std::uint32_t>(work.table.size()), how.packets, how.why});
}

/// Copies table and stream. Each failure is recorded with the fence; the last one is returned.
template <device_host Host, device_backend Backend>
auto submission_consumer<Host, Backend>::fetch(const aerogpu_submit_desc& desc, fetched& out,
                                               tick_budget& budget) noexcept -> error_code {
  auto worst = error_code::none;
  const auto record = [&](const error& why) {
    state_.record_error(why, fence_value{desc.signal_fence});
    worst = why.code;
  };
  const auto& bounds = state_.bounds();
  budgeted_storage table_bytes{table_bytes_, budget};
  budgeted_storage stream_bytes{stream_bytes_, budget};
  const auto table =
      fetch_alloc_table(state_.memory(), desc, bounds.alloc_table_bytes, table_bytes);
  if (table) {
    out.table = *table;
    if (const auto parsed = table_.parse(*table); !parsed) [[unlikely]]
      record(parsed.why());
  } else {
    record(table.why());
  }
  const auto stream = fetch_commands(state_.memory(), desc, bounds.stream_bytes, stream_bytes);
  if (!stream) [[unlikely]] {
    record(stream.why());
  } else {
    out.stream = *stream;
  }
  return worst;
}

/// Returns the bytes that the tap looked at.
template <device_host Host, device_backend Backend>
auto submission_consumer<Host, Backend>::tell_tap(const fetched& work) noexcept -> std::uint64_t {
  const submission_tap& tap = state_.tap();
  if (tap.on_submission == nullptr) return 0;
  return tap.on_submission(tap.context, {work.desc, work.stream, work.table, table_.table(),
                                         memory_ref{state_.memory()}});
}

template <device_host Host, device_backend Backend>
auto submission_consumer<Host, Backend>::hand_over(const fetched& work) noexcept -> taken {
  switch (state_.config().executor) {
    case executor_mode::in_process: return run(work);
    case executor_mode::no_op: return classify(work);
    case executor_mode::external_bridge: {
      taken how = classify(work);
      const bool is_captured = !work.stream.empty() && capture(work);
      how.completion = is_captured ? completion_path::elsewhere : completion_path::done;
      return how;
    }
    case executor_mode::hold: break;
  }
  taken how = classify(work);
  how.completion = completion_path::elsewhere;
  return how;
}

template <device_host Host, device_backend Backend>
auto submission_consumer<Host, Backend>::run(const fetched& work) noexcept -> taken {
  const auto report = executor_.execute(work.desc, work.stream, table_.table());
  return {report.is_pending ? completion_path::backend : completion_path::done,
          report.has_vsync_present,
          report.packet_count,
          report.unknown_count,
          report.why.code,
          report.transfer_bytes};
}

/// Walks a stream that somebody else executes, for pacing.
template <device_host Host, device_backend Backend>
auto submission_consumer<Host, Backend>::classify(const fetched& work) const noexcept -> taken {
  const auto stream = parse_stream_header(work.stream);
  if (!stream) return {};  // Empty; a header was checked when it was fetched.
  const auto framed = frame(*stream);
  return {completion_path::done, framed.has_vsync_present, framed.packet_count,
          framed.unknown_count,  error_code::none,         0};
}

/// Queues a copy for the external executor; the oldest make room (host.md 1.13). False when this
/// one itself was dropped.
template <device_host Host, device_backend Backend>
auto submission_consumer<Host, Backend>::capture(const fetched& work) noexcept -> bool {
  const auto payload = std::uint64_t{work.stream.size()} + work.table.size();
  captured_submission item;
  item.flags = work.desc.flags;
  item.context = context_id{work.desc.context_id};
  item.engine = work.desc.engine_id;
  item.fence = work.fence();
  item.generation = state_.generation();
  const auto lose = [&] {
    state_.count(&device_statistics::dropped_submissions);
    state_.record_error(
        make_error(error_code::out_of_memory, "submission exceeds the capture queue", payload,
                   state_.bounds().captured_bytes),
        work.fence());
    return false;
  };
  if (!captured_.could_hold(payload) || !item.assign(work.stream, work.table)) return lose();
  while (!captured_.has_room(payload)) {
    const auto oldest = captured_.pop_front().fence;
    state_.record_error(make_error(error_code::out_of_memory, "capture queue is full", payload,
                                   state_.bounds().captured_submissions),
                        oldest);
    drop(oldest);
  }
  return captured_.push_back(std::move(item)) || lose();
}

template <device_host Host, device_backend Backend>
void submission_consumer<Host, Backend>::drop(fence_value fence) noexcept {
  state_.count(&device_statistics::dropped_submissions);
  state_.finish_fence(fence);
}

/// A malformed submission is finished and never paced (D-08).
template <device_host Host, device_backend Backend>
void submission_consumer<Host, Backend>::queue_fence(const fetched& work,
                                                     const taken& how) noexcept {
  const bool is_paced = how.has_vsync_present && state_.paces_presents();
  const auto ticket =
      state_.submit_fence(work.fence(), is_paced ? fence_kind::vsync_paced : fence_kind::immediate,
                          (work.desc.flags & AEROGPU_SUBMIT_FLAG_NO_IRQ) == 0);
  switch (how.completion) {
    case completion_path::done: return state_.finish_fence(ticket);
    case completion_path::backend: return executor_.await(ticket);
    case completion_path::elsewhere: return;
  }
}

}  // namespace aerogpu
