// SPDX-License-Identifier: MIT
/// \file What of a recording a replay cannot run as it was, told beforehand.
#pragma once

#include "aerogpu/abi/alloc_table.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "tools/aerogpu/files/recording.hpp"

#include <algorithm>
#include <concepts>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// Shaders that no backend can run, allocations without recorded content, foreign records.
[[nodiscard]] auto notes_about(const recording& file) -> std::vector<std::string>;

/// Whether a failure says only that this host cannot do something legal.
[[nodiscard]] constexpr auto is_only_unsupported(const error& why) noexcept -> bool {
  return why.code == error_code::unsupported;
}

/// Calls `visit(const aerogpu_alloc_entry&)` for each entry of a table that can be walked; the
/// device judges it, this only wants to know what memory it names.
template <std::invocable<const aerogpu_alloc_entry&> Visit>
void for_each_allocation(const_bytes table, Visit&& visit) {
  if (table.size() < sizeof(aerogpu_alloc_table_header)) return;
  const auto header = load<aerogpu_alloc_table_header>(table.data());
  if (header.entry_stride_bytes < sizeof(aerogpu_alloc_entry)) return;
  table = table.subspan(sizeof header);
  for (std::uint32_t i = 0; i < header.entry_count && table.size() >= sizeof(aerogpu_alloc_entry);
       ++i) {
    visit(load<aerogpu_alloc_entry>(table.data()));
    table = table.subspan(std::min<std::size_t>(header.entry_stride_bytes, table.size()));
  }
}

}  // namespace aerogpu::tool
