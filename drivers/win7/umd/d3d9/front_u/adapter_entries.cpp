// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/adapter_entries.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"
#include "drivers/win7/umd/d3d9/device/baseline.hpp"
#include "drivers/win7/umd/d3d9/front_u/caps_queries.hpp"
#include "drivers/win7/umd/d3d9/front_u/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_u/device_table.hpp"
#include "drivers/win7/umd/d3d9/trace/packing_u.hpp"
#include "drivers/win7/umd/d3d9/trace/traced.hpp"

namespace aerogpu::umd::front_u {

namespace {

auto APIENTRY close_adapter_u(u::D3D9DDI_HADAPTER handle) noexcept -> HRESULT {
  return handle.pDrvPrivate == nullptr ? E_INVALIDARG : close_adapter(to_adapter(handle));
}

auto APIENTRY get_caps_u(u::D3D9DDI_HADAPTER handle, const u::D3D9DDIARG_GETCAPS* query) noexcept
    -> HRESULT {
  if (handle.pDrvPrivate == nullptr || query == nullptr) return E_INVALIDARG;
  return answer_caps(to_adapter(handle)->facts(), *query);
}

auto APIENTRY query_adapter_info_u(u::D3D9DDI_HADAPTER handle,
                                   const u::D3D9DDIARG_QUERYADAPTERINFO* query) noexcept
    -> HRESULT {
  if (handle.pDrvPrivate == nullptr || query == nullptr) return E_INVALIDARG;
  return answer_info(*to_adapter(handle), *query);
}

auto APIENTRY create_device_u(u::D3D9DDIARG_CREATEDEVICE* create,
                              u::D3D9DDI_DEVICEFUNCS* out) noexcept -> HRESULT {
  return create_device_with(create, out, fill_device_table);
}

[[nodiscard]] auto start(device_u& made) noexcept -> HRESULT {
  if (const HRESULT started = start_device(made); FAILED(started)) return started;
  const HRESULT recorded = record_baseline(made);
  if (FAILED(recorded)) stop_device(made);
  return recorded;
}

}  // namespace

auto create_device_with(u::D3D9DDIARG_CREATEDEVICE* create, u::D3D9DDI_DEVICEFUNCS* out,
                        bool (*fill)(u::D3D9DDI_DEVICEFUNCS&) noexcept) noexcept -> HRESULT {
  if (create == nullptr || out == nullptr || create->hAdapter.pDrvPrivate == nullptr) {
    return E_INVALIDARG;
  }
  create->hDevice.pDrvPrivate = nullptr;
  u::D3D9DDI_DEVICEFUNCS table{};
  if (!fill(table) || find_missing_entry(table) != nullptr) return E_FAIL;
  adapter* const on = to_adapter(create->hAdapter);
  auto made = make_heap<device_u>(*on, create->pCallbacks, create->Flags);
  if (made == nullptr) return E_OUTOFMEMORY;
  if (create->pCallbacks != nullptr && !made->callbacks.is_complete()) return E_INVALIDARG;
  if (const HRESULT held = hold_adapter(on); FAILED(held)) return held;
  if (const HRESULT started = start(*made); FAILED(started)) {
    made.reset();
    static_cast<void>(close_adapter(on));
    return started;
  }
  *out = table;
  create->hDevice.pDrvPrivate = made.release();
  return S_OK;
}

auto adapter_table() noexcept -> u::D3D9DDI_ADAPTERFUNCS {
  using trace::packing_u, trace::traced, trace::id_of;
  return {traced<packing_u, id_of("Adapter::CloseAdapter"), close_adapter_u>,
          traced<packing_u, id_of("Adapter::GetCaps"), get_caps_u>,
          traced<packing_u, id_of("Adapter::CreateDevice"), create_device_u>,
          traced<packing_u, id_of("Adapter::QueryAdapterInfo"), query_adapter_info_u>};
}

}  // namespace aerogpu::umd::front_u
