// SPDX-License-Identifier: MIT
/// \file Finds the blob that a submission names.
#pragma once

#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/trace/detail/growing_array.hpp"
#include "aerogpu/trace/reader.hpp"
#include "aerogpu/trace/records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace aerogpu {

/// All blobs of a trace, sorted by id: a lookup is a binary search, whatever ids a hostile file
/// chose. When an id occurs more than once, the last one ahead of the submission counts.
class trace_blob_index {
 public:
  /// Walks the whole trace, and so checks the frame of every record. `out_of_memory` when the host
  /// cannot hold 40 bytes for each blob, or there are more than `most_blobs`: a blob takes 24 bytes
  /// of a file, and next to nothing of a compressed one.
  [[nodiscard]] static auto create(const trace_reader& trace,
                                   std::size_t most_blobs = SIZE_MAX) noexcept
      -> result<trace_blob_index> {
    trace_blob_index index;
    for (trace_cursor records = trace.records(); !records.done();) {
      auto record = records.next();
      if (!record) return record.why();
      if (record->kind != trace_record_kind::blob) continue;
      auto blob = parse_blob(*record);
      if (!blob) return blob.why();
      if (index.blobs_.size() >= most_blobs) {
        return error{error_code::out_of_memory,
                     0,
                     record->offset,
                     index.blobs_.size() + 1,
                     most_blobs,
                     "the trace has more blobs than its reader holds"};
      }
      if (!index.blobs_.push_back(*blob)) {
        return make_error(error_code::out_of_memory, "blob index does not fit in memory",
                          index.blobs_.size());
      }
    }
    const std::span<trace_blob> found = index.blobs_.view();
    std::sort(found.begin(), found.end(), comes_first);
    return index;
  }

  /// The blob `id` as it stood when the record at `offset` was written; its kind must be `kind`.
  [[nodiscard]] auto find(trace_blob_id id, trace_blob_kind kind,
                          std::uint64_t offset) const noexcept -> result<trace_blob> {
    const trace_blob wanted{id, kind, offset, {}};
    const std::span<const trace_blob> all = blobs();
    const auto after = std::upper_bound(all.begin(), all.end(), wanted, comes_first);
    if (after == all.begin() || after[-1].id != id) {
      return trace_error(offset, "blob is not defined ahead of the record that names it", raw(id));
    }
    if (after[-1].kind != kind) {
      return trace_error(offset, "blob is of another kind than the field that names it",
                         static_cast<std::uint32_t>(after[-1].kind),
                         static_cast<std::uint32_t>(kind));
    }
    return after[-1];
  }

  [[nodiscard]] auto blobs() const noexcept -> std::span<const trace_blob> { return blobs_.view(); }

 private:
  static auto comes_first(const trace_blob& a, const trace_blob& b) noexcept -> bool {
    return std::pair{raw(a.id), a.offset} < std::pair{raw(b.id), b.offset};
  }

  detail::growing_array<trace_blob> blobs_;
};

}  // namespace aerogpu
