// SPDX-License-Identifier: MIT
/// \file Work that the processor does in the device's place: paging and presents.
#pragma once

#include "drivers/win7/kmd/system/work_item.hpp"

#include <cstdint>

namespace aerogpu::kmd {

class adapter;

/// Goes on with the item's packets until `budget_bytes` are moved or all is done. Never fails: what
/// cannot be reached is skipped and counted. DISPATCH, queue lock held: short of memory moves it
/// calls nothing but os::map_mdl. True when the item is done.
[[nodiscard]] auto run_cpu_work(adapter& adapter, work_item& item,
                                std::uint64_t& budget_bytes) noexcept -> bool;

}  // namespace aerogpu::kmd
