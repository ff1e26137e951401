// SPDX-License-Identifier: MIT
/// \file The driver's side of a submission's allocation table: merge aliases, write entries.
#pragma once

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/core/span_map.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

enum class alloc_object : std::uintptr_t {};  ///< What tells two allocations apart in a driver.

/// One line of an allocation list, as a driver knows it.
struct alloc_reference {
  alloc_id id;
  alloc_object object;
  std::uint64_t size_bytes;
  gpa first;
  bool has_address;   ///< False while the memory manager has not placed it; `first` is then unused.
  bool is_read_only;  ///< No write operation on this line.
};

/// Distinct ids that one table may name (kmd.md 3.6).
inline constexpr std::uint32_t max_alloc_table_entries = 0xFFFF;

/// Bytes of a table with that many entries.
[[nodiscard]] constexpr auto alloc_table_bytes(std::uint32_t entry_count) noexcept
    -> std::uint64_t {
  return sizeof(aerogpu_alloc_table_header) +
         std::uint64_t{entry_count} * sizeof(aerogpu_alloc_entry);
}

/// Writes a table into the caller's bytes, which it never reads back: they may be uncached or be
/// visible to the device. What it must remember lies in the caller's index. No heap.
class alloc_table_builder {
 public:
  /// What is remembered of an entry.
  struct line {
    std::uint32_t index;
    alloc_reference merged;
  };
  using index_map = span_map<alloc_id, line>;
  using slot = index_map::slot;

  /// An entry's place in the table.
  struct position {
    std::uint32_t index;
    bool is_new;  ///< False when the reference merged with an earlier one.
  };

  /// `table` receives the bytes; `index` is zeroed storage, a power of two of slots.
  alloc_table_builder(mutable_bytes table, std::span<slot> index) noexcept
      : table_(table), lines_(index) {}

  /// Starts the next table, in the same index.
  void restart(mutable_bytes table) noexcept {
    table_ = table;
    lines_.clear();
  }

  /// Adds a reference, or merges it with the one of the same id: the larger size, and read-only
  /// only if both are (kmd.md 3.6). On failure the table stays as it was.
  /// Errors: invalid_parameter for id 0, size 0, an id that names two allocations or two
  /// addresses, or too many ids; size_overflow when the range wraps; no_space when the bytes or
  /// the index are full.
  [[nodiscard]] auto add(const alloc_reference& added) noexcept -> result<position> {
    if (added.id == alloc_id{0}) return invalid("alloc_id is zero", 0);
    if (added.size_bytes == 0) return invalid("allocation has no bytes", raw(added.id));
    if (line* known = lines_.find(added.id); known != nullptr) return merge(*known, added);
    if (const auto good = check_range(added); !good) return good.why();

    const auto index = static_cast<std::uint32_t>(lines_.size());
    if (index == max_alloc_table_entries) {
      return invalid("allocation table has too many ids", index, max_alloc_table_entries);
    }
    const std::uint64_t needed = alloc_table_bytes(index + 1);
    if (needed > table_.size() || lines_.is_full()) {
      return make_error(error_code::no_space, "allocation table is full", needed, table_.size());
    }
    AEROGPU_CHECK(lines_.insert(added.id, line{index, added}).second);
    write(index, added);
    return position{index, true};
  }

  /// Entries so far.
  [[nodiscard]] auto size() const noexcept -> std::uint32_t {
    return static_cast<std::uint32_t>(lines_.size());
  }

  /// Writes the header and gives the table's bytes; empty when there is no entry, because a
  /// submission then has no table. More may be added, and `finish` called again.
  [[nodiscard]] auto finish() noexcept -> mutable_bytes {
    if (lines_.empty()) return {};
    const std::uint64_t size = alloc_table_bytes(this->size());
    store(table_.data(),
          aerogpu_alloc_table_header{.magic = AEROGPU_ALLOC_TABLE_MAGIC,
                                     .abi_version = AEROGPU_ABI_VERSION_U32,
                                     .size_bytes = static_cast<std::uint32_t>(size),
                                     .entry_count = this->size(),
                                     .entry_stride_bytes = sizeof(aerogpu_alloc_entry),
                                     .reserved0 = 0});
    return table_.first(static_cast<std::size_t>(size));
  }

 private:
  [[nodiscard]] static auto invalid(const char* what, std::uint64_t detail,
                                    std::uint64_t limit = 0) noexcept -> error {
    return make_error(error_code::invalid_parameter, what, detail, limit);
  }

  [[nodiscard]] static auto check_range(const alloc_reference& reference) noexcept -> result<void> {
    if (reference.has_address && range_wraps(raw(reference.first), reference.size_bytes)) {
      return make_error(error_code::size_overflow, "address plus size overflows",
                        reference.size_bytes, raw(reference.first));
    }
    return {};
  }

  [[nodiscard]] auto merge(line& known, const alloc_reference& added) noexcept -> result<position> {
    alloc_reference merged = known.merged;
    if (merged.object != added.object)
      return invalid("alloc_id names two allocations", raw(added.id));
    if (merged.has_address && added.has_address && merged.first != added.first) {
      return invalid("alloc_id names two addresses", raw(added.first), raw(merged.first));
    }
    if (added.has_address) merged.first = added.first;
    if (added.size_bytes > merged.size_bytes) merged.size_bytes = added.size_bytes;
    merged.has_address = merged.has_address || added.has_address;
    merged.is_read_only = merged.is_read_only && added.is_read_only;
    if (const auto good = check_range(merged); !good) return good.why();
    known.merged = merged;
    write(known.index, merged);
    return position{known.index, false};
  }

  void write(std::uint32_t index, const alloc_reference& entry) noexcept {
    const std::uint32_t flags =
        entry.is_read_only ? AEROGPU_ALLOC_FLAG_READONLY : AEROGPU_ALLOC_FLAG_NONE;
    store(table_.data() + alloc_table_bytes(index),
          aerogpu_alloc_entry{.alloc_id = raw(entry.id),
                              .flags = flags,
                              .gpa = entry.has_address ? raw(entry.first) : 0,
                              .size_bytes = entry.size_bytes,
                              .reserved0 = 0});
  }

  mutable_bytes table_;
  index_map lines_;
};

/// Gives an entry of a finished table its address, once the memory manager has placed it.
/// Errors: invalid_parameter when there is no such entry; size_overflow when the range wraps.
[[nodiscard]] inline auto set_alloc_table_address(mutable_bytes table, std::uint32_t index,
                                                  gpa first) noexcept -> result<void> {
  if (alloc_table_bytes(index) + sizeof(aerogpu_alloc_entry) > table.size()) {
    return make_error(error_code::invalid_parameter, "allocation table has no such entry", index);
  }
  std::byte* at = table.data() + alloc_table_bytes(index);
  auto entry = load<aerogpu_alloc_entry>(at);
  if (range_wraps(raw(first), entry.size_bytes)) {
    return make_error(error_code::size_overflow, "address plus size overflows", raw(first),
                      entry.size_bytes);
  }
  entry.gpa = raw(first);
  store(at, entry);
  return {};
}

/// Drops the entries of a finished table for which `is_dropped(index)`, closes the gaps in order,
/// and gives the bytes that remain; empty when no entry does. Cannot fail: what was never placed
/// must not reach the host, and a submission must (kmd.md 3.6).
template <class Drop>
[[nodiscard]] auto remove_alloc_table_entries(mutable_bytes table, Drop&& is_dropped) noexcept
    -> mutable_bytes {
  if (table.size() < sizeof(aerogpu_alloc_table_header)) return {};
  const auto count = static_cast<std::uint32_t>(
      (table.size() - sizeof(aerogpu_alloc_table_header)) / sizeof(aerogpu_alloc_entry));
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (is_dropped(i)) continue;
    if (kept != i) {
      store(table.data() + alloc_table_bytes(kept),
            load<aerogpu_alloc_entry>(table.data() + alloc_table_bytes(i)));
    }
    ++kept;
  }
  if (kept == 0) return {};
  auto header = load<aerogpu_alloc_table_header>(table.data());
  header.entry_count = kept;
  header.size_bytes = static_cast<std::uint32_t>(alloc_table_bytes(kept));
  store(table.data(), header);
  return table.first(header.size_bytes);
}

}  // namespace aerogpu
