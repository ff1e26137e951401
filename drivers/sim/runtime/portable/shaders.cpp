// SPDX-License-Identifier: MIT
/// \file Shaders, constants, declarations and streams of profile M as calls of profile U.
#include "drivers/sim/runtime/portable/device.hpp"

#include <cstring>

namespace aerogpu::sim {
namespace {

using driver = u::D3D9DDI_DEVICEFUNCS;
using extended = u::D3D9DDI_EXTENDEDFUNCS;

constexpr std::uint32_t vertex_stage = 0, pixel_stage = 1;

auto create_shader(portable_device& on, std::uint32_t stage, const UINT* code, UINT bytes,
                   HANDLE& made) -> HRESULT {
  u::D3D9DDI_HSHADER shader{};
  const auto result =
      on.call<&driver::pfnCreateShader>(stage, static_cast<const void*>(code), bytes, &shader);
  if (SUCCEEDED(result)) made = shader.pDrvPrivate;
  return result;
}

auto create_vertex_shader(portable_device& on, D3DDDIARG_CREATEVERTEXSHADERFUNC* a,
                          const UINT* code) -> HRESULT {
  return create_shader(on, vertex_stage, code, a->Size, a->ShaderHandle);
}

auto create_pixel_shader(portable_device& on, D3DDDIARG_CREATEPIXELSHADER* a, const UINT* code)
    -> HRESULT {
  return create_shader(on, pixel_stage, code, a->CodeSize, a->ShaderHandle);
}

template <std::uint32_t Stage>
auto set_shader(portable_device& on, HANDLE shader) -> HRESULT {
  return on.call<&driver::pfnSetShader>(Stage, u::D3D9DDI_HSHADER{shader});
}

auto delete_shader(portable_device& on, HANDLE shader) -> HRESULT {
  return on.call<&driver::pfnDestroyShader>(u::D3D9DDI_HSHADER{shader});
}

template <std::uint32_t Stage, class Argument, class Values>
auto set_floats(portable_device& on, const Argument* a, const Values* values) -> HRESULT {
  return on.call<&driver::pfnSetShaderConstF>(Stage, a->Register, static_cast<const float*>(values),
                                              a->Count);
}

template <std::uint32_t Stage, class Argument>
auto set_ints(portable_device& on, const Argument* a, const INT* values) -> HRESULT {
  return on.call<&driver::pfnSetShaderConstI>(Stage, a->Register, values, a->Count);
}

template <std::uint32_t Stage, class Argument>
auto set_bools(portable_device& on, const Argument* a, const BOOL* values) -> HRESULT {
  return on.call<&driver::pfnSetShaderConstB>(Stage, a->Register, values, a->Count);
}

/// The elements are the API's.
auto create_declaration(portable_device& on, D3DDDIARG_CREATEVERTEXSHADERDECL* a,
                        const D3DDDIVERTEXELEMENT* elements) -> HRESULT {
  static_assert(sizeof(D3DDDIVERTEXELEMENT) == sizeof(D3DVERTEXELEMENT9));
  u::D3D9DDI_HVERTEXDECL made{};
  const auto bytes = static_cast<std::uint32_t>(a->NumVertexElements * sizeof *elements);
  const auto result =
      on.call<&driver::pfnCreateVertexDecl>(static_cast<const void*>(elements), bytes, &made);
  if (SUCCEEDED(result)) a->ShaderHandle = made.pDrvPrivate;
  return result;
}

auto set_declaration(portable_device& on, HANDLE declaration) -> HRESULT {
  return on.call<&driver::pfnSetVertexDecl>(u::D3D9DDI_HVERTEXDECL{declaration});
}

auto delete_declaration(portable_device& on, HANDLE declaration) -> HRESULT {
  return on.call<&driver::pfnDestroyVertexDecl>(u::D3D9DDI_HVERTEXDECL{declaration});
}

auto set_stream_source(portable_device& on, const D3DDDIARG_SETSTREAMSOURCE* a) -> HRESULT {
  if (a->Stream == on.vertices.Stream) on.vertex_memory = nullptr;
  return on.call<&driver::pfnSetStreamSource>(a->Stream, driver_of(a->hVertexBuffer), a->Offset,
                                              a->Stride);
}

auto set_stream_source_freq(portable_device& on, const D3DDDIARG_SETSTREAMSOURCEFREQ* a)
    -> HRESULT {
  return on.call<&extended::pfnSetStreamSourceFreq>(a->Stream, a->Divider);
}

auto set_indices(portable_device& on, const D3DDDIARG_SETINDICES* a) -> HRESULT {
  constexpr UINT wide = 4;
  on.index_memory = nullptr;
  const auto format = a->Stride == wide ? D3DFMT_INDEX32 : D3DFMT_INDEX16;
  return on.call<&driver::pfnSetIndices>(driver_of(a->hIndexBuffer),
                                         static_cast<u::D3DDDIFORMAT>(format), std::uint32_t{0});
}

}  // namespace

void add_portable_shaders(D3DDDI_DEVICEFUNCS& table) {
  using vertex_constants = D3DDDIARG_SETVERTEXSHADERCONST;
  using pixel_constants = D3DDDIARG_SETPIXELSHADERCONST;
  set_entry<create_vertex_shader>(table.pfnCreateVertexShaderFunc);
  set_entry<set_shader<vertex_stage>>(table.pfnSetVertexShaderFunc);
  set_entry<delete_shader>(table.pfnDeleteVertexShaderFunc);
  set_entry<create_pixel_shader>(table.pfnCreatePixelShader);
  set_entry<set_shader<pixel_stage>>(table.pfnSetPixelShader);
  set_entry<delete_shader>(table.pfnDeletePixelShader);
  set_entry<set_floats<vertex_stage, vertex_constants, void>>(table.pfnSetVertexShaderConst);
  set_entry<set_ints<vertex_stage, vertex_constants>>(table.pfnSetVertexShaderConstI);
  set_entry<set_bools<vertex_stage, vertex_constants>>(table.pfnSetVertexShaderConstB);
  set_entry<set_floats<pixel_stage, pixel_constants, float>>(table.pfnSetPixelShaderConst);
  set_entry<set_ints<pixel_stage, pixel_constants>>(table.pfnSetPixelShaderConstI);
  set_entry<set_bools<pixel_stage, pixel_constants>>(table.pfnSetPixelShaderConstB);
  set_entry<create_declaration>(table.pfnCreateVertexShaderDecl);
  set_entry<set_declaration>(table.pfnSetVertexShaderDecl);
  set_entry<delete_declaration>(table.pfnDeleteVertexShaderDecl);
  set_entry<set_stream_source>(table.pfnSetStreamSource);
  set_entry<set_stream_source_freq>(table.pfnSetStreamSourceFreq);
  set_entry<set_indices>(table.pfnSetIndices);
}

}  // namespace aerogpu::sim
