// SPDX-License-Identifier: MIT
/// \file The host's side of a submission's allocation table: check it, then resolve ids.
#pragma once

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/core/span_map.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

/// Guest memory that an allocation id names during one submission. Does not wrap.
struct alloc_range {
  gpa first;
  std::uint64_t size_bytes;  ///< Never 0.
  bool is_read_only;         ///< The host must not write it.
};

/// Checks a header that was copied out of guest memory, against the descriptor's size and the
/// host's limit (host.md 1.10). Errors: cmd_decode; out_of_bounds when the entries exceed the
/// table. What passes tells how many bytes to copy for `alloc_table::parse`.
[[nodiscard]] constexpr auto check_alloc_table_header(const aerogpu_alloc_table_header& header,
                                                      std::uint64_t capacity_bytes,
                                                      std::uint32_t limit_bytes) noexcept
    -> result<void> {
  constexpr std::uint32_t header_bytes = sizeof header;
  const auto malformed = [](const char* what, std::uint64_t detail, std::uint64_t limit = 0) {
    return make_error(error_code::cmd_decode, what, detail, limit);
  };
  if (header.magic != AEROGPU_ALLOC_TABLE_MAGIC) {
    return malformed("allocation table magic is wrong", header.magic, AEROGPU_ALLOC_TABLE_MAGIC);
  }
  if (header.abi_version >> 16 != AEROGPU_ABI_MAJOR) {
    return malformed("allocation table is of another major version", header.abi_version >> 16,
                     AEROGPU_ABI_MAJOR);
  }
  if (header.size_bytes < header_bytes) {
    return malformed("size_bytes is less than the table header", header.size_bytes, header_bytes);
  }
  if (header.size_bytes > capacity_bytes) {
    return malformed("size_bytes exceeds the descriptor's", header.size_bytes, capacity_bytes);
  }
  if (header.size_bytes > limit_bytes) {
    return malformed("size_bytes exceeds the host's limit", header.size_bytes, limit_bytes);
  }
  if (header.entry_stride_bytes < sizeof(aerogpu_alloc_entry)) {
    return malformed("entry_stride_bytes is less than an entry", header.entry_stride_bytes,
                     sizeof(aerogpu_alloc_entry));
  }
  const std::uint64_t entries_bytes =
      std::uint64_t{header.entry_count} * header.entry_stride_bytes;  // 32 bits times 32 bits
  if (entries_bytes > header.size_bytes - header_bytes) {
    return make_error(error_code::out_of_bounds, "entries exceed the table's size_bytes",
                      entries_bytes, header.size_bytes - header_bytes);
  }
  return {};
}

/// The ids that one submission may use. Storage is the caller's, persists between submissions,
/// and is never cleared: `clear` and `parse` forget in O(1).
class alloc_table {
 public:
  using map = span_map<alloc_id, alloc_range>;
  using slot = map::slot;

  alloc_table() noexcept = default;

  /// Takes zeroed storage of a power of two slots. A host's `key` is one that its guest cannot
  /// know.
  explicit alloc_table(std::span<slot> storage, hash_key key = {}) noexcept
      : entries_(storage, key) {}

  /// Slots that hold `entry_count` entries. A caller that grows its storage asks this first.
  [[nodiscard]] static constexpr auto slots_for(std::uint32_t entry_count) noexcept
      -> std::uint64_t {
    if (entry_count == 0) return 0;
    return std::bit_ceil(std::uint64_t{entry_count} + divide_up(entry_count, 3));
  }

  /// Replaces the content by a table whose bytes were copied out of guest memory; bytes past its
  /// own size_bytes are not looked at. On failure the table is absent.
  /// Errors in wire.md 6.2's order: cmd_decode and out_of_bounds as in host.md 1.10, `offset` the
  /// entry's; out_of_memory when the storage has too few slots, or when the ids meet in one place
  /// under several keys, which takes a guest that knows them: at most 80 steps for each entry.
  [[nodiscard]] auto parse(const_bytes table) noexcept -> result<void> {
    clear();
    if (table.size() < sizeof(aerogpu_alloc_table_header)) {
      return make_error(error_code::cmd_decode, "allocation table is shorter than its header",
                        table.size(), sizeof(aerogpu_alloc_table_header));
    }
    const auto header = load<aerogpu_alloc_table_header>(table.data());
    if (const auto good = check_alloc_table_header(header, table.size(), UINT32_MAX); !good) {
      return good.why();
    }
    if (!entries_.has_room_for(header.entry_count)) {
      return make_error(error_code::out_of_memory, "allocation table has too many entries",
                        header.entry_count, entries_.capacity());
    }
    for (int attempt = 0; attempt < parse_attempts; ++attempt) {
      if (attempt != 0) entries_.restart(entries_.key().next());
      const auto entered = enter(table.data(), header);
      if (!entered || *entered) return entered.why();
    }
    clear();
    return make_error(error_code::out_of_memory, "alloc_ids of the table meet in one place",
                      header.entry_count);
  }

  /// Makes the table absent, as for a submission that has none.
  void clear() noexcept {
    entries_.clear();
    is_present_ = false;
  }

  [[nodiscard]] auto is_present() const noexcept -> bool { return is_present_; }
  [[nodiscard]] auto size() const noexcept -> std::size_t { return entries_.size(); }
  [[nodiscard]] auto capacity() const noexcept -> std::size_t { return entries_.capacity(); }

  /// The range of an id, or null.
  [[nodiscard]] auto find(alloc_id id) const noexcept -> const alloc_range* {
    return entries_.find(id);
  }

  /// Calls `visit(alloc_id, const alloc_range&)` for each entry, in no particular order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    entries_.for_each(visit);
  }

  /// Where bytes [offset, offset + size) of an allocation lie. Errors, in this order:
  /// missing_alloc_table, unknown_alloc_id, size_overflow, alloc_out_of_bounds.
  [[nodiscard]] auto resolve(alloc_id id, std::uint64_t offset_bytes,
                             std::uint64_t size_bytes) const noexcept -> result<gpa> {
    const auto range = require(id);
    if (!range) return range.why();
    return place(**range, offset_bytes, size_bytes);
  }

  /// The same for bytes that the host will write: read_only comes before the bounds.
  [[nodiscard]] auto resolve_for_write(alloc_id id, std::uint64_t offset_bytes,
                                       std::uint64_t size_bytes) const noexcept -> result<gpa> {
    const auto range = require(id);
    if (!range) return range.why();
    if ((*range)->is_read_only) {
      return make_error(error_code::read_only, "allocation is read-only", raw(id));
    }
    return place(**range, offset_bytes, size_bytes);
  }

 private:
  static constexpr int parse_attempts = 4;

  /// Enters all entries into the empty map. False, with some of them in it, when it is crowded.
  [[nodiscard]] auto enter(const std::byte* table,
                           const aerogpu_alloc_table_header& header) noexcept -> result<bool> {
    map entries = entries_;  // a local, which the stores of entries cannot alias
    const std::byte* at = table + sizeof header;
    for (std::uint32_t i = 0; i < header.entry_count; ++i, at += header.entry_stride_bytes) {
      if (!add(entries, load<aerogpu_alloc_entry>(at))) [[unlikely]] {
        if (entries.is_crowded()) return false;
        clear();
        return why_refused(load<aerogpu_alloc_entry>(at), static_cast<std::uint32_t>(at - table));
      }
    }
    entries_ = entries;
    is_present_ = true;
    return true;
  }

  /// Whether the entry is good and new. One comparison refuses size 0 and a range that wraps.
  [[nodiscard]] static auto add(map& entries, const aerogpu_alloc_entry& entry) noexcept -> bool {
    if (entry.alloc_id == 0 || entry.gpa + entry.size_bytes <= entry.gpa) return false;
    alloc_range* range = entries.add_new(static_cast<alloc_id>(entry.alloc_id));
    if (range == nullptr) return false;
    *range = {static_cast<gpa>(entry.gpa), entry.size_bytes,
              (entry.flags & AEROGPU_ALLOC_FLAG_READONLY) != 0};
    return true;
  }

  [[nodiscard]] static auto why_refused(const aerogpu_alloc_entry& entry,
                                        std::uint32_t offset) noexcept -> error {
    error why = make_error(error_code::cmd_decode, "alloc_id occurs twice", entry.alloc_id);
    if (entry.alloc_id == 0) {
      why.what = "alloc_id is zero";
    } else if (entry.size_bytes == 0) {
      why.what = "size_bytes is zero";
    } else if (range_wraps(entry.gpa, entry.size_bytes)) {
      why = make_error(error_code::out_of_bounds, "gpa plus size_bytes overflows", entry.size_bytes,
                       entry.gpa);
    }
    why.offset = offset;
    return why;
  }

  [[nodiscard]] auto require(alloc_id id) const noexcept -> result<const alloc_range*> {
    if (!is_present_) {
      return make_error(error_code::missing_alloc_table, "submission has no allocation table",
                        raw(id));
    }
    const alloc_range* range = entries_.find(id);
    if (range == nullptr) {
      return make_error(error_code::unknown_alloc_id, "allocation table lacks the id", raw(id));
    }
    return range;
  }

  [[nodiscard]] static auto place(const alloc_range& range, std::uint64_t offset_bytes,
                                  std::uint64_t size_bytes) noexcept -> result<gpa> {
    if (range_wraps(offset_bytes, size_bytes)) {
      return make_error(error_code::size_overflow, "offset plus size overflows", size_bytes);
    }
    if (!range_fits(offset_bytes, size_bytes, range.size_bytes)) {
      return make_error(error_code::alloc_out_of_bounds, "range exceeds the allocation",
                        offset_bytes + size_bytes, range.size_bytes);
    }
    return advance(range.first, offset_bytes);
  }

  map entries_{};
  bool is_present_ = false;
};

}  // namespace aerogpu
