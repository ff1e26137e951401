#include "drivers/win7/umd/d3d9/front_m/device_table.hpp"

#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_draw.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_query.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_resources.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_state.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_submission.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries_transfers.hpp"

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

void fill_with_stubs(D3DDDI_DEVICEFUNCS& table) noexcept {
#define AEROGPU_UMD_FILL_STUB(index, name, bytes, plan) \
  table.pfn##name = stub<index, decltype(table.pfn##name)>::call;
  AEROGPU_D3DDDI_DEVICE_ENTRIES(AEROGPU_UMD_FILL_STUB)
#undef AEROGPU_UMD_FILL_STUB
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

auto is_not_built_yet(const D3DDDI_DEVICEFUNCS& table, std::size_t index) noexcept -> bool {
  D3DDDI_DEVICEFUNCS stubs;
  fill_with_stubs(stubs);
  const bool is_stub = entry_at(table, index) == entry_at(stubs, index);
  return is_stub && !ddi::device_entries[index].is_stub();
}

auto fill_device_table(D3DDDI_DEVICEFUNCS& table) noexcept -> bool {
  fill_with_stubs(table);
  add_binding_entries(table);
  add_draw_entries(table);
  add_query_entries(table);
  add_state_entries(table);
  add_resource_entries(table);
  add_submission_entries(table);
  add_transfer_entries(table);
  return find_missing_entry(table) == nullptr;
}

}  // namespace aerogpu::umd::front_m
