// SPDX-License-Identifier: MIT
/// \file Present: flips, copies and fills, on the host or by the processor (kmd.md 3.17).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/system/work_item.hpp"

#include <cstdint>

namespace aerogpu::kmd {

class adapter;
class context;

/// Fills the DMA buffer, its record and the patch list. STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER
/// with rectangles left over: MultipassOffset counts those that are done. PASSIVE.
[[nodiscard]] auto present(context& context, DXGKARG_PRESENT& args) noexcept -> NTSTATUS;

/// `run_cpu_work` for a present.
[[nodiscard]] auto run_present(adapter& adapter, cpu_work& work,
                               std::uint64_t& budget_bytes) noexcept -> bool;

}  // namespace aerogpu::kmd
