// SPDX-License-Identifier: MIT
/// \file Completions that may not be applied yet, because DMA is off.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/hosted/heap_queue.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/memory/guest_memory.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

/// Stores the rows of a write-back; false when guest memory is missing.
template <guest_memory Memory>
[[nodiscard]] auto store_rows(Memory& memory, const guest_rows& to, const_bytes rows) noexcept
    -> bool {
  if (to.pitch_bytes == to.row_size_bytes || to.row_count == 1) {
    return memory.write(to.first_row, rows);
  }
  const auto row_size = static_cast<std::size_t>(to.row_size_bytes);
  for (std::uint32_t y = 0; y < to.row_count; ++y) {
    const auto at = advance(to.first_row, y * to.pitch_bytes);
    if (!memory.write(at, rows.subspan(y * row_size, row_size))) return false;
  }
  return true;
}

/// Rows that wait for DMA.
struct deferred_write_back {
  guest_rows to{};
  heap_array<std::byte> rows;
};

/// A finished submission whose effects on the guest wait (host.md 1.4, 1.17).
struct deferred_completion {
  fence_value fence{};    ///< Of the submission, for an error.
  fence_value awaited{};  ///< The fence that waits for it; 0 when none does.
  error_code why = error_code::none;
  bool is_external = false;  ///< Reported through `complete`; may come before its submission.
  bool has_present = false;
  heap_queue<deferred_write_back> write_backs{UINT32_MAX};
};

using deferred_completions = heap_queue<deferred_completion>;

/// How many may wait: reports of an executor for each fence, and all that the backend has.
[[nodiscard]] constexpr auto most_deferred(const limits& bounds) noexcept -> std::uint64_t {
  return std::uint64_t{bounds.pending_fences} + bounds.pending_submissions;
}

}  // namespace aerogpu
