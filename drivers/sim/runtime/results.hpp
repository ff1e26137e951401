// SPDX-License-Identifier: MIT
/// \file What becomes of a kernel's status on its way to the driver, and which results are known.
#pragma once

#include "drivers/win7/ddi/nt_types.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::sim {

[[nodiscard]] auto to_hresult(NTSTATUS status) -> HRESULT;
/// Whether umd-d3d9.md 0.3 lists it.
[[nodiscard]] auto is_known_result(HRESULT result) -> bool;

}  // namespace aerogpu::sim
