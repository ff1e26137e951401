// SPDX-License-Identifier: MIT
// The DLL's exports as undefined symbols: an object file names them as this compiler decorates
// them.
#include "drivers/win7/ddi/portable/tables.hpp"
#include "drivers/win7/ddi/user/d3dumddi.hpp"

extern "C" {
HRESULT APIENTRY OpenAdapter(D3DDDIARG_OPENADAPTER*);
HRESULT APIENTRY OpenAdapter2(aerogpu::d3d9ddi_u::D3DDDIARG_OPENADAPTER2*);
HRESULT APIENTRY OpenAdapterFromHdc(aerogpu::d3d9ddi_u::D3DDDIARG_OPENADAPTERFROMHDC*);
HRESULT APIENTRY OpenAdapterFromLuid(aerogpu::d3d9ddi_u::D3DDDIARG_OPENADAPTERFROMLUID*);
}

struct exported_functions {
  PFND3DDDI_OPENADAPTER open_adapter;
  aerogpu::d3d9ddi_u::PFND3DDDI_OPENADAPTER2 open_adapter_2;
  aerogpu::d3d9ddi_u::PFND3DDDI_OPENADAPTERFROMHDC open_adapter_from_hdc;
  aerogpu::d3d9ddi_u::PFND3DDDI_OPENADAPTERFROMLUID open_adapter_from_luid;
};

extern const exported_functions abi_exports;
const exported_functions abi_exports = {OpenAdapter, OpenAdapter2, OpenAdapterFromHdc,
                                        OpenAdapterFromLuid};
