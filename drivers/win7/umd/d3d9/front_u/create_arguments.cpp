// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_u/create_arguments.hpp"

#include "aerogpu/abi/wddm_alloc.h"

#include <algorithm>

namespace aerogpu::umd::front_u {

namespace u = d3d9ddi_u;

namespace {

/// False for volumes and for what nobody knows. Surfaces come as 0 as well.
[[nodiscard]] auto read_kind(std::uint32_t type, resource_kind& out) noexcept -> bool {
  switch (type) {
    case 0:
    case D3DRTYPE_SURFACE: out = resource_kind::surface; return true;
    case D3DRTYPE_TEXTURE: out = resource_kind::texture; return true;
    case D3DRTYPE_CUBETEXTURE: out = resource_kind::cube_texture; return true;
    default: return false;
  }
}

[[nodiscard]] auto read_flags(const u::D3D9DDIARG_CREATERESOURCE& from) noexcept -> resource_flags {
  resource_flags flags;
  flags.is_render_target = (from.Usage & D3DUSAGE_RENDERTARGET) != 0;
  flags.is_depth_stencil = (from.Usage & D3DUSAGE_DEPTHSTENCIL) != 0;
  flags.is_dynamic = (from.Usage & D3DUSAGE_DYNAMIC) != 0;
  flags.generates_mips = (from.Usage & D3DUSAGE_AUTOGENMIPMAP) != 0;
  flags.is_shared = from.pSharedHandle != nullptr;
  return flags;
}

void read_buffer(const u::D3D9DDIARG_CREATERESOURCE& from, resource_request& out) noexcept {
  out.kind = resource_kind::buffer;
  out.size_bytes = from.Size;
  out.flags.is_vertex_buffer = from.Type != D3DRTYPE_INDEXBUFFER;
  out.flags.is_index_buffer = from.Type != D3DRTYPE_VERTEXBUFFER;
}

/// Depth counts layers, of which a surface has one.
[[nodiscard]] auto read_texture(const u::D3D9DDIARG_CREATERESOURCE& from,
                                resource_request& out) noexcept -> HRESULT {
  if (!read_kind(from.Type, out.kind)) return D3DERR_INVALIDCALL;
  const bool is_surface = out.kind == resource_kind::surface;
  if (is_surface && from.Depth > 1) return D3DERR_INVALIDCALL;
  out.format = from.Format;
  out.width = from.Width;
  out.height = from.Height;
  const bool has_one_level = is_surface && from.MipLevels == 0 && !out.flags.is_shared;
  out.mip_levels = has_one_level ? 1 : from.MipLevels;
  out.array_layers = std::max(from.Depth, std::uint32_t{1});
  return S_OK;
}

template <class Argument>
[[nodiscard]] auto read_surface(const Argument& from, opening_request& out) noexcept -> HRESULT {
  if (from.Type != 0 && !read_kind(from.Type, out.kind)) return D3DERR_INVALIDCALL;
  out.allocation = kernel_allocation{from.hAllocation};
  if (from.pPrivateDriverData != nullptr) {
    out.private_data = {static_cast<const std::byte*>(from.pPrivateDriverData),
                        from.PrivateDriverDataSize};
  }
  out.format = from.Format;
  out.width = from.Width;
  out.height = from.Height;
  out.takes_standard = false;
  return S_OK;
}

}  // namespace

auto read_request(const u::D3D9DDIARG_CREATERESOURCE& from, resource_request& out) noexcept
    -> HRESULT {
  const bool is_in_system_memory = from.Pool == D3DPOOL_SYSTEMMEM || from.Pool == D3DPOOL_SCRATCH;
  out.pool = is_in_system_memory ? memory_pool::system : memory_pool::video;
  out.flags = read_flags(from);
  const bool has_blob = from.pPrivateDriverData != nullptr &&
                        from.PrivateDriverDataSize >= sizeof(aerogpu_wddm_alloc_priv);
  if (out.flags.is_shared && !has_blob) return D3DERR_INVALIDCALL;
  if (from.Size == 0) return read_texture(from, out);
  read_buffer(from, out);
  return S_OK;
}

auto read_opening(const u::D3D9DDIARG_OPENRESOURCE& from, opening_request& out) noexcept
    -> HRESULT {
  return read_surface(from, out);
}

auto read_opening(const u::D3D9DDIARG_CREATERESOURCE& from, opening_request& out) noexcept
    -> HRESULT {
  return read_surface(from, out);
}

}  // namespace aerogpu::umd::front_u
