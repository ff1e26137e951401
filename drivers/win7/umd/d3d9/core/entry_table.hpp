/// \file What the function tables of both profiles share: stubs, the pointer at an index, and the
/// search for an entry that no room filled.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/entry_row.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>

namespace aerogpu::umd {

using entry_pointer = void (*)();

/// Which stubs of the table with these rows were logged.
template <const auto& Rows>
inline constinit std::array<once, std::size(Rows)> stubs_called;

/// What stands in an entry without an implementation: of the function type of `Pointer`. Logs its
/// first call.
template <const auto& Rows, std::size_t Index, class Pointer>
struct stub;
template <const auto& Rows, std::size_t Index, class... Arguments>
struct stub<Rows, Index, HRESULT(APIENTRY*)(Arguments...)> {
  static auto APIENTRY call(Arguments...) noexcept -> HRESULT {
    if (stubs_called<Rows>[Index].is_first()) log_line{"stub "}.text(Rows[Index].name);
    return D3DERR_NOTAVAILABLE;
  }
};

/// The pointer of entry `index` of a table of pointers to functions.
template <class Table>
[[nodiscard]] auto entry_at(const Table& table, std::size_t index) noexcept -> entry_pointer {
  return load<entry_pointer>(bytes_of(table).data() + index * sizeof(entry_pointer));
}

/// The first row whose entry is NULL, logged with the name of the table; nullptr without one.
template <class Table>
[[nodiscard]] auto find_missing_entry(const Table& table, std::span<const ddi::entry_row> rows,
                                      std::string_view table_name) noexcept
    -> const ddi::entry_row* {
  for (const ddi::entry_row& row : rows) {
    if (entry_at(table, row.index) != nullptr) continue;
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
