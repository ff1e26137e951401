// SPDX-License-Identifier: MIT
/// \file The table of entry points that dxgkrnl gets.
///
/// The functions are declared in entry_adapter.hpp, entry_display.hpp, entry_memory.hpp and
/// entry_submission.hpp; each states its IRQL.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

/// Fills the table of kmd.md 1.3 by its policies: implemented, stub, or NULL.
void fill_table(DRIVER_INITIALIZATION_DATA& table) noexcept;

}  // namespace aerogpu::kmd
