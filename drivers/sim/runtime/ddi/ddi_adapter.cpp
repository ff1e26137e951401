// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/ddi/ddi_adapter.hpp"

#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "drivers/sim/runtime/callbacks/callback_tables.hpp"
#include "drivers/sim/runtime/ddi/ddi_device.hpp"
#include "drivers/sim/runtime/portable/adapter.hpp"
#include "drivers/sim/runtime/results.hpp"
#include "drivers/sim/runtime/tokens.hpp"

#include <algorithm>
#include <string>

namespace aerogpu::sim {

ddi_adapter::ddi_adapter(d3d9_process& of) : process(of), token_(new_token(of.runtime.rules)) {
  bind_token(token_, this, nullptr);
}

ddi_adapter::~ddi_adapter() {
  if (is_open()) close();
  bind_token(token_, nullptr, nullptr);
}

auto ddi_adapter::check_result(const char* name, HRESULT result) -> HRESULT {
  if (!is_known_result(result)) {
    rules().record(contract_rule::odd_result,
                   std::string{name} + " returned " + std::to_string(static_cast<UINT>(result)));
  }
  return result;
}

auto ddi_adapter::open(UINT generation) -> HRESULT {
  generation_ = generation;
  callbacks_ = adapter_callbacks();
  D3DDDIARG_OPENADAPTER argument{};
  argument.hAdapter = token_;
  argument.Interface = generation;
  argument.Version = runtime_version;
  argument.pAdapterCallbacks = &callbacks_;
  argument.pAdapterFuncs = functions_.get();
  HRESULT result = E_FAIL;
  lent<D3DDDIARG_OPENADAPTER> passed{rules(), argument, "OpenAdapter"};
  {
    const ddi_scope here{this, process.id, rules(), "OpenAdapter", nullptr};
    const bool is_portable = process.runtime.options.profile == ddi_profile::u;
    const auto open = is_portable ? &open_portable_adapter : process.runtime.driver.open_adapter;
    result = open(passed.get());
  }
  argument = passed.take(&D3DDDIARG_OPENADAPTER::hAdapter, &D3DDDIARG_OPENADAPTER::DriverVersion);
  spoil(callbacks_);
  check_result("OpenAdapter", result);
  if (functions_.is_overrun())
    rules().record(contract_rule::table_overrun, "OpenAdapter wrote behind its table of 3 entries");
  if (FAILED(result)) return result;
  check_opened(argument);
  driver_ = argument.hAdapter;
  return result;
}

void ddi_adapter::check_opened(const D3DDDIARG_OPENADAPTER& opened) {
  if (opened.hAdapter == nullptr || opened.hAdapter == token_)
    rules().record(contract_rule::missing_handle, "OpenAdapter gave no handle of its own");
  if (opened.DriverVersion != driver_version) {
    rules().record(contract_rule::wrong_version,
                   "DriverVersion is " + std::to_string(opened.DriverVersion) + ", not 8195");
  }
  const auto missing = functions_.first_missing();
  if (missing != functions_.entries) {
    rules().record(contract_rule::missing_entry,
                   "OpenAdapter left entry " + std::to_string(missing) + " of its table NULL");
  }
}

auto ddi_adapter::close() -> HRESULT {
  HRESULT result = E_FAIL;
  {
    const ddi_scope here{this, process.id, rules(), "CloseAdapter", nullptr};
    result = functions_->pfnCloseAdapter(driver_);
  }
  driver_ = nullptr;
  return check_result("CloseAdapter", result);
}

auto ddi_adapter::get_caps(D3DDDICAPS_TYPE type, std::span<const std::byte> info,
                           std::span<std::byte> data) -> HRESULT {
  lent_bytes asked{rules(), info, "GetCaps's pInfo"};
  lent_bytes answer{rules(), data, "GetCaps's pData"};
  const D3DDDIARG_GETCAPS argument{type, asked.get(), answer.get(), static_cast<UINT>(data.size())};
  HRESULT result = E_FAIL;
  lent<D3DDDIARG_GETCAPS> passed{rules(), argument, "GetCaps"};
  {
    const ddi_scope here{this, process.id, rules(), "GetCaps", nullptr};
    result = functions_->pfnGetCaps(driver_, passed.get());
  }
  static_cast<void>(passed.take());
  asked.take_input();
  const auto written = answer.take();
  std::copy(written.begin(), written.end(), data.begin());
  return check_result("GetCaps", result);
}

auto ddi_adapter::create_device(ddi_device& device, D3DDDIARG_CREATEDEVICE& argument) -> HRESULT {
  argument.Interface = generation_;
  argument.Version = runtime_version;
  lent<D3DDDIARG_CREATEDEVICE> passed{rules(), argument, "CreateDevice"};
  HRESULT result = E_FAIL;
  {
    const ddi_scope here{&device, process.id, rules(), "CreateDevice", nullptr};
    result = functions_->pfnCreateDevice(driver_, passed.get());
  }
  argument = passed.take(&D3DDDIARG_CREATEDEVICE::hDevice);
  return check_result("CreateDevice", result);
}

auto ddi_adapter::query_adapter_info(const D3DDDICB_QUERYADAPTERINFO& asked) -> HRESULT {
  if (asked.pPrivateDriverData == nullptr || asked.PrivateDriverDataSize == 0) {
    rules().record(contract_rule::bad_argument, "QueryAdapterInfoCb without a buffer");
    return E_INVALIDARG;
  }
  const D3DKMT_QUERYADAPTERINFO query{process.kernel_adapter(), KMTQAITYPE_UMDRIVERPRIVATE,
                                      asked.pPrivateDriverData, asked.PrivateDriverDataSize};
  return to_hresult(D3DKMTQueryAdapterInfo(&query));
}

auto ddi_adapter::escape(const D3DDDICB_ESCAPE& asked) -> HRESULT {
  D3DKMT_ESCAPE escape{};
  escape.hAdapter = process.kernel_adapter();
  escape.Type = D3DKMT_ESCAPE_DRIVERPRIVATE;
  escape.Flags = asked.Flags;
  escape.pPrivateDriverData = asked.pPrivateDriverData;
  escape.PrivateDriverDataSize = asked.PrivateDriverDataSize;
  if (asked.hDevice != nullptr) {
    auto* const device = find_token(asked.hDevice).device;
    if (device == nullptr) {
      rules().record(contract_rule::unknown_handle, "EscapeCb for a device that there is not");
      return E_INVALIDARG;
    }
    escape.hDevice = device->kernel_device();
    escape.hContext = device->kernel_context(asked.hContext);
  }
  return to_hresult(D3DKMTEscape(&escape));
}

}  // namespace aerogpu::sim
