// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/device_table.hpp"

#include "drivers/win7/umd/d3d9/core/entry_table.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/trace/packing_u.hpp"
#include "drivers/win7/umd/d3d9/trace/traced.hpp"

namespace aerogpu::umd::front_u {

namespace u = d3d9ddi_u;

namespace {

void fill_with_stubs(device_table& table) noexcept {
#define AEROGPU_UMD_FILL_STUB(index, name, bytes, plan) \
  table.pfn##name = stub<u::device_entries, index, decltype(table.pfn##name)>::call;
  AEROGPU_D3D9DDI_U_DEVICE_ENTRIES(AEROGPU_UMD_FILL_STUB)
#undef AEROGPU_UMD_FILL_STUB
}

/// What the entries do, behind the tracer; filled once for the process.
constinit device_table implementations{};
constinit os::mutex implementations_lock;
constinit bool are_implementations_filled = false;

auto fill_implementations() noexcept -> bool {
  implementations_lock.lock();
  if (!are_implementations_filled) {
    fill_with_stubs(implementations);
    add_binding_entries(implementations);
    add_constant_entries(implementations);
    add_device_entries(implementations);
    add_display_entries(implementations);
    add_draw_entries(implementations);
    add_present_entries(implementations);
    add_query_entries(implementations);
    add_resource_entries(implementations);
    add_state_block_entries(implementations);
    add_state_entries(implementations);
    add_transfer_entries(implementations);
    are_implementations_filled = find_missing_entry(implementations) == nullptr;
  }
  const bool is_complete = are_implementations_filled;
  implementations_lock.unlock();
  return is_complete;
}

}  // namespace

auto find_missing_entry(const device_table& table) noexcept -> const ddi::entry_row* {
  return umd::find_missing_entry(bytes_of(table), u::device_entries, "D3D9DDI_DEVICEFUNCS");
}

auto is_stub(std::size_t index) noexcept -> bool {
  if (!fill_implementations()) return true;
  device_table stubs;
  fill_with_stubs(stubs);
  return entry_at(implementations, index) == entry_at(stubs, index);
}

auto fill_device_table(device_table& table) noexcept -> bool {
  if (!fill_implementations()) return false;
#define AEROGPU_UMD_FILL_TRACED(index, name, bytes, plan)                                          \
  table.pfn##name = trace::traced_member<trace::packing_u, trace::id_of(u::device_entries[index]), \
                                         implementations, &device_table::pfn##name>;
  AEROGPU_D3D9DDI_U_DEVICE_ENTRIES(AEROGPU_UMD_FILL_TRACED)
#undef AEROGPU_UMD_FILL_TRACED
  return true;
}

}  // namespace aerogpu::umd::front_u
