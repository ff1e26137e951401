// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/create_arguments.hpp"

#include "drivers/win7/ddi/user/d3dumddi_values.hpp"
#include "drivers/win7/umd/d3d9/adapter/formats.hpp"

#include <span>

namespace aerogpu::umd::front_m {

namespace {

constexpr std::uint32_t cube_faces = 6;

[[nodiscard]] auto kind_of(const D3DDDI_RESOURCEFLAGS& flags) noexcept -> resource_kind {
  if (flags.VertexBuffer != 0 || flags.IndexBuffer != 0) return resource_kind::buffer;
  if (flags.CubeMap != 0) return resource_kind::cube_texture;
  return flags.Texture != 0 ? resource_kind::texture : resource_kind::surface;
}

/// Decoders, overlays and captures, of which the caps offer none.
[[nodiscard]] auto is_never_offered(const D3DDDI_RESOURCEFLAGS& flags) noexcept -> bool {
  return flags.DecodeRenderTarget != 0 || flags.DecodeCompressedBuffer != 0 ||
         flags.VideoProcessRenderTarget != 0 || flags.Overlay != 0;
}

/// What formats list and nothing makes (umd-d3d9.md 2.2.5): volumes, and formats of which that is
/// all.
[[nodiscard]] auto is_only_listed(const D3DDDIARG_CREATERESOURCE& from) noexcept -> bool {
  const bool is_buffer = kind_of(from.Flags) == resource_kind::buffer;
  return !is_buffer &&
         (from.Flags.Volume != 0 || umd::is_only_listed(static_cast<std::uint32_t>(from.Format)));
}

[[nodiscard]] auto flags_of(const D3DDDI_RESOURCEFLAGS& from) noexcept -> resource_flags {
  resource_flags flags;
  flags.is_render_target = from.RenderTarget != 0;
  flags.is_depth_stencil = from.ZBuffer != 0;
  flags.is_dynamic = from.Dynamic != 0;
  flags.generates_mips = from.AutogenMipmap != 0;
  flags.is_shared = from.SharedResource != 0;
  flags.is_primary = from.Primary != 0;
  flags.is_lockable = from.NotLockable == 0;
  flags.is_vertex_buffer = from.VertexBuffer != 0;
  flags.is_index_buffer = from.IndexBuffer != 0;
  return flags;
}

/// All surfaces of system memory, or none: part of them would be neither the runtime's nor ours.
[[nodiscard]] auto read_memory(const D3DDDIARG_CREATERESOURCE& from,
                               heap_array<caller_memory>& out) noexcept -> HRESULT {
  if (from.Pool != D3DDDIPOOL_SYSTEMMEM || from.pSurfList[0].pSysMem == nullptr) return S_OK;
  if (!out.reserve(from.SurfCount)) return E_OUTOFMEMORY;
  for (UINT i = 0; i < from.SurfCount; ++i) {
    const D3DDDI_SURFACEINFO& surface = from.pSurfList[i];
    // The runtime declares its memory constant, and has blits write into it.
    auto* const bytes = static_cast<std::byte*>(const_cast<void*>(surface.pSysMem));
    if (!out.push_back({bytes, surface.SysMemPitch})) return E_OUTOFMEMORY;
  }
  return S_OK;
}

/// Without Texture and CubeMap each surface of the list is one by itself, as a swap chain has them,
/// and MipLevels says nothing.
[[nodiscard]] auto read_chain(std::span<const D3DDDI_SURFACEINFO> surfaces,
                              creation_request& out) noexcept -> HRESULT {
  const D3DDDI_SURFACEINFO& first = surfaces[0];
  for (const D3DDDI_SURFACEINFO& each : surfaces) {
    if (each.Width != first.Width || each.Height != first.Height) return E_INVALIDARG;
    if (each.Depth > 1) return D3DERR_INVALIDCALL;
  }
  // The kernel driver shares resources of one allocation (umd-d3d9.md 2.6).
  if (surfaces.size() != 1 && out.each.flags.is_shared) return D3DERR_INVALIDCALL;
  out.count = static_cast<std::uint32_t>(surfaces.size());
  return S_OK;
}

/// Of a texture whose levels the driver makes the runtime lists the top ones. A shared resource has
/// one level whatever its flags say.
[[nodiscard]] auto lists_top_levels(const D3DDDIARG_CREATERESOURCE& from,
                                    const resource_request& read) noexcept -> bool {
  const bool may_have_more = read.flags.generates_mips && !read.flags.is_shared;
  return may_have_more && from.MipLevels <= 1 && from.SurfCount == read.array_layers;
}

[[nodiscard]] auto read_texture(const D3DDDIARG_CREATERESOURCE& from,
                                resource_request& out) noexcept -> HRESULT {
  if (from.pSurfList[0].Depth > 1) return D3DERR_INVALIDCALL;
  out.array_layers = out.kind == resource_kind::cube_texture ? cube_faces : 1;
  out.mip_levels = from.MipLevels;
  if (lists_top_levels(from, out)) {
    // System memory is the runtime's, which has nothing beside what it lists.
    out.flags.hides_mips = out.pool == memory_pool::video;
    out.mip_levels = out.flags.hides_mips ? 0 : 1;
  }
  const std::uint64_t subresources = std::uint64_t{out.array_layers} * out.mip_levels;
  return out.mip_levels != 0 && subresources != from.SurfCount ? E_INVALIDARG : S_OK;
}

[[nodiscard]] auto read_surfaces(const D3DDDIARG_CREATERESOURCE& from,
                                 creation_request& out) noexcept -> HRESULT {
  const D3DDDI_SURFACEINFO& first = from.pSurfList[0];
  if (out.each.kind == resource_kind::buffer) {
    out.each.size_bytes = first.Width;
    return from.SurfCount == 1 ? S_OK : E_INVALIDARG;
  }
  out.each.format = static_cast<std::uint32_t>(from.Format);
  out.each.width = first.Width;
  out.each.height = first.Height;
  return out.each.kind == resource_kind::surface ? read_chain({from.pSurfList, from.SurfCount}, out)
                                                 : read_texture(from, out.each);
}

}  // namespace

auto read_request(const D3DDDIARG_CREATERESOURCE& from, creation_request& out) noexcept -> HRESULT {
  if (from.pSurfList == nullptr || from.SurfCount == 0) return E_INVALIDARG;
  if (is_never_offered(from.Flags)) return D3DERR_INVALIDCALL;
  if (is_only_listed(from)) return D3DERR_NOTAVAILABLE;
  const bool is_multisampled =
      from.Flags.RenderTarget != 0 && from.MultisampleType != D3DDDIMULTISAMPLE_NONE;
  if (is_multisampled) return D3DERR_INVALIDCALL;
  resource_request& each = out.each;
  each.kind = kind_of(from.Flags);
  each.pool = from.Pool == D3DDDIPOOL_SYSTEMMEM ? memory_pool::system : memory_pool::video;
  each.flags = flags_of(from.Flags);
  each.runtime_handle = from.hResource;
  each.vidpn_source = from.Flags.Primary != 0 ? from.VidPnSourceId : 0;
  const HRESULT read = read_surfaces(from, out);
  return SUCCEEDED(read) ? read_memory(from, out.memory) : read;
}

}  // namespace aerogpu::umd::front_m
