// SPDX-License-Identifier: MIT
/// \file IDirect3DDevice9: declarations, formats, shaders and their constants.
#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"
#include "drivers/wine/d3d9/state/device_states.hpp"

#include <cstring>

namespace aerogpu::d3d9 {
namespace {

constexpr DWORD vertex_kind = 0xFFFE0000;
constexpr DWORD pixel_kind = 0xFFFF0000;

template <class Register>
[[nodiscard]] auto is_inside(UINT first, UINT count, const std::vector<Register>& registers)
    -> bool {
  return first <= registers.size() && count <= registers.size() - first;
}

template <class Register, class T>
[[nodiscard]] auto read_registers(const std::vector<Register>& from, UINT first, T* data,
                                  UINT count) -> HRESULT {
  if (data == nullptr || !is_inside(first, count, from)) return D3DERR_INVALIDCALL;
  if (count != 0) std::memcpy(data, from.data() + first, count * sizeof(Register));
  return S_OK;
}

[[nodiscard]] auto limits_of(DWORD kind, DWORD newest, const constant_values& registers)
    -> function_limits {
  return {.version = kind | (newest & 0xFFFF),
          .floats = registers.floats.size(),
          .integers = registers.integers.size(),
          .booleans = registers.booleans.size(),
          .has_software = false};
}

}  // namespace

HRESULT APIENTRY device::CreateVertexDeclaration(const D3DVERTEXELEMENT9* elements,
                                                 IDirect3DVertexDeclaration9** declaration) {
  return run([&]() -> HRESULT {
    if (elements == nullptr || declaration == nullptr) return D3DERR_INVALIDCALL;
    std::vector<D3DVERTEXELEMENT9> list;
    if (const auto result = read_declaration(elements, list); FAILED(result)) return result;
    hand_out(declaration, new vertex_declaration{*this, std::move(list), 0});
    return S_OK;
  });
}

HRESULT APIENTRY device::SetVertexDeclaration(IDirect3DVertexDeclaration9* given) {
  return run([&]() -> HRESULT {
    auto* const declaration = vertex_declaration::of(given);
    if (!is_of(*this, declaration)) return D3DERR_INVALIDCALL;
    states->set_declaration(declaration);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetVertexDeclaration(IDirect3DVertexDeclaration9** declaration) {
  return run([&]() -> HRESULT {
    if (declaration == nullptr) return D3DERR_INVALIDCALL;
    hand_out(declaration, states->now().declaration.get());
    return S_OK;
  });
}

HRESULT APIENTRY device::SetFVF(DWORD fvf) {
  return run([&]() -> HRESULT {
    if (fvf == 0) return S_OK;
    vertex_declaration* declaration = nullptr;
    if (const auto result = states->declaration_of(fvf, declaration); FAILED(result)) return result;
    states->set_declaration(declaration);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetFVF(DWORD* fvf) {
  return run([&]() -> HRESULT {
    if (fvf == nullptr) return D3DERR_INVALIDCALL;
    const auto& declaration = states->now().declaration;
    *fvf = declaration ? declaration->format() : 0;
    return S_OK;
  });
}

HRESULT APIENTRY device::CreateVertexShader(const DWORD* code, IDirect3DVertexShader9** made) {
  return run([&]() -> HRESULT {
    if (code == nullptr || made == nullptr) return D3DERR_INVALIDCALL;
    std::vector<UINT> tokens;
    constexpr DWORD on_the_cpu = create_software_vertex_processing | create_mixed_vertex_processing;
    auto most = limits_of(vertex_kind, parent->caps().VertexShaderVersion,
                          states->constants(shader_kind::vertex));
    most.has_software = (request.flags & on_the_cpu) != 0;
    if (const auto result = read_function(code, most, tokens); FAILED(result)) return result;
    const bound<vertex_shader> held{new vertex_shader{*this, std::move(tokens)}};
    if (const auto result = held->renew(); FAILED(result)) return on_failure(result);
    hand_out(made, held.get());
    return S_OK;
  });
}

HRESULT APIENTRY device::SetVertexShader(IDirect3DVertexShader9* given) {
  return run([&]() -> HRESULT {
    auto* const shader = vertex_shader::of(given);
    if (!is_of(*this, shader)) return D3DERR_INVALIDCALL;
    states->set_vertex_shader(shader);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetVertexShader(IDirect3DVertexShader9** found) {
  return run([&]() -> HRESULT {
    if (found == nullptr) return D3DERR_INVALIDCALL;
    hand_out(found, states->now().vertex.get());
    return S_OK;
  });
}

HRESULT APIENTRY device::CreatePixelShader(const DWORD* code, IDirect3DPixelShader9** made) {
  return run([&]() -> HRESULT {
    if (code == nullptr || made == nullptr) return D3DERR_INVALIDCALL;
    std::vector<UINT> tokens;
    const auto most = limits_of(pixel_kind, parent->caps().PixelShaderVersion,
                                states->constants(shader_kind::pixel));
    if (const auto result = read_function(code, most, tokens); FAILED(result)) return result;
    const bound<pixel_shader> held{new pixel_shader{*this, std::move(tokens)}};
    if (const auto result = held->renew(); FAILED(result)) return on_failure(result);
    hand_out(made, held.get());
    return S_OK;
  });
}

HRESULT APIENTRY device::SetPixelShader(IDirect3DPixelShader9* given) {
  return run([&]() -> HRESULT {
    auto* const shader = pixel_shader::of(given);
    if (!is_of(*this, shader)) return D3DERR_INVALIDCALL;
    states->set_pixel_shader(shader);
    return S_OK;
  });
}

HRESULT APIENTRY device::GetPixelShader(IDirect3DPixelShader9** found) {
  return run([&]() -> HRESULT {
    if (found == nullptr) return D3DERR_INVALIDCALL;
    hand_out(found, states->now().pixel.get());
    return S_OK;
  });
}

HRESULT APIENTRY device::SetVertexShaderConstantF(UINT first, const float* data, UINT count) {
  return run([&]() -> HRESULT {
    const auto& registers = states->constants(shader_kind::vertex).floats;
    if (data == nullptr || !is_inside(first, count, registers)) return D3DERR_INVALIDCALL;
    const auto* const values = reinterpret_cast<const float_register*>(data);
    states->set_floats(shader_kind::vertex, first, {values, count});
    return S_OK;
  });
}

HRESULT APIENTRY device::GetVertexShaderConstantF(UINT first, float* data, UINT count) {
  return run([&]() -> HRESULT {
    if (states->is_write_only()) return D3DERR_INVALIDCALL;
    return read_registers(states->constants(shader_kind::vertex).floats, first, data, count);
  });
}

HRESULT APIENTRY device::SetVertexShaderConstantI(UINT first, const int* data, UINT count) {
  return run([&]() -> HRESULT {
    const auto& registers = states->constants(shader_kind::vertex).integers;
    if (data == nullptr || !is_inside(first, count, registers)) return D3DERR_INVALIDCALL;
    const auto* const values = reinterpret_cast<const integer_register*>(data);
    states->set_integers(shader_kind::vertex, first, {values, count});
    return S_OK;
  });
}

HRESULT APIENTRY device::GetVertexShaderConstantI(UINT first, int* data, UINT count) {
  return run([&]() -> HRESULT {
    if (states->is_write_only()) return D3DERR_INVALIDCALL;
    return read_registers(states->constants(shader_kind::vertex).integers, first, data, count);
  });
}

HRESULT APIENTRY device::SetVertexShaderConstantB(UINT first, const BOOL* data, UINT count) {
  return run([&]() -> HRESULT {
    const auto& registers = states->constants(shader_kind::vertex).booleans;
    if (data == nullptr || !is_inside(first, count, registers)) return D3DERR_INVALIDCALL;
    const auto* const values = reinterpret_cast<const boolean_register*>(data);
    states->set_booleans(shader_kind::vertex, first, {values, count});
    return S_OK;
  });
}

HRESULT APIENTRY device::GetVertexShaderConstantB(UINT first, BOOL* data, UINT count) {
  return run([&]() -> HRESULT {
    if (states->is_write_only()) return D3DERR_INVALIDCALL;
    return read_registers(states->constants(shader_kind::vertex).booleans, first, data, count);
  });
}

HRESULT APIENTRY device::SetPixelShaderConstantF(UINT first, const float* data, UINT count) {
  return run([&]() -> HRESULT {
    const auto& registers = states->constants(shader_kind::pixel).floats;
    if (data == nullptr || !is_inside(first, count, registers)) return D3DERR_INVALIDCALL;
    const auto* const values = reinterpret_cast<const float_register*>(data);
    states->set_floats(shader_kind::pixel, first, {values, count});
    return S_OK;
  });
}

HRESULT APIENTRY device::GetPixelShaderConstantF(UINT first, float* data, UINT count) {
  return run([&]() -> HRESULT {
    if (states->is_write_only()) return D3DERR_INVALIDCALL;
    return read_registers(states->constants(shader_kind::pixel).floats, first, data, count);
  });
}

HRESULT APIENTRY device::SetPixelShaderConstantI(UINT first, const int* data, UINT count) {
  return run([&]() -> HRESULT {
    const auto& registers = states->constants(shader_kind::pixel).integers;
    if (data == nullptr || !is_inside(first, count, registers)) return D3DERR_INVALIDCALL;
    const auto* const values = reinterpret_cast<const integer_register*>(data);
    states->set_integers(shader_kind::pixel, first, {values, count});
    return S_OK;
  });
}

HRESULT APIENTRY device::GetPixelShaderConstantI(UINT first, int* data, UINT count) {
  return run([&]() -> HRESULT {
    if (states->is_write_only()) return D3DERR_INVALIDCALL;
    return read_registers(states->constants(shader_kind::pixel).integers, first, data, count);
  });
}

HRESULT APIENTRY device::SetPixelShaderConstantB(UINT first, const BOOL* data, UINT count) {
  return run([&]() -> HRESULT {
    const auto& registers = states->constants(shader_kind::pixel).booleans;
    if (data == nullptr || !is_inside(first, count, registers)) return D3DERR_INVALIDCALL;
    const auto* const values = reinterpret_cast<const boolean_register*>(data);
    states->set_booleans(shader_kind::pixel, first, {values, count});
    return S_OK;
  });
}

HRESULT APIENTRY device::GetPixelShaderConstantB(UINT first, BOOL* data, UINT count) {
  return run([&]() -> HRESULT {
    if (states->is_write_only()) return D3DERR_INVALIDCALL;
    return read_registers(states->constants(shader_kind::pixel).booleans, first, data, count);
  });
}

}  // namespace aerogpu::d3d9
