// SPDX-License-Identifier: MIT
#include "tests/drivers/d3d9/state_rig.hpp"

namespace aerogpu::test {
namespace {

using any_declaration = owned<d3d9::IDirect3DVertexDeclaration9>;
using any_vertex_shader = owned<d3d9::IDirect3DVertexShader9>;
using any_pixel_shader = owned<d3d9::IDirect3DPixelShader9>;

constexpr D3DVERTEXELEMENT9 last{0xFF, 0, D3DDECLTYPE_UNUSED, 0, 0, 0};
constexpr D3DVERTEXELEMENT9 position{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0};
constexpr D3DVERTEXELEMENT9 color{0, 12, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0};

constexpr DWORD end_token = 0x0000FFFF;
/// vs_1_1: dcl_position v0; a comment of three tokens, one of them like an end; mov oPos, v0.
constexpr std::array<DWORD, 12> vertex_code{0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000,
                                            0x0003FFFE, 0x00000001, end_token,  0x00000003,
                                            0x00000001, 0xC00F0000, 0x90E40000, end_token};
/// ps_2_0: mov oC0, c0.
constexpr std::array<DWORD, 5> pixel_code{0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40000,
                                          end_token};

[[nodiscard]] auto create(state_rig& rig, const std::vector<D3DVERTEXELEMENT9>& elements)
    -> HRESULT {
  any_declaration made;
  return rig.device->CreateVertexDeclaration(elements.data(), made.out());
}

TEST_CASE("a declaration gives its elements back", "[wine][d3d9][T260]") {
  state_rig rig;
  any_declaration made;
  const std::array given{position, color, last};
  REQUIRE(rig.device->CreateVertexDeclaration(given.data(), made.out()) == S_OK);
  UINT count = 0;
  CHECK(made->GetDeclaration(nullptr, &count) == S_OK);
  REQUIRE(count == 3);
  std::array<D3DVERTEXELEMENT9, 3> found{};
  CHECK(made->GetDeclaration(found.data(), &count) == S_OK);
  CHECK(std::memcmp(found.data(), given.data(), sizeof given) == 0);
  CHECK(made->GetDeclaration(found.data(), nullptr) == D3DERR_INVALIDCALL);
}

TEST_CASE("formats and declarations exclude each other", "[wine][d3d9][T260]") {
  state_rig rig;
  any_declaration made;
  any_declaration of_format;
  any_declaration again;
  DWORD format = 0xDEAD;
  const std::array given{position, color, last};
  REQUIRE(rig.device->CreateVertexDeclaration(given.data(), made.out()) == S_OK);
  CHECK(rig.device->SetFVF(D3DFVF_XYZ | D3DFVF_DIFFUSE) == S_OK);
  CHECK(rig.device->GetVertexDeclaration(of_format.out()) == S_OK);
  REQUIRE(of_format.get() != nullptr);
  CHECK(rig.device->SetVertexDeclaration(made.get()) == S_OK);
  CHECK(rig.device->GetFVF(&format) == S_OK);
  CHECK(format == 0);
  CHECK(rig.device->SetFVF(0) == S_OK);
  CHECK(rig.device->GetVertexDeclaration(again.out()) == S_OK);
  CHECK(again.get() == made.get());
  CHECK(rig.device->SetFVF(D3DFVF_XYZ | D3DFVF_DIFFUSE) == S_OK);
  CHECK(rig.device->GetVertexDeclaration(again.out()) == S_OK);
  CHECK(again.get() == of_format.get());
  CHECK(rig.device->GetFVF(&format) == S_OK);
  CHECK(format == (D3DFVF_XYZ | D3DFVF_DIFFUSE));
}

TEST_CASE("malformed declarations are refused", "[wine][d3d9][T260]") {
  state_rig rig;
  const auto changed = [](auto change) {
    auto one = color;
    change(one);
    return std::vector{position, one, last};
  };
  CHECK(create(rig, {position, color, last}) == S_OK);
  CHECK(create(rig, changed([](auto& e) { e.Offset = 13; })) == E_FAIL);
  CHECK(create(rig, changed([](auto& e) { e.Stream = 16; })) == E_FAIL);
  CHECK(create(rig, changed([](auto& e) { e.Type = 17; })) == E_FAIL);
  CHECK(create(rig, changed([](auto& e) { e.Method = 7; })) == E_FAIL);
  CHECK(create(rig, changed([](auto& e) { e.Usage = 14; })) == E_FAIL);
  CHECK(create(rig, {position, position, last}) == E_FAIL);
  CHECK(rig.device->CreateVertexDeclaration(nullptr, nullptr) == D3DERR_INVALIDCALL);
  std::vector<D3DVERTEXELEMENT9> many;
  for (UCHAR i = 0; i < 65; ++i) {
    many.push_back(color);
    many.back().UsageIndex = i;
  }
  CHECK(create(rig, many) == D3DERR_INVALIDCALL);
}

TEST_CASE("a transformed position may stand beside another, and in any stream",
          "[wine][d3d9][T260]") {
  state_rig rig;
  const auto stream = GENERATE(as<WORD>{}, 0, 1);
  auto transformed = position;
  transformed.Stream = stream;
  transformed.Offset = 16;
  transformed.Type = D3DDECLTYPE_FLOAT4;
  transformed.Usage = D3DDECLUSAGE_POSITIONT;
  CHECK(create(rig, {position, transformed, last}) == S_OK);
  CHECK(create(rig, {transformed, last}) == S_OK);
}

TEST_CASE("a shader gives its function back, whatever its comments hold", "[wine][d3d9][shader]") {
  state_rig rig;
  any_vertex_shader made;
  REQUIRE(rig.device->CreateVertexShader(vertex_code.data(), made.out()) == S_OK);
  UINT bytes = 0;
  CHECK(made->GetFunction(nullptr, &bytes) == S_OK);
  REQUIRE(bytes == sizeof vertex_code);
  std::array<DWORD, 12> found{};
  CHECK(made->GetFunction(found.data(), &bytes) == S_OK);
  CHECK(found == vertex_code);
  CHECK(rig.device->SetVertexShader(made.get()) == S_OK);
  any_vertex_shader bound;
  CHECK(rig.device->GetVertexShader(bound.out()) == S_OK);
  CHECK(bound.get() == made.get());
}

TEST_CASE("shaders of the other kind, of too new a version or without an end are refused",
          "[wine][d3d9][shader]") {
  state_rig rig;
  any_vertex_shader vertex;
  any_pixel_shader pixel;
  CHECK(rig.device->CreatePixelShader(pixel_code.data(), pixel.out()) == S_OK);
  CHECK(rig.device->CreatePixelShader(vertex_code.data(), pixel.out()) == D3DERR_INVALIDCALL);
  CHECK(rig.device->CreateVertexShader(pixel_code.data(), vertex.out()) == D3DERR_INVALIDCALL);
  auto newer = vertex_code;
  newer[0] = 0xFFFE0400;
  CHECK(rig.device->CreateVertexShader(newer.data(), vertex.out()) == D3DERR_INVALIDCALL);
  newer[0] = 0xFFFE0000;
  CHECK(rig.device->CreateVertexShader(newer.data(), vertex.out()) == D3DERR_INVALIDCALL);
  CHECK(rig.device->CreateVertexShader(nullptr, vertex.out()) == D3DERR_INVALIDCALL);
  CHECK(rig.device->CreateVertexShader(vertex_code.data(), nullptr) == D3DERR_INVALIDCALL);
}

TEST_CASE(
    "functions for the CPU are taken where it processes vertices, and given back as they were",
    "[wine][d3d9][shader]") {
  const auto [flags, vertex_result] = GENERATE(table<DWORD, HRESULT>({
      {d3d9::create_hardware_vertex_processing, D3DERR_INVALIDCALL},
      {d3d9::create_mixed_vertex_processing, S_OK},
      {d3d9::create_software_vertex_processing, S_OK},
  }));
  const DWORD major = GENERATE(2u, 3u);
  CAPTURE(flags, major);
  state_rig rig{flags};
  // vs_x_sw: dcl_position v0; dcl_position o0; mov o0, v0. Of version 2: mov oPos, v0.
  std::vector<DWORD> code{0xFFFE00FF | major << 8, 0x0200001F, 0x80000000, 0x900F0000};
  if (major == 3) code.insert(code.end(), {0x0200001F, 0x80000000, 0xE00F0000});
  code.insert(code.end(),
              {0x02000001, major == 3 ? 0xE00F0000 : 0xC00F0000, 0x90E40000, end_token});
  any_vertex_shader vertex;
  CHECK(rig.device->CreateVertexShader(code.data(), vertex.out()) == vertex_result);
  if (vertex.get() != nullptr) {
    std::vector<DWORD> found(code.size());
    UINT bytes = static_cast<UINT>(found.size() * sizeof(DWORD));
    CHECK(vertex->GetFunction(found.data(), &bytes) == S_OK);
    CHECK(found == code);
  }
  any_pixel_shader pixel;
  const std::array<DWORD, 2> empty{0xFFFF00FF | major << 8, end_token};
  CHECK(rig.device->CreatePixelShader(empty.data(), pixel.out()) == D3DERR_INVALIDCALL);
}

struct constant_case {
  const char* what;
  DWORD version;
  DWORD flags;
  DWORD define;  ///< The instruction that defines it.
  DWORD parameter;
  HRESULT expected;
};

/// The register's parameter token: its type's five bits are apart.
[[nodiscard]] constexpr auto parameter_of(DWORD type, DWORD number) -> DWORD {
  return 0x800F0000 | (type & 7) << 28 | (type & 0x18) << 8 | number;
}

TEST_CASE("a shader that names a constant beyond its version's and the device's is refused",
          "[wine][d3d9][shader]") {
  constexpr DWORD floats = 2, integers = 7, more_floats = 11, most_floats = 13, booleans = 14;
  constexpr DWORD def = 0x05000051, def_1 = 0x51, defi = 0x05000030, defb = 0x0200002F;
  constexpr DWORD hardware = d3d9::create_hardware_vertex_processing;
  constexpr DWORD software = d3d9::create_software_vertex_processing;
  constexpr DWORD vs_1 = 0xFFFE0101, vs_3 = 0xFFFE0300, ps_1 = 0xFFFF0101, ps_1_4 = 0xFFFF0104;
  constexpr DWORD ps_2 = 0xFFFF0200, ps_2x = 0xFFFF0201, ps_3 = 0xFFFF0300;
  constexpr HRESULT bad = D3DERR_INVALIDCALL;
  const auto one = GENERATE(values<constant_case>({
      {"vs_1 c255", vs_1, hardware, def_1, parameter_of(floats, 255), S_OK},
      {"vs_1 c256", vs_1, hardware, def_1, parameter_of(floats, 256), bad},
      {"vs_3 c256", vs_3, hardware, def, parameter_of(floats, 256), bad},
      {"vs_3 c2048", vs_3, hardware, def, parameter_of(more_floats, 0), bad},
      {"vs_3 i15", vs_3, hardware, defi, parameter_of(integers, 15), S_OK},
      {"vs_3 i16", vs_3, hardware, defi, parameter_of(integers, 16), bad},
      {"vs_3 b15", vs_3, hardware, defb, parameter_of(booleans, 15), S_OK},
      {"vs_3 b16", vs_3, hardware, defb, parameter_of(booleans, 16), bad},
      {"vs_3 c256, software", vs_3, software, def, parameter_of(floats, 256), S_OK},
      {"vs_3 c8191, software", vs_3, software, def, parameter_of(most_floats, 2047), S_OK},
      {"vs_3 i16, software", vs_3, software, defi, parameter_of(integers, 16), S_OK},
      {"ps_1 c7", ps_1, hardware, def_1, parameter_of(floats, 7), S_OK},
      {"ps_1 c8", ps_1, hardware, def_1, parameter_of(floats, 8), bad},
      {"ps_1_4 c8", ps_1_4, hardware, def_1, parameter_of(floats, 8), bad},
      {"ps_2 c31", ps_2, hardware, def, parameter_of(floats, 31), S_OK},
      {"ps_2 c32", ps_2, hardware, def, parameter_of(floats, 32), bad},
      {"ps_2 b0", ps_2, hardware, defb, parameter_of(booleans, 0), bad},
      {"ps_2 i0", ps_2, hardware, defi, parameter_of(integers, 0), bad},
      {"ps_2_x b15", ps_2x, hardware, defb, parameter_of(booleans, 15), S_OK},
      {"ps_2_x c32", ps_2x, hardware, def, parameter_of(floats, 32), bad},
      {"ps_3 c223", ps_3, hardware, def, parameter_of(floats, 223), S_OK},
      {"ps_3 c224", ps_3, hardware, def, parameter_of(floats, 224), bad},
      {"ps_3 c224, software", ps_3, software, def, parameter_of(floats, 224), bad},
  }));
  INFO(one.what);
  state_rig rig{one.flags};
  std::vector<DWORD> code{one.version, one.define, one.parameter};
  code.resize(code.size() + (one.define == defb ? 1 : 4), 1);
  code.push_back(end_token);
  any_vertex_shader vertex;
  any_pixel_shader pixel;
  const bool is_vertex = one.version >> 16 == 0xFFFE;
  CHECK((is_vertex ? rig.device->CreateVertexShader(code.data(), vertex.out())
                   : rig.device->CreatePixelShader(code.data(), pixel.out())) == one.expected);
}

TEST_CASE("a constant that an address register finds may be named anywhere",
          "[wine][d3d9][shader]") {
  state_rig rig;
  any_vertex_shader made;
  // vs_2_0: mov r0, c[a0.x + 300]; mov r0, c300.
  const std::array<DWORD, 6> relative{0xFFFE0200, 0x03000001, 0x800F0000,
                                      0xA0E4212C, 0xB0000000, end_token};
  CHECK(rig.device->CreateVertexShader(relative.data(), made.out()) == S_OK);
  const std::array<DWORD, 5> outright{0xFFFE0200, 0x02000001, 0x800F0000, 0xA0E4012C, end_token};
  CHECK(rig.device->CreateVertexShader(outright.data(), made.out()) == D3DERR_INVALIDCALL);
}

TEST_CASE("constants end with the device's registers", "[wine][d3d9][shader]") {
  const auto [flags, floats, flow] = GENERATE(table<DWORD, UINT, UINT>({
      {d3d9::create_hardware_vertex_processing, 256, 16},
      {d3d9::create_mixed_vertex_processing, 8192, 2048},
      {d3d9::create_software_vertex_processing, 8192, 2048},
  }));
  state_rig rig{flags};
  const std::array<float, 8> numbers{1, 2, 3, 4, 5, 6, 7, 8};
  const std::array<int, 4> integers{1, 2, 3, 4};
  const BOOL boolean = 1;
  auto& device = *rig.device.get();
  CHECK(device.SetVertexShaderConstantF(floats - 1, numbers.data(), 1) == S_OK);
  CHECK(device.SetVertexShaderConstantF(floats - 1, numbers.data(), 2) == D3DERR_INVALIDCALL);
  CHECK(device.SetVertexShaderConstantF(floats, numbers.data(), 1) == D3DERR_INVALIDCALL);
  CHECK(device.SetVertexShaderConstantF(0xFFFFFFFF, numbers.data(), 2) == D3DERR_INVALIDCALL);
  CHECK(device.SetVertexShaderConstantF(0, nullptr, 1) == D3DERR_INVALIDCALL);
  CHECK(device.SetVertexShaderConstantI(flow - 1, integers.data(), 1) == S_OK);
  CHECK(device.SetVertexShaderConstantI(flow, integers.data(), 1) == D3DERR_INVALIDCALL);
  CHECK(device.SetVertexShaderConstantB(flow - 1, &boolean, 1) == S_OK);
  CHECK(device.SetVertexShaderConstantB(flow, &boolean, 1) == D3DERR_INVALIDCALL);
  CHECK(device.SetPixelShaderConstantF(223, numbers.data(), 1) == S_OK);
  CHECK(device.SetPixelShaderConstantF(224, numbers.data(), 1) == D3DERR_INVALIDCALL);
  CHECK(device.SetPixelShaderConstantI(16, integers.data(), 1) == D3DERR_INVALIDCALL);
  CHECK(device.SetPixelShaderConstantB(16, &boolean, 1) == D3DERR_INVALIDCALL);
  std::array<float, 4> found{};
  CHECK(device.GetVertexShaderConstantF(floats - 1, found.data(), 1) == S_OK);
  CHECK(found[3] == 4.0F);
}

}  // namespace
}  // namespace aerogpu::test
