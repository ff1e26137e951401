// SPDX-License-Identifier: MIT
/// \file The allocation table of the running submission, in storage that grows and stays.
#pragma once

#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/memory/alloc_table.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {

/// One `alloc_table` with its slots.
class table_cache {
 public:
  explicit table_cache(hash_key key = {}) noexcept : key_(key) {}

  /// Replaces the table by bytes that were copied out of guest memory; no bytes make it absent.
  /// Errors: those of `alloc_table::parse`; out_of_memory when the heap is exhausted.
  [[nodiscard]] auto parse(const_bytes bytes) noexcept -> result<void> {
    if (bytes.empty()) {
      table_.clear();
      return {};
    }
    if (!make_room(bytes)) [[unlikely]] {
      table_.clear();
      return make_error(error_code::out_of_memory, "no memory for an allocation table",
                        bytes.size());
    }
    return table_.parse(bytes);
  }

  [[nodiscard]] auto table() const noexcept -> const alloc_table& { return table_; }

 private:
  static constexpr std::uint32_t smallest = 64;

  /// Slots for as many entries as the header claims, as far as the bytes could hold them.
  [[nodiscard]] auto make_room(const_bytes bytes) noexcept -> bool {
    if (bytes.size() < sizeof(aerogpu_alloc_table_header)) return true;  // `parse` refuses it.
    const auto claimed = load<aerogpu_alloc_table_header>(bytes.data()).entry_count;
    if (claimed > bytes.size() / sizeof(aerogpu_alloc_entry)) return true;
    const auto needed = alloc_table::slots_for(claimed);
    if (needed <= slots_.size()) return true;
    heap_array<alloc_table::slot> grown;
    if (!grown.resize(static_cast<std::size_t>(needed > smallest ? needed : smallest))) {
      return false;
    }
    slots_ = std::move(grown);
    table_ = alloc_table{slots_.view(), key_};
    return true;
  }

  hash_key key_;
  heap_array<alloc_table::slot> slots_;
  alloc_table table_;
};

}  // namespace aerogpu
