// SPDX-License-Identifier: MIT
#include "vulkan/commands/submission_queue.hpp"

#include "vulkan/memory/record_list.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace aerogpu::vulkan {

auto submission_queue::open(submission_id id, std::uint64_t first_batch,
                            std::chrono::steady_clock::time_point now) noexcept -> result<void> {
  pending_submission begun;
  begun.id = id;
  begun.first_batch = first_batch;
  if (!waiting_.push_back(std::move(begun))) return no_memory_for_record();
  is_open_ = true;
  open_since_ = now;
  return {};
}

auto submission_queue::add_write_back(const guest_rows& to, read_back_rows&& rows,
                                      std::uint64_t batch_bytes, std::uint64_t most_bytes) noexcept
    -> result<void> {
  if (!is_open_) return make_error(error_code::internal, "no submission is open");
  pending_submission& submission = waiting_.back();
  const std::uint64_t own = sizeof(pending_write_back) + rows.kept.capacity();
  const std::uint64_t held = batch_bytes + write_back_bytes_ + own;
  if (held > most_bytes) {
    return make_error(error_code::out_of_memory, "rows that wait to be written back are too many",
                      held, most_bytes);
  }
  if (!submission.write_backs.push_back({to, std::move(rows)})) return no_memory_for_record();
  submission.held_bytes += own;
  write_back_bytes_ += own;
  return {};
}

void submission_queue::close(submission_end how, std::uint64_t last_batch) noexcept {
  is_open_ = false;
  pending_submission& submission = waiting_.back();
  submission.is_ended = true;
  submission.last_batch = last_batch;
  const bool is_lost = submission.why.code != error_code::none;
  if (how == submission_end::abort || is_lost) drop_write_backs(submission);
  if (how == submission_end::abort) submission.why = {};  // A call of it failed and said so.
}

void submission_queue::drop_newest() noexcept {
  drop_write_backs(waiting_.back());
  waiting_.pop_back();
}

void submission_queue::lose_device(const error& why, std::uint64_t completed) noexcept {
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    pending_submission& submission = waiting_[i];
    const bool is_done = submission.is_ended && submission.last_batch <= completed;
    submission.first_batch = submission.last_batch = 0;  // Nothing of the next device.
    if (is_done) {
      bool is_kept = true;
      for (pending_write_back& rows : submission.write_backs) is_kept &= rows.rows.keep();
      if (is_kept) continue;
      submission.why = make_error(error_code::out_of_memory,
                                  "the host has no memory for rows of a device that was lost");
    } else {
      submission.why = why;
      submission.why.code = error_code::device_lost;
    }
    drop_write_backs(submission);
  }
}

auto submission_queue::done(std::uint64_t completed) noexcept -> pending_submission* {
  if (waiting_.empty()) return nullptr;
  pending_submission& oldest = waiting_.front();
  if (!oldest.is_ended || oldest.last_batch > completed) return nullptr;
  return &oldest;
}

void submission_queue::forget_done() noexcept {
  drop_write_backs(waiting_.front());
  waiting_.pop_front();
}

auto submission_queue::reported(std::uint64_t completed) const noexcept -> std::uint64_t {
  if (waiting_.empty() || waiting_.front().first_batch == 0) return completed;
  return std::min(completed, waiting_.front().first_batch - 1);
}

void submission_queue::clear() noexcept {
  waiting_.clear();
  write_back_bytes_ = 0;
  is_open_ = false;
}

void submission_queue::drop_write_backs(pending_submission& of) noexcept {
  write_back_bytes_ -= std::exchange(of.held_bytes, 0);
  of.write_backs.clear();
}

}  // namespace aerogpu::vulkan
