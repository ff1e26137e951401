// SPDX-License-Identifier: MIT
#include "tests/drivers/umd/rigs/fake_umd.hpp"

#include "aerogpu/abi/dbgctl_escape.h"
#include "tests/drivers/umd/rigs/fake_umd_device.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace aerogpu::test {
namespace {

fake_umd driver;  // NOLINT: one driver in a process, as a DLL is.

struct fake_adapter {
  HANDLE runtime = nullptr;
  D3DDDI_ADAPTERCALLBACKS callbacks{};
  const D3DDDI_ADAPTERCALLBACKS* kept = nullptr;
};

/// Of the last device, which may be gone: what a stray callback uses.
D3DDDI_DEVICECALLBACKS last_callbacks{};
HANDLE last_runtime = nullptr;
const D3DDDI_DEVICECALLBACKS* kept_table = nullptr;
HANDLE last_adapter = nullptr;

/// One format and one kind of query.
[[nodiscard]] auto first_number(D3DDDICAPS_TYPE type) -> UINT {
  switch (type) {
    case D3DDDICAPS_GETFORMATCOUNT:
    case D3DDDICAPS_GETD3DQUERYCOUNT: return 1;
    case D3DDDICAPS_GETFORMATDATA: return D3DDDIFMT_X8R8G8B8;
    case D3DDDICAPS_GETD3DQUERYDATA: return D3DDDIQUERYTYPE_EVENT;
    default: return 0;
  }
}

auto APIENTRY get_caps(HANDLE adapter, const D3DDDIARG_GETCAPS* asked) -> HRESULT {
  auto* const self = static_cast<fake_adapter*>(adapter);
  if (driver.does == umd_misdeed::keep_adapter_callbacks) {
    std::byte blob[64]{};
    const D3DDDICB_QUERYADAPTERINFO query{blob, sizeof blob};
    static_cast<void>(self->kept->pfnQueryAdapterInfoCb(self->runtime, &query));
  }
  std::memset(asked->pData, 0, asked->DataSize);
  const auto first = first_number(asked->Type);
  std::memcpy(asked->pData, &first, sizeof first);
  if (driver.does == umd_misdeed::write_behind_caps)
    static_cast<std::byte*>(asked->pData)[asked->DataSize] = std::byte{7};
  if (driver.does == umd_misdeed::change_data_size)
    const_cast<D3DDDIARG_GETCAPS*>(asked)->DataSize = 1;
  return S_OK;
}

void misuse_table(D3DDDIARG_CREATEDEVICE& wanted) {
  switch (driver.does) {
    case umd_misdeed::leave_entry_null: wanted.pDeviceFuncs->pfnBufBlt = nullptr; return;
    case umd_misdeed::leave_one_async_lock_null: wanted.pDeviceFuncs->pfnRename = nullptr; return;
    case umd_misdeed::write_behind_device_table:
      reinterpret_cast<void**>(wanted.pDeviceFuncs)[121] = wanted.pDeviceFuncs;
      return;
    case umd_misdeed::write_into_default_context:
      static_cast<std::byte*>(wanted.pCommandBuffer)[100] = std::byte{1};
      return;
    default: return;
  }
}

auto APIENTRY create_device(HANDLE, D3DDDIARG_CREATEDEVICE* wanted) -> HRESULT {
  auto made = std::make_unique<fake_device>();
  made->runtime = wanted->hDevice;
  made->callbacks = *wanted->pCallbacks;
  kept_table = wanted->pCallbacks;
  last_callbacks = made->callbacks;
  last_runtime = made->runtime;
  if (const auto result = made->create_context(); FAILED(result)) return result;
  made->marker = made->allocate(nullptr, 16, 16, false, false);
  if (made->marker == 0) {
    const D3DDDICB_DESTROYCONTEXT gone{made->context};
    static_cast<void>(made->callbacks.pfnDestroyContextCb(made->runtime, &gone));
    return E_OUTOFMEMORY;
  }
  fill_device_table(*wanted->pDeviceFuncs);
  if (!driver.has_async_locks) {
    wanted->pDeviceFuncs->pfnLockAsync = nullptr;
    wanted->pDeviceFuncs->pfnUnlockAsync = nullptr;
    wanted->pDeviceFuncs->pfnRename = nullptr;
  }
  misuse_table(*wanted);
  wanted->hDevice = made.release();
  ++driver.live_devices;
  return S_OK;
}

auto APIENTRY close_adapter(HANDLE adapter) -> HRESULT {
  const std::unique_ptr<fake_adapter> gone{static_cast<fake_adapter*>(adapter)};
  --driver.live_adapters;
  return S_OK;
}

auto APIENTRY open_adapter(D3DDDIARG_OPENADAPTER* wanted) -> HRESULT {
  constexpr UINT vista = 0xC;
  constexpr UINT windows7 = 0x2003;
  auto made = std::make_unique<fake_adapter>();
  made->runtime = wanted->hAdapter;
  last_adapter = wanted->hAdapter;
  made->callbacks = *wanted->pAdapterCallbacks;
  made->kept = wanted->pAdapterCallbacks;
  *wanted->pAdapterFuncs = {&get_caps, &create_device, &close_adapter};
  if (driver.does == umd_misdeed::leave_adapter_entry_null)
    wanted->pAdapterFuncs->pfnGetCaps = nullptr;
  if (driver.does == umd_misdeed::write_behind_adapter_table)
    reinterpret_cast<void**>(wanted->pAdapterFuncs)[3] = wanted;
  wanted->DriverVersion = driver.does == umd_misdeed::report_vista_version ? vista : windows7;
  if (driver.does == umd_misdeed::give_no_adapter_handle) {
    wanted->hAdapter = nullptr;
    return S_OK;
  }
  wanted->hAdapter = made.release();
  ++driver.live_adapters;
  return S_OK;
}

}  // namespace

auto fake_umd::calls_of(std::size_t entry) const -> std::size_t {
  return static_cast<std::size_t>(std::count(entries.begin(), entries.end(), entry));
}

auto the_fake_umd() -> fake_umd& {
  return driver;
}

auto use_fake_umd(umd_misdeed does) -> sim::user_driver {
  driver = {};
  driver.does = does;
  return {&open_adapter};
}

void call_back_from_here() {
  const D3DDDICB_DEALLOCATE gone{nullptr, 0, nullptr};
  static_cast<void>(last_callbacks.pfnDeallocateCb(last_runtime, &gone));
}

auto escape_from_here(HANDLE device) -> HRESULT {
  aerogpu_escape_query_fence_out query{};
  query.hdr = {AEROGPU_ESCAPE_VERSION, AEROGPU_ESCAPE_OP_QUERY_FENCE, sizeof query, 0};
  D3DDDICB_ESCAPE wanted{};
  wanted.hDevice = device;
  wanted.pPrivateDriverData = &query;
  wanted.PrivateDriverDataSize = sizeof query;
  const auto result = last_callbacks.pfnEscapeCb(last_adapter, &wanted);
  if (SUCCEEDED(result) && query.last_submitted_fence == 0) return E_FAIL;
  return result;
}

auto last_device() -> HANDLE {
  return last_runtime;
}

void call_back_through_kept_table(HANDLE runtime) {
  const D3DDDICB_DEALLOCATE gone{nullptr, 0, nullptr};
  static_cast<void>(kept_table->pfnDeallocateCb(runtime, &gone));
}

}  // namespace aerogpu::test
