// SPDX-License-Identifier: MIT
/// \file The host's fences in flight: what completes, in which order, and when the guest hears.
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/core/span_queue.hpp"
#include "aerogpu/sync/early_completions.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

enum class fence_kind : std::uint8_t {
  immediate,    ///< Retires when its work is done.
  vsync_paced,  ///< Retires at a vblank edge after that (host.md 1.14).
};

/// One fence that the guest waits for. Also its form in a snapshot.
struct pending_fence {
  fence_value value{};
  std::uint64_t consumed_at_ns = 0;  ///< When its last paced submission was taken; else 0.
  std::uint32_t unfinished = 0;      ///< Submissions that still execute.
  fence_kind kind = fence_kind::immediate;
  bool wants_irq = false;

  friend constexpr auto operator==(const pending_fence&, const pending_fence&) -> bool = default;
};

/// What a submission asks for.
struct fence_request {
  fence_value value{};  ///< 0 = nothing to signal.
  fence_kind kind = fence_kind::immediate;
  bool wants_irq = true;
  std::uint64_t consumed_at_ns = 0;  ///< Device time; matters for paced submissions.
};

/// What became of a request (host.md 1.12).
enum class fence_fate : std::uint8_t {
  unsignalled,  ///< Value 0.
  queued,       ///< A new entry.
  merged,       ///< Joined the newest entry, which has the same value.
  stale,        ///< Completed already, or below the newest: changes no fence.
  refused,      ///< The queue is full; nothing changed.
};

/// Names one submission's share in a fence, for `finish`. Worthless after a reset.
struct fence_ticket {
  fence_fate fate = fence_fate::unsignalled;
  fence_value value{};  ///< 0 when no fence waits for the submission's end.
  std::uint32_t generation = 0;
};

/// What a step made visible. The device publishes `completed` first and raises the cause after.
struct fence_progress {
  fence_value completed{};
  bool has_advanced = false;
  bool wants_irq = false;  ///< A retired entry asked for the FENCE cause.

  /// Joins the next step to this one.
  constexpr void add(const fence_progress& later) noexcept {
    completed = later.completed;
    has_advanced |= later.has_advanced;
    wants_irq |= later.wants_irq;
  }
};

/// Fences retire in queue order, each once all submissions that share it are finished, paced ones
/// no more than one for each vblank edge. `completed` never falls, except by `reset`. Submitting
/// and finishing retire nothing: `advance`, `on_vblank_edge` and `release_paced` do, so that all
/// submissions of one doorbell can merge first. A device ends submissions either one by one with
/// `finish`, or by value with `complete`. Storage is the caller's and outlives this.
class fence_timeline {
 public:
  fence_timeline() noexcept = default;

  /// Holds as many pending fences and early completions as the spans have room for.
  fence_timeline(std::span<pending_fence> pending, std::span<fence_value> early) noexcept
      : pending_(pending), early_(early) {}

  [[nodiscard]] auto completed() const noexcept -> fence_value { return completed_; }

  /// Whether any request can be taken; when not, the ring waits.
  [[nodiscard]] auto can_submit() const noexcept -> bool {
    return pending_.size() < pending_.capacity();
  }

  /// Enters a submission. It counts as unfinished unless its completion came early.
  [[nodiscard]] auto submit(const fence_request& request) noexcept -> fence_ticket;

  /// One submission has ended. Ignored for tickets of before a reset or of finished fences.
  void finish(const fence_ticket& ticket) noexcept {
    if (ticket.generation != generation_) return;
    pending_fence* entry = find(ticket.value);
    if (entry != nullptr && entry->unfinished != 0) --entry->unfinished;
  }

  /// An executor reports a fence: all submissions that share it so far have ended. Of a fence that
  /// is not submitted yet it is remembered, the oldest such report being dropped for room; it
  /// never bypasses pacing. Ignored when the fence completed already.
  void complete(fence_value value) noexcept {
    if (pending_fence* entry = find(value); entry != nullptr) {
      entry->unfinished = 0;
    } else if (value > last_queued()) {
      early_.remember(value);
    }
  }

  /// Nobody can end what executes any more: it counts as finished (host.md 1.13). Tickets of
  /// before are worthless then.
  void finish_all() noexcept {
    for (std::size_t i = 0; i < pending_.size(); ++i) pending_[i].unfinished = 0;
    ++generation_;
  }

  /// One more submission of a pending fence has not ended; `ticket_for` gives what ends it.
  void hold(fence_value value) noexcept {
    pending_fence* entry = find(value);
    if (entry != nullptr && entry->unfinished != UINT32_MAX) ++entry->unfinished;
  }

  /// Retires the finished fences at the front, up to a paced one.
  [[nodiscard]] auto advance() noexcept -> fence_progress {
    fence_progress progress{completed_};
    retire_immediate(progress);
    return progress;
  }

  /// A vblank edge of that nominal time: retires one paced fence that was consumed before the edge
  /// and is finished, with the finished immediate ones around it.
  [[nodiscard]] auto on_vblank_edge(std::uint64_t edge_time_ns) noexcept -> fence_progress {
    fence_progress progress{completed_};
    retire_immediate(progress);
    if (pending_.empty() || pending_.front().unfinished != 0) return progress;
    if (edge_time_ns <= pending_.front().consumed_at_ns) return progress;
    retire_front(progress);
    retire_immediate(progress);
    return progress;
  }

  /// Vblank does not run: retires the finished fences at the front, paced or not.
  [[nodiscard]] auto release_paced() noexcept -> fence_progress {
    fence_progress progress{completed_};
    while (!pending_.empty() && pending_.front().unfinished == 0) retire_front(progress);
    return progress;
  }

  /// Whether `advance` would retire a fence or, where no vblank runs, `release_paced`.
  [[nodiscard]] auto can_retire(bool is_vblank_running) const noexcept -> bool {
    if (pending_.empty() || pending_[0].unfinished != 0) return false;
    return !is_vblank_running || pending_[0].kind == fence_kind::immediate;
  }

  /// Forgets everything; the completed fence is 0 again.
  void reset() noexcept {
    pending_.clear();
    early_.clear();
    completed_ = {};
    ++generation_;
  }

  // Snapshots (host.md 1.17)

  [[nodiscard]] auto pending_count() const noexcept -> std::size_t { return pending_.size(); }
  /// Oldest first. Precondition: i < pending_count().
  [[nodiscard]] auto pending(std::size_t i) const noexcept -> const pending_fence& {
    return pending_[i];
  }
  [[nodiscard]] auto early_count() const noexcept -> std::size_t { return early_.size(); }
  /// Oldest first. Precondition: i < early_count().
  [[nodiscard]] auto early(std::size_t i) const noexcept -> fence_value { return early_[i]; }

  /// A ticket for one unfinished submission of a restored fence.
  [[nodiscard]] auto ticket_for(fence_value value) const noexcept -> fence_ticket {
    const bool is_pending = const_cast<fence_timeline*>(this)->find(value) != nullptr;
    return is_pending ? fence_ticket{fence_fate::queued, value, generation_} : fence_ticket{};
  }

  /// Replaces the state by one that a snapshot holds. Errors, with nothing changed: out_of_memory
  /// when it exceeds the storage; corrupt when a kind is unknown, or values do not rise.
  [[nodiscard]] auto restore(fence_value completed, std::span<const pending_fence> pending,
                             std::span<const fence_value> early) noexcept -> result<void>;

 private:
  [[nodiscard]] auto last_queued() const noexcept -> fence_value {
    return pending_.empty() ? completed_ : pending_[pending_.size() - 1].value;
  }

  /// The pending fence of that value, or null. Submissions mostly end in order, so the fence that
  /// is expected next comes before a search.
  [[nodiscard]] auto find(fence_value value) noexcept -> pending_fence* {
    const bool is_expected = expected_ < pending_.size() && pending_[expected_].value == value;
    const std::size_t at = is_expected ? expected_ : lower_bound(value);
    if (at == pending_.size() || pending_[at].value != value) return nullptr;
    expected_ = pending_[at].unfinished > 1 ? at : at + 1;
    return &pending_[at];
  }

  /// The place of the first pending fence that is not below `value`. Values rise through the queue.
  [[nodiscard]] auto lower_bound(fence_value value) const noexcept -> std::size_t {
    std::size_t first = 0;
    std::size_t count = pending_.size();
    while (count != 0) {
      const std::size_t half = count / 2;
      const bool is_above = pending_[first + half].value < value;
      first = is_above ? first + half + 1 : first;
      count = is_above ? count - half - 1 : half;
    }
    return first;
  }

  void retire_front(fence_progress& progress) noexcept {
    const pending_fence& front = pending_.front();
    completed_ = progress.completed = front.value;
    progress.has_advanced = true;
    progress.wants_irq |= front.wants_irq;
    pending_.pop_front();
    if (expected_ != 0) --expected_;
  }

  void retire_immediate(fence_progress& progress) noexcept {
    while (!pending_.empty() && pending_.front().unfinished == 0 &&
           pending_.front().kind == fence_kind::immediate) {
      retire_front(progress);
    }
  }

  [[nodiscard]] auto merge(pending_fence& entry, const fence_request& request) noexcept
      -> fence_ticket;
  [[nodiscard]] auto check_restorable(fence_value completed, std::span<const pending_fence> pending,
                                      std::span<const fence_value> early) const noexcept
      -> result<void>;

  span_queue<pending_fence> pending_;  ///< Values rise.
  early_completions early_;            ///< All above last_queued().
  fence_value completed_{};
  std::size_t expected_ = 0;  ///< A guess of what ends next; any value is valid.
  std::uint32_t generation_ = 1;
};

inline auto fence_timeline::submit(const fence_request& request) noexcept -> fence_ticket {
  if (request.value == fence_value{}) return {};
  const bool is_newest = !pending_.empty() && last_queued() == request.value;
  if (is_newest) return merge(pending_.back(), request);
  if (request.value <= last_queued()) return {fence_fate::stale, {}, generation_};
  if (!can_submit()) return {fence_fate::refused, {}, generation_};
  const bool is_paced = request.kind == fence_kind::vsync_paced;
  const bool is_finished = early_.take(request.value);
  const pending_fence entry{.value = request.value,
                            .consumed_at_ns = is_paced ? request.consumed_at_ns : 0,
                            .unfinished = is_finished ? 0u : 1u,
                            .kind = request.kind,
                            .wants_irq = request.wants_irq};
  AEROGPU_CHECK(pending_.push_back(entry));
  return {fence_fate::queued, is_finished ? fence_value{} : request.value, generation_};
}

inline auto fence_timeline::merge(pending_fence& entry, const fence_request& request) noexcept
    -> fence_ticket {
  if (entry.unfinished == UINT32_MAX) return {fence_fate::refused, {}, generation_};
  ++entry.unfinished;
  entry.wants_irq |= request.wants_irq;
  if (request.kind == fence_kind::vsync_paced) {
    entry.kind = fence_kind::vsync_paced;
    if (entry.consumed_at_ns < request.consumed_at_ns) {
      entry.consumed_at_ns = request.consumed_at_ns;
    }
  }
  return {fence_fate::merged, request.value, generation_};
}

inline auto fence_timeline::check_restorable(fence_value completed,
                                             std::span<const pending_fence> pending,
                                             std::span<const fence_value> early) const noexcept
    -> result<void> {
  if (pending.size() > pending_.capacity()) {
    return make_error(error_code::out_of_memory, "snapshot has too many pending fences",
                      pending.size(), pending_.capacity());
  }
  if (early.size() > early_.capacity()) {
    return make_error(error_code::out_of_memory, "snapshot has too many early completions",
                      early.size(), early_.capacity());
  }
  fence_value last = completed;
  for (const pending_fence& entry : pending) {
    if (entry.kind > fence_kind::vsync_paced) {
      return make_error(error_code::corrupt, "snapshot has an unknown fence kind",
                        static_cast<std::uint64_t>(entry.kind));
    }
    if (entry.value <= last) {
      return make_error(error_code::corrupt, "pending fences of a snapshot do not rise",
                        raw(entry.value), raw(last));
    }
    last = entry.value;
  }
  for (const fence_value value : early) {
    if (value <= last) {
      return make_error(error_code::corrupt, "early completion of a snapshot is of a known fence",
                        raw(value), raw(last));
    }
  }
  return {};
}

inline auto fence_timeline::restore(fence_value completed, std::span<const pending_fence> pending,
                                    std::span<const fence_value> early) noexcept -> result<void> {
  if (const auto good = check_restorable(completed, pending, early); !good) return good.why();
  reset();
  completed_ = completed;
  for (const pending_fence& entry : pending) AEROGPU_CHECK(pending_.push_back(entry));
  early_.restore(early);
  return {};
}

}  // namespace aerogpu
