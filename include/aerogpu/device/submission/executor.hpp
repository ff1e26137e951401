// SPDX-License-Identifier: MIT
/// \file Submissions on this device's own backend: run them, and apply what the backend finished.
#pragma once

#include "aerogpu/core/span_queue.hpp"
#include "aerogpu/device/device_backend.hpp"
#include "aerogpu/device/device_state.hpp"
#include "aerogpu/device/presented_image.hpp"
#include "aerogpu/device/submission/deferred_completion.hpp"
#include "aerogpu/device/submission/read_back.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/processor/submission.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

/// A submission that the backend has and did not report.
struct in_flight_submission {
  submission_id id{};
  fence_value fence{};
  fence_ticket ticket{};
  write_back_budget write_backs{};
  bool has_present = false;
  bool has_failed = false;  ///< Counts once, whatever else fails of it.
  bool has_fault = false;   ///< A write-back of it found no guest memory; recorded once.
};

/// The in-process executor of host.md 1.13.
template <device_host Host, device_backend Backend>
class executor {
 public:
  executor(Backend& on, device_state<Host>& state) noexcept
      : state_(state), processor_(on, state.bounds(), state.ids_key()) {}
  executor(const executor&) = delete;
  auto operator=(const executor&) -> executor& = delete;

  /// Takes storage for all submissions that may be in flight.
  [[nodiscard]] auto reserve() noexcept -> result<void> {
    if (!storage_.resize(state_.bounds().pending_submissions)) {
      return make_error(error_code::out_of_memory, "host memory is exhausted",
                        state_.bounds().pending_submissions);
    }
    in_flight_ = span_queue{storage_.view()};
    return {};
  }

  /// Whether another submission would not fit, or what it may write back; then the ring waits.
  [[nodiscard]] auto is_full() const noexcept -> bool {
    return in_flight_.size() == in_flight_.capacity() || !can_write_back(pending_, state_.bounds());
  }
  [[nodiscard]] auto in_flight() const noexcept -> std::size_t { return in_flight_.size(); }

  /// Runs a stream. Records an error of execution with its fence. When the report is pending,
  /// `await` follows with the fence's ticket. Precondition: not full.
  auto execute(const aerogpu_submit_desc& desc, const_bytes stream,
               const alloc_table& table) noexcept -> execution_report;

  /// Says which fence waits for the submission that was executed last.
  void await(const fence_ticket& ticket) noexcept {
    // Member by member: a copy of the ticket would stall on the stores that just made it.
    fence_ticket& to = in_flight_.back().ticket;
    to.fate = ticket.fate;
    to.value = ticket.value;
    to.generation = ticket.generation;
  }

  /// Hears the backend: write-backs, then completions, in order (host.md 1.12). What the finished
  /// presents show is stored in guest memory once, after the write-backs of all of them.
  void collect() noexcept {
    if (!in_flight_.empty()) {
      applying_sink sink{*this};
      processor_.poll(sink);
    }
    store_picture();
  }

  /// The same while DMA is off: everything is kept for later. Precondition: room for to_defer().
  void collect_into(deferred_completions& queue) noexcept {
    deferring_sink sink{*this, queue};
    processor_.poll(sink);
    defer_picture(queue);
  }
  [[nodiscard]] auto to_defer() const noexcept -> std::size_t {
    return in_flight_.size() + (has_picture_to_store_ ? 1 : 0);
  }

  /// What an earlier `collect_into` kept. `collect` comes after the last one.
  void apply(deferred_completion&& done) noexcept;

  /// A flip shows its texture: as a present's, the image is stored where that is asked for.
  void on_flip() noexcept {
    if (state_.config().executor == executor_mode::in_process) note_present(fence_value{});
  }
  [[nodiscard]] auto has_picture_to_store() const noexcept -> bool { return has_picture_to_store_; }
  /// Stores the image if there is one to store and DMA is on.
  void store_picture() noexcept {
    if (!has_picture_to_store_ || !state_.can_dma()) return;
    has_picture_to_store_ = false;
    show_in_guest_memory(last_present_);
  }

  void wait_idle() noexcept { processor_.wait_idle(); }

  /// Drops all objects and all work; nothing of it is reported any more (host.md 1.11).
  void reset() noexcept {
    abandon();
    processor_.reset();
  }
  /// Forgets what is in flight without waiting for it (host.md 1.13).
  void abandon() noexcept {
    in_flight_.clear();
    pending_ = {};
    has_picture_to_store_ = false;
  }

  [[nodiscard]] auto processor() noexcept -> processor_for<Backend>& { return processor_; }
  [[nodiscard]] auto processor() const noexcept -> const processor_for<Backend>& {
    return processor_;
  }

 private:
  /// The oldest submission in flight, if it has this id; others were abandoned.
  [[nodiscard]] auto oldest(submission_id id) noexcept -> in_flight_submission* {
    if (in_flight_.empty() || in_flight_.front().id != id) return nullptr;
    return &in_flight_.front();
  }

  /// Forgets the oldest submission in flight.
  void pop() noexcept {
    pending_.count -= in_flight_.front().write_backs.count;
    pending_.bytes -= in_flight_.front().write_backs.bytes;
    in_flight_.pop_front();
  }

  struct applying_sink {
    executor& self;
    void on_write_back(submission_id id, const guest_rows& to, const_bytes rows) noexcept {
      if (auto* const of = self.oldest(id)) self.write_rows(*of, to, rows);
    }
    void on_complete(submission_id id, const error& why) noexcept {
      if (const auto* const found = self.oldest(id)) {
        in_flight_submission done = *found;
        self.pop();
        self.finish(done, why);
      }
    }
  };

  struct deferring_sink {
    executor& self;
    deferred_completions& queue;
    deferred_completion next{};

    void on_write_back(submission_id id, const guest_rows& to, const_bytes rows) noexcept {
      if (self.oldest(id) == nullptr) return;
      deferred_write_back kept{to, {}};
      if (!kept.rows.resize(rows.size())) return fail();
      copy_bytes(kept.rows.view(), rows);
      if (!next.write_backs.push_back(std::move(kept))) fail();
    }
    void on_complete(submission_id id, const error& why) noexcept {
      const auto* const of = self.oldest(id);
      if (of == nullptr) return;
      next.fence = of->fence;
      next.awaited = of->ticket.value;
      next.has_present = of->has_present;
      if (why.code != error_code::none) next.why = why.code;
      self.pop();
      AEROGPU_CHECK(queue.push_back(std::exchange(next, {})));
    }
    void fail() noexcept { next.why = error_code::out_of_memory; }
  };

  /// Writes rows unless an earlier row of the submission faulted.
  void write_rows(in_flight_submission& of, const guest_rows& to, const_bytes rows) noexcept;
  void fail(in_flight_submission& of, const error& why) noexcept;
  void finish(in_flight_submission& done, const error& why) noexcept;
  /// The next `collect` stores what is presented, where that is asked for.
  void note_present(fence_value fence) noexcept {
    if (state_.config().write_back == present_write_back::off) return;
    has_picture_to_store_ = true;
    last_present_ = fence;
  }
  /// The image of a flip becomes that of a present without a fence. One image is stored for all.
  void defer_picture(deferred_completions& queue) noexcept {
    if (!std::exchange(has_picture_to_store_, false)) return;
    if (!queue.empty() && queue.back().has_present) return;
    deferred_completion shown;
    shown.fence = last_present_;
    shown.has_present = true;
    AEROGPU_CHECK(queue.push_back(std::move(shown)));
  }
  void show_in_guest_memory(fence_value fence) noexcept;

  device_state<Host>& state_;
  processor_for<Backend> processor_;
  heap_array<in_flight_submission> storage_;
  span_queue<in_flight_submission> in_flight_;
  write_back_budget pending_;  ///< Of the submissions in flight.
  rgba8_image image_;
  bool has_picture_to_store_ = false;  ///< Of a present, before its fence is seen; or of a flip.
  fence_value last_present_{};
};

template <device_host Host, device_backend Backend>
auto executor<Host, Backend>::execute(const aerogpu_submit_desc& desc, const_bytes stream,
                                      const alloc_table& table) noexcept -> execution_report {
  const context_id context{desc.context_id};
  const fence_value fence{desc.signal_fence};
  const auto* const present_table = table.is_present() ? &table : nullptr;
  const auto report = processor_.execute({context, fence, stream, present_table}, state_.memory());
  const auto& presents = processor_.presents();
  for (std::size_t i = 0; i < presents.size(); ++i) {
    detail::tell_present(state_.host(), {context, fence, presents[i]});
  }
  state_.count(&device_statistics::presents, presents.size());
  in_flight_submission begun{.id = report.id, .fence = fence, .write_backs = report.write_backs};
  if (report.why.code != error_code::none) [[unlikely]]
    fail(begun, report.why);
  const bool has_present = presents.size() != 0 || (desc.flags & AEROGPU_SUBMIT_FLAG_PRESENT) != 0;
  if (!report.is_pending) {
    if (has_present) note_present(fence);  // An empty stream may be flagged, too.
  } else {
    begun.has_present = has_present;
    AEROGPU_CHECK(in_flight_.push_back(begun));
    pending_.count += report.write_backs.count;
    pending_.bytes += report.write_backs.bytes;
  }
  return report;
}

template <device_host Host, device_backend Backend>
void executor<Host, Backend>::write_rows(in_flight_submission& of, const guest_rows& to,
                                         const_bytes rows) noexcept {
  if (of.has_fault) return;
  state_.count(&device_statistics::write_back_bytes, rows.size());
  if (store_rows(state_.memory(), to, rows)) return;
  of.has_fault = true;
  fail(of, make_error(error_code::guest_memory_fault, "write-back is not in guest memory",
                      raw(to.first_row)));
}

template <device_host Host, device_backend Backend>
void executor<Host, Backend>::fail(in_flight_submission& of, const error& why) noexcept {
  if (!std::exchange(of.has_failed, true)) state_.count(&device_statistics::failed_submissions);
  state_.record_error(why, of.fence);
}

template <device_host Host, device_backend Backend>
void executor<Host, Backend>::finish(in_flight_submission& done, const error& why) noexcept {
  if (why.code != error_code::none) [[unlikely]]
    fail(done, why);
  if (done.has_present) note_present(done.fence);
  state_.finish_fence(done.ticket);
}

template <device_host Host, device_backend Backend>
void executor<Host, Backend>::apply(deferred_completion&& done) noexcept {
  const auto ticket = state_.fences().ticket_for(done.awaited);
  in_flight_submission of{.fence = done.fence, .ticket = ticket, .has_present = done.has_present};
  while (!done.write_backs.empty()) {
    const auto rows = done.write_backs.pop_front();
    write_rows(of, rows.to, rows.rows.view());
  }
  const bool is_good = done.why == error_code::none;
  finish(of, is_good ? error{} : make_error(done.why, "submission failed while DMA was off"));
}

/// The second way of D-11: what the backend shows goes into the guest's frame buffer, before the
/// fence. Nothing to show, or nowhere to show it, is no error.
template <device_host Host, device_backend Backend>
void executor<Host, Backend>::show_in_guest_memory(fence_value fence) noexcept {
  const auto limit = state_.bounds().scanout_read_back_bytes;
  const auto& scanout = state_.registers().scanout;
  const auto* const format = shown_scanout_format(scanout);
  if (format == nullptr || !has_presented_image(processor_)) return;
  const auto read = read_presented_image(processor_, limit, image_);
  if (!read) return state_.record_error(read.why(), fence);
  const auto surface = state_.shown_surface(processor_.scanout().is_flip_waiting());
  const auto written = write_surface(state_.memory(), surface, *format, limit, image_);
  if (!written) state_.record_error(written.why(), fence);
}

}  // namespace aerogpu
