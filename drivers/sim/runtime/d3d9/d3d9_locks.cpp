// SPDX-License-Identifier: MIT
/// \file Locks of surfaces and buffers.
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"

#include <algorithm>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

[[nodiscard]] auto lock_flags(const d3d9_resource& resource, DWORD flags) -> D3DDDI_LOCKFLAGS {
  D3DDDI_LOCKFLAGS made{};
  made.ReadOnly = (flags & D3DLOCK_READONLY) != 0 ? 1 : 0;
  made.NoOverwrite = (flags & D3DLOCK_NOOVERWRITE) != 0 ? 1 : 0;
  made.Discard = (flags & D3DLOCK_DISCARD) != 0 ? 1 : 0;
  made.DoNotWait = (flags & D3DLOCK_DONOTWAIT) != 0 ? 1 : 0;
  const bool is_write_only = (resource.description.usage & D3DUSAGE_WRITEONLY) != 0;
  made.WriteOnly = is_write_only && made.ReadOnly == 0 ? 1 : 0;
  made.NotifyOnly = resource.is_in_system_memory() ? 1 : 0;
  return made;
}

[[nodiscard]] auto may_lock(const d3d9_resource& resource, DWORD flags) -> bool {
  const bool is_dynamic = (resource.description.usage & D3DUSAGE_DYNAMIC) != 0;
  const bool wants_new = (flags & (D3DLOCK_DISCARD | D3DLOCK_NOOVERWRITE)) != 0;
  const bool discards_what_it_reads =
      (flags & D3DLOCK_READONLY) != 0 && (flags & D3DLOCK_DISCARD) != 0;
  return resource.description.is_lockable != 0 && (is_dynamic || !wants_new) &&
         !discards_what_it_reads;
}

[[nodiscard]] auto is_inside(const RECT& area, const subresource& part) -> bool {
  return area.left >= 0 && area.top >= 0 && area.left < area.right && area.top < area.bottom &&
         area.right <= static_cast<LONG>(part.width) &&
         area.bottom <= static_cast<LONG>(part.height);
}

[[nodiscard]] auto unite(const RECT& a, const RECT& b) -> RECT {
  if (a.left >= a.right) return b;
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
          std::max(a.bottom, b.bottom)};
}

}  // namespace

auto d3d9_device::start_lock(d3d9_resource& resource, D3DDDIARG_LOCK& wanted, DWORD flags)
    -> HRESULT {
  auto& part = resource.subresources[wanted.SubResourceIndex];
  const bool may_nest = resource.is_buffer();
  if ((part.locks != 0 && !may_nest) || !may_lock(resource, flags)) return D3DERR_INVALIDCALL;
  wanted.hResource = resource.names.driver;
  wanted.Flags.Value |= lock_flags(resource, flags).Value;
  const auto result = ddi.lock(wanted);
  if (FAILED(result)) return result;
  ++part.locks;
  part.is_notification = wanted.Flags.NotifyOnly != 0;
  return result;
}

auto d3d9_device::finish_lock(d3d9_resource& resource, UINT index) -> HRESULT {
  auto& part = resource.subresources[index];
  if (part.locks == 0) return D3DERR_INVALIDCALL;
  --part.locks;
  D3DDDIARG_UNLOCK wanted{};
  wanted.hResource = resource.names.driver;
  wanted.SubResourceIndex = index;
  wanted.Flags.NotifyOnly = part.is_notification ? 1 : 0;
  return ddi.send<&table::pfnUnlock>(wanted);
}

auto d3d9_device::lock_rect(const d3d9_surface& surface, D3DLOCKED_RECT& locked, const RECT* area,
                            DWORD flags) -> HRESULT {
  if (surface.resource == nullptr || surface.resource->is_buffer()) return D3DERR_INVALIDCALL;
  auto& resource = *surface.resource;
  auto& part = surface.part();
  const auto chosen = area != nullptr ? *area : surface.whole();
  if (!is_inside(chosen, part)) return D3DERR_INVALIDCALL;
  D3DDDIARG_LOCK wanted{};
  wanted.SubResourceIndex = surface.index;
  if (area != nullptr) {
    wanted.Area = *area;
    wanted.Flags.AreaValid = 1;
  }
  const auto result = start_lock(resource, wanted, flags);
  if (FAILED(result)) return result;
  const auto levels = resource.description.levels;
  const bool is_top = surface.index % levels == 0;
  if (is_top && (flags & (D3DLOCK_READONLY | D3DLOCK_NO_DIRTY_UPDATE)) == 0) {
    auto& dirty = resource.dirty[surface.index / levels];
    dirty = unite(dirty, chosen);
  }
  locked = {static_cast<INT>(wanted.Pitch), wanted.pSurfData};
  if (!part.is_notification) return result;
  const auto layout = layout_of(resource.description.format);
  locked = {static_cast<INT>(part.pitch_bytes), address_of(part, layout, chosen.left, chosen.top)};
  return result;
}

auto d3d9_device::unlock_rect(const d3d9_surface& surface) -> HRESULT {
  if (surface.resource == nullptr) return D3DERR_INVALIDCALL;
  return finish_lock(*surface.resource, surface.index);
}

auto d3d9_device::lock(d3d9_resource& buffer, UINT offset, UINT size, void*& bytes, DWORD flags)
    -> HRESULT {
  const auto total = buffer.description.width;
  if (!buffer.is_buffer() || offset > total || size > total - offset) return D3DERR_INVALIDCALL;
  D3DDDIARG_LOCK wanted{};
  if (size != 0 || offset != 0) {
    wanted.Range = {offset, size != 0 ? size : total - offset};
    wanted.Flags.RangeValid = 1;
  }
  const auto result = start_lock(buffer, wanted, flags);
  if (FAILED(result)) return result;
  auto& part = buffer.subresources[0];
  bytes = part.is_notification ? part.memory.data() + offset : wanted.pSurfData;
  return result;
}

auto d3d9_device::unlock(d3d9_resource& buffer) -> HRESULT {
  return finish_lock(buffer, 0);
}

void d3d9_device::add_dirty_rect(d3d9_resource& texture, const RECT* area) {
  const RECT whole{0, 0, static_cast<LONG>(texture.description.width),
                   static_cast<LONG>(texture.description.height)};
  for (auto& dirty : texture.dirty) dirty = unite(dirty, area != nullptr ? *area : whole);
}

}  // namespace aerogpu::sim
