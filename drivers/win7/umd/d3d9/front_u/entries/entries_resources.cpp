// SPDX-License-Identifier: MIT
/// \file Resources: made, opened, locked, ended, and what is kept about them.
#include "drivers/win7/umd/d3d9/front_u/calls.hpp"
#include "drivers/win7/umd/d3d9/front_u/create_arguments.hpp"
#include "drivers/win7/umd/d3d9/front_u/entries/entries.hpp"
#include "drivers/win7/umd/d3d9/resource/backing.hpp"
#include "drivers/win7/umd/d3d9/resource/creation.hpp"
#include "drivers/win7/umd/d3d9/resource/destruction.hpp"
#include "drivers/win7/umd/d3d9/resource/lock.hpp"
#include "drivers/win7/umd/d3d9/resource/texels/mips.hpp"

namespace aerogpu::umd::front_u {

namespace {

/// What the runtime gets back of a new resource: its allocation, and the blob that names it.
void describe(const resource& made, u::D3D9DDIARG_CREATERESOURCE& out) noexcept {
  out.hAllocation = raw(made.backing.allocation);
  if (out.pPrivateDriverData == nullptr) return;
  // Too short for a blob: it holds none.
  static_cast<void>(write_private_data(
      made, {static_cast<std::byte*>(out.pPrivateDriverData), out.PrivateDriverDataSize}));
}

[[nodiscard]] auto create_new(device& on, u::D3D9DDIARG_CREATERESOURCE& a) noexcept -> HRESULT {
  resource_request request;
  if (const HRESULT bad = read_request(a, request); FAILED(bad)) return bad;
  resource* made = nullptr;
  const HRESULT created = create_resource(on, request, made);
  if (FAILED(created)) return created;
  describe(*made, a);
  a.hResource.pDrvPrivate = made;
  return S_OK;
}

template <class Argument>
[[nodiscard]] auto open_existing(device& on, Argument& a) noexcept -> HRESULT {
  opening_request request;
  if (const HRESULT bad = read_opening(a, request); FAILED(bad)) return bad;
  resource* made = nullptr;
  const HRESULT opened = open_resource(on, request, made);
  if (SUCCEEDED(opened)) a.hResource.pDrvPrivate = made;
  return opened;
}

auto APIENTRY create_resource_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDIARG_CREATERESOURCE* a) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        a->hResource.pDrvPrivate = nullptr;
        const bool exists = a->pSharedHandle != nullptr && *a->pSharedHandle != nullptr;
        return exists ? open_existing(on, *a) : create_new(on, *a);
      },
      a);
}

auto APIENTRY open_resource_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDIARG_OPENRESOURCE* a) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        a->hResource.pDrvPrivate = nullptr;
        return open_existing(on, *a);
      },
      a);
}

auto APIENTRY destroy_resource_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HRESOURCE gone) noexcept
    -> HRESULT {
  return set(
      handle, [&](device& on) { return destroy_resource(on, to_resource(gone)); },
      gone.pDrvPrivate);
}

auto APIENTRY lock_u(u::D3D9DDI_HDEVICE handle, const u::D3D9DDIARG_LOCK* a,
                     u::D3D9DDI_LOCKED_BOX* out) noexcept -> HRESULT {
  return run(
      handle,
      [&](device& on) -> HRESULT {
        *out = {};
        resource* const of = to_resource(a->hResource);
        if (of == nullptr) return E_INVALIDARG;
        lock_request request;
        std::uint64_t rest = 0;
        const HRESULT found = locate_byte(*of, a->OffsetToLock, request.subresource, rest);
        if (FAILED(found)) return found;
        request.range = byte_range{rest, a->SizeToLock};
        request.is_read_only = (a->Flags & D3DLOCK_READONLY) != 0;
        request.discards = (a->Flags & D3DLOCK_DISCARD) != 0;
        request.may_wait = (a->Flags & D3DLOCK_DONOTWAIT) == 0;
        lock_answer answer;
        const HRESULT locked = lock_resource(on, *of, request, answer);
        if (SUCCEEDED(locked)) {
          *out = {answer.bytes, answer.row_pitch_bytes, answer.slice_pitch_bytes};
        }
        return locked;
      },
      a, out);
}

auto APIENTRY unlock_u(u::D3D9DDI_HDEVICE handle, const u::D3D9DDIARG_UNLOCK* a) noexcept
    -> HRESULT {
  return set(
      handle,
      [&](device& on) {
        resource* const of = to_resource(a->hResource);
        return of != nullptr ? unlock_range(on, *of, {a->OffsetToUnlock, a->SizeToUnlock})
                             : E_INVALIDARG;
      },
      a);
}

auto APIENTRY generate_mips_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HRESOURCE texture) noexcept
    -> HRESULT {
  return run(
      handle,
      [&](device& on) {
        resource& of = *to_resource(texture);
        const bool is_nearest = of.mip_filter == D3DTEXF_POINT;
        return generate_mips(on, of, is_nearest ? mip_filter::nearest : mip_filter::box);
      },
      texture.pDrvPrivate);
}

auto APIENTRY set_priority_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HRESOURCE named,
                             std::uint32_t priority, std::uint32_t* old) noexcept -> HRESULT {
  return set(
      handle,
      [&](device&) {
        resource& of = *to_resource(named);
        if (old != nullptr) *old = of.priority;
        of.priority = priority;
        return S_OK;
      },
      named.pDrvPrivate);
}

auto APIENTRY get_priority_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HRESOURCE named,
                             std::uint32_t* priority) noexcept -> HRESULT {
  return get(
      handle,
      [&](device&) {
        *priority = to_resource(named)->priority;
        return S_OK;
      },
      named.pDrvPrivate, priority);
}

auto APIENTRY set_mip_filter_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HRESOURCE texture,
                               std::uint32_t filter) noexcept -> HRESULT {
  return set(
      handle,
      [&](device&) {
        to_resource(texture)->mip_filter = filter;
        return S_OK;
      },
      texture.pDrvPrivate);
}

auto APIENTRY get_mip_filter_u(u::D3D9DDI_HDEVICE handle, u::D3D9DDI_HRESOURCE texture,
                               std::uint32_t* filter) noexcept -> HRESULT {
  return get(
      handle,
      [&](device&) {
        *filter = to_resource(texture)->mip_filter;
        return S_OK;
      },
      texture.pDrvPrivate, filter);
}

}  // namespace

void add_resource_entries(device_table& table) noexcept {
  table.pfnCreateResource = create_resource_u;
  table.pfnOpenResource = open_resource_u;
  table.pfnOpenResource2 = open_resource_u;
  table.pfnDestroyResource = destroy_resource_u;
  table.pfnLock = lock_u;
  table.pfnUnlock = unlock_u;
  table.pfnGenerateMipSubLevels = generate_mips_u;
}

void add_extended_resource_entries(extended_table& table) noexcept {
  table.pfnSetPriority = set_priority_u;
  table.pfnGetPriority = get_priority_u;
  table.pfnSetAutoGenFilterType = set_mip_filter_u;
  table.pfnGetAutoGenFilterType = get_mip_filter_u;
}

}  // namespace aerogpu::umd::front_u
