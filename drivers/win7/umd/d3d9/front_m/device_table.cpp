#include "drivers/win7/umd/d3d9/front_m/device_table.hpp"

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_draw.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_present.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_query.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_resources.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_state.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_submission.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_transfers.hpp"
#include "drivers/win7/umd/d3d9/trace/packing_m.hpp"
#include "drivers/win7/umd/d3d9/trace/traced.hpp"

#include <array>

namespace aerogpu::umd::front_m {

namespace {

std::array<once, std::size(ddi::device_entries)> stubs_called;

void log_stub(std::size_t index) noexcept {
  if (stubs_called[index].is_first()) log_line{"stub "}.text(ddi::device_entries[index].name);
}

/// What stands in an entry without an implementation: of the function type of `Pointer`.
template <std::size_t Index, class Pointer>
struct stub;
template <std::size_t Index, class... Arguments>
struct stub<Index, HRESULT(APIENTRY*)(Arguments...)> {
  static auto APIENTRY call(Arguments...) noexcept -> HRESULT {
    log_stub(Index);
    return D3DERR_NOTAVAILABLE;
  }
};

/// The entries that the list plans as stubs, and no other: what a room forgets stays NULL, and is
/// found.
void add_stubs(D3DDDI_DEVICEFUNCS& table) noexcept {
#define AEROGPU_UMD_ADD_STUB(index, name, bytes, plan) \
  if constexpr (ddi::device_entries[index].is_stub())  \
    table.pfn##name = stub<index, decltype(table.pfn##name)>::call;
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

auto entry_at(const D3DDDI_DEVICEFUNCS& table, std::size_t index) noexcept -> entry_pointer {
  return load<entry_pointer>(bytes_of(table).data() + index * sizeof(entry_pointer));
}

auto find_missing_entry(const D3DDDI_DEVICEFUNCS& table) noexcept -> const ddi::entry_row* {
  for (const ddi::entry_row& row : ddi::device_entries) {
    if (entry_at(table, row.index) != nullptr) continue;
    log_line{"D3DDDI_DEVICEFUNCS missing entry index="}
        .number(row.index)
        .text(" (bytes=")
        .number(row.index * sizeof(entry_pointer))
        .text(") member=")
        .text(row.member);
    return &row;
  }
  return nullptr;
}

auto fill_device_table(D3DDDI_DEVICEFUNCS& table) noexcept -> bool {
  if (!fill_implementations()) return false;
#define AEROGPU_UMD_FILL_TRACED(index, name, bytes, plan)                              \
  table.pfn##name =                                                                    \
      trace::traced_member<trace::packing_m, trace::id_of(ddi::device_entries[index]), \
                           implementations, &D3DDDI_DEVICEFUNCS::pfn##name>;
  AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_UMD_FILL_TRACED)
#undef AEROGPU_UMD_FILL_TRACED
  return true;
}

}  // namespace aerogpu::umd::front_m
