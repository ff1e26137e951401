// SPDX-License-Identifier: MIT
/// \file A device's fences with their storage, and what of them the guest has not seen.
#pragma once

#include "aerogpu/device/submission/fence_store.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/sync/fence_timeline.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

/// Everything that retires a fence adds to the progress, which `take_progress` hands out once.
class queued_fences {
 public:
  /// Takes storage; false when the heap is exhausted.
  [[nodiscard]] auto reserve(const limits& bounds) noexcept -> bool {
    if (!store_.reserve(bounds)) return false;
    timeline_ = store_.make_timeline();
    return true;
  }

  [[nodiscard]] auto timeline() const noexcept -> const fence_timeline& { return timeline_; }

  [[nodiscard]] auto submit(const fence_request& request) noexcept -> fence_ticket {
    return timeline_.submit(request);
  }
  /// The work behind a ticket, or all of a fence, has ended; `release` retires it.
  void finish(const fence_ticket& ticket) noexcept { timeline_.finish(ticket); }
  void finish(fence_value value) noexcept { timeline_.finish(timeline_.ticket_for(value)); }
  void complete(fence_value value) noexcept { timeline_.complete(value); }
  /// Nobody completes the fences of until now any more.
  void finish_all() noexcept { timeline_.finish_all(); }
  /// A completion that waits for DMA finishes the fence when it is applied, not before.
  void hold(fence_value value) noexcept { timeline_.hold(value); }

  /// Retires what is finished; paced fences only while no vblank will come for them.
  void release(bool is_vblank_running) noexcept {
    progress_.add(is_vblank_running ? timeline_.advance() : timeline_.release_paced());
  }
  void on_vblank_edge(std::uint64_t edge_time_ns) noexcept {
    progress_.add(timeline_.on_vblank_edge(edge_time_ns));
  }

  /// What retired and is not shown to the guest yet; it counts as shown from now on.
  [[nodiscard]] auto take_progress() noexcept -> fence_progress {
    return std::exchange(progress_, fence_progress{});
  }

  /// Everything that was submitted is forgotten.
  void forget() noexcept {
    timeline_.reset();
    progress_ = {};
  }
  /// Takes the fences of a snapshot, which were made in `store`.
  void adopt(fence_store&& store, const fence_timeline& timeline) noexcept {
    store_ = std::move(store);
    timeline_ = timeline;
    progress_ = {};
  }

 private:
  fence_store store_;
  fence_timeline timeline_;  ///< In `store_`.
  fence_progress progress_;
};

}  // namespace aerogpu
