// SPDX-License-Identifier: MIT
#include "aerogpu/abi/mmio.h"
#include "drivers/sim/kernel/thunks/thunks.hpp"
#include "tests/drivers/support/d3d9_application.hpp"
#include "tests/drivers/umd/rigs/fake_umd.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

using namespace aerogpu;
using test::d3d9_application;

namespace {

using entry = D3DDDI_DEVICEFUNCS;

/// The fake driver under one application.
struct runtime_session {
  explicit runtime_session(const sim::runtime_options& options = {})
      : w(test::use_fake_umd(), options), app(w.runtime, 7) {}
  explicit runtime_session(const D3DPRESENT_PARAMETERS& wanted) : runtime_session() {
    app.start(wanted);
  }
  [[nodiscard]] auto value_of(D3DDDIRENDERSTATETYPE state) const -> std::vector<UINT> {
    std::vector<UINT> values;
    for (const auto& one : driver.render_states) {
      if (one.State == state) values.push_back(one.Value);
    }
    return values;
  }

  test::running_runtime<> w;
  test::fake_umd& driver = test::the_fake_umd();
  d3d9_application app;
};

[[nodiscard]] auto small() -> D3DPRESENT_PARAMETERS {
  return d3d9_application::windowed(64, 32);
}

}  // namespace

TEST_CASE("a new device is told every default state of the API", "[sim][d3d9]") {
  runtime_session s{small()};
  CHECK(s.value_of(D3DDDIRS_ZENABLE) == std::vector<UINT>{0});
  CHECK(s.value_of(D3DDDIRS_CULLMODE) == std::vector<UINT>{3});
  CHECK(s.value_of(D3DDDIRS_FOGEND) == std::vector<UINT>{0x3F800000});
  CHECK(s.value_of(D3DDDIRS_BLENDOPALPHA) == std::vector<UINT>{1});
  // 101 states of the table and the two that depend on the device.
  CHECK(s.driver.render_states.size() == 103);
  // 18 states for 8 stages, 13 for 21 samplers.
  CHECK(s.driver.stage_states.size() == 8 * 18 + 21 * 13);
  const auto is_address = [](const D3DDDIARG_TEXTURESTAGESTATE& one) {
    return one.Stage == 260 && one.State == D3DDDITSS_ADDRESSW && one.Value == 1;
  };
  CHECK(std::count_if(s.driver.stage_states.begin(), s.driver.stage_states.end(), is_address) == 1);
}

TEST_CASE("a device with a depth surface of its own tests depth", "[sim][d3d9]") {
  auto wanted = small();
  wanted.EnableAutoDepthStencil = 1;
  wanted.AutoDepthStencilFormat = D3DFMT_D24S8;
  runtime_session s{wanted};
  CHECK(s.value_of(D3DDDIRS_ZENABLE) == std::vector<UINT>{1});
  REQUIRE(s.driver.resources.size() == 2);
  CHECK(s.driver.resources[0].Flags.RenderTarget == 1);
  CHECK(s.driver.resources[1].Flags.ZBuffer == 1);
  CHECK(s.driver.calls_of(sim::index_of(&entry::pfnSetDepthStencil)) == 1);
}

TEST_CASE("the first target brings its viewport, its range of depth and its scissor rectangle",
          "[sim][d3d9]") {
  runtime_session s{small()};
  CHECK(s.driver.viewport.Width == 64);
  CHECK(s.driver.viewport.Height == 32);
  CHECK(s.driver.z_range.MaxZ == 1);
  sim::d3d9_resource* target = nullptr;
  REQUIRE(s.app.device.create_render_target(128, 16, D3DFMT_A8R8G8B8, false, target) == S_OK);
  CHECK(s.app.device.set_render_target(0, {target, 0}) == S_OK);
  CHECK(s.driver.viewport.Width == 128);
  CHECK(s.driver.viewport.Height == 16);
  CHECK(s.driver.calls_of(sim::index_of(&entry::pfnSetScissorRect)) == 2);
  CHECK(s.app.device.set_render_target(1, {target, 0}) == S_OK);
  CHECK(s.driver.targets.back().RenderTargetIndex == 1);
  CHECK(s.app.device.set_render_target(0, {}) == D3DERR_INVALIDCALL);
  CHECK(s.app.device.set_render_target(4, {target, 0}) == D3DERR_INVALIDCALL);
}

TEST_CASE("calls of the API that have no entry come as states", "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  s.driver.render_states.clear();
  CHECK(device.begin_scene() == S_OK);
  CHECK(device.begin_scene() == D3DERR_INVALIDCALL);
  CHECK(device.end_scene() == S_OK);
  CHECK(device.end_scene() == D3DERR_INVALIDCALL);
  CHECK(device.set_npatch_mode(2.0F) == S_OK);
  CHECK(device.set_software_vertex_processing(true) == S_OK);
  CHECK(device.delete_patch(9) == S_OK);
  CHECK(s.value_of(D3DDDIRS_SCENECAPTURE) == std::vector<UINT>{1, 0});
  CHECK(s.value_of(D3DDDIRS_PATCHSEGMENTS) == std::vector<UINT>{0x40000000});
  CHECK(s.value_of(D3DDDIRS_SOFTWAREVERTEXPROCESSING) == std::vector<UINT>{1});
  CHECK(s.value_of(D3DDDIRS_DELETERTPATCH) == std::vector<UINT>{9});
}

TEST_CASE("sampler states come as texture stage states by other numbers", "[sim][d3d9]") {
  const auto [api, ddi] =
      GENERATE(Catch::Generators::table<D3DSAMPLERSTATETYPE, D3DDDITEXTURESTAGESTATETYPE>(
          {{D3DSAMP_ADDRESSU, D3DDDITSS_ADDRESSU},
           {D3DSAMP_ADDRESSV, D3DDDITSS_ADDRESSV},
           {D3DSAMP_ADDRESSW, D3DDDITSS_ADDRESSW},
           {D3DSAMP_BORDERCOLOR, D3DDDITSS_BORDERCOLOR},
           {D3DSAMP_MAGFILTER, D3DDDITSS_MAGFILTER},
           {D3DSAMP_MINFILTER, D3DDDITSS_MINFILTER},
           {D3DSAMP_MIPFILTER, D3DDDITSS_MIPFILTER},
           {D3DSAMP_MIPMAPLODBIAS, D3DDDITSS_MIPMAPLODBIAS},
           {D3DSAMP_MAXMIPLEVEL, D3DDDITSS_MAXMIPLEVEL},
           {D3DSAMP_MAXANISOTROPY, D3DDDITSS_MAXANISOTROPY},
           {D3DSAMP_SRGBTEXTURE, D3DDDITSS_SRGBTEXTURE},
           {D3DSAMP_ELEMENTINDEX, D3DDDITSS_ELEMENTINDEX},
           {D3DSAMP_DMAPOFFSET, D3DDDITSS_DMAPOFFSET}}));
  runtime_session s{small()};
  CHECK(s.app.device.set_sampler_state(5, api, 77) == S_OK);
  CHECK(s.driver.stage_states.back().Stage == 5);
  CHECK(s.driver.stage_states.back().State == ddi);
  CHECK(s.driver.stage_states.back().Value == 77);
}

TEST_CASE("a flexible vertex format comes as a declaration, made once", "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  constexpr DWORD two_of_two = 0;  // D3DFVF_TEXTUREFORMAT2
  constexpr DWORD three = 1u << 18;
  constexpr DWORD format =
      D3DFVF_XYZ | D3DFVF_NORMAL | D3DFVF_DIFFUSE | D3DFVF_TEX2 | two_of_two | three;
  CHECK(device.set_fvf(format) == S_OK);
  CHECK(device.set_fvf(format) == S_OK);
  CHECK(s.driver.calls_of(sim::index_of(&entry::pfnCreateVertexShaderDecl)) == 1);
  CHECK(s.driver.calls_of(sim::index_of(&entry::pfnSetVertexShaderDecl)) == 2);
  const auto& made = s.driver.elements;
  REQUIRE(made.size() == 5);
  const auto row = [&](std::size_t i) {
    return std::array<int, 4>{made[i].Offset, made[i].Type, made[i].Usage, made[i].UsageIndex};
  };
  CHECK(row(0) == std::array{0, 2, int{D3DDECLUSAGE_POSITION}, 0});
  CHECK(row(1) == std::array{12, 2, int{D3DDECLUSAGE_NORMAL}, 0});
  CHECK(row(2) == std::array{24, 4, int{D3DDECLUSAGE_COLOR}, 0});
  CHECK(row(3) == std::array{28, 1, int{D3DDECLUSAGE_TEXCOORD}, 0});
  CHECK(row(4) == std::array{36, 2, int{D3DDECLUSAGE_TEXCOORD}, 1});
  CHECK(device.set_fvf(D3DFVF_DIFFUSE) == D3DERR_INVALIDCALL);
}

TEST_CASE("a format of blended vertices has weights, and indices where its last weight is some",
          "[sim][d3d9]") {
  const auto [format, elements, weights, indices] =
      GENERATE(Catch::Generators::table<DWORD, std::size_t, int, int>(
          {{D3DFVF_XYZB1, 2u, D3DDECLTYPE_FLOAT1, -1},
           {D3DFVF_XYZB4, 2u, D3DDECLTYPE_FLOAT4, -1},
           {D3DFVF_XYZB3 | D3DFVF_LASTBETA_UBYTE4, 3u, D3DDECLTYPE_FLOAT2, D3DDECLTYPE_UBYTE4},
           {D3DFVF_XYZB5 | D3DFVF_LASTBETA_D3DCOLOR, 3u, D3DDECLTYPE_FLOAT4,
            D3DDECLTYPE_D3DCOLOR}}));
  runtime_session s{small()};
  CHECK(s.app.device.set_fvf(format) == S_OK);
  REQUIRE(s.driver.elements.size() == elements);
  CHECK(int{s.driver.elements[1].Type} == weights);
  CHECK(int{s.driver.elements[1].Usage} == D3DDECLUSAGE_BLENDWEIGHT);
  if (indices < 0) return;
  CHECK(int{s.driver.elements[2].Type} == indices);
  CHECK(int{s.driver.elements[2].Usage} == D3DDECLUSAGE_BLENDINDICES);
}

TEST_CASE("draws from the application's memory come as user-memory streams and an ordinary draw",
          "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  std::array<std::byte, 60> vertices{};
  std::array<std::byte, 12> indices{};
  s.driver.entries.clear();
  CHECK(device.draw_primitive_up(D3DPT_TRIANGLELIST, 1, vertices, 20) == S_OK);
  CHECK(s.driver.stream_um.Stride == 20);
  CHECK(s.driver.draw.PrimitiveCount == 1);
  CHECK(device.draw_indexed_primitive_up(D3DPT_TRIANGLELIST, 0, 3, 1, indices, D3DFMT_INDEX32,
                                         vertices, 20) == S_OK);
  CHECK(s.driver.index_size_um == 4);
  CHECK(s.driver.indexed_draw.NumVertices == 3);
  const std::vector<std::size_t> expected{
      sim::index_of(&entry::pfnSetStreamSourceUm), sim::index_of(&entry::pfnDrawPrimitive),
      sim::index_of(&entry::pfnSetStreamSource),   sim::index_of(&entry::pfnSetStreamSourceUm),
      sim::index_of(&entry::pfnSetIndicesUm),      sim::index_of(&entry::pfnDrawIndexedPrimitive),
      sim::index_of(&entry::pfnSetStreamSource),   sim::index_of(&entry::pfnSetIndices)};
  CHECK(s.driver.entries == expected);
}

TEST_CASE("a clear asks the driver to clip, with and without rectangles", "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  CHECK(device.clear({}, D3DCLEAR_TARGET, 0xFF112233, 1, 0) == S_OK);
  CHECK(s.driver.clear.Flags == (D3DCLEAR_TARGET | D3DCLEAR_COMPUTERECTS));
  CHECK(s.driver.clear.FillColor == 0xFF112233);
  CHECK(s.driver.clear_rectangles.empty());
  const std::array areas{D3DRECT{1, 2, 3, 4}, D3DRECT{5, 6, 7, 8}};
  CHECK(device.clear(areas, D3DCLEAR_ZBUFFER, 0, 0.5F, 0) == S_OK);
  REQUIRE(s.driver.clear_rectangles.size() == 2);
  CHECK(s.driver.clear_rectangles[1].right == 7);
  CHECK(device.clear({}, 0, 0, 0, 0) == D3DERR_INVALIDCALL);
  CHECK(device.clear({}, D3DCLEAR_ZBUFFER, 0, 1.5F, 0) == D3DERR_INVALIDCALL);
}

TEST_CASE("resources come with their surfaces, and with nonsense where the DDI means nothing",
          "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  sim::d3d9_resource* made = nullptr;
  REQUIRE(device.create_cube_texture(16, 0, 0, D3DFMT_DXT1, D3DPOOL_DEFAULT, made) == S_OK);
  const auto& cube = s.driver.resources.back();
  CHECK(cube.SurfCount == 30);
  CHECK(cube.MipLevels == 5);
  CHECK(cube.Flags.CubeMap == 1);
  CHECK(cube.Flags.Texture == 1);
  CHECK(cube.Fvf != 0);
  CHECK(cube.MultisampleQuality != 0);
  CHECK(s.driver.surfaces.back()[6].Width == 8);
  REQUIRE(device.create_vertex_buffer(100, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, D3DFVF_XYZ,
                                      D3DPOOL_DEFAULT, made) == S_OK);
  const auto& buffer = s.driver.resources.back();
  CHECK(buffer.Flags.VertexBuffer == 1);
  CHECK(buffer.Flags.Dynamic == 1);
  CHECK(buffer.Fvf == D3DFVF_XYZ);
  CHECK(s.driver.surfaces.back()[0].Width == 100);
  REQUIRE(device.create_offscreen_plain_surface(10, 4, D3DFMT_R5G6B5, D3DPOOL_SYSTEMMEM, made) ==
          S_OK);
  CHECK(s.driver.resources.back().Pool == D3DDDIPOOL_SYSTEMMEM);
  CHECK(s.driver.surfaces.back()[0].pSysMem != nullptr);
  CHECK(s.driver.surfaces.back()[0].SysMemPitch == 20);
  CHECK(device.create_texture(16, 16, 9, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, made) ==
        D3DERR_INVALIDCALL);
  CHECK(device.create_texture(16, 16, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED, made) ==
        D3DERR_INVALIDCALL);
}

TEST_CASE("of a texture whose levels are generated the top ones are listed", "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  sim::d3d9_resource* made = nullptr;
  REQUIRE(device.create_cube_texture(16, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8,
                                     D3DPOOL_DEFAULT, made) == S_OK);
  const auto& cube = s.driver.resources.back();
  CHECK(cube.SurfCount == 6);
  CHECK(cube.MipLevels == 1);
  CHECK(cube.Flags.AutogenMipmap == 1);
}

TEST_CASE("a lock of system memory only notifies the driver", "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  sim::d3d9_resource* made = nullptr;
  REQUIRE(device.create_texture(16, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, made) == S_OK);
  D3DLOCKED_RECT locked{};
  const RECT area{4, 2, 8, 6};
  REQUIRE(device.lock_rect({made, 0}, locked, &area, 0) == S_OK);
  CHECK(s.driver.locks.back().Flags.NotifyOnly == 1);
  CHECK(s.driver.locks.back().Flags.AreaValid == 1);
  CHECK(locked.Pitch == 64);
  CHECK(locked.pBits == made->subresources[0].memory.data() + 2 * 64 + 4 * 4);
  CHECK(device.lock_rect({made, 0}, locked, nullptr, 0) == D3DERR_INVALIDCALL);
  CHECK(device.unlock_rect({made, 0}) == S_OK);
  CHECK(device.unlock_rect({made, 0}) == D3DERR_INVALIDCALL);
}

TEST_CASE("the API's lock flags come by the DDI's numbers", "[sim][d3d9]") {
  const auto [api, ddi] =
      GENERATE(Catch::Generators::table<DWORD, UINT>({{0, 0x2},
                                                      {D3DLOCK_READONLY, 0x1},
                                                      {D3DLOCK_NOOVERWRITE, 0x6},
                                                      {D3DLOCK_DISCARD, 0xA},
                                                      {D3DLOCK_DONOTWAIT, 0x202}}));
  runtime_session s{small()};
  auto& device = s.app.device;
  sim::d3d9_resource* buffer = nullptr;
  REQUIRE(device.create_vertex_buffer(100, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0,
                                      D3DPOOL_DEFAULT, buffer) == S_OK);
  void* bytes = nullptr;
  REQUIRE(device.lock(*buffer, 0, 0, bytes, api) == S_OK);
  CHECK(s.driver.locks.back().Flags.Value == ddi);
  CHECK(bytes != nullptr);
  CHECK(device.unlock(*buffer) == S_OK);
  REQUIRE(device.lock(*buffer, 40, 0, bytes, api) == S_OK);
  CHECK(s.driver.locks.back().Flags.Value == (ddi | 0x10));
  CHECK(s.driver.locks.back().Range.Size == 60);
  CHECK(device.unlock(*buffer) == S_OK);
  CHECK(device.lock(*buffer, 40, 61, bytes, 0) == D3DERR_INVALIDCALL);
}

TEST_CASE("each lock of a buffer comes to the driver, and each unlock", "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  sim::d3d9_resource* buffer = nullptr;
  REQUIRE(device.create_vertex_buffer(100, 0, 0, D3DPOOL_DEFAULT, buffer) == S_OK);
  void* bytes = nullptr;
  REQUIRE(device.lock(*buffer, 0, 8, bytes, 0) == S_OK);
  REQUIRE(device.lock(*buffer, 40, 8, bytes, 0) == S_OK);
  CHECK(s.driver.locks.size() == 2);
  CHECK(s.driver.locks.back().Range.Offset == 40);
  CHECK(device.unlock(*buffer) == S_OK);
  CHECK(device.unlock(*buffer) == S_OK);
  CHECK(device.unlock(*buffer) == D3DERR_INVALIDCALL);
}

TEST_CASE("UpdateTexture copies what is dirty, once", "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  sim::d3d9_resource* from = nullptr;
  sim::d3d9_resource* to = nullptr;
  REQUIRE(device.create_texture(16, 16, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, from) == S_OK);
  REQUIRE(device.create_texture(16, 16, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, to) == S_OK);
  CHECK(device.update_texture(*from, *to) == S_OK);
  CHECK(device.update_texture(*from, *to) == S_OK);
  REQUIRE(s.driver.texture_blts.size() == 1);
  CHECK(s.driver.texture_blts[0].SrcRect.right == 16);
  D3DLOCKED_RECT locked{};
  for (const RECT area : {RECT{2, 2, 4, 4}, RECT{8, 1, 9, 3}}) {
    REQUIRE(device.lock_rect({from, 0}, locked, &area, 0) == S_OK);
    CHECK(device.unlock_rect({from, 0}) == S_OK);
  }
  REQUIRE(device.lock_rect({from, 0}, locked, nullptr, D3DLOCK_READONLY) == S_OK);
  CHECK(device.unlock_rect({from, 0}) == S_OK);
  CHECK(device.update_texture(*from, *to) == S_OK);
  REQUIRE(s.driver.texture_blts.size() == 2);
  const auto& area = s.driver.texture_blts[1].SrcRect;
  CHECK(std::array{area.left, area.top, area.right, area.bottom} == std::array{2, 1, 9, 4});
  CHECK(s.driver.texture_blts[1].DstPoint.x == 2);
  CHECK(device.update_texture(*to, *from) == D3DERR_INVALIDCALL);
}

TEST_CASE("copies between surfaces all come as Blt", "[sim][d3d9]") {
  runtime_session s{small()};
  auto& device = s.app.device;
  sim::d3d9_resource* memory = nullptr;
  sim::d3d9_resource* plain = nullptr;
  sim::d3d9_resource* target = nullptr;
  REQUIRE(device.create_offscreen_plain_surface(64, 32, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM,
                                                memory) == S_OK);
  REQUIRE(device.create_offscreen_plain_surface(64, 32, D3DFMT_X8R8G8B8, D3DPOOL_DEFAULT, plain) ==
          S_OK);
  REQUIRE(device.create_render_target(32, 32, D3DFMT_X8R8G8B8, false, target) == S_OK);
  const auto back = device.get_back_buffer(0);
  const RECT area{0, 0, 16, 16};
  const POINT at{8, 8};
  CHECK(device.update_surface({memory, 0}, &area, {plain, 0}, &at) == S_OK);
  CHECK(s.driver.blts.back().DstRect.right == 24);
  CHECK(device.get_render_target_data(back, {memory, 0}) == S_OK);
  CHECK(s.driver.blts.back().SrcRect.right == 64);
  CHECK(device.stretch_rect(back, nullptr, {target, 0}, &area, D3DTEXF_LINEAR) == S_OK);
  CHECK(s.driver.blts.back().Flags.Linear == 1);
  CHECK(s.driver.blts.size() == 3);
  CHECK(device.stretch_rect(back, nullptr, back, &area, D3DTEXF_NONE) == D3DERR_INVALIDCALL);
  CHECK(device.get_render_target_data(back, {plain, 0}) == D3DERR_INVALIDCALL);
  CHECK(device.update_surface({plain, 0}, nullptr, {target, 0}, nullptr) == D3DERR_INVALIDCALL);
}

TEST_CASE("a light that nobody defined is the API's own", "[sim][d3d9]") {
  runtime_session s{small()};
  s.driver.entries.clear();
  CHECK(s.app.device.light_enable(3, true) == S_OK);
  CHECK(s.app.device.light_enable(3, false) == S_OK);
  CHECK(s.driver.calls_of(sim::index_of(&entry::pfnCreateLight)) == 1);
  CHECK(s.driver.calls_of(sim::index_of(&entry::pfnSetLight)) == 3);
}
