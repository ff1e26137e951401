// SPDX-License-Identifier: MIT
/// \file IDirect3DDevice9: what is drawn to, scenes, and Clear.
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

#include <span>

namespace aerogpu::d3d9 {
namespace {

constexpr DWORD known_clears = D3DCLEAR_TARGET | D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL;

[[nodiscard]] auto has_stencil(D3DFORMAT format) -> bool {
  switch (format) {
    case D3DFMT_D15S1:
    case D3DFMT_D24S8:
    case D3DFMT_D24X4S4:
    case D3DFMT_D24FS8: return true;
    default: return false;
  }
}

[[nodiscard]] auto can_clear(DWORD flags, const surface* depth) -> bool {
  if ((flags & ~known_clears) != 0) return false;
  if ((flags & (D3DCLEAR_ZBUFFER | D3DCLEAR_STENCIL)) == 0) return true;
  if (depth == nullptr) return false;
  return (flags & D3DCLEAR_STENCIL) == 0 || has_stencil(depth->description().Format);
}

/// Of this device, and still there: what a chain left behind has no texels.
[[nodiscard]] auto may_draw_to(const device& of, const surface& one, DWORD usage) -> bool {
  return (one.description().Usage & usage) != 0 && &one.owner() == &of &&
         one.place().resource != nullptr;
}

}  // namespace

HRESULT APIENTRY device::SetRenderTarget(DWORD index, IDirect3DSurface9* given) {
  return run([&]() -> HRESULT {
    auto* const target = surface::of(given);
    if (index >= render_target_count || (index == 0 && target == nullptr))
      return D3DERR_INVALIDCALL;
    if (target == nullptr) return states->set_target(index, nullptr);
    const bool may_be = may_draw_to(*this, *target, D3DUSAGE_RENDERTARGET);
    return may_be ? states->set_target(index, target) : D3DERR_INVALIDCALL;
  });
}

HRESULT APIENTRY device::GetRenderTarget(DWORD index, IDirect3DSurface9** found) {
  return run([&]() -> HRESULT {
    if (found == nullptr || index >= render_target_count) return D3DERR_INVALIDCALL;
    auto* const target = states->target(index);
    hand_out(found, target);
    return target != nullptr ? S_OK : D3DERR_NOTFOUND;
  });
}

HRESULT APIENTRY device::SetDepthStencilSurface(IDirect3DSurface9* given) {
  return run([&]() -> HRESULT {
    auto* const depth = surface::of(given);
    if (depth != nullptr && !may_draw_to(*this, *depth, D3DUSAGE_DEPTHSTENCIL))
      return D3DERR_INVALIDCALL;
    states->set_depth(depth);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetDepthStencilSurface(IDirect3DSurface9** found) {
  return run([&]() -> HRESULT {
    if (found == nullptr) return D3DERR_INVALIDCALL;
    hand_out(found, states->depth());
    return states->depth() != nullptr ? S_OK : D3DERR_NOTFOUND;
  });
}

HRESULT APIENTRY device::BeginScene() {
  return run([&] { return states->begin_scene(); });
}

HRESULT APIENTRY device::EndScene() {
  return run([&] { return states->end_scene(); });
}

HRESULT APIENTRY device::Clear(DWORD count, const D3DRECT* areas, DWORD flags, D3DCOLOR color,
                               float depth, DWORD stencil) {
  return run_drawing([&]() -> HRESULT {
    if (!can_clear(flags, states->depth())) return D3DERR_INVALIDCALL;
    // Rectangles without a count: nothing is to be cleared.
    if (flags == 0 || (count == 0 && areas != nullptr)) return S_OK;
    if (const auto result = states->prepare_clear(); FAILED(result)) return result;
    // A count without rectangles: everything is.
    const std::span named{areas, areas != nullptr ? count : 0};
    return submitted(below.clear(named, flags, color, depth, stencil));
  });
}

HRESULT APIENTRY device::SetViewport(const D3DVIEWPORT9* viewport) {
  return run([&]() -> HRESULT {
    if (viewport == nullptr) return D3DERR_INVALIDCALL;
    states->set_viewport(*viewport);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetViewport(D3DVIEWPORT9* viewport) {
  return run([&]() -> HRESULT {
    if (viewport == nullptr) return D3DERR_INVALIDCALL;
    *viewport = states->now().viewport;
    return S_OK;
  });
}

HRESULT APIENTRY device::SetScissorRect(const RECT* area) {
  return run([&]() -> HRESULT {
    if (area == nullptr) return D3DERR_INVALIDCALL;
    states->set_scissor(*area);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetScissorRect(RECT* area) {
  return run([&]() -> HRESULT {
    if (area == nullptr) return D3DERR_INVALIDCALL;
    *area = states->now().scissor;
    return S_OK;
  });
}

}  // namespace aerogpu::d3d9
