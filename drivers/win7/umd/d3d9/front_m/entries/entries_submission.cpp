// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/entries/entries_submission.hpp"

#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_m/resource_arguments.hpp"
#include "drivers/win7/umd/d3d9/present/present.hpp"

#include <memory>

namespace aerogpu::umd::front_m {

namespace {

constexpr UINT vcache_id = 4;                // D3DDEVINFOID_VCACHE
constexpr UINT vcache_pattern = 0x48434143;  // 'CACH'

auto APIENTRY destroy_device(HANDLE handle) noexcept -> HRESULT {
  std::unique_ptr<device_m> ended{static_cast<device_m*>(to_device(handle))};
  if (ended == nullptr) return E_INVALIDARG;
  ended->mutex.lock();  // Whoever is inside leaves first.
  stop_device(*ended);
  ended->mutex.unlock();
  adapter* const held = &ended->adapter;
  ended.reset();
  return close_adapter(held);
}

auto APIENTRY flush(HANDLE handle) noexcept -> HRESULT {
  const device_call call{to_device(handle)};
  if (!call) return call.refusal();
  return umd::flush(*call);
}

auto APIENTRY get_info(HANDLE handle, UINT id, void* out, UINT size) noexcept -> HRESULT {
  if (handle == nullptr || out == nullptr) return E_INVALIDARG;
  if (id != vcache_id) return E_NOTIMPL;
  if (size < sizeof(D3DDDIDEVINFO_VCACHE)) return E_INVALIDARG;
  // The host's vertex cache is unknown: no optimisation is better than another.
  const D3DDDIDEVINFO_VCACHE info{vcache_pattern, 0, 0, 0};
  store(static_cast<std::byte*>(out), info);
  return S_OK;
}

auto APIENTRY set_display_mode(HANDLE handle, const D3DDDIARG_SETDISPLAYMODE* set) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), set};
  if (!call) return call.refusal();
  const auto [primary, index] = to_surface(set->hResource, set->SubResourceIndex);
  if (primary == nullptr || index >= primary->subresource_count() || !primary->backing) {
    return E_INVALIDARG;
  }
  if (const HRESULT submitted = (*call).commands.submit(); FAILED(submitted)) return submitted;
  return (*call).runtime.set_display_mode(primary->backing.allocation);
}

auto APIENTRY set_priority(HANDLE handle, const D3DDDIARG_SETPRIORITY* set) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, set};
  if (!call) return call.refusal();
  const resource* of = to_resource(set->hResource);
  if (of == nullptr) return E_INVALIDARG;
  HRESULT done = S_OK;
  for (; SUCCEEDED(done) && of != nullptr; of = of->next_surface) {
    if (!of->backing) continue;  // What lives on the host has no residency here.
    void* const runtime_resource = of->flags.is_shared ? of->runtime_handle : nullptr;
    done = (*call).runtime.set_priority(of->backing.allocation, runtime_resource, set->Priority);
  }
  return call.result(done);
}

}  // namespace

void add_submission_entries(D3DDDI_DEVICEFUNCS& table) noexcept {
  table.pfnDestroyDevice = destroy_device;
  table.pfnFlush = flush;
  table.pfnGetInfo = get_info;
  table.pfnSetDisplayMode = set_display_mode;
  table.pfnSetPriority = set_priority;
}

}  // namespace aerogpu::umd::front_m
