// SPDX-License-Identifier: MIT
#include "drivers/sim/runtime/callbacks/callback_tables.hpp"

#include "drivers/sim/runtime/callbacks/callback_service.hpp"
#include "drivers/sim/runtime/ddi/ddi_adapter.hpp"

#include <string>

namespace aerogpu::sim {
namespace {

void report(HANDLE token, contract_rule rule, callback which, const char* what) {
  rules_for(token).record(rule, std::string{callback_name(which)} + ": " + what);
}

/// One callback of a structure, as one function of the device.
template <callback Which, class Argument, auto Act>
auto CALLBACK device_callback(HANDLE token, Argument* argument) -> HRESULT {
  return serve_callback(token, Which, argument,
                        [&](ddi_device& device) { return (device.*Act)(*argument); });
}

/// Overlays and synchronisation objects: the simulated kernel has none.
template <callback Which, class Argument>
auto CALLBACK refused(HANDLE token, Argument* argument) -> HRESULT {
  return serve_callback(token, Which, argument, [](ddi_device&) { return D3DERR_NOTAVAILABLE; });
}

template <callback Which, auto Act, class Argument>
void set(HRESULT(CALLBACK*& entry)(HANDLE, Argument*)) {
  entry = &device_callback<Which, Argument, Act>;
}
template <callback Which, class Argument>
void refuse(HRESULT(CALLBACK*& entry)(HANDLE, Argument*)) {
  entry = &refused<Which, Argument>;
}

auto CALLBACK on_set_async_callbacks(HANDLE token, BOOL is_enabled) -> HRESULT {
  return serve_callback(token, callback::set_async_callbacks, token, [&](ddi_device& device) {
    return device.on_set_async_callbacks(is_enabled);
  });
}

template <class Act>
[[nodiscard]] auto serve_adapter(HANDLE token, callback which, const void* arguments, Act&& act)
    -> HRESULT {
  const callback_scope here;
  auto* const adapter = find_token(token).adapter;
  if (adapter == nullptr || ddi_scope::innermost() == nullptr) {
    report(token, contract_rule::stray_callback, which,
           adapter == nullptr ? "for an adapter that there is not" : "from outside of any entry");
    return E_INVALIDARG;
  }
  if (arguments == nullptr) {
    report(token, contract_rule::bad_argument, which, "without a structure");
    return E_INVALIDARG;
  }
  if (const auto failure = adapter->process.runtime.faults.next(which)) return *failure;
  return act(*adapter);
}

auto CALLBACK on_query_adapter_info(HANDLE token, const D3DDDICB_QUERYADAPTERINFO* asked)
    -> HRESULT {
  return serve_adapter(token, callback::query_adapter_info, asked,
                       [&](ddi_adapter& adapter) { return adapter.query_adapter_info(*asked); });
}

auto CALLBACK on_get_multisample_methods(HANDLE token, D3DDDICB_GETMULTISAMPLEMETHODLIST* asked)
    -> HRESULT {
  return serve_adapter(token, callback::get_multisample_method_list, asked, [&](ddi_adapter&) {
    asked->MethodCount = 0;
    return S_OK;
  });
}

auto CALLBACK on_escape(HANDLE token, const D3DDDICB_ESCAPE* asked) -> HRESULT {
  return serve_adapter(token, callback::escape, asked,
                       [&](ddi_adapter& adapter) { return adapter.escape(*asked); });
}

template <class Argument>
auto CALLBACK trap(HANDLE token, Argument) -> HRESULT {
  rules_for(token).record(contract_rule::kept_callback_table,
                          "a callback was called through a table that went back");
  return E_FAIL;
}
template <class Argument>
void set_trap(HRESULT(CALLBACK*& entry)(HANDLE, Argument)) {
  entry = &trap<Argument>;
}

}  // namespace

auto adapter_callbacks() -> D3DDDI_ADAPTERCALLBACKS {
  return {&on_query_adapter_info, &on_get_multisample_methods};
}

auto device_callbacks() -> D3DDDI_DEVICECALLBACKS {
  using device = ddi_device;
  D3DDDI_DEVICECALLBACKS table{};
  set<callback::allocate, &device::on_allocate>(table.pfnAllocateCb);
  set<callback::deallocate, &device::on_deallocate>(table.pfnDeallocateCb);
  set<callback::set_priority, &device::on_set_priority>(table.pfnSetPriorityCb);
  set<callback::query_residency, &device::on_query_residency>(table.pfnQueryResidencyCb);
  set<callback::set_display_mode, &device::on_set_display_mode>(table.pfnSetDisplayModeCb);
  set<callback::present, &device::on_present>(table.pfnPresentCb);
  set<callback::render, &device::on_render>(table.pfnRenderCb);
  set<callback::lock, &device::on_lock>(table.pfnLockCb);
  set<callback::unlock, &device::on_unlock>(table.pfnUnlockCb);
  table.pfnEscapeCb = &on_escape;
  refuse<callback::create_overlay>(table.pfnCreateOverlayCb);
  refuse<callback::update_overlay>(table.pfnUpdateOverlayCb);
  refuse<callback::flip_overlay>(table.pfnFlipOverlayCb);
  refuse<callback::destroy_overlay>(table.pfnDestroyOverlayCb);
  set<callback::create_context, &device::on_create_context>(table.pfnCreateContextCb);
  set<callback::destroy_context, &device::on_destroy_context>(table.pfnDestroyContextCb);
  refuse<callback::create_synchronization_object>(table.pfnCreateSynchronizationObjectCb);
  refuse<callback::destroy_synchronization_object>(table.pfnDestroySynchronizationObjectCb);
  refuse<callback::wait_for_synchronization_object>(table.pfnWaitForSynchronizationObjectCb);
  refuse<callback::signal_synchronization_object>(table.pfnSignalSynchronizationObjectCb);
  table.pfnSetAsyncCallbacksCb = &on_set_async_callbacks;
  refuse<callback::set_display_private_driver_format>(table.pfnSetDisplayPrivateDriverFormatCb);
  return table;
}

void spoil(D3DDDI_ADAPTERCALLBACKS& table) {
  set_trap(table.pfnQueryAdapterInfoCb);
  set_trap(table.pfnGetMultisampleMethodListCb);
}

void spoil(D3DDDI_DEVICECALLBACKS& table) {
  set_trap(table.pfnAllocateCb);
  set_trap(table.pfnDeallocateCb);
  set_trap(table.pfnSetPriorityCb);
  set_trap(table.pfnQueryResidencyCb);
  set_trap(table.pfnSetDisplayModeCb);
  set_trap(table.pfnPresentCb);
  set_trap(table.pfnRenderCb);
  set_trap(table.pfnLockCb);
  set_trap(table.pfnUnlockCb);
  set_trap(table.pfnEscapeCb);
  set_trap(table.pfnCreateOverlayCb);
  set_trap(table.pfnUpdateOverlayCb);
  set_trap(table.pfnFlipOverlayCb);
  set_trap(table.pfnDestroyOverlayCb);
  set_trap(table.pfnCreateContextCb);
  set_trap(table.pfnDestroyContextCb);
  set_trap(table.pfnCreateSynchronizationObjectCb);
  set_trap(table.pfnDestroySynchronizationObjectCb);
  set_trap(table.pfnWaitForSynchronizationObjectCb);
  set_trap(table.pfnSignalSynchronizationObjectCb);
  set_trap(table.pfnSetAsyncCallbacksCb);
  set_trap(table.pfnSetDisplayPrivateDriverFormatCb);
}

}  // namespace aerogpu::sim
