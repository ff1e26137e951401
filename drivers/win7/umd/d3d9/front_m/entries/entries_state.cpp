// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/front_m/entries/entries_state.hpp"

#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "drivers/win7/umd/d3d9/draw/patches/patches.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_m/resource_arguments.hpp"
#include "drivers/win7/umd/d3d9/front_m/sampler_numbers.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"

namespace aerogpu::umd::front_m {

namespace {

/// Runs `work(device, *argument)` as a setting: on a lost device it is kept and answered S_OK.
template <class Argument, class Work>
[[nodiscard]] auto set(HANDLE handle, const Argument* argument, Work&& work) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, argument};
  return call ? call.result(work(*call, *argument)) : call.refusal();
}

auto APIENTRY set_render_state_m(HANDLE handle, const D3DDDIARG_RENDERSTATE* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_RENDERSTATE& a) {
    switch (a.State) {
      case D3DDDIRS_SCENECAPTURE:  // BeginScene and EndScene: the runtime checks their order.
      case D3DDDIRS_SOFTWAREVERTEXPROCESSING: return S_OK;  // The host runs all vertex shaders.
      case D3DDDIRS_DELETERTPATCH: return delete_patch(on, a.Value);
      default: return set_render_state(on, static_cast<std::uint32_t>(a.State), a.Value);
    }
  });
}

/// Sampler states travel by stage state numbers of their own (umd-d3d9.md 1.3.3).
auto APIENTRY set_texture_stage_state_m(HANDLE handle,
                                        const D3DDDIARG_TEXTURESTAGESTATE* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_TEXTURESTAGESTATE& a) {
    const auto state = static_cast<std::uint32_t>(a.State);
    const std::uint32_t sampler_state = sampler_state_of(state);
    if (sampler_state == 0) return set_stage_state(on, a.Stage, state, a.Value);
    const std::uint32_t sampler = sampler_of(a.Stage);
    if (sampler == displacement_sampler) return S_OK;
    return set_sampler_state(on, sampler, sampler_state, a.Value);
  });
}

auto APIENTRY set_viewport_m(HANDLE handle, const D3DDDIARG_VIEWPORTINFO* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_VIEWPORTINFO& a) {
    return set_viewport(on, {static_cast<float>(a.X), static_cast<float>(a.Y),
                             static_cast<float>(a.Width), static_cast<float>(a.Height)});
  });
}

auto APIENTRY set_z_range_m(HANDLE handle, const D3DDDIARG_ZRANGE* argument) noexcept -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_ZRANGE& a) {
    return set_depth_range(on, {a.MinZ, a.MaxZ});
  });
}

auto APIENTRY set_scissor_rect_m(HANDLE handle, const RECT* argument) noexcept -> HRESULT {
  return set(handle, argument, [](device& on, const RECT& a) {
    return set_scissor_rect(on, {a.left, a.top, a.right, a.bottom});
  });
}

auto APIENTRY set_transform_m(HANDLE handle, const D3DDDIARG_SETTRANSFORM* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_SETTRANSFORM& a) {
    return set_transform(on, static_cast<std::uint32_t>(a.TransformType), a.Matrix);
  });
}

auto APIENTRY multiply_transform_m(HANDLE handle,
                                   const D3DDDIARG_MULTIPLYTRANSFORM* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_MULTIPLYTRANSFORM& a) {
    return multiply_transform(on, static_cast<std::uint32_t>(a.TransformType), a.Matrix);
  });
}

auto APIENTRY update_w_info_m(HANDLE handle, const D3DDDIARG_WINFO* argument) noexcept -> HRESULT {
  return set(handle, argument,
             [](device& on, const D3DDDIARG_WINFO& a) { return set_w_range(on, a.WNear, a.WFar); });
}

auto APIENTRY set_material_m(HANDLE handle, const D3DDDIARG_SETMATERIAL* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_SETMATERIAL& a) {
    return set_material(on, {a.Diffuse, a.Ambient, a.Specular, a.Emissive, a.Power});
  });
}

[[nodiscard]] auto to_api(const D3DDDI_LIGHT& from) noexcept -> D3DLIGHT9 {
  static_assert(sizeof(D3DDDI_LIGHT) == sizeof(D3DLIGHT9));  // The fields are the API's.
  D3DLIGHT9 to{};
  copy_bytes(mutable_bytes_of(to), bytes_of(from));
  return to;
}

auto APIENTRY set_light_m(HANDLE handle, const D3DDDIARG_SETLIGHT* argument,
                          const D3DDDI_LIGHT* values) noexcept -> HRESULT {
  return set(handle, argument, [&](device& on, const D3DDDIARG_SETLIGHT& a) -> HRESULT {
    switch (a.DataType) {
      case D3DDDISETLIGHT_ENABLE: return enable_light(on, a.Index, true);
      case D3DDDISETLIGHT_DISABLE: return enable_light(on, a.Index, false);
      case D3DDDISETLIGHT_DATA:
        return values != nullptr ? set_light(on, a.Index, to_api(*values)) : E_INVALIDARG;
      default: return E_INVALIDARG;
    }
  });
}

/// Lights exist from their first setting on: there is nothing to make before it.
auto APIENTRY create_light_m(HANDLE handle, const D3DDDIARG_CREATELIGHT* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device&, const D3DDDIARG_CREATELIGHT&) { return S_OK; });
}

auto APIENTRY destroy_light_m(HANDLE handle, const D3DDDIARG_DESTROYLIGHT* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_DESTROYLIGHT& a) {
    return destroy_light(on, a.Index);
  });
}

auto APIENTRY set_clip_plane_m(HANDLE handle, const D3DDDIARG_SETCLIPPLANE* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_SETCLIPPLANE& a) {
    return set_clip_plane(on, a.Index, {a.Plane[0], a.Plane[1], a.Plane[2], a.Plane[3]});
  });
}

auto APIENTRY set_render_target_m(HANDLE handle, const D3DDDIARG_SETRENDERTARGET* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_SETRENDERTARGET& a) {
    return set_render_target(on, a.RenderTargetIndex,
                             to_surface(a.hRenderTarget, a.SubResourceIndex));
  });
}

auto APIENTRY set_depth_stencil_m(HANDLE handle, const D3DDDIARG_SETDEPTHSTENCIL* argument) noexcept
    -> HRESULT {
  return set(handle, argument, [](device& on, const D3DDDIARG_SETDEPTHSTENCIL& a) {
    return set_depth_stencil(on, {to_resource(a.hZBuffer), 0});
  });
}

auto APIENTRY state_set_m(HANDLE handle, D3DDDIARG_STATESET* argument) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, argument};
  if (!call) return call.refusal();
  state_blocks& blocks = (*call).blocks;
  state_block* made = nullptr;
  state_block* const named = blocks.find(argument->hStateSet);
  HRESULT done = E_INVALIDARG;
  switch (argument->Operation) {
    case D3DHAL_STATESETBEGIN: done = blocks.begin(made); break;
    case D3DHAL_STATESETEND: return blocks.end();
    case D3DHAL_STATESETDELETE: return blocks.destroy(named);
    case D3DHAL_STATESETEXECUTE:
      return named != nullptr ? call.result(named->apply(*call)) : E_INVALIDARG;
    case D3DHAL_STATESETCAPTURE:
      if (named == nullptr) return E_INVALIDARG;
      named->capture((*call).state);
      return S_OK;
    case D3DHAL_STATESETCREATE:
      done = blocks.create((*call).state, argument->StateBlockType, made);
      break;
    default: break;
  }
  if (SUCCEEDED(done)) argument->hStateSet = made;
  return done;
}

auto APIENTRY validate_device_m(HANDLE handle,
                                D3DDDIARG_VALIDATETEXTURESTAGESTATE* argument) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, argument};
  if (!call) return call.refusal();
  argument->NumPasses = 1;
  return S_OK;
}

/// Entries that the driver answers without doing anything: palettes of formats that are not
/// offered, kernels and rectangles of glyph blits.
template <class Argument>
auto APIENTRY accept(HANDLE handle, const Argument* argument) noexcept -> HRESULT {
  return set(handle, argument, [](device&, const Argument&) { return S_OK; });
}
auto APIENTRY update_palette_m(HANDLE handle, const D3DDDIARG_UPDATEPALETTE* argument,
                               const PALETTEENTRY*) noexcept -> HRESULT {
  return accept(handle, argument);
}

}  // namespace

void add_state_entries(D3DDDI_DEVICEFUNCS& table) noexcept {
  table.pfnSetRenderState = set_render_state_m;
  table.pfnSetTextureStageState = set_texture_stage_state_m;
  table.pfnSetViewport = set_viewport_m;
  table.pfnSetZRange = set_z_range_m;
  table.pfnSetScissorRect = set_scissor_rect_m;
  table.pfnSetTransform = set_transform_m;
  table.pfnMultiplyTransform = multiply_transform_m;
  table.pfnSetMaterial = set_material_m;
  table.pfnSetLight = set_light_m;
  table.pfnCreateLight = create_light_m;
  table.pfnDestroyLight = destroy_light_m;
  table.pfnSetClipPlane = set_clip_plane_m;
  table.pfnSetRenderTarget = set_render_target_m;
  table.pfnSetDepthStencil = set_depth_stencil_m;
  table.pfnStateSet = state_set_m;
  table.pfnValidateDevice = validate_device_m;
  table.pfnUpdateWInfo = update_w_info_m;
  table.pfnUpdatePalette = update_palette_m;
  table.pfnSetPalette = accept<D3DDDIARG_SETPALETTE>;
  table.pfnSetConvolutionKernelMono = accept<D3DDDIARG_SETCONVOLUTIONKERNELMONO>;
  table.pfnComposeRects = accept<D3DDDIARG_COMPOSERECTS>;
}

}  // namespace aerogpu::umd::front_m
