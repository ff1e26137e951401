// SPDX-License-Identifier: MIT
/// \file Vertices from shaders, patches and ProcessVertices (umd-d3d9.md 7, G19, G20, G28 to G30).
#include "drivers/win7/tests/d3d9/tests.hpp"

#include <cstddef>
#include <cstring>
#include <span>

namespace aerogpu::guest {
namespace {

// vs_2_0: dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1.
constexpr DWORD passing_shader[] = {0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f,
                                    0x8000000a, 0x900f0001, 0x02000001, 0xc00f0000, 0x90e40000,
                                    0x02000001, 0xd00f0000, 0x90e40001, 0x0000ffff};
// vs_2_0: the same with dcl_texcoord v2; mov r0, v0; add oPos, r0, v2; mov oD0, v1.
constexpr DWORD moving_shader[] = {
    0xfffe0200, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f, 0x8000000a, 0x900f0001,
    0x0200001f, 0x80000005, 0x900f0002, 0x02000001, 0x800f0000, 0x90e40000, 0x03000002,
    0xc00f0000, 0x80e40000, 0x90e40002, 0x02000001, 0xd00f0000, 0x90e40001, 0x0000ffff};

[[nodiscard]] auto vertex_shader(const stage& on, const DWORD* tokens)
    -> com<IDirect3DVertexShader9> {
  return on.make<IDirect3DVertexShader9>(
      "CreateVertexShader succeeds",
      [&](IDirect3DVertexShader9** made) { return on->CreateVertexShader(tokens, made); });
}

template <class Vertex, std::size_t Count>
[[nodiscard]] auto buffer_of(const stage& on, const std::array<Vertex, Count>& vertices,
                             DWORD format, D3DPOOL pool = D3DPOOL_DEFAULT)
    -> com<IDirect3DVertexBuffer9> {
  auto made = on.make<IDirect3DVertexBuffer9>(
      "CreateVertexBuffer succeeds", [&](IDirect3DVertexBuffer9** out) {
        return on->CreateVertexBuffer(sizeof vertices, 0, format, pool, out, nullptr);
      });
  void* bytes = nullptr;
  if (!made || !on.needs(made->Lock(0, 0, &bytes, 0), "Lock succeeds")) return nullptr;
  std::memcpy(bytes, vertices.data(), sizeof vertices);
  on.needs(made->Unlock(), "Unlock succeeds");
  return made;
}

void run_interop(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  constexpr D3DCOLOR magenta = 0xFFFF00FF;
  const auto shader = vertex_shader(on, passing_shader);
  if (!shader) return;
  on->SetVertexShader(shader.get());
  on->SetTextureStageState(0, D3DTSS_COLOROP, D3DTOP_ADD);
  on->SetTextureStageState(0, D3DTSS_COLORARG1, D3DTA_DIFFUSE);
  on->SetTextureStageState(0, D3DTSS_COLORARG2, D3DTA_TFACTOR);
  on->SetRenderState(D3DRS_TEXTUREFACTOR, red);
  on.clear(red);
  on.draw(D3DPT_TRIANGLELIST, 1,
          std::array<point_vertex, 3>{
              {{0, 0.5f, 0, blue}, {0.5f, -0.5f, 0, blue}, {-0.5f, -0.5f, 0, blue}}});
  on.shows_middle(red, magenta, "a stage adds its factor to a vertex shader's colour");
  on->SetVertexShader(nullptr);
}

struct offset_vertex {
  float x, y, z, w;
  D3DCOLOR color;
};

void run_instancing(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const D3DVERTEXELEMENT9 elements[] = {
      {0, 0, D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0},
      {1, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0},
      {1, static_cast<WORD>(offsetof(offset_vertex, color)), D3DDECLTYPE_D3DCOLOR,
       D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_COLOR, 0},
      D3DDECL_END()};
  struct position {
    float x, y, z;
  };
  constexpr std::array<position, 3> triangle{{{0, 0.5f, 0}, {0.3f, -0.5f, 0}, {-0.3f, -0.5f, 0}}};
  constexpr std::array<offset_vertex, 2> instances{{{-0.5f, 0, 0, 0, red}, {0.5f, 0, 0, 0, green}}};
  constexpr std::array<WORD, 3> indices{0, 1, 2};
  const auto shader = vertex_shader(on, moving_shader);
  const auto declaration = on.make<IDirect3DVertexDeclaration9>(
      "CreateVertexDeclaration succeeds", [&](IDirect3DVertexDeclaration9** made) {
        return on->CreateVertexDeclaration(elements, made);
      });
  const auto vertices = buffer_of(on, triangle, 0), offsets = buffer_of(on, instances, 0);
  const auto list = on.make<IDirect3DIndexBuffer9>("CreateIndexBuffer succeeds", [&](auto** made) {
    return on->CreateIndexBuffer(sizeof indices, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, made, nullptr);
  });
  void* bytes = nullptr;
  if (!shader || !declaration || !vertices || !offsets || !list ||
      !on.needs(list->Lock(0, 0, &bytes, 0), "Lock succeeds"))
    return;
  std::memcpy(bytes, indices.data(), sizeof indices);
  on.needs(list->Unlock(), "Unlock succeeds");
  on->SetVertexShader(shader.get());
  on->SetVertexDeclaration(declaration.get());
  on->SetStreamSource(0, vertices.get(), 0, sizeof(position));
  on->SetStreamSource(1, offsets.get(), 0, sizeof(offset_vertex));
  on->SetIndices(list.get());
  on.works(on->SetStreamSourceFreq(0, D3DSTREAMSOURCE_INDEXEDDATA | 2),
           "two instances can be asked for");
  on.works(on->SetStreamSourceFreq(1, D3DSTREAMSOURCE_INSTANCEDATA | 1),
           "a stream can have one vertex for each");
  on.clear(black);
  on.works(on->DrawIndexedPrimitive(D3DPT_TRIANGLELIST, 0, 0, 3, 0, 1),
           "DrawIndexedPrimitive succeeds");
  on.shows(16, stage::middle, red, "the first instance is on the left");
  on.shows(48, stage::middle, green, "the second on the right");
  on.shows(stage::corner, stage::corner, black, "the corner is not drawn on");
}

/// Four by four control points of a flat patch, from (-0.5, 0.5) to (0.5, -0.5).
[[nodiscard]] auto flat_patch(D3DCOLOR color) -> std::array<point_vertex, 16> {
  std::array<point_vertex, 16> points{};
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i] = {static_cast<float>(i % 4) / 3 - 0.5f, 0.5f - static_cast<float>(i / 4) / 3, 0.5f,
                 color};
  return points;
}

/// A device and a buffer with that patch.
class patch_scene {
 public:
  patch_scene(const session& with, report& to) : on(with, to) {}
  [[nodiscard]] auto open() -> bool {
    if (!on.open()) return false;
    points_ = buffer_of(on, flat_patch(blue), point_vertex::format);
    if (!points_) return false;
    on.stay_in_clip_space();
    on->SetFVF(point_vertex::format);
    on.needs(on->SetStreamSource(0, points_.get(), 0, sizeof(point_vertex)),
             "SetStreamSource succeeds");
    return true;
  }
  void draw(UINT handle, const D3DRECTPATCH_INFO* info, rule_text rule) {
    constexpr float segments[] = {4, 4, 4, 4};
    on.clear(red);
    on.works(on->DrawRectPatch(handle, segments, info), rule);
    on.shows_middle(red, blue, "the middle has the patch's colour");
  }
  void put(D3DCOLOR color) {
    void* bytes = nullptr;
    const auto patch = flat_patch(color);
    if (!on.needs(points_->Lock(0, 0, &bytes, 0), "Lock succeeds")) return;
    std::memcpy(bytes, patch.data(), sizeof patch);
    on.needs(points_->Unlock(), "Unlock succeeds");
  }

  static constexpr D3DRECTPATCH_INFO whole{0, 0, 4, 4, 4, D3DBASIS_BEZIER, D3DDEGREE_CUBIC};
  stage on;

 private:
  com<IDirect3DVertexBuffer9> points_;
};

void run_patch(session& with, report& to) {
  patch_scene scene{with, to};
  if (scene.open()) scene.draw(0, &patch_scene::whole, "a patch without a handle is drawn");
}

void run_patch_cache(session& with, report& to) {
  constexpr UINT handle = 7;
  patch_scene scene{with, to};
  if (!scene.open()) return;
  scene.draw(handle, &patch_scene::whole, "a patch with a handle is drawn");
  scene.draw(handle, nullptr, "and again by its handle alone");
  scene.on.works(scene.on->DeletePatch(handle), "DeletePatch succeeds");
  scene.put(green);
  scene.put(blue);
  scene.draw(handle, &patch_scene::whole, "the handle can be used anew");
}

/// One square with a device that processes vertices in software.
void run_process_vertices(session& with, report& to) {
  stage on{with, to};
  if (!on.open(D3DCREATE_MIXED_VERTEXPROCESSING)) return;
  constexpr std::array<point_vertex, 3> given{
      {{-0.5f, 0.5f, 0.25f, red}, {0.5f, 0.5f, 0.5f, green}, {0, -0.5f, 0.75f, blue}}};
  constexpr screen_vertex untouched{1, 2, 3, 4, white};
  constexpr std::size_t first = 1;
  const auto from = buffer_of(on, given, point_vertex::format);
  const auto into = buffer_of(on, std::array{untouched, untouched, untouched, untouched, untouched},
                              screen_vertex::format, D3DPOOL_SYSTEMMEM);
  if (!from || !into) return;
  on.stay_in_clip_space();
  on.works(on->SetSoftwareVertexProcessing(TRUE), "software processing can be chosen");
  on->SetFVF(point_vertex::format);
  on->SetStreamSource(0, from.get(), 0, sizeof(point_vertex));
  if (!on.works(
          on->ProcessVertices(0, first, static_cast<UINT>(given.size()), into.get(), nullptr, 0),
          "ProcessVertices succeeds"))
    return;
  void* bytes = nullptr;
  if (!on.needs(into->Lock(0, 0, &bytes, D3DLOCK_READONLY), "Lock succeeds")) return;
  std::array<screen_vertex, 5> made{};
  std::memcpy(made.data(), bytes, sizeof made);
  on.needs(into->Unlock(), "Unlock succeeds");
  constexpr std::array<screen_vertex, 3> wanted{
      {{16, 16, 0.25f, 1, red}, {48, 16, 0.5f, 1, green}, {32, 48, 0.75f, 1, blue}}};
  to.check(std::memcmp(&made[first], wanted.data(), sizeof wanted) == 0,
           "vertices are where the transforms and the viewport put them");
  to.check(std::memcmp(&made[0], &untouched, sizeof untouched) == 0 &&
               std::memcmp(&made[4], &untouched, sizeof untouched) == 0,
           "vertices before and behind are as they were");
}

/// What was processed is drawn, between vertices that nobody touched.
void run_processed_picture(session& with, report& to) {
  stage on{with, to};
  if (!on.open(D3DCREATE_MIXED_VERTEXPROCESSING)) return;
  constexpr std::array<point_vertex, 3> given{
      {{0, 0.5f, 0.5f, blue}, {0.5f, -0.5f, 0.5f, blue}, {-0.5f, -0.5f, 0.5f, blue}}};
  constexpr screen_vertex before{1, 1, 0.5f, 1, green}, behind{2, 2, 0.5f, 1, 0xFFFFFF00};
  std::array<screen_vertex, 5> sentinels{before, before, before, before, behind};
  const auto from = buffer_of(on, given, point_vertex::format);
  const auto into = buffer_of(on, sentinels, screen_vertex::format, D3DPOOL_SYSTEMMEM);
  if (!from || !into) return;
  on.stay_in_clip_space();
  on->SetSoftwareVertexProcessing(TRUE);
  on->SetFVF(point_vertex::format);
  on->SetStreamSource(0, from.get(), 0, sizeof(point_vertex));
  if (!on.works(on->ProcessVertices(0, 1, 3, into.get(), nullptr, 0), "ProcessVertices succeeds"))
    return;
  on->SetSoftwareVertexProcessing(FALSE);
  void* bytes = nullptr;
  if (!on.needs(into->Lock(0, 0, &bytes, D3DLOCK_READONLY), "Lock succeeds")) return;
  std::array<screen_vertex, 3> made{};
  std::memcpy(sentinels.data(), bytes, sizeof sentinels);
  std::memcpy(made.data(), &sentinels[1], sizeof made);
  on.needs(into->Unlock(), "Unlock succeeds");
  on.clear(red);
  on.draw(D3DPT_TRIANGLELIST, 1, made);
  on.shows_middle(red, blue, "the middle has the processed triangle");
  to.check(sentinels[0].color == green && sentinels[4].color == behind.color,
           "the vertices around it keep their colours");
}

}  // namespace

const guest_test d3d9_shader_stage_interop{"d3d9_shader_stage_interop",
                                           "A vertex shader's colour goes through a stage.",
                                           limit_ms, &run_interop, false};
const guest_test d3d9ex_instancing_sanity{"d3d9ex_instancing_sanity",
                                          "A stream's vertices stand for instances.", limit_ms,
                                          &run_instancing, false};
const guest_test d3d9_patch_sanity{"d3d9_patch_sanity", "A rectangle patch is drawn.", limit_ms,
                                   &run_patch, false};
const guest_test d3d9_patch_rendering_smoke{"d3d9_patch_rendering_smoke",
                                            "A patch is drawn by its handle, and deleted.",
                                            limit_ms, &run_patch_cache, false};
const guest_test d3d9_process_vertices_sanity{"d3d9_process_vertices_sanity",
                                              "ProcessVertices writes what it should, and no more.",
                                              limit_ms, &run_process_vertices, false};
const guest_test d3d9_process_vertices_smoke{"d3d9_process_vertices_smoke",
                                             "What ProcessVertices wrote can be drawn.", limit_ms,
                                             &run_processed_picture, false};

}  // namespace aerogpu::guest
