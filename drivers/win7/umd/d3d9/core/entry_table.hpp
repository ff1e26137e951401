// SPDX-License-Identifier: MIT
/// \file What the function tables of both profiles share: stubs, the pointer at an index, and the
/// search for an entry that no room filled.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/ddi/user/entry_row.hpp"
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

/// Logs the first call of a stub. Not part of the template: GCC for 32-bit Windows fails with
/// "section type conflict" on a stub whose body it would split into a hot and a cold section.
void log_stub(once& called, std::string_view name) noexcept;

/// What stands in an entry without an implementation: of the function type of `Pointer`. Logs its
/// first call.
template <const auto& Rows, std::size_t Index, class Pointer>
struct stub;
template <const auto& Rows, std::size_t Index, class... Arguments>
struct stub<Rows, Index, HRESULT(APIENTRY*)(Arguments...)> {
  static auto APIENTRY call(Arguments...) noexcept -> HRESULT {
    log_stub(stubs_called<Rows>[Index], Rows[Index].name);
    return D3DERR_NOTAVAILABLE;
  }
};

/// The pointer of entry `index` of a table of pointers to functions.
[[nodiscard]] auto entry_at(std::span<const std::byte> table, std::size_t index) noexcept
    -> entry_pointer;
template <class Table>
[[nodiscard]] auto entry_at(const Table& table, std::size_t index) noexcept -> entry_pointer {
  return entry_at(bytes_of(table), index);
}

/// The first row whose entry is NULL without being planned so, logged with the name of the table;
/// nullptr without one.
[[nodiscard]] auto find_missing_entry(std::span<const std::byte> table,
                                      std::span<const ddi::entry_row> rows,
                                      std::string_view table_name) noexcept
    -> const ddi::entry_row*;

}  // namespace aerogpu::umd
