// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/entries/entries_resources.hpp"

#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "drivers/win7/umd/d3d9/front_m/create_arguments.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_m/resource_arguments.hpp"
#include "drivers/win7/umd/d3d9/front_m/surface_chain.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/lock.hpp"
#include "drivers/win7/umd/d3d9/resource/opening.hpp"

#include <algorithm>

namespace aerogpu::umd::front_m {

namespace {

auto APIENTRY create_resource(HANDLE handle, D3DDDIARG_CREATERESOURCE* create) noexcept -> HRESULT {
  const device_call call{to_device(handle), create};
  if (!call) return call.refusal();
  creation_request request;
  if (const HRESULT bad = read_request(*create, request); FAILED(bad)) return bad;
  resource* made = nullptr;
  const HRESULT created = create_surfaces(*call, request, made);
  if (SUCCEEDED(created)) create->hResource = made;
  return created;
}

auto APIENTRY open_resource(HANDLE handle, D3DDDIARG_OPENRESOURCE* open) noexcept -> HRESULT {
  const device_call call{to_device(handle), open};
  if (!call) return call.refusal();
  // What is shared has one allocation (umd-d3d9.md 2.6).
  if (open->NumAllocations != 1 || open->pOpenAllocationInfo == nullptr) return E_INVALIDARG;
  const D3DDDI_OPENALLOCATIONINFO& info = *open->pOpenAllocationInfo;
  opening_request request;
  request.allocation = kernel_allocation{info.hAllocation};
  if (info.pPrivateDriverData != nullptr) {
    request.private_data = {static_cast<const std::byte*>(info.pPrivateDriverData),
                            info.PrivateDriverDataSize};
  }
  request.runtime_handle = open->hResource;
  resource* made = nullptr;
  const HRESULT opened = umd::open_resource(*call, request, made);
  if (SUCCEEDED(opened)) open->hResource = made;
  return opened;
}

auto APIENTRY destroy_resource(HANDLE handle, HANDLE gone) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, gone};
  if (!call) return call.refusal();
  return call.result(destroy_surfaces(*call, to_resource(gone)));
}

/// The range as far as the resource reaches: nobody before the driver has looked at it.
[[nodiscard]] auto cut_range(const D3DDDIRANGE& range, const resource& of) noexcept -> byte_range {
  const std::uint64_t left = of.size_bytes - std::min<std::uint64_t>(range.Offset, of.size_bytes);
  return {range.Offset, std::min<std::uint64_t>(range.Size, left)};
}

/// Range, Area and Box are one memory, which the flags tell apart.
void read_place(const D3DDDIARG_LOCK& from, const resource& of, lock_request& out) noexcept {
  const D3DDDI_LOCKFLAGS& flags = from.Flags;
  if (flags.RangeValid != 0) out.range = cut_range(from.Range, of);
  if (flags.AreaValid != 0) out.area = to_rectangle(from.Area);
  if (flags.BoxValid != 0) {
    const auto side = [](UINT at) {
      return static_cast<std::int32_t>(at <= 0x7FFFFFFF ? at : 0x7FFFFFFF);
    };
    out.area = rectangle{side(from.Box.Left), side(from.Box.Top), side(from.Box.Right),
                         side(from.Box.Bottom)};
  }
}

auto APIENTRY lock(HANDLE handle, D3DDDIARG_LOCK* lock) noexcept -> HRESULT {
  const device_call call{to_device(handle), lock};
  if (!call) return call.refusal();
  const surface_ref at = to_surface(lock->hResource, lock->SubResourceIndex);
  if (at.resource == nullptr) return E_INVALIDARG;
  lock_request request;
  request.subresource = at.subresource;
  read_place(*lock, *at.resource, request);
  request.is_read_only = lock->Flags.ReadOnly != 0;
  request.is_write_only = lock->Flags.WriteOnly != 0;
  request.discards = lock->Flags.Discard != 0;
  request.only_notifies = lock->Flags.NotifyOnly != 0;
  request.may_wait = lock->Flags.DoNotWait == 0;
  request.may_nest = true;
  lock_answer answer;
  const HRESULT locked = lock_resource(*call, *at.resource, request, answer);
  if (FAILED(locked)) return locked;
  lock->pSurfData = answer.bytes;
  lock->Pitch = answer.row_pitch_bytes;
  lock->SlicePitch = answer.slice_pitch_bytes;
  return S_OK;
}

auto APIENTRY unlock(HANDLE handle, const D3DDDIARG_UNLOCK* unlock) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, unlock};
  if (!call) return call.refusal();
  const surface_ref at = to_surface(unlock->hResource, unlock->SubResourceIndex);
  if (at.resource == nullptr) return E_INVALIDARG;
  return call.result(unlock_resource(*call, *at.resource, at.subresource));
}

auto APIENTRY get_pitch(HANDLE handle, D3DDDIARG_GETPITCH* get) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, get};
  if (!call) return call.refusal();
  const surface_ref at = to_surface(get->hResource, get->SubResourceIndex);
  if (at.resource == nullptr) return E_INVALIDARG;
  lock_request whole;
  whole.subresource = at.subresource;
  located_range where;
  const HRESULT found = locate_request(*at.resource, whole, where);
  if (SUCCEEDED(found)) get->Pitch = where.row_pitch_bytes;
  return found;
}

/// Evicted memory is back before it is used, and contents live on the host (umd-d3d9.md 2.16).
auto APIENTRY query_residency(HANDLE handle, const D3DDDIARG_QUERYRESOURCERESIDENCY* query) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), query};
  if (!call) return call.refusal();
  return query->NumResources != 0 && query->pHandleList == nullptr ? E_INVALIDARG : S_OK;
}

/// A point where other processes may look at the surface.
auto APIENTRY resolve_shared(HANDLE handle, const D3DDDIARG_RESOLVESHAREDRESOURCE* resolve) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), resolve};
  if (!call) return call.refusal();
  if (resolve->hResource == nullptr) return E_INVALIDARG;
  return (*call).commands.submit();
}

auto APIENTRY get_capture_allocation(HANDLE handle,
                                     D3DDDIARG_GETCAPTUREALLOCATIONHANDLE* get) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), get};
  if (!call) return call.refusal();
  resource* const of = to_resource(get->hResource);
  if (of == nullptr) return E_INVALIDARG;
  const HRESULT found = require_allocation(*call, *of);
  if (SUCCEEDED(found)) get->hAllocation = raw(of->backing.allocation);
  return found;
}

}  // namespace

void add_resource_entries(D3DDDI_DEVICEFUNCS& table) noexcept {
  table.pfnCreateResource = create_resource;
  table.pfnOpenResource = open_resource;
  table.pfnDestroyResource = destroy_resource;
  table.pfnLock = lock;
  table.pfnUnlock = unlock;
  table.pfnGetPitch = get_pitch;
  table.pfnQueryResourceResidency = query_residency;
  table.pfnResolveSharedResource = resolve_shared;
  table.pfnGetCaptureAllocationHandle = get_capture_allocation;
}

}  // namespace aerogpu::umd::front_m
