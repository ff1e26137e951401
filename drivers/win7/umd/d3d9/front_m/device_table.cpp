// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/device_table.hpp"

#include "drivers/win7/umd/d3d9/core/entry_table.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries/entries_draw.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries/entries_present.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries/entries_query.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries/entries_resources.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries/entries_state.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries/entries_submission.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries/entries_transfers.hpp"
#include "drivers/win7/umd/d3d9/trace/packing_m.hpp"
#include "drivers/win7/umd/d3d9/trace/traced.hpp"

namespace aerogpu::umd::front_m {

namespace {

/// The entries that the list plans as stubs, and no other: what a room forgets stays NULL, and is
/// found.
void add_stubs(D3DDDI_DEVICEFUNCS& table) noexcept {
#define AEROGPU_UMD_ADD_STUB(index, name, bytes, plan) \
  if constexpr (ddi::device_entries[index].is_stub())  \
    table.pfn##name = stub<ddi::device_entries, index, decltype(table.pfn##name)>::call;
  AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_UMD_ADD_STUB)
#undef AEROGPU_UMD_ADD_STUB
}

/// What the entries do, behind the tracer; filled once for the process.
constinit D3DDDI_DEVICEFUNCS implementations{};
constinit os::mutex implementations_lock;
constinit bool are_implementations_filled = false;

auto fill_implementations() noexcept -> bool {
  implementations_lock.lock();
  if (!are_implementations_filled) {
    add_stubs(implementations);
    add_binding_entries(implementations);
    add_draw_entries(implementations);
    add_present_entries(implementations);
    add_query_entries(implementations);
    add_state_entries(implementations);
    add_resource_entries(implementations);
    add_submission_entries(implementations);
    add_transfer_entries(implementations);
    are_implementations_filled = find_missing_entry(implementations) == nullptr;
  }
  const bool is_complete = are_implementations_filled;
  implementations_lock.unlock();
  return is_complete;
}

}  // namespace

auto find_missing_entry(const D3DDDI_DEVICEFUNCS& table) noexcept -> const ddi::entry_row* {
  return umd::find_missing_entry(bytes_of(table), ddi::device_entries, "D3DDDI_DEVICEFUNCS");
}

auto fill_device_table(D3DDDI_DEVICEFUNCS& table) noexcept -> bool {
  if (!fill_implementations()) return false;
#define AEROGPU_UMD_FILL_TRACED(index, name, bytes, plan)                                \
  if constexpr (ddi::device_entries[index].is_null())                                    \
    table.pfn##name = nullptr;                                                           \
  else                                                                                   \
    table.pfn##name =                                                                    \
        trace::traced_member<trace::packing_m, trace::id_of(ddi::device_entries[index]), \
                             implementations, &D3DDDI_DEVICEFUNCS::pfn##name>;
  AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_UMD_FILL_TRACED)
#undef AEROGPU_UMD_FILL_TRACED
  return true;
}

}  // namespace aerogpu::umd::front_m
