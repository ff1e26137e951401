// SPDX-License-Identifier: MIT
/// \file Heap storage for a fence timeline.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/sync/fence_timeline.hpp"

namespace aerogpu {

/// What a `fence_timeline` is made on. Movable: the timeline stays good.
class fence_store {
 public:
  /// Takes room for all that the limits allow, which nobody touches before it is used; false when
  /// the heap is exhausted.
  [[nodiscard]] auto reserve(const limits& bounds) noexcept -> bool {
    return pending_.resize_for_overwrite(bounds.pending_fences) &&
           early_.resize_for_overwrite(bounds.early_completions);
  }
  /// An empty timeline; one at a time.
  [[nodiscard]] auto make_timeline() noexcept -> fence_timeline {
    return fence_timeline{pending_.view(), early_.view()};
  }

 private:
  heap_array<pending_fence> pending_;
  heap_array<fence_value> early_;
};

}  // namespace aerogpu
