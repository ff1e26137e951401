// SPDX-License-Identifier: MIT
/// \file Textures, streams, indices, declarations, shaders and their constants.
#include "aerogpu/core/checked.hpp"
#include "drivers/win7/umd/d3d9/device/device_call.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_handle.hpp"
#include "drivers/win7/umd/d3d9/front_m/entries/entries_state.hpp"
#include "drivers/win7/umd/d3d9/front_m/resource_arguments.hpp"
#include "drivers/win7/umd/d3d9/front_m/sampler_numbers.hpp"
#include "drivers/win7/umd/d3d9/shader/declaration.hpp"
#include "drivers/win7/umd/d3d9/shader/shader.hpp"
#include "drivers/win7/umd/d3d9/state/setters.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::umd::front_m {

namespace {

auto APIENTRY set_texture_m(HANDLE handle, UINT stage, HANDLE texture) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds};
  if (!call) return call.refusal();
  const std::uint32_t sampler = sampler_of(stage);
  if (sampler == displacement_sampler) return S_OK;
  return call.result(set_texture(*call, sampler, to_resource(texture)));
}

auto APIENTRY set_stream_source_m(HANDLE handle, const D3DDDIARG_SETSTREAMSOURCE* a) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, a};
  if (!call) return call.refusal();
  if (a->Stream == 0) (*call).scratch.user_vertices = {};
  return call.result(
      set_stream(*call, a->Stream, {to_resource(a->hVertexBuffer), a->Offset, a->Stride}));
}

auto APIENTRY set_stream_source_um_m(HANDLE handle, const D3DDDIARG_SETSTREAMSOURCEUM* a,
                                     const void* vertices) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, a};
  if (!call) return call.refusal();
  if (a->Stream != 0) return E_INVALIDARG;  // The DDI has it of stream 0 alone.
  (*call).scratch.user_vertices = {static_cast<const std::byte*>(vertices), a->Stride};
  return S_OK;
}

auto APIENTRY set_stream_source_freq_m(HANDLE handle,
                                       const D3DDDIARG_SETSTREAMSOURCEFREQ* a) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, a};
  if (!call) return call.refusal();
  return call.result(set_stream_frequency(*call, a->Stream, a->Divider));
}

auto APIENTRY set_indices_m(HANDLE handle, const D3DDDIARG_SETINDICES* a) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, a};
  if (!call) return call.refusal();
  (*call).scratch.user_indices = {};
  auto* const buffer = to_resource(a->hIndexBuffer);
  return call.result(set_indices(*call, {buffer, buffer != nullptr ? a->Stride : 2, 0}));
}

auto APIENTRY set_indices_um_m(HANDLE handle, UINT index_bytes, const void* indices) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds};
  if (!call) return call.refusal();
  if (index_bytes != 2 && index_bytes != 4) return E_INVALIDARG;
  (*call).scratch.user_indices = {static_cast<const std::byte*>(indices), index_bytes};
  return S_OK;
}

auto APIENTRY create_declaration_m(HANDLE handle, D3DDDIARG_CREATEVERTEXSHADERDECL* a,
                                   const D3DDDIVERTEXELEMENT* elements) noexcept -> HRESULT {
  const device_call call{to_device(handle), a};
  if (!call) return call.refusal();
  if (a->NumVertexElements != 0 && elements == nullptr) return E_INVALIDARG;
  static_assert(sizeof(D3DDDIVERTEXELEMENT) == sizeof(D3DVERTEXELEMENT9));
  std::array<D3DVERTEXELEMENT9, most_elements + 1> copy{};
  if (a->NumVertexElements > copy.size()) return E_INVALIDARG;
  const std::span<const D3DDDIVERTEXELEMENT> given{elements, a->NumVertexElements};
  std::transform(given.begin(), given.end(), copy.begin(), [](const D3DDDIVERTEXELEMENT& e) {
    return D3DVERTEXELEMENT9{e.Stream, e.Offset, e.Type, e.Method, e.Usage, e.UsageIndex};
  });
  vertex_declaration* made = nullptr;
  const HRESULT created = create_declaration(*call, std::span{copy}.first(given.size()), made);
  if (SUCCEEDED(created)) a->ShaderHandle = made;
  return created;
}

auto APIENTRY delete_declaration_m(HANDLE handle, HANDLE declaration) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds};
  if (!call) return call.refusal();
  return call.result(destroy_declaration(*call, static_cast<vertex_declaration*>(declaration)));
}

auto APIENTRY set_declaration_m(HANDLE handle, HANDLE declaration) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds};
  if (!call) return call.refusal();
  return call.result(set_declaration(*call, static_cast<vertex_declaration*>(declaration)));
}

/// `size_bytes` is a field of `Argument`.
template <stage Stage, class Argument, UINT Argument::*SizeBytes>
auto APIENTRY create_shader_m(HANDLE handle, Argument* a, const UINT* code) noexcept -> HRESULT {
  const device_call call{to_device(handle), a, code};
  if (!call) return call.refusal();
  shader* made = nullptr;
  const const_bytes bytes{reinterpret_cast<const std::byte*>(code), a->*SizeBytes};
  const HRESULT created = create_shader(*call, Stage, bytes, made);
  if (SUCCEEDED(created)) a->ShaderHandle = made;
  return created;
}

template <stage>
auto APIENTRY delete_shader_m(HANDLE handle, HANDLE code) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds};
  if (!call) return call.refusal();
  return call.result(destroy_shader(*call, static_cast<shader*>(code)));
}

template <stage Stage>
auto APIENTRY set_shader_m(HANDLE handle, HANDLE code) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds};
  if (!call) return call.refusal();
  return call.result(set_shader(*call, Stage, static_cast<shader*>(code)));
}

constexpr std::size_t most_registers_copied = 128;  ///< At once, to the stack.

/// Copies registers from the runtime, which hands them as scalars of any alignment, and sets them.
template <class Value, class Argument, class Set>
[[nodiscard]] auto set_constants(HANDLE handle, const Argument* a, const void* registers,
                                 Set&& apply) noexcept -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, a, registers};
  if (!call) return call.refusal();
  if (a->Count > constant_count || a->Register > constant_count - a->Count) {
    return D3DERR_INVALIDCALL;
  }
  std::array<Value, most_registers_copied> values;
  const_bytes left{static_cast<const std::byte*>(registers), a->Count * sizeof(Value)};
  std::uint32_t first = a->Register;
  HRESULT set = S_OK;
  do {
    const std::span<Value> part =
        std::span{values}.first(std::min(left.size() / sizeof(Value), values.size()));
    copy_bytes(std::as_writable_bytes(part), left.first(part.size_bytes()));
    set = apply(*call, first, std::span<const Value>{part});
    left = left.subspan(part.size_bytes());
    first += static_cast<std::uint32_t>(part.size());
  } while (SUCCEEDED(set) && !left.empty());
  return call.result(set);
}

/// Floats are copied once, to where they are kept.
template <stage Stage, class Argument, class Registers>
auto APIENTRY set_floats_m(HANDLE handle, const Argument* a, const Registers* registers) noexcept
    -> HRESULT {
  const device_call call{to_device(handle), when_lost::succeeds, a, registers};
  if (!call) return call.refusal();
  if (a->Count > constant_count) return D3DERR_INVALIDCALL;
  const const_bytes values{reinterpret_cast<const std::byte*>(registers),
                           a->Count * sizeof(float_register)};
  return call.result(set_float_bytes(*call, Stage, a->Register, values));
}
template <stage Stage, class Argument>
auto APIENTRY set_ints_m(HANDLE handle, const Argument* a, const INT* registers) noexcept
    -> HRESULT {
  return set_constants<int_register>(handle, a, registers,
                                     [](device& on, std::uint32_t first, auto values) {
                                       return set_constants_i(on, Stage, first, values);
                                     });
}
template <stage Stage, class Argument>
auto APIENTRY set_bools_m(HANDLE handle, const Argument* a, const BOOL* registers) noexcept
    -> HRESULT {
  return set_constants<std::uint32_t>(handle, a, registers,
                                      [](device& on, std::uint32_t first, auto values) {
                                        return set_constants_b(on, Stage, first, values);
                                      });
}

}  // namespace

void add_binding_entries(D3DDDI_DEVICEFUNCS& table) noexcept {
  using vertex_constants = D3DDDIARG_SETVERTEXSHADERCONST;
  using pixel_constants = D3DDDIARG_SETPIXELSHADERCONST;
  table.pfnSetTexture = set_texture_m;
  table.pfnSetStreamSource = set_stream_source_m;
  table.pfnSetStreamSourceUm = set_stream_source_um_m;
  table.pfnSetStreamSourceFreq = set_stream_source_freq_m;
  table.pfnSetIndices = set_indices_m;
  table.pfnSetIndicesUm = set_indices_um_m;
  table.pfnCreateVertexShaderDecl = create_declaration_m;
  table.pfnDeleteVertexShaderDecl = delete_declaration_m;
  table.pfnSetVertexShaderDecl = set_declaration_m;
  table.pfnCreateVertexShaderFunc = create_shader_m<stage::vertex, D3DDDIARG_CREATEVERTEXSHADERFUNC,
                                                    &D3DDDIARG_CREATEVERTEXSHADERFUNC::Size>;
  table.pfnCreatePixelShader = create_shader_m<stage::pixel, D3DDDIARG_CREATEPIXELSHADER,
                                               &D3DDDIARG_CREATEPIXELSHADER::CodeSize>;
  table.pfnDeleteVertexShaderFunc = delete_shader_m<stage::vertex>;
  table.pfnDeletePixelShader = delete_shader_m<stage::pixel>;
  table.pfnSetVertexShaderFunc = set_shader_m<stage::vertex>;
  table.pfnSetPixelShader = set_shader_m<stage::pixel>;
  table.pfnSetVertexShaderConst = set_floats_m<stage::vertex, vertex_constants, void>;
  table.pfnSetVertexShaderConstI = set_ints_m<stage::vertex, vertex_constants>;
  table.pfnSetVertexShaderConstB = set_bools_m<stage::vertex, vertex_constants>;
  table.pfnSetPixelShaderConst = set_floats_m<stage::pixel, pixel_constants, FLOAT>;
  table.pfnSetPixelShaderConstI = set_ints_m<stage::pixel, pixel_constants>;
  table.pfnSetPixelShaderConstB = set_bools_m<stage::pixel, pixel_constants>;
}

}  // namespace aerogpu::umd::front_m
