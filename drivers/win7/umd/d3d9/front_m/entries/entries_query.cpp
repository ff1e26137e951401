// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/entries/entries_query.hpp"

#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/query/query.hpp"

namespace aerogpu::umd::front_m {

namespace {

auto APIENTRY create_query_m(HANDLE handle, D3DDDIARG_CREATEQUERY* a) noexcept -> HRESULT {
  const device_call call{to_device(handle), a};
  if (!call) return call.refusal();
  a->hQuery = nullptr;
  if (a->QueryType != D3DDDIQUERYTYPE_EVENT) return D3DERR_NOTAVAILABLE;
  event_query* made = nullptr;
  const HRESULT created = create_query(*call, made);
  a->hQuery = made;
  return created;
}

auto APIENTRY destroy_query_m(HANDLE handle, HANDLE named) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, named};
  if (!call) return call.refusal();
  return destroy_query(*call, static_cast<event_query*>(named));
}

/// An event has no beginning: each call ends it.
auto APIENTRY issue_query(HANDLE handle, const D3DDDIARG_ISSUEQUERY* a) noexcept -> HRESULT {
  const device_call call{to_device(handle), a};
  if (!call) return call.refusal();
  if (a->hQuery == nullptr) return E_INVALIDARG;
  return static_cast<event_query*>(a->hQuery)->issue(*call, shown_by::question);
}

/// Any thread, beside any other entry: waits for nobody (umd-d3d9.md 0.4).
auto APIENTRY get_query_data(HANDLE handle, const D3DDDIARG_GETQUERYDATA* a) noexcept -> HRESULT {
  device* const on = to_device(handle);
  if (on == nullptr || a == nullptr || a->hQuery == nullptr) return E_INVALIDARG;
  const HRESULT answer = static_cast<event_query*>(a->hQuery)->ask(*on);
  if (a->pData != nullptr) {
    const BOOL is_done = answer == S_OK ? TRUE : FALSE;
    store(static_cast<std::byte*>(a->pData), is_done);
  }
  return answer;
}

}  // namespace

void add_query_entries(D3DDDI_DEVICEFUNCS& table) noexcept {
  table.pfnCreateQuery = create_query_m;
  table.pfnDestroyQuery = destroy_query_m;
  table.pfnIssueQuery = issue_query;
  table.pfnGetQueryData = get_query_data;
}

}  // namespace aerogpu::umd::front_m
