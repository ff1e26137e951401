// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/core/entry_table.hpp"

namespace aerogpu::umd {

void log_stub(once& called, std::string_view name) noexcept {
  if (called.is_first()) log_line{"stub "}.text(name);
}

auto entry_at(std::span<const std::byte> table, std::size_t index) noexcept -> entry_pointer {
  return load<entry_pointer>(table.data() + index * sizeof(entry_pointer));
}

auto find_missing_entry(std::span<const std::byte> table, std::span<const ddi::entry_row> rows,
                        std::string_view table_name) noexcept -> const ddi::entry_row* {
  for (const ddi::entry_row& row : rows) {
    if (row.is_null() || entry_at(table, row.index) != nullptr) continue;
    log_line{table_name}
        .text(" missing entry index=")
        .number(row.index)
        .text(" (bytes=")
        .number(row.index * sizeof(entry_pointer))
        .text(") member=")
        .text(row.member);
    return &row;
  }
  return nullptr;
}

}  // namespace aerogpu::umd
