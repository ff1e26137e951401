// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/cpu_work.hpp"

#include "drivers/win7/kmd/memory/paging.hpp"
#include "drivers/win7/kmd/present/present.hpp"

namespace aerogpu::kmd {

auto run_cpu_work(adapter& adapter, work_item& item, std::uint64_t& budget_bytes) noexcept -> bool {
  switch (item.kind) {
    case work_kind::paging: return run_paging(adapter, item.work, budget_bytes);
    case work_kind::present: return run_present(adapter, item.work, budget_bytes);
    default: return true;
  }
}

}  // namespace aerogpu::kmd
