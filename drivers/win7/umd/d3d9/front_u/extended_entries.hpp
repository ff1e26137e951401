// SPDX-License-Identifier: MIT
/// \file The further entries of profile U, in a table of the project's own.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/ddi/portable/portable_ddi.hpp"

namespace aerogpu::umd::front_u {

/// Fills as much of the caller's table as it has: its first member says how much. E_INVALIDARG for
/// a size that is no whole entry or not in the buffer.
[[nodiscard]] auto answer_extended_functions(mutable_bytes out) noexcept -> HRESULT;
void fill_extended_table(d3d9ddi_u::D3D9DDI_EXTENDEDFUNCS& table) noexcept;

}  // namespace aerogpu::umd::front_u
