// SPDX-License-Identifier: MIT
/// \file Submissions of the null backend: write-backs captured, completion now or when released.
#pragma once

#include "aerogpu/backend/backend.hpp"
#include "null/null_bytes.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

/// When an ended submission may be reported.
enum class null_completion : std::uint8_t {
  immediate,  ///< By the next `poll`.
  held,       ///< Only after `release`, so that a test decides the moment.
};

/// The submissions that began and were not reported yet, oldest first.
class null_submissions {
 public:
  /// Errors: out_of_memory; internal when a submission is open.
  [[nodiscard]] auto begin(const submission_info& info) noexcept -> result<void> {
    if (is_open_) return make_error(error_code::internal, "a submission is already open");
    submission begun;
    begun.id = info.id;
    if (!submissions_.push_back(std::move(begun))) return exhausted();
    is_open_ = true;
    return {};
  }

  /// Keeps `rows` for the guest until the open submission is reported.
  /// Errors: out_of_memory; internal when no submission is open.
  [[nodiscard]] auto add_write_back(const guest_rows& to, null_bytes rows) noexcept
      -> result<void> {
    if (!is_open_) return not_open();
    if (!submissions_.back().write_backs.push_back({to, std::move(rows)})) return exhausted();
    return {};
  }

  /// Errors: internal when no submission is open.
  [[nodiscard]] auto end(submission_end end) noexcept -> result<void> {
    if (!is_open_) return not_open();
    is_open_ = false;
    if (end == submission_end::abort) submissions_.back().write_backs.clear();
    ++ended_;
    if (mode_ == null_completion::immediate) releasable_ = ended_;
    return {};
  }

  /// Lets the next `count` ended or future submissions be reported.
  void release(std::uint64_t count) noexcept { releasable_ += count; }
  void release_ended() noexcept {
    if (releasable_ < ended_) releasable_ = ended_;
  }

  void set_mode(null_completion mode) noexcept {
    mode_ = mode;
    if (mode == null_completion::immediate) release_ended();
  }

  /// Ended submissions that were not reported.
  [[nodiscard]] auto pending() const noexcept -> std::uint64_t { return ended_; }

  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    while (ended_ != 0 && releasable_ != 0) {
      submission done = submissions_.take_front();
      --ended_;
      --releasable_;
      while (!done.write_backs.empty()) {
        const write_back next = done.write_backs.take_front();
        sink.on_write_back(done.id, next.to, next.rows.view());
      }
      sink.on_complete(done.id, error{});
    }
  }

  /// Forgets all of them; none is reported.
  void reset() noexcept {
    submissions_.clear();
    ended_ = releasable_ = 0;
    is_open_ = false;
  }

 private:
  struct write_back {
    guest_rows to;
    null_bytes rows;
  };
  struct submission {
    submission_id id{};
    null_queue<write_back> write_backs;
  };

  [[nodiscard]] static auto exhausted() noexcept -> error {
    return make_error(error_code::out_of_memory, "host memory is exhausted");
  }
  [[nodiscard]] static auto not_open() noexcept -> error {
    return make_error(error_code::internal, "no submission is open");
  }

  null_queue<submission> submissions_;
  std::uint64_t ended_ = 0;
  std::uint64_t releasable_ = 0;
  null_completion mode_ = null_completion::immediate;
  bool is_open_ = false;
};

}  // namespace aerogpu
