// SPDX-License-Identifier: MIT
/// \file Submissions from the processor's point of view: open, ended, done, reported.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/heap_queue.hpp"
#include "vulkan/resources/texture_transfer.hpp"

#include <chrono>
#include <cstdint>

namespace aerogpu::vulkan {

/// Rows that wait for their batch.
struct pending_write_back {
  guest_rows to{};
  read_back_rows rows;
};

struct pending_submission {
  submission_id id{};
  std::uint64_t first_batch = 0;  ///< From here on, memory of batches is still needed.
  std::uint64_t last_batch = 0;   ///< Done when this batch is.
  bool is_ended = false;
  error why;
  heap_array<pending_write_back> write_backs;
  std::uint64_t held_bytes = 0;  ///< Of the write-backs, beside memory of batches.
};

/// What was begun and not reported, oldest first; only the newest may be open. Batches are those of
/// one device: who loses it tells the queue, and the next one may count from one again.
class submission_queue {
 public:
  [[nodiscard]] auto is_open() const noexcept -> bool { return is_open_; }
  /// Those that are ended.
  [[nodiscard]] auto ended() const noexcept -> std::uint64_t {
    return waiting_.size() - (is_open_ ? 1 : 0);
  }

  /// Opens a submission whose commands go into the batches from `first_batch` on. Precondition:
  /// none is open. Errors: out_of_memory.
  [[nodiscard]] auto open(submission_id id, std::uint64_t first_batch,
                          std::chrono::steady_clock::time_point now) noexcept -> result<void>;
  /// Precondition: one is open.
  [[nodiscard]] auto open_since() const noexcept -> std::chrono::steady_clock::time_point {
    return open_since_;
  }
  /// Whether the open one began on a device that was lost. Precondition: one is open.
  [[nodiscard]] auto is_open_one_lost() const noexcept -> bool {
    return waiting_.back().why.code != error_code::none;
  }
  /// Keeps rows for the guest until the open submission is reported. All such rows may take
  /// `most_bytes`, with the `batch_bytes` that they have of batches. Errors: internal when none is
  /// open, out_of_memory.
  [[nodiscard]] auto add_write_back(const guest_rows& to, read_back_rows&& rows,
                                    std::uint64_t batch_bytes, std::uint64_t most_bytes) noexcept
      -> result<void>;
  /// Ends the open one, which is done with `last_batch`; 0 = at once. One that is aborted, or began
  /// on a device that was lost, keeps no rows. Precondition: one is open.
  void close(submission_end how, std::uint64_t last_batch) noexcept;
  /// Forgets the newest one, which is ended.
  void drop_newest() noexcept;

  /// The device is lost, which did the batches up to `completed`. What is done by then keeps its
  /// rows; the others failed because of `why`.
  void lose_device(const error& why, std::uint64_t completed) noexcept;

  /// The oldest one if it is done, or null.
  [[nodiscard]] auto done(std::uint64_t completed) noexcept -> pending_submission*;
  /// Precondition: `done` gives one.
  void forget_done() noexcept;
  /// The last of the batches up to `completed` whose rows are all reported.
  [[nodiscard]] auto reported(std::uint64_t completed) const noexcept -> std::uint64_t;

  void clear() noexcept;

 private:
  void drop_write_backs(pending_submission& of) noexcept;

  heap_queue<pending_submission> waiting_{UINT64_MAX};
  std::uint64_t write_back_bytes_ = 0;  ///< The sum of `held_bytes`.
  bool is_open_ = false;
  std::chrono::steady_clock::time_point open_since_;
};

}  // namespace aerogpu::vulkan
