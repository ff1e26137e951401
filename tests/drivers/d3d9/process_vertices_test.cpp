// SPDX-License-Identifier: MIT
/// \file ProcessVertices: transforms, lights and fog on the CPU.
#include "drivers/wine/d3d9/state/declaration.hpp"
#include "tests/drivers/d3d9/state_rig.hpp"

#include <array>
#include <bit>
#include <span>

namespace aerogpu::test::processing_cases {
namespace {

struct screen_vertex {
  float x, y, z, w;
  DWORD color;
};
struct lit_vertex {
  float x, y, z, w;
  DWORD color, specular;
};
struct normal_vertex {
  float x, y, z, nx, ny, nz;
};
constexpr DWORD screen_format = D3DFVF_XYZRHW | D3DFVF_DIFFUSE;
constexpr DWORD lit_format = screen_format | D3DFVF_SPECULAR;
constexpr DWORD normal_format = D3DFVF_XYZ | D3DFVF_NORMAL;

template <class Vertex>
[[nodiscard]] auto first_of(d3d9::IDirect3DVertexBuffer9* buffer) -> Vertex {
  void* memory = nullptr;
  REQUIRE(buffer->Lock(0, 0, &memory, D3DLOCK_READONLY) == S_OK);
  Vertex found{};
  std::memcpy(&found, memory, sizeof found);
  CHECK(buffer->Unlock() == S_OK);
  return found;
}

struct process_rig : state_rig {
  process_rig() : state_rig(d3d9::create_software_vertex_processing) {}

  /// One vertex of those streams, with both colours.
  [[nodiscard]] auto process() -> lit_vertex {
    const auto target = vertex_buffer(sizeof(lit_vertex), lit_format);
    REQUIRE(device->ProcessVertices(0, 0, 1, target.get(), nullptr, 0) == S_OK);
    return first_of<lit_vertex>(target.get());
  }
  /// A vertex of stream 0.
  template <class Vertex>
  [[nodiscard]] auto process(const Vertex& vertex, DWORD format) -> lit_vertex {
    const auto source = vertex_buffer(sizeof vertex, format);
    fill(source.get(), std::as_bytes(std::span{&vertex, 1}));
    REQUIRE(device->SetFVF(format) == S_OK);
    REQUIRE(device->SetStreamSource(0, source.get(), 0, sizeof vertex) == S_OK);
    return process();
  }
  void set(D3DRENDERSTATETYPE state, DWORD value) {
    REQUIRE(device->SetRenderState(state, value) == S_OK);
  }
  void set(D3DRENDERSTATETYPE state, float value) { set(state, std::bit_cast<DWORD>(value)); }
  void light(const D3DLIGHT9& wanted) {
    REQUIRE(device->SetLight(0, &wanted) == S_OK);
    REQUIRE(device->LightEnable(0, 1) == S_OK);
  }
};

/// Half as bright as can be, from behind the viewer.
[[nodiscard]] auto half_light(D3DLIGHTTYPE type) -> D3DLIGHT9 {
  D3DLIGHT9 made{};
  made.Type = type;
  made.Diffuse = {0.5F, 0.25F, 0, 1};
  made.Direction = {0, 0, 1};
  made.Position = {0, 0, -1};
  made.Range = 10;
  made.Attenuation0 = 1;
  return made;
}

constexpr normal_vertex facing{0, 0, 1, 0, 0, -1};

TEST_CASE("ProcessVertices lights what has normals", "[wine][d3d9][process]") {
  process_rig rig;
  rig.light(half_light(D3DLIGHT_DIRECTIONAL));
  rig.set(D3DRS_AMBIENT, DWORD{0x000000FF});
  D3DMATERIAL9 material{};
  material.Diffuse = {1, 1, 1, 0.5F};
  material.Ambient = {0, 0, 1, 0};
  material.Emissive = {0.1F, 0, 0, 0};
  REQUIRE(rig.device->SetMaterial(&material) == S_OK);
  CHECK(rig.process(facing, normal_format).color == 0x809940FF);
  // From behind: ambient and emissive light alone.
  CHECK(rig.process(normal_vertex{0, 0, 1, 0, 0, 1}, normal_format).color == 0x801A00FF);
}

TEST_CASE("ProcessVertices weakens light over its way and outside of its cone",
          "[wine][d3d9][process]") {
  process_rig rig;
  auto light = half_light(D3DLIGHT_POINT);
  light.Attenuation0 = 0;
  light.Attenuation1 = 1;  // Two away.
  rig.light(light);
  CHECK(rig.process(facing, normal_format).color == 0xFF402000);
  light.Range = 1;
  rig.light(light);
  CHECK(rig.process(facing, normal_format).color == 0xFF000000);
  light = half_light(D3DLIGHT_SPOT);
  light.Theta = 0.2F;
  light.Phi = 0.4F;
  light.Falloff = 1;
  rig.light(light);
  CHECK(rig.process(facing, normal_format).color == 0xFF804000);
  CHECK(rig.process(normal_vertex{2, 0, 1, 0, 0, -1}, normal_format).color == 0xFF000000);
}

TEST_CASE("ProcessVertices puts highlights into the specular colour", "[wine][d3d9][process]") {
  process_rig rig;
  auto light = half_light(D3DLIGHT_DIRECTIONAL);
  light.Specular = {0, 1, 0, 0};
  rig.light(light);
  D3DMATERIAL9 material{};
  material.Specular = {1, 0.5F, 1, 0};
  material.Power = 20;
  REQUIRE(rig.device->SetMaterial(&material) == S_OK);
  rig.set(D3DRS_SPECULARMATERIALSOURCE, DWORD{D3DMCS_MATERIAL});
  CHECK(rig.process(facing, normal_format).specular == 0);
  rig.set(D3DRS_SPECULARENABLE, DWORD{1});
  CHECK(rig.process(facing, normal_format).specular == 0x00008000);
}

TEST_CASE("ProcessVertices puts the fog of vertices into the specular alpha",
          "[wine][d3d9][process]") {
  struct colored_vertex {
    float x, y, z;
    DWORD color;
  };
  constexpr colored_vertex vertex{0, 0, 0.75F, 0xFF102030};
  process_rig rig;
  rig.set(D3DRS_LIGHTING, DWORD{0});
  CHECK(rig.process(vertex, D3DFVF_XYZ | D3DFVF_DIFFUSE).specular == 0);
  rig.set(D3DRS_FOGENABLE, DWORD{1});
  rig.set(D3DRS_FOGVERTEXMODE, DWORD{D3DFOG_LINEAR});
  rig.set(D3DRS_FOGSTART, 0.5F);
  rig.set(D3DRS_FOGEND, 1.0F);
  CHECK(rig.process(vertex, D3DFVF_XYZ | D3DFVF_DIFFUSE).specular == 0x80000000);
  rig.set(D3DRS_FOGTABLEMODE, DWORD{D3DFOG_LINEAR});
  CHECK(rig.process(vertex, D3DFVF_XYZ | D3DFVF_DIFFUSE).specular == 0);
}

TEST_CASE(
    "ProcessVertices takes fog by how far the eye's z is from 0, and all where it has no range",
    "[wine][d3d9][process]") {
  struct colored_vertex {
    float x, y, z;
    DWORD color;
  };
  constexpr DWORD format = D3DFVF_XYZ | D3DFVF_DIFFUSE;
  process_rig rig;
  rig.set(D3DRS_LIGHTING, DWORD{0});
  rig.set(D3DRS_FOGENABLE, DWORD{1});
  rig.set(D3DRS_FOGVERTEXMODE, DWORD{D3DFOG_LINEAR});
  rig.set(D3DRS_FOGSTART, 0.5F);
  rig.set(D3DRS_FOGEND, 1.0F);
  CHECK(rig.process(colored_vertex{0, 0, -0.75F, 0}, format).specular == 0x80000000);
  CHECK(rig.process(colored_vertex{0, 0, -2, 0}, format).specular == 0);
  rig.set(D3DRS_FOGSTART, 1.0F);
  CHECK(rig.process(colored_vertex{0, 0, 0.25F, 0}, format).specular == 0);
}

TEST_CASE("ProcessVertices that copies nothing writes the colours that it makes",
          "[wine][d3d9][process]") {
  constexpr DWORD kept = 0x12345678;
  process_rig rig;
  const auto source = rig.vertex_buffer(sizeof facing, normal_format);
  fill(source.get(), std::as_bytes(std::span{&facing, 1}));
  REQUIRE(rig.device->SetFVF(normal_format) == S_OK);
  REQUIRE(rig.device->SetStreamSource(0, source.get(), 0, sizeof facing) == S_OK);
  const auto target = rig.vertex_buffer(sizeof(lit_vertex), lit_format);
  const auto process = [&] {
    constexpr lit_vertex before{0, 0, 0, 0, kept, kept};
    fill(target.get(), std::as_bytes(std::span{&before, 1}));
    REQUIRE(rig.device->ProcessVertices(0, 0, 1, target.get(), nullptr, D3DPV_DONOTCOPYDATA) ==
            S_OK);
    return first_of<lit_vertex>(target.get());
  };
  rig.light(half_light(D3DLIGHT_DIRECTIONAL));
  CHECK(process().color == 0xFF804000);
  CHECK(process().specular == kept);
  rig.set(D3DRS_SPECULARENABLE, DWORD{1});
  CHECK(process().specular == 0);
  rig.set(D3DRS_LIGHTING, DWORD{0});
  CHECK(process().color == kept);
  CHECK(process().specular == kept);
  rig.set(D3DRS_FOGENABLE, DWORD{1});
  rig.set(D3DRS_FOGVERTEXMODE, DWORD{D3DFOG_LINEAR});
  rig.set(D3DRS_FOGEND, 2.0F);
  CHECK(process().color == kept);
  CHECK(process().specular == 0x80000000);
}

TEST_CASE("ProcessVertices leaves texture coordinates that its vertices do not have",
          "[wine][d3d9][process]") {
  struct plain_vertex {
    float x, y, z, u, v;
  };
  struct textured_vertex {
    float x, y, z, w, u0, v0, u1, v1;
  };
  constexpr plain_vertex vertex{0, 0, 0, 0.25F, 0.5F};
  constexpr textured_vertex before{0, 0, 0, 0, 6, 7, 8, 9};
  process_rig rig;
  const auto source = rig.vertex_buffer(sizeof vertex, D3DFVF_XYZ | D3DFVF_TEX1);
  const auto target = rig.vertex_buffer(sizeof before, D3DFVF_XYZRHW | D3DFVF_TEX2);
  fill(source.get(), std::as_bytes(std::span{&vertex, 1}));
  fill(target.get(), std::as_bytes(std::span{&before, 1}));
  REQUIRE(rig.device->SetFVF(D3DFVF_XYZ | D3DFVF_TEX1) == S_OK);
  REQUIRE(rig.device->SetStreamSource(0, source.get(), 0, sizeof vertex) == S_OK);
  REQUIRE(rig.device->ProcessVertices(0, 0, 1, target.get(), nullptr, 0) == S_OK);
  const auto found = first_of<textured_vertex>(target.get());
  CHECK(found.u0 == 0.25F);
  CHECK(found.v0 == 0.5F);
  CHECK(found.u1 == 8);
  CHECK(found.v1 == 9);
}

/// A world that is turned round and lies further right.
[[nodiscard]] auto turned_world() -> D3DMATRIX {
  D3DMATRIX made{};
  made.m[0][0] = made.m[1][1] = made.m[3][3] = 1;
  made.m[2][2] = -1;
  made.m[3][0] = 1;
  return made;
}

TEST_CASE("ProcessVertices blends positions and normals between worlds", "[wine][d3d9][process]") {
  struct weighted_vertex {
    float x, y, z, weight, unread_weight;
    DWORD indices;
    float nx, ny, nz;
  };
  const auto [format, world, indices] =
      GENERATE(table<DWORD, UINT, DWORD>({{D3DFVF_XYZB3, 1, 0},
                                          {D3DFVF_XYZB3 | D3DFVF_LASTBETA_UBYTE4, 5, 0x0500},
                                          {D3DFVF_XYZB3 | D3DFVF_LASTBETA_D3DCOLOR, 5, 0x0500}}));
  const auto turned = turned_world();
  process_rig rig;
  rig.light(half_light(D3DLIGHT_DIRECTIONAL));
  REQUIRE(rig.device->SetTransform(D3DTS_WORLDMATRIX(world), &turned) == S_OK);
  rig.set(D3DRS_VERTEXBLEND, DWORD{D3DVBF_1WEIGHTS});
  rig.set(D3DRS_INDEXEDVERTEXBLENDENABLE, DWORD{world != 1});
  const weighted_vertex vertex{0, 0, 0.5F, 0.75F, 9, indices, 0, 0, -1};
  const auto found = rig.process(vertex, format | D3DFVF_NORMAL);
  CHECK(found.x == 40);
  CHECK(found.z == 0.25F);
  // Half of the light: three parts of the normal face it, one looks away.
  CHECK(found.color == 0xFF402000);
}

TEST_CASE("ProcessVertices tweens between two positions and normals", "[wine][d3d9][process]") {
  struct tweened_vertex {
    float x, y, z, nx, ny, nz, x1, y1, z1, nx1, ny1, nz1;
  };
  constexpr tweened_vertex vertex{0, 0, 0, 0, 0, -1, 1, 0, 1, 0, 0, 1};
  constexpr std::array<D3DVERTEXELEMENT9, 5> elements{
      {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
       {0, 12, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 0},
       {0, 24, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 1},
       {0, 36, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_NORMAL, 1},
       d3d9::declaration_end}};
  process_rig rig;
  owned<d3d9::IDirect3DVertexDeclaration9> declaration;
  REQUIRE(rig.device->CreateVertexDeclaration(elements.data(), declaration.out()) == S_OK);
  rig.light(half_light(D3DLIGHT_DIRECTIONAL));
  rig.set(D3DRS_VERTEXBLEND, DWORD{D3DVBF_TWEENING});
  rig.set(D3DRS_TWEENFACTOR, 0.25F);
  const auto source = rig.vertex_buffer(sizeof vertex);
  fill(source.get(), std::as_bytes(std::span{&vertex, 1}));
  REQUIRE(rig.device->SetVertexDeclaration(declaration.get()) == S_OK);
  REQUIRE(rig.device->SetStreamSource(0, source.get(), 0, sizeof vertex) == S_OK);
  const auto found = rig.process();
  CHECK(found.x == 40);
  CHECK(found.z == 0.25F);
  CHECK(found.color == 0xFF402000);
}

TEST_CASE("ProcessVertices takes a last vertex whose elements are there", "[wine][d3d9][process]") {
  constexpr std::array<float, 7> points{9, 9, 9, 9, 0, 0, 0.5F};
  process_rig rig;
  rig.set(D3DRS_LIGHTING, DWORD{0});
  const auto source = rig.vertex_buffer(sizeof points, D3DFVF_XYZ);
  const auto target = rig.vertex_buffer(sizeof(screen_vertex), screen_format);
  fill(source.get(), std::as_bytes(std::span{points}));
  auto& device = *rig.device.get();
  REQUIRE(device.SetFVF(D3DFVF_XYZ) == S_OK);
  REQUIRE(device.SetStreamSource(0, source.get(), 0, 16) == S_OK);
  REQUIRE(device.ProcessVertices(1, 0, 1, target.get(), nullptr, 0) == S_OK);
  CHECK(first_of<screen_vertex>(target.get()).z == 0.5F);
  REQUIRE(device.SetStreamSource(0, source.get(), 0, 20) == S_OK);
  CHECK(device.ProcessVertices(1, 0, 1, target.get(), nullptr, 0) == D3DERR_INVALIDCALL);
}

TEST_CASE("ProcessVertices reads every stream of the declaration", "[wine][d3d9][process]") {
  constexpr std::array<D3DVERTEXELEMENT9, 3> elements{
      {{0, 0, D3DDECLTYPE_FLOAT3, 0, D3DDECLUSAGE_POSITION, 0},
       {2, 4, D3DDECLTYPE_D3DCOLOR, 0, D3DDECLUSAGE_COLOR, 0},
       d3d9::declaration_end}};
  constexpr std::array<float, 6> points{9, 9, 9, 0, 0, 0.5F};
  constexpr std::array<DWORD, 4> colors{1, 2, 3, 0xFF405060};
  process_rig rig;
  rig.set(D3DRS_LIGHTING, DWORD{0});
  owned<d3d9::IDirect3DVertexDeclaration9> declaration;
  REQUIRE(rig.device->CreateVertexDeclaration(elements.data(), declaration.out()) == S_OK);
  const auto first = rig.vertex_buffer(sizeof points);
  const auto second = rig.vertex_buffer(sizeof colors);
  const auto target = rig.vertex_buffer(sizeof(screen_vertex), screen_format);
  fill(first.get(), std::as_bytes(std::span{points}));
  fill(second.get(), std::as_bytes(std::span{colors}));
  auto& device = *rig.device.get();
  REQUIRE(device.SetVertexDeclaration(declaration.get()) == S_OK);
  REQUIRE(device.SetStreamSource(0, first.get(), 0, 12) == S_OK);
  CHECK(device.ProcessVertices(1, 0, 1, target.get(), nullptr, 0) == S_OK);
  CHECK(first_of<screen_vertex>(target.get()).color == 0xFFFFFFFF);
  REQUIRE(device.SetStreamSource(2, second.get(), 0, 8) == S_OK);
  CHECK(device.ProcessVertices(1, 0, 1, target.get(), nullptr, 0) == S_OK);
  const auto found = first_of<screen_vertex>(target.get());
  CHECK(found.x == 32);
  CHECK(found.z == 0.5F);
  CHECK(found.color == 0xFF405060);
  // Stride 0: one colour for all.
  REQUIRE(device.SetStreamSource(2, second.get(), 8, 0) == S_OK);
  CHECK(device.ProcessVertices(1, 0, 1, target.get(), nullptr, 0) == S_OK);
  CHECK(first_of<screen_vertex>(target.get()).color == 0xFF405060);
  REQUIRE(device.SetStreamSource(2, second.get(), 0, 4) == S_OK);
  CHECK(device.ProcessVertices(1, 0, 1, target.get(), nullptr, 0) == D3DERR_INVALIDCALL);
}

TEST_CASE("ProcessVertices puts points where the viewport has them", "[wine][d3d9][process]") {
  struct world_vertex {
    float x, y, z;
    DWORD color;
  };
  constexpr std::array<world_vertex, 2> points{{{-1, 1, 0.5F, 0xFF102030}, {1, -1, 1, 0x01020304}}};
  state_rig rig{d3d9::create_software_vertex_processing};
  const auto source = rig.vertex_buffer(sizeof points, D3DFVF_XYZ | D3DFVF_DIFFUSE);
  const auto target = rig.vertex_buffer(sizeof(screen_vertex) * 3, screen_format);
  fill(source.get(), std::as_bytes(std::span{points}));
  CHECK(rig.device->SetRenderState(D3DRS_LIGHTING, 0) == S_OK);
  CHECK(rig.device->ProcessVertices(0, 1, 2, target.get(), nullptr, 0) == D3DERR_INVALIDCALL);
  CHECK(rig.device->SetFVF(D3DFVF_XYZ | D3DFVF_DIFFUSE) == S_OK);
  CHECK(rig.device->SetStreamSource(0, source.get(), 0, sizeof points[0]) == S_OK);
  CHECK(rig.device->ProcessVertices(0, 2, 2, target.get(), nullptr, 0) == D3DERR_INVALIDCALL);
  CHECK(rig.device->ProcessVertices(0, 1, 2, target.get(), nullptr, 0) == S_OK);
  void* memory = nullptr;
  REQUIRE(target->Lock(0, 0, &memory, D3DLOCK_READONLY) == S_OK);
  std::array<screen_vertex, 3> found{};
  std::memcpy(found.data(), memory, sizeof found);
  CHECK(target->Unlock() == S_OK);
  CHECK(found[1].x == 0.0F);
  CHECK(found[1].y == 0.0F);
  CHECK(found[1].z == 0.5F);
  CHECK(found[1].w == 1.0F);
  CHECK(found[1].color == 0xFF102030);
  CHECK(found[2].x == 64.0F);
  CHECK(found[2].y == 48.0F);
}

TEST_CASE("ProcessVertices is the CPU's, where the device lets it", "[wine][d3d9][process]") {
  state_rig rig;
  const auto target = rig.vertex_buffer(64, screen_format);
  CHECK(rig.device->ProcessVertices(0, 0, 1, target.get(), nullptr, 0) == D3DERR_INVALIDCALL);
}

}  // namespace
}  // namespace aerogpu::test::processing_cases
