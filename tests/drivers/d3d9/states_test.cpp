// SPDX-License-Identifier: MIT
#include "tests/drivers/d3d9/state_rig.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace aerogpu::test {
namespace {

constexpr DWORD one = std::bit_cast<std::uint32_t>(1.0F);
constexpr DWORD all_bits = 0xFFFFFFFF;

struct expected_state {
  int state;
  DWORD value;
};

/// umd-d3d9.md 6.3, but ZENABLE and POINTSIZE_MAX.
constexpr std::array expected_states{
    expected_state{8, 3},         expected_state{9, 2},          expected_state{14, 1},
    expected_state{15, 0},        expected_state{16, 1},         expected_state{19, 2},
    expected_state{20, 1},        expected_state{22, 3},         expected_state{23, 4},
    expected_state{24, 0},        expected_state{25, 8},         expected_state{26, 0},
    expected_state{27, 0},        expected_state{28, 0},         expected_state{29, 0},
    expected_state{34, 0},        expected_state{35, 0},         expected_state{36, 0},
    expected_state{37, one},      expected_state{38, one},       expected_state{48, 0},
    expected_state{52, 0},        expected_state{53, 1},         expected_state{54, 1},
    expected_state{55, 1},        expected_state{56, 8},         expected_state{57, 0},
    expected_state{58, all_bits}, expected_state{59, all_bits},  expected_state{60, all_bits},
    expected_state{128, 0},       expected_state{135, 0},        expected_state{198, 0},
    expected_state{205, 0},       expected_state{136, 1},        expected_state{137, 1},
    expected_state{139, 0},       expected_state{140, 0},        expected_state{141, 1},
    expected_state{142, 1},       expected_state{143, 0},        expected_state{145, 1},
    expected_state{146, 2},       expected_state{147, 0},        expected_state{148, 0},
    expected_state{151, 0},       expected_state{152, 0},        expected_state{154, one},
    expected_state{155, one},     expected_state{156, 0},        expected_state{157, 0},
    expected_state{158, one},     expected_state{159, 0},        expected_state{160, 0},
    expected_state{161, 1},       expected_state{162, all_bits}, expected_state{163, 0},
    expected_state{165, 0},       expected_state{167, 0},        expected_state{168, 0xF},
    expected_state{190, 0xF},     expected_state{191, 0xF},      expected_state{192, 0xF},
    expected_state{170, 0},       expected_state{171, 1},        expected_state{193, all_bits},
    expected_state{172, 3},       expected_state{173, 1},        expected_state{174, 0},
    expected_state{175, 0},       expected_state{195, 0},        expected_state{176, 0},
    expected_state{178, one},     expected_state{179, one},      expected_state{180, 0},
    expected_state{181, 0},       expected_state{182, one},      expected_state{183, 0},
    expected_state{184, 0},       expected_state{185, 0},        expected_state{186, 1},
    expected_state{187, 1},       expected_state{188, 1},        expected_state{189, 8},
    expected_state{194, 0},       expected_state{206, 0},        expected_state{207, 2},
    expected_state{208, 1},       expected_state{209, 1},
};

constexpr std::array expected_sampler_states{
    expected_state{1, 1},    expected_state{2, 1},  expected_state{3, 1},  expected_state{4, 0},
    expected_state{5, 1},    expected_state{6, 1},  expected_state{7, 0},  expected_state{8, 0},
    expected_state{9, 0},    expected_state{10, 1}, expected_state{11, 0}, expected_state{12, 0},
    expected_state{13, 256},
};

constexpr D3DMATRIX identity{{{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}};

[[nodiscard]] auto is_same(const D3DMATRIX& a, const D3DMATRIX& b) -> bool {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

void check_defaults(state_rig& rig, bool has_depth) {
  for (const auto& expected : expected_states) {
    INFO("render state " << expected.state);
    CHECK(rig.render_state(static_cast<D3DRENDERSTATETYPE>(expected.state)) == expected.value);
  }
  CHECK(rig.render_state(D3DRS_ZENABLE) == (has_depth ? 1u : 0u));
  for (const DWORD sampler : {0u, 15u, 256u, 257u, 260u}) {
    for (const auto& expected : expected_sampler_states) {
      INFO("sampler " << sampler << " state " << expected.state);
      DWORD value = 0xDEAD;
      CHECK(rig.device->GetSamplerState(sampler, static_cast<D3DSAMPLERSTATETYPE>(expected.state),
                                        &value) == S_OK);
      CHECK(value == expected.value);
    }
  }
  for (DWORD stage = 0; stage < 8; ++stage) {
    INFO("stage " << stage);
    DWORD operation = 0;
    DWORD alpha = 0;
    DWORD coordinates = 0xDEAD;
    CHECK(rig.device->GetTextureStageState(stage, D3DTSS_COLOROP, &operation) == S_OK);
    CHECK(rig.device->GetTextureStageState(stage, D3DTSS_ALPHAOP, &alpha) == S_OK);
    CHECK(rig.device->GetTextureStageState(stage, D3DTSS_TEXCOORDINDEX, &coordinates) == S_OK);
    CHECK(operation == (stage == 0 ? 4u : 1u));
    CHECK(alpha == (stage == 0 ? 2u : 1u));
    CHECK(coordinates == stage);
  }
  D3DMATERIAL9 material{};
  CHECK(rig.device->GetMaterial(&material) == S_OK);
  CHECK(material.Diffuse.a == 1.0F);
  CHECK(material.Specular.r == 0.0F);
  D3DMATRIX world{};
  CHECK(rig.device->GetTransform(D3DTS_WORLDMATRIX(255), &world) == S_OK);
  CHECK(is_same(world, identity));
  UINT frequency = 0;
  CHECK(rig.device->GetStreamSourceFreq(15, &frequency) == S_OK);
  CHECK(frequency == 1);
}

TEST_CASE("a fresh device has the states that Windows documents", "[wine][d3d9][T252]") {
  state_rig rig;
  check_defaults(rig, false);
}

TEST_CASE("a Reset brings all states back, but not with Ex", "[wine][d3d9][T252]") {
  const auto level = GENERATE(api_level::plain, api_level::ex);
  state_rig rig{d3d9::create_hardware_vertex_processing, level};
  CHECK(rig.device->SetRenderState(D3DRS_CULLMODE, D3DCULL_NONE) == S_OK);
  CHECK(rig.device->SetTransform(D3DTS_WORLD, &doubling) == S_OK);
  auto wanted = rig.windowed();
  REQUIRE(rig.device->Reset(&wanted) == S_OK);
  if (level == api_level::plain) {
    check_defaults(rig, false);
  } else {
    CHECK(rig.render_state(D3DRS_CULLMODE) == DWORD{D3DCULL_NONE});
  }
}

TEST_CASE("an automatic depth surface switches the depth test on", "[wine][d3d9][T252]") {
  direct3d_rig<> rig;
  auto wanted = rig.windowed();
  wanted.EnableAutoDepthStencil = 1;
  wanted.AutoDepthStencilFormat = D3DFMT_D24S8;
  any_device device;
  *device.out() = rig.make_device(wanted);
  DWORD value = 0;
  CHECK(device->GetRenderState(D3DRS_ZENABLE, &value) == S_OK);
  CHECK(value == 1);
}

TEST_CASE("target 0 resets the viewport and the scissor rectangle", "[wine][d3d9][T253]") {
  state_rig rig;
  any_surface target;
  REQUIRE(rig.device->CreateRenderTarget(128, 32, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, 0,
                                         target.out(), nullptr) == S_OK);
  const D3DVIEWPORT9 odd{1, 2, 3, 4, 0.25F, 0.75F};
  const RECT part{5, 6, 7, 8};
  CHECK(rig.device->SetViewport(&odd) == S_OK);
  CHECK(rig.device->SetScissorRect(&part) == S_OK);

  CHECK(rig.device->SetRenderTarget(0, nullptr) == D3DERR_INVALIDCALL);
  CHECK(rig.device->SetRenderTarget(4, nullptr) == D3DERR_INVALIDCALL);
  D3DVIEWPORT9 viewport{};
  CHECK(rig.device->GetViewport(&viewport) == S_OK);
  CHECK(viewport.Width == 3);

  CHECK(rig.device->SetRenderTarget(0, target.get()) == S_OK);
  RECT scissor{};
  CHECK(rig.device->GetViewport(&viewport) == S_OK);
  CHECK(rig.device->GetScissorRect(&scissor) == S_OK);
  CHECK(viewport.X == 0);
  CHECK(viewport.Width == 128);
  CHECK(viewport.Height == 32);
  CHECK(viewport.MaxZ == 1.0F);
  CHECK(scissor.left == 0);
  CHECK(scissor.right == 128);
  CHECK(scissor.bottom == 32);
}

TEST_CASE("ResetEx makes the viewport as large as the chain, and keeps its depths",
          "[wine][d3d9][T253]") {
  state_rig rig;
  const D3DVIEWPORT9 odd{1, 2, 3, 4, 2, 3};
  CHECK(rig.device->SetViewport(&odd) == S_OK);
  auto wanted = rig.windowed(32, 16);
  REQUIRE(rig.device->ResetEx(&wanted, nullptr) == S_OK);
  D3DVIEWPORT9 viewport{};
  CHECK(rig.device->GetViewport(&viewport) == S_OK);
  CHECK(viewport.X == 0);
  CHECK(viewport.Width == 32);
  CHECK(viewport.MinZ == 2.0F);
  CHECK(viewport.MaxZ == 3.0F);
}

TEST_CASE("targets that are not there are not found", "[wine][d3d9][T253]") {
  state_rig rig;
  any_surface found;
  CHECK(rig.device->GetRenderTarget(1, found.out()) == D3DERR_NOTFOUND);
  CHECK(rig.device->GetRenderTarget(4, found.out()) == D3DERR_INVALIDCALL);
  CHECK(rig.device->GetDepthStencilSurface(found.out()) == D3DERR_NOTFOUND);
}

TEST_CASE("a light that nobody defined is switched on with Windows' own", "[wine][d3d9][T261]") {
  state_rig rig;
  D3DLIGHT9 light{};
  BOOL is_enabled = 1;
  CHECK(rig.device->GetLight(77, &light) == D3DERR_INVALIDCALL);
  CHECK(rig.device->GetLightEnable(77, &is_enabled) == D3DERR_INVALIDCALL);
  CHECK(rig.device->LightEnable(77, 1) == S_OK);
  CHECK(rig.device->GetLight(77, &light) == S_OK);
  CHECK(light.Type == D3DLIGHT_DIRECTIONAL);
  CHECK(light.Diffuse.r == 1.0F);
  CHECK(light.Diffuse.a == 0.0F);
  CHECK(light.Direction.z == 1.0F);
  CHECK(rig.device->GetLightEnable(77, &is_enabled) == S_OK);
  CHECK(is_enabled == 128);
  light.Type = static_cast<D3DLIGHTTYPE>(4);
  CHECK(rig.device->SetLight(77, &light) == D3DERR_INVALIDCALL);
}

TEST_CASE("the first set of a state reaches the driver, an equal one after it does not",
          "[wine][d3d9][state]") {
  state_rig rig;
  for (int i = 0; i < 3; ++i) CHECK(rig.device->SetRenderState(D3DRS_CULLMODE, 3) == S_OK);
  CHECK(heard.render_states[D3DRS_CULLMODE] == 1);
  CHECK(rig.device->SetRenderState(D3DRS_CULLMODE, 1) == S_OK);
  CHECK(rig.device->SetRenderState(D3DRS_CULLMODE, 3) == S_OK);
  CHECK(heard.render_states[D3DRS_CULLMODE] == 3);

  const float values[4] = {0, 0, 0, std::numeric_limits<float>::quiet_NaN()};
  for (int i = 0; i < 3; ++i) CHECK(rig.device->SetVertexShaderConstantF(7, values, 1) == S_OK);
  CHECK(heard.constants == 1);
}

TEST_CASE("states that Direct3D 9 does not name are taken, and mean nothing",
          "[wine][d3d9][state]") {
  state_rig rig;
  DWORD value = 0;
  const auto state = GENERATE(0, 10, 50, 210, 255, 256, -1);
  INFO("render state " << state);
  CHECK(rig.device->SetRenderState(static_cast<D3DRENDERSTATETYPE>(state), 1) == S_OK);
  CHECK(rig.device->GetRenderState(static_cast<D3DRENDERSTATETYPE>(state), &value) ==
        D3DERR_INVALIDCALL);
  CHECK(heard.all() == 0);
}

TEST_CASE("a pure device gives back only what it must", "[wine][d3d9][state]") {
  state_rig rig{d3d9::create_hardware_vertex_processing | d3d9::create_pure_device};
  auto& device = *rig.device.get();
  DWORD value = 0;
  BOOL flag = 0;
  float numbers[16]{};
  D3DMATRIX matrix{};
  D3DMATERIAL9 material{};
  D3DLIGHT9 light{};
  D3DCLIPSTATUS9 status{};
  CHECK(device.GetRenderState(D3DRS_CULLMODE, &value) == D3DERR_INVALIDCALL);
  CHECK(device.GetSamplerState(0, D3DSAMP_ADDRESSU, &value) == D3DERR_INVALIDCALL);
  CHECK(device.GetTextureStageState(0, D3DTSS_COLOROP, &value) == D3DERR_INVALIDCALL);
  CHECK(device.GetTransform(D3DTS_VIEW, &matrix) == D3DERR_INVALIDCALL);
  CHECK(device.GetMaterial(&material) == D3DERR_INVALIDCALL);
  light.Type = D3DLIGHT_POINT;
  CHECK(device.SetLight(0, &light) == S_OK);
  CHECK(device.GetLight(0, &light) == D3DERR_INVALIDCALL);
  CHECK(device.GetLightEnable(0, &flag) == D3DERR_INVALIDCALL);
  CHECK(device.GetClipPlane(0, numbers) == D3DERR_INVALIDCALL);
  CHECK(device.GetClipStatus(&status) == D3DERR_INVALIDCALL);
  CHECK(device.GetVertexShaderConstantF(0, numbers, 1) == D3DERR_INVALIDCALL);
  CHECK(device.GetPixelShaderConstantB(0, &flag, 1) == D3DERR_INVALIDCALL);

  D3DVIEWPORT9 viewport{};
  CHECK(device.GetViewport(&viewport) == S_OK);
  CHECK(viewport.Width == 64);
}

TEST_CASE("clip planes beyond the last are the last", "[wine][d3d9][state]") {
  state_rig rig;
  const float plane[4] = {1, 2, 3, 4};
  float found[4]{};
  CHECK(rig.device->SetClipPlane(1000, plane) == S_OK);
  CHECK(rig.device->GetClipPlane(5, found) == S_OK);
  CHECK(found[3] == 4.0F);
  CHECK(rig.device->GetClipPlane(0, found) == S_OK);
  CHECK(found[3] == 0.0F);
}

TEST_CASE("palettes without the capability of alpha take opaque entries alone",
          "[wine][d3d9][state]") {
  state_rig rig;
  std::array<PALETTEENTRY, 256> entries{};
  entries.fill({1, 2, 3, 0xFF});
  UINT current = 0;
  CHECK(rig.device->SetCurrentTexturePalette(9) == D3DERR_INVALIDCALL);
  CHECK(rig.device->SetPaletteEntries(9, entries.data()) == S_OK);
  CHECK(rig.device->SetCurrentTexturePalette(9) == S_OK);
  CHECK(rig.device->GetCurrentTexturePalette(&current) == S_OK);
  CHECK(current == 9);
  entries[255].peFlags = 0;
  CHECK(rig.device->SetPaletteEntries(9, entries.data()) == D3DERR_INVALIDCALL);
  CHECK(rig.device->SetPaletteEntries(65536, entries.data()) == D3DERR_INVALIDCALL);
}

TEST_CASE("vertex processing is chosen only where there is a choice", "[wine][d3d9][state]") {
  const auto [flags, at_first, to_software, to_hardware] =
      GENERATE(table<DWORD, BOOL, HRESULT, HRESULT>({
          {d3d9::create_hardware_vertex_processing, 0, D3DERR_INVALIDCALL, S_OK},
          {d3d9::create_software_vertex_processing, 1, S_OK, D3DERR_INVALIDCALL},
          {d3d9::create_mixed_vertex_processing, 0, S_OK, S_OK},
      }));
  state_rig rig{flags};
  CHECK(rig.device->GetSoftwareVertexProcessing() == at_first);
  CHECK(rig.device->SetSoftwareVertexProcessing(1) == to_software);
  CHECK(rig.device->SetSoftwareVertexProcessing(0) == to_hardware);
}

TEST_CASE("scenes neither nest nor end twice", "[wine][d3d9][state]") {
  state_rig rig;
  CHECK(rig.device->EndScene() == D3DERR_INVALIDCALL);
  CHECK(rig.device->BeginScene() == S_OK);
  CHECK(rig.device->BeginScene() == D3DERR_INVALIDCALL);
  CHECK(rig.device->EndScene() == S_OK);
  CHECK(rig.device->EndScene() == D3DERR_INVALIDCALL);
}

TEST_CASE("Clear needs what it is to clear", "[wine][d3d9][state]") {
  state_rig rig;
  const D3DRECT area{0, 0, 4, 4};
  CHECK(rig.device->Clear(0, nullptr, D3DCLEAR_TARGET, 0, 1, 0) == S_OK);
  CHECK(rig.device->Clear(1, nullptr, D3DCLEAR_TARGET, 0, 1, 0) == S_OK);
  CHECK(rig.device->Clear(1, &area, D3DCLEAR_TARGET, 0, 1, 0) == S_OK);
  CHECK(rig.device->Clear(0, nullptr, D3DCLEAR_ZBUFFER, 0, 1, 0) == D3DERR_INVALIDCALL);
  CHECK(rig.device->Clear(0, nullptr, D3DCLEAR_STENCIL, 0, 1, 0) == D3DERR_INVALIDCALL);
}

TEST_CASE("Clear of nothing succeeds", "[wine][d3d9][state]") {
  state_rig rig;
  const D3DRECT area{0, 0, 4, 4};
  CHECK(rig.device->Clear(0, nullptr, 0, 0, 1, 0) == S_OK);
  CHECK(rig.device->Clear(0, &area, D3DCLEAR_TARGET, 0, 1, 0) == S_OK);
}

TEST_CASE("Clear looks at its depth only where it clears depths", "[wine][d3d9][state]") {
  state_rig rig;
  any_surface depth;
  REQUIRE(rig.device->CreateDepthStencilSurface(64, 48, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, 0,
                                                depth.out(), nullptr) == S_OK);
  CHECK(rig.device->SetDepthStencilSurface(depth.get()) == S_OK);
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  const auto outside = GENERATE_COPY(-1.0F, 2.0F, nothing);
  INFO("depth " << outside);
  CHECK(rig.device->Clear(0, nullptr, D3DCLEAR_TARGET, 0, outside, 0) == S_OK);
  CHECK(rig.device->Clear(0, nullptr, D3DCLEAR_STENCIL, 0, outside, 0) == S_OK);
  CHECK(rig.device->Clear(0, nullptr, D3DCLEAR_ZBUFFER, 0, outside, 0) == D3DERR_INVALIDCALL);
  CHECK(rig.device->Clear(0, nullptr, D3DCLEAR_ZBUFFER, 0, 1, 0) == S_OK);
}

TEST_CASE("MultiplyTransform puts the new matrix before the old one", "[wine][d3d9][state]") {
  state_rig rig;
  D3DMATRIX shift = identity;
  shift._41 = 5;
  D3DMATRIX found{};
  CHECK(rig.device->SetTransform(D3DTS_VIEW, &doubling) == S_OK);
  CHECK(rig.device->MultiplyTransform(D3DTS_VIEW, &shift) == S_OK);
  CHECK(rig.device->GetTransform(D3DTS_VIEW, &found) == S_OK);
  CHECK(found._41 == 10.0F);
  CHECK(found._11 == 2.0F);
}

}  // namespace
TEST_CASE("what another device made is not bound", "[wine][d3d9][states]") {
  state_rig rig;
  any_device other;
  *other.out() = rig.make_device(rig.windowed());
  any_2d_texture texture;
  owned<d3d9::IDirect3DVertexBuffer9> vertices;
  owned<d3d9::IDirect3DIndexBuffer9> indices;
  owned<d3d9::IDirect3DVertexDeclaration9> declaration;
  owned<d3d9::IDirect3DVertexShader9> vertex_shader;
  owned<d3d9::IDirect3DPixelShader9> pixel_shader;
  REQUIRE(other->CreateTexture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, texture.out(),
                               nullptr) == S_OK);
  REQUIRE(other->CreateVertexBuffer(64, 0, 0, D3DPOOL_DEFAULT, vertices.out(), nullptr) == S_OK);
  REQUIRE(other->CreateIndexBuffer(64, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, indices.out(),
                                   nullptr) == S_OK);
  constexpr std::array<D3DVERTEXELEMENT9, 2> elements{
      {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0}, d3d9::declaration_end}};
  REQUIRE(other->CreateVertexDeclaration(elements.data(), declaration.out()) == S_OK);
  constexpr std::array<DWORD, 6> vertex_code{0xFFFE0200, 0x02000001, 0xC00F0000,
                                             0xA0E40000, 0x0000FFFF, 0};
  constexpr std::array<DWORD, 6> pixel_code{0xFFFF0200, 0x02000001, 0x800F0800,
                                            0xA0E40000, 0x0000FFFF, 0};
  REQUIRE(other->CreateVertexShader(vertex_code.data(), vertex_shader.out()) == S_OK);
  REQUIRE(other->CreatePixelShader(pixel_code.data(), pixel_shader.out()) == S_OK);

  CHECK(rig.device->SetTexture(0, texture.get()) == bad);
  CHECK(rig.device->SetStreamSource(0, vertices.get(), 0, 16) == bad);
  CHECK(rig.device->SetIndices(indices.get()) == bad);
  CHECK(rig.device->SetVertexDeclaration(declaration.get()) == bad);
  CHECK(rig.device->SetVertexShader(vertex_shader.get()) == bad);
  CHECK(rig.device->SetPixelShader(pixel_shader.get()) == bad);
  CHECK(other->SetTexture(0, texture.get()) == S_OK);
  CHECK(other->SetVertexShader(vertex_shader.get()) == S_OK);
}

}  // namespace aerogpu::test
