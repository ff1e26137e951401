// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/open_adapter.hpp"

#include "aerogpu/hosted/heap_pointer.hpp"
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"
#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/front_m/adapter_entries.hpp"
#include "drivers/win7/umd/d3d9/trace/module.hpp"
#include "drivers/win7/umd/d3d9/trace/packing_m.hpp"
#include "drivers/win7/umd/d3d9/trace/traced.hpp"

#include <utility>

namespace aerogpu::umd::front_m {

namespace {

constexpr UINT oldest_interface = 7;

/// The adapter callbacks of one opening.
class adapter_runtime_m final : public adapter_runtime {
 public:
  adapter_runtime_m(HANDLE adapter, const D3DDDI_ADAPTERCALLBACKS& callbacks) noexcept
      : adapter_(adapter), callbacks_(callbacks) {}

  auto query_private_data(mutable_bytes out) noexcept -> HRESULT override {
    if (callbacks_.pfnQueryAdapterInfoCb == nullptr) return D3DERR_NOTAVAILABLE;
    const D3DDDICB_QUERYADAPTERINFO query{out.data(), static_cast<UINT>(out.size())};
    return callbacks_.pfnQueryAdapterInfoCb(adapter_, &query);
  }

 private:
  HANDLE adapter_;
  D3DDDI_ADAPTERCALLBACKS callbacks_;
};

void log_opening(const D3DDDIARG_OPENADAPTER& open, const adapter& opened) noexcept {
  log_line{"OpenAdapter Interface="}
      .number(open.Interface)
      .text(" Version=")
      .number(open.Version)
      .text(" LUID=")
      .bare_hex(static_cast<std::uint32_t>(opened.luid().high), 8)
      .text(":")
      .bare_hex(opened.luid().low, 8);
}

auto APIENTRY open_untraced(D3DDDIARG_OPENADAPTER* open) noexcept -> HRESULT {
  log_module_path();
  if (open == nullptr) return E_INVALIDARG;
  if (open->pAdapterFuncs == nullptr || open->pAdapterCallbacks == nullptr ||
      open->Interface < oldest_interface) {
    log_line{"OpenAdapter invalid interface/version ("}
        .number(open->Interface)
        .text("/")
        .number(open->Version)
        .text(")");
    return E_INVALIDARG;
  }
  log_newer_interface("OpenAdapter", open->Interface);
  auto callbacks = make_heap<adapter_runtime_m>(open->hAdapter, *open->pAdapterCallbacks);
  if (callbacks == nullptr) return E_OUTOFMEMORY;
  adapter* opened = nullptr;
  const HRESULT found = umd::open_adapter(nullptr, std::move(callbacks), opened);
  if (FAILED(found)) return found;
  log_opening(*open, *opened);
  log_adapter(*opened);
  *open->pAdapterFuncs = adapter_table();
  open->hAdapter = opened;
  open->DriverVersion = D3D_UMD_INTERFACE_VERSION;
  return S_OK;
}

}  // namespace

auto APIENTRY open_adapter(D3DDDIARG_OPENADAPTER* open) noexcept -> HRESULT {
  return trace::traced<trace::packing_m, trace::id_of("OpenAdapter"), open_untraced>(open);
}

}  // namespace aerogpu::umd::front_m
