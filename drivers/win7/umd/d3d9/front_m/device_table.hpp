// SPDX-License-Identifier: MIT
/// \file The table of a device in profile M: who fills which entry, and that none is missing.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"
#include "drivers/win7/ddi/user/d3dumddi_entries.hpp"

namespace aerogpu::umd::front_m {

/// The table with every entry filled, behind the tracer; false, and a line in the log, when one is
/// NULL.
[[nodiscard]] auto fill_device_table(D3DDDI_DEVICEFUNCS& table) noexcept -> bool;

/// The first entry that is NULL, or null; it is logged with its place (umd-d3d9.md 1.4).
[[nodiscard]] auto find_missing_entry(const D3DDDI_DEVICEFUNCS& table) noexcept
    -> const ddi::entry_row*;

}  // namespace aerogpu::umd::front_m
