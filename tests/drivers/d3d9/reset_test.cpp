// SPDX-License-Identifier: MIT
/// \file Resets, as the driver sees them: what it still has bound, and chains that it cannot make.
#include "tests/drivers/d3d9/resource_rig.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

namespace aerogpu::test::reset_cases {
namespace {

/// What the driver was told last. Of one device at a time.
struct driver_state {
  std::map<UINT, HANDLE> textures;
  std::map<UINT, HANDLE> streams;
  std::map<UINT, UINT> frequencies;
  std::map<UINT, bool> lights;
  std::map<UINT, float> transforms;   ///< Their first element.
  std::map<UINT, float> clip_planes;  ///< Likewise.
  std::map<UINT, UINT> render_states;
  std::map<UINT, float> vertex_floats;
  std::map<UINT, float> pixel_floats;
  HANDLE indices = nullptr;
  HANDLE vertex_shader = nullptr;
  HANDLE pixel_shader = nullptr;
  HANDLE declaration = nullptr;
  unsigned refused_resources = 0;  ///< How many of the next it does not make.
};
driver_state told;
D3DDDI_DEVICEFUNCS real{};
PFND3DDDI_CREATEDEVICE real_create_device = nullptr;

auto APIENTRY on_texture(HANDLE device, UINT stage, HANDLE texture) -> HRESULT {
  told.textures[stage] = texture;
  return real.pfnSetTexture(device, stage, texture);
}
auto APIENTRY on_stream(HANDLE device, const D3DDDIARG_SETSTREAMSOURCE* wanted) -> HRESULT {
  told.streams[wanted->Stream] = wanted->hVertexBuffer;
  return real.pfnSetStreamSource(device, wanted);
}
auto APIENTRY on_frequency(HANDLE device, const D3DDDIARG_SETSTREAMSOURCEFREQ* wanted) -> HRESULT {
  told.frequencies[wanted->Stream] = wanted->Divider;
  return real.pfnSetStreamSourceFreq(device, wanted);
}
auto APIENTRY on_indices(HANDLE device, const D3DDDIARG_SETINDICES* wanted) -> HRESULT {
  told.indices = wanted->hIndexBuffer;
  return real.pfnSetIndices(device, wanted);
}
auto APIENTRY on_light(HANDLE device, const D3DDDIARG_SETLIGHT* wanted, const D3DDDI_LIGHT* light)
    -> HRESULT {
  if (wanted->DataType != D3DDDISETLIGHT_DATA)
    told.lights[wanted->Index] = wanted->DataType == D3DDDISETLIGHT_ENABLE;
  return real.pfnSetLight(device, wanted, light);
}
auto APIENTRY on_transform(HANDLE device, const D3DDDIARG_SETTRANSFORM* wanted) -> HRESULT {
  told.transforms[static_cast<UINT>(wanted->TransformType)] = wanted->Matrix._11;
  return real.pfnSetTransform(device, wanted);
}
auto APIENTRY on_clip_plane(HANDLE device, const D3DDDIARG_SETCLIPPLANE* wanted) -> HRESULT {
  told.clip_planes[wanted->Index] = wanted->Plane[0];
  return real.pfnSetClipPlane(device, wanted);
}
auto APIENTRY on_render_state(HANDLE device, const D3DDDIARG_RENDERSTATE* wanted) -> HRESULT {
  told.render_states[static_cast<UINT>(wanted->State)] = wanted->Value;
  return real.pfnSetRenderState(device, wanted);
}
auto APIENTRY on_vertex_shader(HANDLE device, HANDLE shader) -> HRESULT {
  told.vertex_shader = shader;
  return real.pfnSetVertexShaderFunc(device, shader);
}
auto APIENTRY on_pixel_shader(HANDLE device, HANDLE shader) -> HRESULT {
  told.pixel_shader = shader;
  return real.pfnSetPixelShader(device, shader);
}
auto APIENTRY on_declaration(HANDLE device, HANDLE declaration) -> HRESULT {
  told.declaration = declaration;
  return real.pfnSetVertexShaderDecl(device, declaration);
}
void note_floats(std::map<UINT, float>& in, UINT first, UINT count, const void* values) {
  for (UINT i = 0; i < count; ++i) {
    const auto* const at = static_cast<const std::byte*>(values) + std::size_t{16} * i;
    std::memcpy(&in[first + i], at, sizeof(float));
  }
}
auto APIENTRY on_vertex_floats(HANDLE device, const D3DDDIARG_SETVERTEXSHADERCONST* wanted,
                               const void* values) -> HRESULT {
  note_floats(told.vertex_floats, wanted->Register, wanted->Count, values);
  return real.pfnSetVertexShaderConst(device, wanted, values);
}
auto APIENTRY on_pixel_floats(HANDLE device, const D3DDDIARG_SETPIXELSHADERCONST* wanted,
                              const FLOAT* values) -> HRESULT {
  note_floats(told.pixel_floats, wanted->Register, wanted->Count, values);
  return real.pfnSetPixelShaderConst(device, wanted, values);
}
auto APIENTRY on_resource(HANDLE device, D3DDDIARG_CREATERESOURCE* wanted) -> HRESULT {
  if (told.refused_resources == 0) return real.pfnCreateResource(device, wanted);
  --told.refused_resources;
  return E_OUTOFMEMORY;
}

auto APIENTRY create_heard(HANDLE adapter, D3DDDIARG_CREATEDEVICE* wanted) -> HRESULT {
  const auto result = real_create_device(adapter, wanted);
  if (FAILED(result)) return result;
  auto& entries = *wanted->pDeviceFuncs;
  real = entries;
  entries.pfnSetTexture = on_texture;
  entries.pfnSetStreamSource = on_stream;
  entries.pfnSetStreamSourceFreq = on_frequency;
  entries.pfnSetIndices = on_indices;
  entries.pfnSetLight = on_light;
  entries.pfnSetTransform = on_transform;
  entries.pfnSetClipPlane = on_clip_plane;
  entries.pfnSetRenderState = on_render_state;
  entries.pfnSetVertexShaderFunc = on_vertex_shader;
  entries.pfnSetPixelShader = on_pixel_shader;
  entries.pfnSetVertexShaderDecl = on_declaration;
  entries.pfnSetVertexShaderConst = on_vertex_floats;
  entries.pfnSetPixelShaderConst = on_pixel_floats;
  entries.pfnCreateResource = on_resource;
  return result;
}

auto APIENTRY open_heard(D3DDDIARG_OPENADAPTER* open) -> HRESULT {
  const auto result = umd::front_m::open_adapter(open);
  if (FAILED(result)) return result;
  real_create_device = open->pAdapterFuncs->pfnCreateDevice;
  open->pAdapterFuncs->pfnCreateDevice = create_heard;
  return result;
}

struct reset_rig : direct3d_rig<> {
  explicit reset_rig(api_level level, DWORD flags = d3d9::create_hardware_vertex_processing)
      : direct3d_rig(level == api_level::ex, {&open_heard}) {
    told = {};
    *device.out() = make_device(windowed(), flags);
  }

  [[nodiscard]] auto reset_ex(UINT width, UINT height) -> HRESULT {
    auto wanted = windowed(width, height);
    return device->ResetEx(&wanted, nullptr);
  }
  [[nodiscard]] auto present() -> HRESULT {
    return device->PresentEx(nullptr, nullptr, nullptr, nullptr, 0);
  }
  /// Of the first back buffer; 0 where there is none.
  [[nodiscard]] auto width() -> UINT {
    any_surface buffer;
    D3DSURFACE_DESC about{};
    if (SUCCEEDED(device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, buffer.out())))
      REQUIRE(buffer->GetDesc(&about) == S_OK);
    return about.Width;
  }

  any_device device;
};

// vs_1_1: dcl_position v0; mov oPos, v0.
constexpr std::array<DWORD, 8> position_shader{0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000,
                                               0x00000001, 0xC00F0000, 0x90E40000, 0x0000FFFF};
// ps_2_0: mov oC0, c0.
constexpr std::array<DWORD, 5> constant_shader{0xFFFF0200, 0x02000001, 0x800F0800, 0xA0E40000,
                                               0x0000FFFF};
constexpr D3DMATRIX doubling{{{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2}}};
constexpr UINT npatch_segments = 164;
constexpr UINT software_processing = 153;

/// Everything that is no render, stage or sampler state.
void set_all(reset_rig& app, d3d9::IDirect3DBaseTexture9* texture) {
  auto& device = *app.device.get();
  owned<d3d9::IDirect3DVertexBuffer9> vertices;
  owned<d3d9::IDirect3DIndexBuffer9> indices;
  owned<d3d9::IDirect3DVertexShader9> vertex_shader;
  owned<d3d9::IDirect3DPixelShader9> pixel_shader;
  REQUIRE(device.CreateVertexBuffer(64, 0, 0, D3DPOOL_MANAGED, vertices.out(), nullptr) == S_OK);
  REQUIRE(device.CreateIndexBuffer(64, 0, D3DFMT_INDEX16, D3DPOOL_MANAGED, indices.out(),
                                   nullptr) == S_OK);
  REQUIRE(device.CreateVertexShader(position_shader.data(), vertex_shader.out()) == S_OK);
  REQUIRE(device.CreatePixelShader(constant_shader.data(), pixel_shader.out()) == S_OK);
  const std::array<float, 4> numbers{5, 6, 7, 8};
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Direction.z = 1;
  CHECK(device.SetTexture(0, texture) == S_OK);
  CHECK(device.SetTexture(D3DVERTEXTEXTURESAMPLER0, texture) == S_OK);
  CHECK(device.SetStreamSource(3, vertices.get(), 0, 16) == S_OK);
  CHECK(device.SetStreamSourceFreq(0, D3DSTREAMSOURCE_INDEXEDDATA | 2u) == S_OK);
  CHECK(device.SetIndices(indices.get()) == S_OK);
  CHECK(device.SetLight(1, &light) == S_OK);
  CHECK(device.LightEnable(1, 1) == S_OK);
  CHECK(device.SetTransform(D3DTS_TEXTURE3, &doubling) == S_OK);
  CHECK(device.SetTransform(D3DTS_WORLDMATRIX(7), &doubling) == S_OK);
  CHECK(device.SetClipPlane(2, numbers.data()) == S_OK);
  CHECK(device.SetVertexShaderConstantF(9, numbers.data(), 1) == S_OK);
  CHECK(device.SetPixelShaderConstantF(11, numbers.data(), 1) == S_OK);
  CHECK(device.SetNPatchMode(3) == S_OK);
  CHECK(device.SetSoftwareVertexProcessing(1) == S_OK);
  CHECK(device.SetFVF(D3DFVF_XYZ) == S_OK);
  CHECK(device.SetVertexShader(vertex_shader.get()) == S_OK);
  CHECK(device.SetPixelShader(pixel_shader.get()) == S_OK);
  // Buffers and managed textures reach the driver before it is asked whether it could draw.
  DWORD passes = 0;
  CHECK(device.ValidateDevice(&passes) == S_OK);
}

[[nodiscard]] auto has_bound(const std::map<UINT, HANDLE>& in) -> bool {
  return std::any_of(in.begin(), in.end(), [](const auto& one) { return one.second != nullptr; });
}

}  // namespace

TEST_CASE("after a Reset the driver has nothing of what was bound and set",
          "[wine][d3d9][T252][T254]") {
  reset_rig app{api_level::plain, d3d9::create_mixed_vertex_processing};
  any_2d_texture texture;
  REQUIRE(app.device->CreateTexture(4, 4, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, texture.out(),
                                    nullptr) == S_OK);
  set_all(app, texture.get());
  REQUIRE(told.textures[0] != nullptr);
  REQUIRE(told.streams[3] != nullptr);
  REQUIRE(told.indices != nullptr);
  auto wanted = app.windowed();
  REQUIRE(app.device->Reset(&wanted) == S_OK);
  CHECK(!has_bound(told.textures));
  CHECK(!has_bound(told.streams));
  CHECK(told.indices == nullptr);
  CHECK(told.frequencies[0] == 1);
  CHECK(!told.lights[1]);
  CHECK(told.transforms[D3DTS_TEXTURE3] == 1.0F);
  CHECK(told.transforms[D3DTS_WORLDMATRIX(7)] == 1.0F);
  CHECK(told.clip_planes[2] == 0.0F);
  CHECK(told.vertex_floats[9] == 0.0F);
  CHECK(told.pixel_floats[11] == 0.0F);
  CHECK(told.render_states[npatch_segments] == 0);
  CHECK(told.render_states[software_processing] == 0);
  CHECK(told.declaration == nullptr);
  CHECK(told.vertex_shader == nullptr);
  CHECK(told.pixel_shader == nullptr);
}

TEST_CASE("a state block keeps no Reset from succeeding but by a DEFAULT resource that it keeps",
          "[wine][d3d9][T254]") {
  reset_rig app{api_level::plain};
  const auto [pool, expected] = GENERATE(
      table<D3DPOOL, HRESULT>({{D3DPOOL_DEFAULT, D3DERR_INVALIDCALL}, {D3DPOOL_MANAGED, S_OK}}));
  owned<d3d9::IDirect3DStateBlock9> block;
  {
    owned<d3d9::IDirect3DVertexBuffer9> buffer;
    REQUIRE(app.device->CreateVertexBuffer(64, 0, 0, pool, buffer.out(), nullptr) == S_OK);
    REQUIRE(app.device->SetStreamSource(0, buffer.get(), 0, 16) == S_OK);
    REQUIRE(app.device->CreateStateBlock(D3DSBT_ALL, block.out()) == S_OK);
  }
  auto wanted = app.windowed();
  CHECK(app.device->Reset(&wanted) == expected);
  if (SUCCEEDED(expected)) CHECK(block->Apply() == S_OK);
  block.reset();
  CHECK(app.device->Reset(&wanted) == S_OK);
}

TEST_CASE("a light that a Reset switched off can be switched again", "[wine][d3d9][T261]") {
  reset_rig app{api_level::plain};
  CHECK(app.device->LightEnable(1, 1) == S_OK);
  auto wanted = app.windowed();
  REQUIRE(app.device->Reset(&wanted) == S_OK);
  CHECK(!told.lights[1]);
  CHECK(app.device->LightEnable(1, 1) == S_OK);
  CHECK(told.lights[1]);
  CHECK(app.device->LightEnable(1, 0) == S_OK);
  CHECK(!told.lights[1]);
}

TEST_CASE("a ResetEx to a size that no buffer has leaves the chain as it was",
          "[wine][d3d9][T254]") {
  reset_rig app{api_level::ex};
  any_surface before;
  any_surface after;
  REQUIRE(app.device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, before.out()) == S_OK);
  CHECK(app.reset_ex(40000, 40000) == D3DERR_INVALIDCALL);
  CHECK(app.device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, after.out()) == S_OK);
  CHECK(after.get() == before.get());
  CHECK(app.device->ColorFill(after.get(), nullptr, 0xFF00FF00) == S_OK);
  CHECK(app.present() == S_OK);
}

TEST_CASE("ResetEx takes a display mode full-screen alone, and one of the buffers' size",
          "[wine][d3d9][T254]") {
  const auto [is_windowed, height, result] = GENERATE(table<BOOL, UINT, HRESULT>({
      {1, 768, D3DERR_INVALIDCALL},
      {1, 0, S_OK},
      {0, 768, S_OK},
      {0, 600, D3DERR_INVALIDCALL},
      {0, 0, D3DERR_INVALIDCALL},
  }));
  reset_rig app{api_level::ex};
  auto wanted = app.windowed(1024, 768);
  wanted.Windowed = is_windowed;
  D3DDISPLAYMODEEX mode{
      sizeof mode, 1024, height, 60, D3DFMT_X8R8G8B8, D3DSCANLINEORDERING_PROGRESSIVE};
  CHECK(app.device->ResetEx(&wanted, height != 0 ? &mode : nullptr) == result);
  CHECK(app.present() == S_OK);
}

TEST_CASE("an Ex device whose new chain cannot be made goes on with one like the old",
          "[wine][d3d9][T254]") {
  reset_rig app{api_level::ex};
  const bool is_full_screen = GENERATE(false, true);
  told.refused_resources = 1;
  if (is_full_screen) {
    auto wanted = app.windowed(1024, 768);
    wanted.Windowed = 0;
    CHECK(FAILED(app.device->Reset(&wanted)));
  } else {
    CHECK(FAILED(app.reset_ex(32, 16)));
  }
  CHECK(app.windows.full_screen.window == nullptr);
  CHECK(app.width() == 64);
  D3DVIEWPORT9 viewport{};
  CHECK(app.device->GetViewport(&viewport) == S_OK);
  CHECK(viewport.Width == 64);
  CHECK(app.device->Clear(0, nullptr, D3DCLEAR_TARGET, 0, 1, 0) == S_OK);
  CHECK(app.present() == S_OK);
}

TEST_CASE("an Ex device without any chain is lost until a reset makes one", "[wine][d3d9][T254]") {
  reset_rig app{api_level::ex};
  told.refused_resources = 2;
  CHECK(FAILED(app.reset_ex(32, 16)));
  any_surface buffer;
  CHECK(app.device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, buffer.out()) ==
        D3DERR_INVALIDCALL);
  CHECK(app.present() == D3DERR_DEVICELOST);
  CHECK(app.reset_ex(32, 16) == S_OK);
  CHECK(app.width() == 32);
  CHECK(app.present() == S_OK);
}

TEST_CASE("what is left of a chain is nothing to draw to", "[wine][d3d9][T253]") {
  reset_rig app{api_level::ex};
  auto wanted = app.windowed();
  wanted.EnableAutoDepthStencil = 1;
  wanted.AutoDepthStencilFormat = D3DFMT_D24S8;
  any_surface buffer, depth, bound;
  REQUIRE(app.device->ResetEx(&wanted, nullptr) == S_OK);
  REQUIRE(app.device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, buffer.out()) == S_OK);
  REQUIRE(app.device->GetDepthStencilSurface(depth.out()) == S_OK);
  REQUIRE(app.device->ResetEx(&wanted, nullptr) == S_OK);
  CHECK(app.device->SetRenderTarget(0, buffer.get()) == D3DERR_INVALIDCALL);
  CHECK(app.device->SetRenderTarget(1, buffer.get()) == D3DERR_INVALIDCALL);
  CHECK(app.device->SetDepthStencilSurface(depth.get()) == D3DERR_INVALIDCALL);
  CHECK(app.device->GetRenderTarget(0, bound.out()) == S_OK);
  CHECK(bound.get() != buffer.get());
  CHECK(app.device->GetDepthStencilSurface(bound.out()) == S_OK);
  CHECK(bound.get() != depth.get());
}

}  // namespace aerogpu::test::reset_cases
