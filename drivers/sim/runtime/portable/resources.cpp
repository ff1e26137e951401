// SPDX-License-Identifier: MIT
/// \file Resources and locks of profile M as calls of profile U.
#include "drivers/sim/runtime/portable/device.hpp"
#include "drivers/sim/runtime/resource.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace aerogpu::sim {
namespace {

using driver = u::D3D9DDI_DEVICEFUNCS;
using extended = u::D3D9DDI_EXTENDEDFUNCS;

/// What a driver may write of an allocation's private data.
constexpr std::size_t private_data_bytes = 256;
constexpr UINT cube_faces = 6;

[[nodiscard]] auto type_of(const D3DDDI_RESOURCEFLAGS& flags) -> D3DRESOURCETYPE {
  if (flags.VertexBuffer != 0) return D3DRTYPE_VERTEXBUFFER;
  if (flags.IndexBuffer != 0) return D3DRTYPE_INDEXBUFFER;
  if (flags.CubeMap != 0) return D3DRTYPE_CUBETEXTURE;
  return flags.Texture != 0 ? D3DRTYPE_TEXTURE : D3DRTYPE_SURFACE;
}

[[nodiscard]] auto usage_of(const D3DDDI_RESOURCEFLAGS& flags) -> DWORD {
  DWORD usage = 0;
  const auto add = [&](UINT is_set, DWORD bit) { usage |= is_set != 0 ? bit : 0; };
  add(flags.RenderTarget, D3DUSAGE_RENDERTARGET);
  add(flags.ZBuffer, D3DUSAGE_DEPTHSTENCIL);
  add(flags.Dynamic, D3DUSAGE_DYNAMIC);
  add(flags.WriteOnly, D3DUSAGE_WRITEONLY);
  add(flags.AutogenMipmap, D3DUSAGE_AUTOGENMIPMAP);
  add(flags.Points, D3DUSAGE_POINTS);
  add(flags.RtPatches, D3DUSAGE_RTPATCHES);
  add(flags.NPatches, D3DUSAGE_NPATCHES);
  return usage;
}

/// umd-d3d9.md 2.5.2: one behind another, without padding.
[[nodiscard]] auto lay_out(std::span<const D3DDDI_SURFACEINFO> surfaces, D3DFORMAT format)
    -> std::vector<portable_part> {
  std::vector<portable_part> parts;
  const auto layout = layout_of(format);
  std::uint32_t offset = 0;
  for (const auto& one : surfaces) {
    portable_part part;
    part.offset_bytes = offset;
    const auto blocks = (one.Width + layout.block_width - 1) / layout.block_width;
    part.pitch_bytes = blocks * layout.block_bytes;
    part.rows = (one.Height + layout.block_height - 1) / layout.block_height;
    part.memory = static_cast<std::byte*>(const_cast<void*>(one.pSysMem));
    part.memory_pitch_bytes = one.SysMemPitch;
    offset += part.size_bytes();
    parts.push_back(part);
  }
  return parts;
}

/// The levels of one that the runtime lists, where the driver makes the others.
[[nodiscard]] auto levels_of_listed(const D3DDDIARG_CREATERESOURCE& from) -> UINT {
  const auto layers = from.Flags.CubeMap != 0 ? cube_faces : 1;
  const bool has_hidden = from.Flags.AutogenMipmap != 0 && from.SurfCount == layers;
  const auto& top = from.pSurfList[0];
  return has_hidden ? static_cast<UINT>(std::bit_width(std::max(top.Width, top.Height))) : 1;
}

/// What the runtime lists, each with the levels below it that it does not.
[[nodiscard]] auto lay_out_listed(const D3DDDIARG_CREATERESOURCE& from)
    -> std::vector<portable_part> {
  const auto levels = levels_of_listed(from);
  std::vector<D3DDDI_SURFACEINFO> all;
  for (UINT i = 0; i < from.SurfCount; ++i) {
    auto one = from.pSurfList[i];
    for (UINT level = 0; level < levels; ++level) {
      all.push_back(one);
      one.Width = std::max(1u, one.Width / 2);
      one.Height = std::max(1u, one.Height / 2);
    }
  }
  const auto parts = lay_out(all, static_cast<D3DFORMAT>(from.Format));
  std::vector<portable_part> listed;
  for (std::size_t i = 0; i < parts.size(); i += levels) listed.push_back(parts[i]);
  return listed;
}

[[nodiscard]] auto to_portable_arguments(const D3DDDIARG_CREATERESOURCE& from)
    -> u::D3D9DDIARG_CREATERESOURCE {
  u::D3D9DDIARG_CREATERESOURCE to{};
  const auto type = type_of(from.Flags);
  const bool is_buffer = type == D3DRTYPE_VERTEXBUFFER || type == D3DRTYPE_INDEXBUFFER;
  to.Type = static_cast<std::uint32_t>(type);
  to.Format = static_cast<u::D3DDDIFORMAT>(from.Format);
  to.Usage = usage_of(from.Flags);
  to.Pool = static_cast<std::uint32_t>(from.Pool == D3DDDIPOOL_SYSTEMMEM ? D3DPOOL_SYSTEMMEM
                                                                         : D3DPOOL_DEFAULT);
  if (is_buffer) {
    to.Size = from.pSurfList[0].Width;
    return to;
  }
  to.Width = from.pSurfList[0].Width;
  to.Height = from.pSurfList[0].Height;
  to.Depth = 1;
  const auto faces = type == D3DRTYPE_CUBETEXTURE ? cube_faces : 1;
  to.MipLevels = from.SurfCount / faces * levels_of_listed(from);
  return to;
}

/// One resource of profile U; of a swap chain one of its surfaces.
auto make_resource(portable_device& on, const D3DDDIARG_CREATERESOURCE& a,
                   std::unique_ptr<portable_resource>& out) -> HRESULT {
  auto made = std::make_unique<portable_resource>();
  made->runtime = a.hResource;
  made->format = static_cast<D3DFORMAT>(a.Format);
  made->is_in_system_memory = a.Pool == D3DDDIPOOL_SYSTEMMEM;
  made->parts = lay_out_listed(a);
  auto argument = to_portable_arguments(a);
  HANDLE shared = nullptr;
  lent_bytes blob{on.rules(), std::vector<std::byte>(private_data_bytes), "CreateResource's blob"};
  if (a.Flags.SharedResource != 0) {
    argument.pSharedHandle = &shared;
    argument.pPrivateDriverData = blob.get();
    argument.PrivateDriverDataSize = private_data_bytes;
  }
  on.creating = {a.hResource, a.Flags.Primary != 0};
  const auto result =
      on.ask<&driver::pfnCreateResource>(argument, &u::D3D9DDIARG_CREATERESOURCE::hResource,
                                         &u::D3D9DDIARG_CREATERESOURCE::hAllocation);
  on.creating = {};
  static_cast<void>(blob.take());
  if (FAILED(result)) return result;
  made->driver = argument.hResource;
  made->allocation = argument.hAllocation;
  out = std::move(made);
  return result;
}

auto destroy_all(portable_device& on, const portable_resource* first) -> HRESULT {
  HRESULT result = S_OK;
  for (; first != nullptr; first = first->next.get()) {
    const auto destroyed = on.call<&driver::pfnDestroyResource>(first->driver);
    if (SUCCEEDED(result)) result = destroyed;
  }
  return result;
}

/// The kernel knows the first surface's allocation as the resource's, and the others by themselves.
auto create_resource(portable_device& on, D3DDDIARG_CREATERESOURCE* a) -> HRESULT {
  const bool is_chain = type_of(a->Flags) == D3DRTYPE_SURFACE && a->SurfCount > 1;
  std::unique_ptr<portable_resource> first;
  auto* next = &first;
  auto one = *a;
  if (is_chain) one.SurfCount = 1;
  HRESULT result = S_OK;
  for (UINT i = 0; i < (is_chain ? a->SurfCount : 1); ++i) {
    result = make_resource(on, one, *next);
    if (FAILED(result)) {
      static_cast<void>(destroy_all(on, first.get()));
      return result;
    }
    next = &(*next)->next;
    one.hResource = nullptr;
    ++one.pSurfList;
  }
  a->hResource = first.get();
  on.resources[first.get()] = std::move(first);
  return result;
}

auto open_resource(portable_device& on, D3DDDIARG_OPENRESOURCE* a) -> HRESULT {
  if (a->NumAllocations != 1) return E_INVALIDARG;
  const auto& info = a->pOpenAllocationInfo[0];
  u::D3D9DDIARG_OPENRESOURCE argument{};
  argument.pPrivateDriverData = info.pPrivateDriverData;
  argument.PrivateDriverDataSize = info.PrivateDriverDataSize;
  argument.hAllocation = info.hAllocation;
  const auto result =
      on.ask<&driver::pfnOpenResource>(argument, &u::D3D9DDIARG_OPENRESOURCE::hResource);
  if (FAILED(result)) return result;
  auto made = std::make_unique<portable_resource>();
  made->runtime = a->hResource;
  made->driver = argument.hResource;
  made->allocation = info.hAllocation;
  a->hResource = made.get();
  on.resources[made.get()] = std::move(made);
  return result;
}

auto destroy_resource(portable_device& on, HANDLE gone) -> HRESULT {
  const auto result = destroy_all(on, to_portable(gone));
  on.resources.erase(gone);
  return result;
}

[[nodiscard]] auto api_flags(const D3DDDI_LOCKFLAGS& from) -> std::uint32_t {
  std::uint32_t flags = 0;
  if (from.ReadOnly != 0) flags |= D3DLOCK_READONLY;
  if (from.Discard != 0) flags |= D3DLOCK_DISCARD;
  if (from.NoOverwrite != 0) flags |= D3DLOCK_NOOVERWRITE;
  if (from.DoNotWait != 0) flags |= D3DLOCK_DONOTWAIT;
  return flags;
}

/// A lock names bytes there: from the first to the last of a rectangle's.
void locate(const D3DDDIARG_LOCK& from, D3DFORMAT format, portable_part& part) {
  part.locked_offset = part.offset_bytes;
  part.locked_bytes = part.size_bytes();
  if (from.Flags.RangeValid != 0) {
    part.locked_offset += from.Range.Offset;
    part.locked_bytes = from.Range.Size;
  } else if (from.Flags.AreaValid != 0) {
    const auto layout = layout_of(format);
    const auto block = [](LONG at, UINT texels) { return static_cast<UINT>(at) / texels; };
    const auto end = [](LONG at, UINT texels) {
      return (static_cast<UINT>(at) + texels - 1) / texels;
    };
    const auto top = block(from.Area.top, layout.block_height);
    const auto left = block(from.Area.left, layout.block_width);
    const auto rows = end(from.Area.bottom, layout.block_height) - top;
    const auto columns = end(from.Area.right, layout.block_width) - left;
    part.locked_offset += top * part.pitch_bytes + left * layout.block_bytes;
    part.locked_bytes = (rows - 1) * part.pitch_bytes + columns * layout.block_bytes;
  }
}

auto lock(portable_device& on, D3DDDIARG_LOCK* a) -> HRESULT {
  const auto at = to_portable(a->hResource, a->SubResourceIndex);
  auto& of = *at.of;
  if (at.index >= of.parts.size()) return D3DERR_NOTAVAILABLE;
  auto& part = of.parts[at.index];
  part.is_read_only = a->Flags.ReadOnly != 0;
  if (a->Flags.NotifyOnly != 0) return S_OK;
  locate(*a, of.format, part);
  const u::D3D9DDIARG_LOCK argument{of.driver, part.locked_offset, part.locked_bytes,
                                    api_flags(a->Flags)};
  lent<u::D3D9DDI_LOCKED_BOX> box{on.rules(), {}, "Lock"};
  lent<u::D3D9DDIARG_LOCK> passed{on.rules(), argument, "Lock"};
  const auto result =
      on.call<&driver::pfnLock>(static_cast<const u::D3D9DDIARG_LOCK*>(passed.get()), box.get());
  static_cast<void>(passed.take());
  const auto locked = box.take(&u::D3D9DDI_LOCKED_BOX::pData, &u::D3D9DDI_LOCKED_BOX::rowPitch,
                               &u::D3D9DDI_LOCKED_BOX::slicePitch);
  if (FAILED(result)) return result;
  const bool is_buffer = part.rows == 1;
  if (!is_buffer && locked.rowPitch != part.pitch_bytes)
    on.runtime.breach(contract_rule::bad_argument, "Lock", "reports another pitch than 2.5.2's");
  a->pSurfData = locked.pData;
  a->Pitch = locked.rowPitch;
  a->SlicePitch = locked.slicePitch;
  return result;
}

auto unlock(portable_device& on, const D3DDDIARG_UNLOCK* a) -> HRESULT {
  const auto at = to_portable(a->hResource, a->SubResourceIndex);
  const auto& of = *at.of;
  if (at.index >= of.parts.size()) return D3DERR_NOTAVAILABLE;
  const auto& part = of.parts[at.index];
  if (a->Flags.NotifyOnly != 0) return part.is_read_only ? S_OK : on.push(of, part);
  return on.send<&driver::pfnUnlock>(
      u::D3D9DDIARG_UNLOCK{of.driver, part.locked_offset, part.locked_bytes});
}

auto set_priority(portable_device& on, const D3DDDIARG_SETPRIORITY* a) -> HRESULT {
  HRESULT result = S_OK;
  const auto* one = to_portable(a->hResource);
  for (; SUCCEEDED(result) && one != nullptr; one = one->next.get()) {
    std::uint32_t before = 0;
    result = on.call<&extended::pfnSetPriority>(one->driver, a->Priority, &before);
  }
  return result;
}

auto query_residency(portable_device& on, const D3DDDIARG_QUERYRESOURCERESIDENCY* a) -> HRESULT {
  std::vector<u::D3D9DDI_HRESOURCE> list;
  for (UINT i = 0; i < a->NumResources; ++i) list.push_back(driver_of(a->pHandleList[i]));
  std::vector<std::uint32_t> status(list.size());
  return on.send<&driver::pfnQueryResourceResidency>(u::D3D9DDIARG_QUERYRESOURCERESIDENCY{
      list.data(), static_cast<std::uint32_t>(list.size()), status.data()});
}

/// Locks one part for `copy(driver's bytes, its pitch)`.
template <class Copy>
auto copy_part(portable_device& on, const portable_resource& of, const portable_part& part,
               std::uint32_t flags, Copy&& copy) -> HRESULT {
  const u::D3D9DDIARG_LOCK argument{of.driver, part.offset_bytes, part.size_bytes(), flags};
  u::D3D9DDI_LOCKED_BOX box{};
  const auto result = on.call<&driver::pfnLock>(&argument, &box);
  if (FAILED(result)) return result;
  for (std::uint32_t row = 0; row < part.rows; ++row) {
    copy(static_cast<std::byte*>(box.pData) + std::size_t{row} * box.rowPitch,
         part.memory + std::size_t{row} * part.memory_pitch_bytes);
  }
  return on.send<&driver::pfnUnlock>(
      u::D3D9DDIARG_UNLOCK{of.driver, part.offset_bytes, part.size_bytes()});
}

}  // namespace

auto portable_device::push(const portable_resource& from, const portable_part& part) -> HRESULT {
  return copy_part(*this, from, part, 0, [&](std::byte* to, const std::byte* row) {
    std::memcpy(to, row, part.pitch_bytes);
  });
}

auto portable_device::pull(const portable_resource& to, const portable_part& part) -> HRESULT {
  return copy_part(*this, to, part, D3DLOCK_READONLY, [&](const std::byte* row, std::byte* out) {
    std::memcpy(out, row, part.pitch_bytes);
  });
}

void add_portable_resources(D3DDDI_DEVICEFUNCS& table) {
  set_entry<create_resource>(table.pfnCreateResource);
  set_entry<open_resource>(table.pfnOpenResource);
  set_entry<destroy_resource>(table.pfnDestroyResource);
  set_entry<lock>(table.pfnLock);
  set_entry<unlock>(table.pfnUnlock);
  set_entry<set_priority>(table.pfnSetPriority);
  set_entry<query_residency>(table.pfnQueryResourceResidency);
}

}  // namespace aerogpu::sim
