// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/extended_entries.hpp"

#include "drivers/win7/ddi/portable/entries.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/trace/packing_u.hpp"
#include "drivers/win7/umd/d3d9/trace/traced.hpp"

namespace aerogpu::umd::front_u {

namespace {

/// What the entries do, behind the tracer; filled once for the process.
constinit extended_table extended_implementations{};
constinit os::mutex extended_implementations_lock;

void fill_extended_implementations() noexcept {
  extended_implementations_lock.lock();
  if (extended_implementations.Size == 0) {
    add_extended_display_entries(extended_implementations);
    add_extended_draws(extended_implementations);
    add_extended_getters(extended_implementations);
    add_extended_resource_entries(extended_implementations);
    add_extended_setters(extended_implementations);
    extended_implementations.Size = sizeof extended_implementations;
  }
  extended_implementations_lock.unlock();
}

}  // namespace

void fill_extended_table(extended_table& table) noexcept {
  fill_extended_implementations();
  table = {};
  table.Size = sizeof table;
#define AEROGPU_UMD_FILL_TRACED(index, name, bytes, plan)                                      \
  table.pfn##name =                                                                            \
      trace::traced_member<trace::packing_u, trace::id_of(d3d9ddi_u::extended_entries[index]), \
                           extended_implementations, &extended_table::pfn##name>;
  AEROGPU_D3D9DDI_U_EXTENDED_ENTRIES(AEROGPU_UMD_FILL_TRACED)
#undef AEROGPU_UMD_FILL_TRACED
}

auto answer_extended_functions(mutable_bytes out) noexcept -> HRESULT {
  constexpr std::size_t first_entry = offsetof(extended_table, pfnSetClipPlane);
  if (out.size() < first_entry) return E_INVALIDARG;
  const auto wanted = load<std::uint32_t>(out.data());
  if (wanted > out.size() || wanted < first_entry) return E_INVALIDARG;
  if ((wanted - first_entry) % sizeof(void*) != 0) return E_INVALIDARG;
  extended_table table;
  fill_extended_table(table);
  const std::size_t filled = wanted < sizeof table ? wanted : sizeof table;
  table.Size = static_cast<std::uint32_t>(filled);
  copy_bytes(out.first(filled), bytes_of(table).first(filled));
  return S_OK;
}

}  // namespace aerogpu::umd::front_u
