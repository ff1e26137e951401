// SPDX-License-Identifier: MIT
/// \file The tables of profile U: who fills which entry, and that none is missing.
#pragma once

#include "drivers/win7/ddi/portable/entries.hpp"
#include "drivers/win7/ddi/portable/portable_ddi.hpp"

#include <cstddef>

namespace aerogpu::umd::front_u {

/// The table with every entry filled, behind the tracer; false, and a line in the log, when one is
/// NULL. What has no implementation logs once and answers D3DERR_NOTAVAILABLE.
[[nodiscard]] auto fill_device_table(d3d9ddi_u::D3D9DDI_DEVICEFUNCS& table) noexcept -> bool;
/// The first entry that is NULL, or null; it is logged with its place (umd-d3d9.md 1.4).
[[nodiscard]] auto find_missing_entry(const d3d9ddi_u::D3D9DDI_DEVICEFUNCS& table) noexcept
    -> const ddi::entry_row*;
/// Whether the entry has no implementation.
[[nodiscard]] auto is_stub(std::size_t index) noexcept -> bool;

}  // namespace aerogpu::umd::front_u
