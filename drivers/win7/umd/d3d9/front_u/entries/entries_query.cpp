// SPDX-License-Identifier: MIT
/// \file Queries (umd-d3d9.md 2.13).
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/query/query.hpp"

namespace aerogpu::umd::front_u {

namespace {

constexpr std::uint32_t ends_query = 1 | 2;  // D3DISSUE_END of the API, End of the DDI.
constexpr std::uint32_t flushes = 1;         // D3DGETDATA_FLUSH

auto APIENTRY create_query_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDIARG_CREATEQUERY* a) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) -> HRESULT {
        a->hQuery.pDrvPrivate = nullptr;
        if (!on.adapter.takes_event_query(a->type)) return D3DERR_NOTAVAILABLE;
        event_query* made = nullptr;
        const HRESULT created = create_query(on, made);
        a->hQuery.pDrvPrivate = made;
        return created;
      },
      a);
}

auto APIENTRY destroy_query_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HQUERY named) noexcept
    -> HRESULT {
  return set(
      handle,
      [&](device& on) { return destroy_query(on, static_cast<event_query*>(named.pDrvPrivate)); },
      named.pDrvPrivate);
}

/// An event has no beginning: a call that says only that does nothing.
auto APIENTRY issue_query_u(u::D3D9DDI_HDEVICE handle, const u::D3D9DDIARG_ISSUEQUERY* a) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) -> HRESULT {
        auto* const query = static_cast<event_query*>(a->hQuery.pDrvPrivate);
        if (query == nullptr) return E_INVALIDARG;
        const bool ends = a->flags == 0 || (a->flags & ends_query) != 0;
        return ends ? query->issue(on, shown_by::flush) : S_OK;
      },
      a);
}

/// Publishes what is issued when nobody else is inside the device.
[[nodiscard]] auto try_publish(device& on) noexcept -> bool {
  if (!on.mutex.try_lock()) return false;
  const bool is_submitted = SUCCEEDED(on.commands.submit());
  if (is_submitted) on.queries.publish();
  on.mutex.unlock();
  return is_submitted;
}

/// Any thread, beside any other entry: waits for nobody (umd-d3d9.md 0.4).
auto APIENTRY get_query_data_u(u::D3D9DDI_HDEVICE handle,
                               const u::D3D9DDIARG_GETQUERYDATA* a) noexcept -> HRESULT {
  device* const on = to_device(handle);
  if (on == nullptr || a == nullptr || a->hQuery.pDrvPrivate == nullptr) return E_INVALIDARG;
  const bool has_data = a->pData != nullptr;
  if (has_data != (a->data_size != 0)) return D3DERR_INVALIDCALL;
  if (has_data && a->data_size < sizeof(BOOL)) return D3DERR_INVALIDCALL;
  auto* const query = static_cast<event_query*>(a->hQuery.pDrvPrivate);
  HRESULT answer = query->ask(*on);
  if (answer == S_FALSE && (a->flags & flushes) != 0 && try_publish(*on)) answer = query->ask(*on);
  if (has_data) {
    const BOOL is_done = answer == S_OK ? TRUE : FALSE;
    store(static_cast<std::byte*>(a->pData), is_done);
  }
  return answer;
}

}  // namespace

void add_query_entries(device_table& table) noexcept {
  table.pfnCreateQuery = create_query_u;
  table.pfnDestroyQuery = destroy_query_u;
  table.pfnIssueQuery = issue_query_u;
  table.pfnGetQueryData = get_query_data_u;
}

}  // namespace aerogpu::umd::front_u
