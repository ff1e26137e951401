// SPDX-License-Identifier: MIT
/// \file States of profile M as calls of profile U.
#include "drivers/sim/runtime/d3d9/default_states.hpp"
#include "drivers/sim/runtime/portable/device.hpp"

#include <bit>

namespace aerogpu::sim {
namespace {

using driver = u::D3D9DDI_DEVICEFUNCS;
using extended = u::D3D9DDI_EXTENDEDFUNCS;

/// Some states stand for calls of the API, which the portable table has as such.
auto set_render_state(portable_device& on, const D3DDDIARG_RENDERSTATE* a) -> HRESULT {
  switch (a->State) {
    case D3DDDIRS_SCENECAPTURE:
      return a->Value != 0 ? on.call<&driver::pfnBeginScene>() : on.call<&driver::pfnEndScene>();
    case D3DDDIRS_DELETERTPATCH: return on.call<&driver::pfnDeletePatch>(a->Value);
    case D3DDDIRS_SOFTWAREVERTEXPROCESSING:
      return on.call<&extended::pfnSetSoftwareVertexProcessing>(static_cast<BOOL>(a->Value));
    case D3DDDIRS_PATCHSEGMENTS:
      return on.call<&extended::pfnSetNPatchMode>(std::bit_cast<float>(a->Value));
    default:
      return on.call<&driver::pfnSetRenderState>(static_cast<std::uint32_t>(a->State), a->Value);
  }
}

auto set_texture_stage_state(portable_device& on, const D3DDDIARG_TEXTURESTAGESTATE* a) -> HRESULT {
  for (int state = D3DSAMP_ADDRESSU; state <= D3DSAMP_DMAPOFFSET; ++state) {
    if (sampler_to_stage_state(static_cast<D3DSAMPLERSTATETYPE>(state)) != a->State) continue;
    return on.call<&driver::pfnSetSamplerState>(a->Stage, static_cast<std::uint32_t>(state),
                                                a->Value);
  }
  return on.call<&driver::pfnSetTextureStageState>(a->Stage, static_cast<std::uint32_t>(a->State),
                                                   a->Value);
}

auto set_texture(portable_device& on, UINT stage, HANDLE texture) -> HRESULT {
  return on.call<&driver::pfnSetTexture>(stage, driver_of(texture));
}

auto set_transform(portable_device& on, const D3DDDIARG_SETTRANSFORM* a) -> HRESULT {
  return on.call<&driver::pfnSetTransform>(static_cast<std::uint32_t>(a->TransformType),
                                           &a->Matrix);
}

auto multiply_transform(portable_device& on, const D3DDDIARG_MULTIPLYTRANSFORM* a) -> HRESULT {
  return on.call<&driver::pfnMultiplyTransform>(static_cast<std::uint32_t>(a->TransformType),
                                                &a->Matrix);
}

/// One structure in the portable shape.
auto send_viewport(portable_device& on) -> HRESULT {
  return on.send<&driver::pfnSetViewport>(on.viewport);
}

auto set_viewport(portable_device& on, const D3DDDIARG_VIEWPORTINFO* a) -> HRESULT {
  on.viewport.X = static_cast<float>(a->X);
  on.viewport.Y = static_cast<float>(a->Y);
  on.viewport.Width = static_cast<float>(a->Width);
  on.viewport.Height = static_cast<float>(a->Height);
  return send_viewport(on);
}

auto set_depth_range(portable_device& on, const D3DDDIARG_ZRANGE* a) -> HRESULT {
  on.viewport.MinZ = a->MinZ;
  on.viewport.MaxZ = a->MaxZ;
  return send_viewport(on);
}

/// The switch goes with the rectangle there, and stays what it was.
auto set_scissor_rect(portable_device& on, const RECT* area) -> HRESULT {
  std::uint32_t is_on = 0;
  const auto asked = on.call<&extended::pfnGetRenderState>(
      static_cast<std::uint32_t>(D3DRS_SCISSORTESTENABLE), &is_on);
  if (FAILED(asked)) return asked;
  return on.call<&driver::pfnSetScissorRect>(area, static_cast<BOOL>(is_on));
}

auto set_material(portable_device& on, const D3DDDIARG_SETMATERIAL* a) -> HRESULT {
  const D3DMATERIAL9 material{a->Diffuse, a->Ambient, a->Specular, a->Emissive, a->Power};
  return on.call<&extended::pfnSetMaterial>(&material);
}

/// A light exists there from its first values on.
auto create_light(portable_device&, const D3DDDIARG_CREATELIGHT*) -> HRESULT {
  return S_OK;
}

auto destroy_light(portable_device& on, const D3DDDIARG_DESTROYLIGHT* a) -> HRESULT {
  return on.call<&extended::pfnLightEnable>(a->Index, BOOL{0});
}

auto set_light(portable_device& on, const D3DDDIARG_SETLIGHT* a, const D3DDDI_LIGHT* light)
    -> HRESULT {
  if (a->DataType != D3DDDISETLIGHT_DATA) {
    return on.call<&extended::pfnLightEnable>(
        a->Index, static_cast<BOOL>(a->DataType == D3DDDISETLIGHT_ENABLE));
  }
  D3DLIGHT9 values{};
  static_assert(sizeof values == sizeof *light);
  std::memcpy(&values, light, sizeof values);
  return on.call<&extended::pfnSetLight>(a->Index, &values);
}

auto set_clip_plane(portable_device& on, const D3DDDIARG_SETCLIPPLANE* a) -> HRESULT {
  return on.call<&extended::pfnSetClipPlane>(a->Index, static_cast<const float*>(a->Plane));
}

/// The portable shape names a resource's first surface alone.
auto set_render_target(portable_device& on, const D3DDDIARG_SETRENDERTARGET* a) -> HRESULT {
  const auto target = to_portable(a->hRenderTarget, a->SubResourceIndex);
  if (target.index != 0) return D3DERR_NOTAVAILABLE;
  return on.call<&driver::pfnSetRenderTarget>(a->RenderTargetIndex, driver_of(target.of));
}

auto set_depth_stencil(portable_device& on, const D3DDDIARG_SETDEPTHSTENCIL* a) -> HRESULT {
  return on.call<&driver::pfnSetDepthStencil>(driver_of(a->hZBuffer));
}

auto state_set(portable_device& on, D3DDDIARG_STATESET* a) -> HRESULT {
  u::D3D9DDI_HSTATEBLOCK block{a->hStateSet};
  HRESULT result = D3DERR_NOTAVAILABLE;
  switch (a->Operation) {
    case D3DHAL_STATESETBEGIN: return on.call<&driver::pfnBeginStateBlock>();
    case D3DHAL_STATESETDELETE: return on.call<&driver::pfnDeleteStateBlock>(block);
    case D3DHAL_STATESETEXECUTE: return on.call<&driver::pfnApplyStateBlock>(block);
    case D3DHAL_STATESETCAPTURE: return on.call<&driver::pfnCaptureStateBlock>(block);
    case D3DHAL_STATESETEND: result = on.call<&driver::pfnEndStateBlock>(&block); break;
    case D3DHAL_STATESETCREATE:
      result = on.call<&driver::pfnCreateStateBlock>(static_cast<std::uint32_t>(a->StateBlockType),
                                                     &block);
      break;
    default: return result;
  }
  if (SUCCEEDED(result)) a->hStateSet = block.pDrvPrivate;
  return result;
}

auto validate_device(portable_device& on, D3DDDIARG_VALIDATETEXTURESTAGESTATE* a) -> HRESULT {
  std::uint32_t passes = 0;
  const auto result = on.call<&extended::pfnValidateDevice>(&passes);
  a->NumPasses = passes;
  return result;
}

}  // namespace

void add_portable_states(D3DDDI_DEVICEFUNCS& table) {
  set_entry<set_render_state>(table.pfnSetRenderState);
  set_entry<set_texture_stage_state>(table.pfnSetTextureStageState);
  set_entry<set_texture>(table.pfnSetTexture);
  set_entry<set_transform>(table.pfnSetTransform);
  set_entry<multiply_transform>(table.pfnMultiplyTransform);
  set_entry<set_viewport>(table.pfnSetViewport);
  set_entry<set_depth_range>(table.pfnSetZRange);
  set_entry<set_scissor_rect>(table.pfnSetScissorRect);
  set_entry<set_material>(table.pfnSetMaterial);
  set_entry<create_light>(table.pfnCreateLight);
  set_entry<destroy_light>(table.pfnDestroyLight);
  set_entry<set_light>(table.pfnSetLight);
  set_entry<set_clip_plane>(table.pfnSetClipPlane);
  set_entry<set_render_target>(table.pfnSetRenderTarget);
  set_entry<set_depth_stencil>(table.pfnSetDepthStencil);
  set_entry<state_set>(table.pfnStateSet);
  set_entry<validate_device>(table.pfnValidateDevice);
}

}  // namespace aerogpu::sim
