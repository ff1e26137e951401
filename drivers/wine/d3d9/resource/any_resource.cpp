// SPDX-License-Identifier: MIT
/// \file What lies behind the interfaces that a program passes in.
#include "drivers/wine/d3d9/resource/buffer.hpp"
#include "drivers/wine/d3d9/resource/texture.hpp"
#include "drivers/wine/d3d9/resource/volume_texture.hpp"

namespace aerogpu::d3d9 {

auto texture_of(IDirect3DBaseTexture9* given) noexcept -> any_texture* {
  return given != nullptr ? given->behind : nullptr;
}

auto driver_resource_of(IDirect3DResource9* given) noexcept -> sim::d3d9_resource* {
  if (given == nullptr) return nullptr;
  switch (given->GetType()) {
    case D3DRTYPE_SURFACE:
      return surface::of(static_cast<IDirect3DSurface9*>(given))->place().resource;
    case D3DRTYPE_VERTEXBUFFER:
      return vertex_buffer::of(static_cast<IDirect3DVertexBuffer9*>(given))->driver();
    case D3DRTYPE_INDEXBUFFER:
      return index_buffer::of(static_cast<IDirect3DIndexBuffer9*>(given))->driver();
    default: return texture_of(static_cast<IDirect3DBaseTexture9*>(given))->driver();
  }
}

}  // namespace aerogpu::d3d9
