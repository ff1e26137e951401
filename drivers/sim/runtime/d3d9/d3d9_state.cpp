// SPDX-License-Identifier: MIT
/// \file States: one entry each, some of them by another name.
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "drivers/sim/runtime/d3d9/default_states.hpp"

#include <cstring>

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

}  // namespace

auto d3d9_device::begin_scene() -> HRESULT {
  if (is_in_scene_) return D3DERR_INVALIDCALL;
  is_in_scene_ = true;
  const D3DDDIARG_RENDERSTATE state{D3DDDIRS_SCENECAPTURE, 1};
  return ddi.send<&table::pfnSetRenderState>(state);
}

auto d3d9_device::end_scene() -> HRESULT {
  if (!is_in_scene_) return D3DERR_INVALIDCALL;
  is_in_scene_ = false;
  const D3DDDIARG_RENDERSTATE state{D3DDDIRS_SCENECAPTURE, 0};
  return ddi.send<&table::pfnSetRenderState>(state);
}

auto d3d9_device::set_render_state(D3DRENDERSTATETYPE state, DWORD value) -> HRESULT {
  const D3DDDIARG_RENDERSTATE wanted{static_cast<D3DDDIRENDERSTATETYPE>(state), value};
  return ddi.send<&table::pfnSetRenderState>(wanted);
}

auto d3d9_device::set_sampler_state(DWORD sampler, D3DSAMPLERSTATETYPE state, DWORD value)
    -> HRESULT {
  if (state < D3DSAMP_ADDRESSU || state > D3DSAMP_DMAPOFFSET) return D3DERR_INVALIDCALL;
  const D3DDDIARG_TEXTURESTAGESTATE wanted{sampler, sampler_to_stage_state(state), value};
  return ddi.send<&table::pfnSetTextureStageState>(wanted);
}

auto d3d9_device::set_texture_stage_state(DWORD stage, D3DTEXTURESTAGESTATETYPE state, DWORD value)
    -> HRESULT {
  constexpr DWORD stages = 8;
  if (stage >= stages) return D3DERR_INVALIDCALL;
  const D3DDDIARG_TEXTURESTAGESTATE wanted{stage, static_cast<D3DDDITEXTURESTAGESTATETYPE>(state),
                                           value};
  return ddi.send<&table::pfnSetTextureStageState>(wanted);
}

auto d3d9_device::set_texture(DWORD stage, const d3d9_resource* texture) -> HRESULT {
  if (texture != nullptr && texture->is_in_system_memory()) return D3DERR_INVALIDCALL;
  HANDLE const handle = texture != nullptr ? texture->names.driver : nullptr;
  return ddi.call<&table::pfnSetTexture>(UINT{stage}, handle);
}

auto d3d9_device::set_transform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX& matrix) -> HRESULT {
  return ddi.send<&table::pfnSetTransform>(D3DDDIARG_SETTRANSFORM{which, matrix});
}

auto d3d9_device::multiply_transform(D3DTRANSFORMSTATETYPE which, const D3DMATRIX& matrix)
    -> HRESULT {
  return ddi.send<&table::pfnMultiplyTransform>(D3DDDIARG_MULTIPLYTRANSFORM{which, matrix});
}

auto d3d9_device::set_viewport(const D3DVIEWPORT9& viewport) -> HRESULT {
  const D3DDDIARG_VIEWPORTINFO area{viewport.X, viewport.Y, viewport.Width, viewport.Height};
  const auto result = ddi.send<&table::pfnSetViewport>(area);
  if (FAILED(result)) return result;
  return ddi.send<&table::pfnSetZRange>(D3DDDIARG_ZRANGE{viewport.MinZ, viewport.MaxZ});
}

auto d3d9_device::set_scissor_rect(const RECT& area) -> HRESULT {
  return ddi.send<&table::pfnSetScissorRect>(area);
}

auto d3d9_device::set_material(const D3DMATERIAL9& material) -> HRESULT {
  const D3DDDIARG_SETMATERIAL wanted{material.Diffuse, material.Ambient, material.Specular,
                                     material.Emissive, material.Power};
  return ddi.send<&table::pfnSetMaterial>(wanted);
}

auto d3d9_device::set_light(DWORD index, const D3DLIGHT9& light) -> HRESULT {
  if (light.Type < D3DLIGHT_POINT || light.Type > D3DLIGHT_DIRECTIONAL) return D3DERR_INVALIDCALL;
  if (lights_.try_emplace(index, false).second) {
    const auto result = ddi.send<&table::pfnCreateLight>(D3DDDIARG_CREATELIGHT{index});
    if (FAILED(result)) return result;
  }
  D3DDDI_LIGHT data{};
  static_assert(sizeof data == sizeof light);
  std::memcpy(&data, &light, sizeof data);
  const D3DDDIARG_SETLIGHT wanted{index, D3DDDISETLIGHT_DATA};
  return ddi.send_list<&table::pfnSetLight>(wanted, std::span<const D3DDDI_LIGHT>{&data, 1});
}

auto d3d9_device::light_enable(DWORD index, bool is_enabled) -> HRESULT {
  if (lights_.count(index) == 0) {
    const auto result = set_light(index, default_light());
    if (FAILED(result)) return result;
  }
  lights_[index] = is_enabled;
  const D3DDDIARG_SETLIGHT wanted{index,
                                  is_enabled ? D3DDDISETLIGHT_ENABLE : D3DDDISETLIGHT_DISABLE};
  return ddi.send<&table::pfnSetLight>(wanted, static_cast<const D3DDDI_LIGHT*>(nullptr));
}

auto d3d9_device::set_clip_plane(DWORD index, const std::array<float, 4>& plane) -> HRESULT {
  D3DDDIARG_SETCLIPPLANE wanted{};
  wanted.Index = index;
  std::copy(plane.begin(), plane.end(), wanted.Plane);
  return ddi.send<&table::pfnSetClipPlane>(wanted);
}

auto d3d9_device::bind_render_target(DWORD index, const d3d9_surface& surface) -> HRESULT {
  const bool is_first_gone = index == 0 && surface.resource == nullptr;
  if (index >= targets_.size() || is_first_gone) return D3DERR_INVALIDCALL;
  if (surface.resource != nullptr &&
      (surface.resource->description.usage & D3DUSAGE_RENDERTARGET) == 0) {
    return D3DERR_INVALIDCALL;
  }
  targets_[index] = surface;
  D3DDDIARG_SETRENDERTARGET wanted{};
  wanted.RenderTargetIndex = index;
  if (surface.resource != nullptr) wanted.hRenderTarget = surface.resource->names.driver;
  wanted.SubResourceIndex = surface.index;
  return ddi.send<&table::pfnSetRenderTarget>(wanted);
}

auto d3d9_device::set_render_target(DWORD index, const d3d9_surface& surface) -> HRESULT {
  const auto result = bind_render_target(index, surface);
  if (FAILED(result) || index != 0) return result;
  const auto whole = surface.whole();
  const auto width = static_cast<DWORD>(whole.right);
  const auto height = static_cast<DWORD>(whole.bottom);
  const auto viewport = set_viewport({0, 0, width, height, 0, 1});
  return FAILED(viewport) ? viewport : set_scissor_rect(whole);
}

auto d3d9_device::set_depth_stencil_surface(const d3d9_surface& surface) -> HRESULT {
  D3DDDIARG_SETDEPTHSTENCIL wanted{};
  if (surface.resource != nullptr) {
    if ((surface.resource->description.usage & D3DUSAGE_DEPTHSTENCIL) == 0)
      return D3DERR_INVALIDCALL;
    wanted.hZBuffer = surface.resource->names.driver;
  }
  return ddi.send<&table::pfnSetDepthStencil>(wanted);
}

auto d3d9_device::set_software_vertex_processing(bool is_enabled) -> HRESULT {
  const D3DDDIARG_RENDERSTATE state{D3DDDIRS_SOFTWAREVERTEXPROCESSING, is_enabled ? 1u : 0u};
  return ddi.send<&table::pfnSetRenderState>(state);
}

auto d3d9_device::set_npatch_mode(float segments) -> HRESULT {
  const D3DDDIARG_RENDERSTATE state{D3DDDIRS_PATCHSEGMENTS, float_bits(segments)};
  return ddi.send<&table::pfnSetRenderState>(state);
}

}  // namespace aerogpu::sim
