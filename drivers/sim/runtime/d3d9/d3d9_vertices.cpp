// SPDX-License-Identifier: MIT
/// \file Shaders, their constants, declarations, streams.
#include "drivers/sim/runtime/d3d9/d3d9_device.hpp"
#include "drivers/sim/runtime/d3d9/vertex_format.hpp"

namespace aerogpu::sim {
namespace {

using table = D3DDDI_DEVICEFUNCS;

[[nodiscard]] auto handle_of(driver_object object) -> HANDLE {
  return reinterpret_cast<HANDLE>(object);
}
[[nodiscard]] auto object_of(HANDLE handle) -> driver_object {
  return static_cast<driver_object>(reinterpret_cast<std::uintptr_t>(handle));
}

template <auto Entry, class Argument, class Value>
auto send_constants(ddi_device& to, UINT first, std::span<const Value> values, std::size_t width)
    -> HRESULT {
  if (values.size() % width != 0) return D3DERR_INVALIDCALL;
  const Argument wanted{first, static_cast<UINT>(values.size() / width)};
  return to.send_list<Entry>(wanted, values);
}

constexpr std::size_t vector_width = 4;

}  // namespace

auto d3d9_device::create_vertex_shader(std::span<const UINT> code, driver_object& made) -> HRESULT {
  D3DDDIARG_CREATEVERTEXSHADERFUNC wanted{static_cast<UINT>(code.size_bytes()), nullptr};
  const auto result = ddi.make<&table::pfnCreateVertexShaderFunc>(
      wanted, code, &D3DDDIARG_CREATEVERTEXSHADERFUNC::ShaderHandle);
  made = object_of(wanted.ShaderHandle);
  return result;
}

auto d3d9_device::set_vertex_shader(driver_object shader) -> HRESULT {
  return ddi.call<&table::pfnSetVertexShaderFunc>(handle_of(shader));
}

auto d3d9_device::delete_vertex_shader(driver_object shader) -> HRESULT {
  return ddi.call<&table::pfnDeleteVertexShaderFunc>(handle_of(shader));
}

auto d3d9_device::create_pixel_shader(std::span<const UINT> code, driver_object& made) -> HRESULT {
  D3DDDIARG_CREATEPIXELSHADER wanted{static_cast<UINT>(code.size_bytes()), nullptr};
  const auto result = ddi.make<&table::pfnCreatePixelShader>(
      wanted, code, &D3DDDIARG_CREATEPIXELSHADER::ShaderHandle);
  made = object_of(wanted.ShaderHandle);
  return result;
}

auto d3d9_device::set_pixel_shader(driver_object shader) -> HRESULT {
  return ddi.call<&table::pfnSetPixelShader>(handle_of(shader));
}

auto d3d9_device::delete_pixel_shader(driver_object shader) -> HRESULT {
  return ddi.call<&table::pfnDeletePixelShader>(handle_of(shader));
}

auto d3d9_device::set_vertex_shader_constants(UINT first, std::span<const float> values)
    -> HRESULT {
  if (values.size() % vector_width != 0) return D3DERR_INVALIDCALL;
  const D3DDDIARG_SETVERTEXSHADERCONST wanted{first,
                                              static_cast<UINT>(values.size() / vector_width)};
  lent_bytes passed{ddi.rules(), std::as_bytes(values), "SetVertexShaderConst"};
  const auto result =
      ddi.send<&table::pfnSetVertexShaderConst>(wanted, static_cast<const void*>(passed.get()));
  passed.take_input();
  return result;
}

auto d3d9_device::set_vertex_shader_constants(UINT first, std::span<const INT> values) -> HRESULT {
  return send_constants<&table::pfnSetVertexShaderConstI, D3DDDIARG_SETVERTEXSHADERCONST>(
      ddi, first, values, vector_width);
}

auto d3d9_device::set_vertex_shader_booleans(UINT first, std::span<const BOOL> values) -> HRESULT {
  return send_constants<&table::pfnSetVertexShaderConstB, D3DDDIARG_SETVERTEXSHADERCONST>(
      ddi, first, values, 1);
}

auto d3d9_device::set_pixel_shader_constants(UINT first, std::span<const float> values) -> HRESULT {
  return send_constants<&table::pfnSetPixelShaderConst, D3DDDIARG_SETPIXELSHADERCONST>(
      ddi, first, values, vector_width);
}

auto d3d9_device::set_pixel_shader_constants(UINT first, std::span<const INT> values) -> HRESULT {
  return send_constants<&table::pfnSetPixelShaderConstI, D3DDDIARG_SETPIXELSHADERCONST>(
      ddi, first, values, vector_width);
}

auto d3d9_device::set_pixel_shader_booleans(UINT first, std::span<const BOOL> values) -> HRESULT {
  return send_constants<&table::pfnSetPixelShaderConstB, D3DDDIARG_SETPIXELSHADERCONST>(ddi, first,
                                                                                        values, 1);
}

namespace {

[[nodiscard]] auto make_declaration(ddi_device& with,
                                    const std::vector<D3DDDIVERTEXELEMENT>& elements,
                                    driver_object& made) -> HRESULT {
  D3DDDIARG_CREATEVERTEXSHADERDECL wanted{static_cast<UINT>(elements.size()), nullptr};
  const auto result = with.make<&table::pfnCreateVertexShaderDecl>(
      wanted, std::span<const D3DDDIVERTEXELEMENT>{elements},
      &D3DDDIARG_CREATEVERTEXSHADERDECL::ShaderHandle);
  made = object_of(wanted.ShaderHandle);
  return result;
}

}  // namespace

auto d3d9_device::create_vertex_declaration(const std::vector<D3DVERTEXELEMENT9>& elements,
                                            driver_object& made) -> HRESULT {
  if (elements.empty()) return E_FAIL;
  return make_declaration(ddi, to_ddi(elements), made);
}

auto d3d9_device::set_vertex_declaration(driver_object declaration) -> HRESULT {
  return ddi.call<&table::pfnSetVertexShaderDecl>(handle_of(declaration));
}

auto d3d9_device::delete_vertex_declaration(driver_object declaration) -> HRESULT {
  return ddi.call<&table::pfnDeleteVertexShaderDecl>(handle_of(declaration));
}

auto d3d9_device::set_fvf(DWORD format) -> HRESULT {
  if (format == 0) return S_OK;  // The declaration stays.
  if (const auto known = formats_.find(format); known != formats_.end())
    return set_vertex_declaration(known->second);
  const auto elements = elements_of(format);
  if (elements.empty()) return D3DERR_INVALIDCALL;
  driver_object made{};
  const auto result = make_declaration(ddi, elements, made);
  if (FAILED(result)) return result;
  formats_[format] = made;
  return set_vertex_declaration(made);
}

auto d3d9_device::set_stream_source(UINT stream, const d3d9_resource* buffer, UINT offset,
                                    UINT stride) -> HRESULT {
  D3DDDIARG_SETSTREAMSOURCE wanted{stream, nullptr, offset, stride};
  if (buffer != nullptr) wanted.hVertexBuffer = buffer->names.driver;
  return ddi.send<&table::pfnSetStreamSource>(wanted);
}

auto d3d9_device::set_stream_source_freq(UINT stream, UINT setting) -> HRESULT {
  const bool is_instance = (setting & D3DSTREAMSOURCE_INSTANCEDATA) != 0;
  const bool is_indexed = (setting & D3DSTREAMSOURCE_INDEXEDDATA) != 0;
  if (setting == 0 || (is_instance && (is_indexed || stream == 0))) return D3DERR_INVALIDCALL;
  return ddi.send<&table::pfnSetStreamSourceFreq>(D3DDDIARG_SETSTREAMSOURCEFREQ{stream, setting});
}

auto d3d9_device::set_indices(const d3d9_resource* buffer) -> HRESULT {
  D3DDDIARG_SETINDICES wanted{nullptr, 2};
  if (buffer != nullptr) {
    wanted.hIndexBuffer = buffer->names.driver;
    if (buffer->description.format == D3DFMT_INDEX32) wanted.Stride = 4;
  }
  return ddi.send<&table::pfnSetIndices>(wanted);
}

}  // namespace aerogpu::sim
