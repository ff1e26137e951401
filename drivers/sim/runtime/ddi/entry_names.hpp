// SPDX-License-Identifier: MIT
/// \file Places and names of the DDI's functions, for reports.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/ddi/user/d3dumddi_entries.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::sim {

/// The place of an entry in its table.
template <class Table, class Function>
[[nodiscard]] auto index_of(Function Table::*entry) -> std::size_t {
  static constexpr Table table{};
  const auto offset =
      reinterpret_cast<std::uintptr_t>(&(table.*entry)) - reinterpret_cast<std::uintptr_t>(&table);
  return offset / sizeof(void*);
}

/// "Present" for 40.
[[nodiscard]] inline auto entry_name(std::size_t index) -> const char* {
  return ddi::device_entries[index].name;
}

}  // namespace aerogpu::sim
