// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/adapter_entries.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/device/baseline.hpp"
#include "drivers/win7/umd/d3d9/front_m/caps_queries.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_table.hpp"
#include "drivers/win7/umd/d3d9/trace/packing_m.hpp"
#include "drivers/win7/umd/d3d9/trace/traced.hpp"

namespace aerogpu::umd::front_m {

void log_newer_interface(std::string_view called, UINT number) noexcept {
  if (number <= direct3d_9) return;
  log_line{called}.text(" Interface=").number(number).text(" is taken as 9");
}

auto APIENTRY get_caps(HANDLE adapter, const D3DDDIARG_GETCAPS* query) noexcept -> HRESULT {
  if (adapter == nullptr || query == nullptr || query->pData == nullptr || query->DataSize == 0) {
    return E_INVALIDARG;
  }
  return answer_caps(to_adapter(adapter)->facts(), *query);
}

auto APIENTRY create_device(HANDLE adapter, D3DDDIARG_CREATEDEVICE* create) noexcept -> HRESULT {
  if (adapter == nullptr || create == nullptr || create->pCallbacks == nullptr ||
      create->pDeviceFuncs == nullptr) {
    return E_INVALIDARG;
  }
  // DirectDraw and Direct3D 8 find the adapter and no 3D device on it.
  if (create->Interface < direct3d_9) return D3DERR_NOTAVAILABLE;
  log_newer_interface("CreateDevice", create->Interface);
  D3DDDI_DEVICEFUNCS table;
  if (!fill_device_table(table)) return E_FAIL;
  auto made = make_heap<device_m>(*to_adapter(adapter), create->hDevice, *create->pCallbacks);
  if (made == nullptr) return E_OUTOFMEMORY;
  if (!made->callbacks.is_complete()) return E_INVALIDARG;
  if (const HRESULT held = hold_adapter(to_adapter(adapter)); FAILED(held)) return held;
  HRESULT started = start_device(*made);
  if (SUCCEEDED(started)) {
    started = record_baseline(*made);
    if (FAILED(started)) stop_device(*made);
  }
  if (FAILED(started)) {
    static_cast<void>(umd::close_adapter(to_adapter(adapter)));
    return started;
  }
  *create->pDeviceFuncs = table;
  create->hDevice = made.release();
  return S_OK;
}

auto APIENTRY close_adapter_entry(HANDLE adapter) noexcept -> HRESULT {
  return adapter == nullptr ? E_INVALIDARG : umd::close_adapter(to_adapter(adapter));
}

auto adapter_table() noexcept -> D3DDDI_ADAPTERFUNCS {
  using trace::packing_m, trace::traced, trace::id_of;
  return {traced<packing_m, id_of("M::GetCaps"), get_caps>,
          traced<packing_m, id_of("M::CreateDevice"), create_device>,
          traced<packing_m, id_of("M::CloseAdapter"), close_adapter_entry>};
}

}  // namespace aerogpu::umd::front_m
