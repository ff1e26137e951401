// SPDX-License-Identifier: MIT
/// \file What the fixed-function pipeline leaves in a picture (umd-d3d9.md 7, G25 to G27).
#include "drivers/win7/tests/d3d9/tests.hpp"

#include <cstddef>

namespace aerogpu::guest {
namespace {

constexpr UINT left = 16, right = 48;

/// Quarters of a texture: upper left, upper right, lower left, lower right.
[[nodiscard]] auto quartered_texture(const stage& on) -> com<IDirect3DTexture9> {
  constexpr UINT edge = 2;
  constexpr D3DCOLOR texels[edge][edge] = {{red, green}, {blue, white}};
  auto made = on.texture(edge, edge, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  D3DLOCKED_RECT locked{};
  if (!made || !on.needs(made->LockRect(0, &locked, nullptr, D3DLOCK_DISCARD), "LockRect succeeds"))
    return nullptr;
  for (UINT y = 0; y < edge; ++y)
    std::memcpy(static_cast<char*>(locked.pBits) + y * static_cast<UINT>(locked.Pitch), texels[y],
                sizeof texels[y]);
  on.needs(made->UnlockRect(0), "UnlockRect succeeds");
  return made;
}

void expect_quarters(const stage& on) {
  on.shows(left, left, red, "the upper left has the texture's first texel");
  on.shows(right, left, green, "the upper right its second");
  on.shows(left, right, blue, "the lower left its third");
  on.shows(right, right, white, "the lower right its fourth");
}

void run_transform(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const D3DMATRIX half = scaling(0.5f), twice = scaling(2);
  on.stay_in_clip_space();
  on->SetTransform(D3DTS_WORLD, &half);
  on.clear(red);
  on.draw(D3DPT_TRIANGLESTRIP, 2, whole_square(blue));
  on.shows(stage::corner, stage::corner, red, "half the size leaves the corner");
  on.shows(stage::middle, stage::middle, blue, "and draws the middle");
  on->SetTransform(D3DTS_VIEW, &twice);
  on.draw(D3DPT_TRIANGLESTRIP, 2, whole_square(green, 0.25f));
  on.shows(stage::corner, stage::corner, green, "half of twice the size covers the corner");
  on.shows(stage::middle, stage::middle, green, "and the middle");
}

void run_diffuse(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  on.stay_in_clip_space();
  on.clear(red);
  on.draw(D3DPT_TRIANGLELIST, 1,
          std::array<point_vertex, 3>{
              {{0, 0.5f, 0, blue}, {0.5f, -0.5f, 0, blue}, {-0.5f, -0.5f, 0, blue}}});
  on.shows_middle(red, blue, "the middle has the vertices' colour");
}

void run_textured(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto texture = quartered_texture(on);
  if (!texture) return;
  on.stay_in_clip_space();
  on->SetTexture(0, texture.get());
  on.clear(black);
  on.draw(D3DPT_TRIANGLESTRIP, 2, whole_square(white));
  expect_quarters(on);
  on->SetTexture(0, nullptr);
}

void run_textured_transform(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto texture = on.plain_texture(green);
  if (!texture) return;
  const D3DMATRIX half = scaling(0.5f);
  on.stay_in_clip_space();
  on->SetTransform(D3DTS_PROJECTION, &half);
  on->SetTexture(0, texture.get());
  on.clear(red);
  on.draw(D3DPT_TRIANGLESTRIP, 2, whole_square(white));
  on.shows_middle(red, green, "the middle has the texture's colour");
  on->SetTexture(0, nullptr);
}

struct textured_vertex {
  float x, y, z, rhw, u, v;
  static constexpr DWORD format = D3DFVF_XYZRHW | D3DFVF_TEX1;
};

void run_textured_triangle(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto texture = quartered_texture(on);
  if (!texture) return;
  on.select(D3DTA_TEXTURE);
  on->SetTexture(0, texture.get());
  constexpr float edge = stage::width;
  on.clear(black);
  on.draw(D3DPT_TRIANGLELIST, 1,
          std::array<textured_vertex, 3>{
              {{0, 0, 0, 1, 0, 0}, {2 * edge, 0, 0, 1, 2, 0}, {0, 2 * edge, 0, 1, 0, 2}}});
  expect_quarters(on);
  on->SetTexture(0, nullptr);
}

void run_fog(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  on.stay_in_clip_space();
  on->SetRenderState(D3DRS_FOGENABLE, TRUE);
  on->SetRenderState(D3DRS_FOGCOLOR, red);
  on->SetRenderState(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
  on->SetRenderState(D3DRS_FOGSTART, bits_of(0.25f));
  on->SetRenderState(D3DRS_FOGEND, bits_of(0.75f));
  const auto middle_is = [&](float z, D3DCOLOR wanted, rule_text rule) {
    on.clear(black);
    on.draw(D3DPT_TRIANGLESTRIP, 2, whole_square(blue, z));
    on.shows(stage::middle, stage::middle, wanted, rule, 2);
  };
  middle_is(0.125f, blue, "before the fog's start the colour is the vertex's");
  middle_is(0.875f, red, "behind its end the colour is the fog's");
  middle_is(0.5f, 0xFF800080, "half way it is half of each");
}

void run_multitexture(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto first = on.plain_texture(0xFFFF8000), second = on.plain_texture(0xFF80FF00);
  if (!first || !second) return;
  on.stay_in_clip_space();
  on->SetTexture(0, first.get());
  on->SetTexture(1, second.get());
  on->SetTextureStageState(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
  on->SetTextureStageState(1, D3DTSS_COLOROP, D3DTOP_MODULATE);
  on->SetTextureStageState(1, D3DTSS_COLORARG1, D3DTA_TEXTURE);
  on->SetTextureStageState(1, D3DTSS_COLORARG2, D3DTA_CURRENT);
  on->SetTextureStageState(1, D3DTSS_TEXCOORDINDEX, 0);
  on.clear(black);
  on.draw(D3DPT_TRIANGLESTRIP, 2, whole_square(white));
  on.shows(stage::middle, stage::middle, 0xFF808000, "the textures' colours are multiplied", 2);
  on->SetTexture(0, nullptr);
  on->SetTexture(1, nullptr);
}

void run_stage_state(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto texture = on.plain_texture(red);
  if (!texture) return;
  on->SetTexture(0, texture.get());
  on->SetRenderState(D3DRS_TEXTUREFACTOR, black);
  on.stay_in_clip_space();
  const auto middle_is = [&](DWORD argument, D3DCOLOR wanted, rule_text rule) {
    on.select(argument);
    on.clear(green);
    on.draw(D3DPT_TRIANGLESTRIP, 2, whole_square(blue));
    on.shows(stage::middle, stage::middle, wanted, rule);
  };
  middle_is(D3DTA_TFACTOR, black, "the stage gives the texture factor");
  middle_is(D3DTA_DIFFUSE, blue, "then the vertices' colour");
  middle_is(D3DTA_TEXTURE, red, "then the texture's");
  on->SetTexture(0, nullptr);
}

struct declared_vertex {
  float x, y, z;
  D3DCOLOR color;
};
struct swapped_vertex {
  D3DCOLOR color;
  float x, y, z;
};

template <class Vertex>
void draw_declared(const stage& on, rule_text rule) {
  const D3DVERTEXELEMENT9 elements[] = {
      {0, static_cast<WORD>(offsetof(Vertex, x)), D3DDECLTYPE_FLOAT3, D3DDECLMETHOD_DEFAULT,
       D3DDECLUSAGE_POSITION, 0},
      {0, static_cast<WORD>(offsetof(Vertex, color)), D3DDECLTYPE_D3DCOLOR, D3DDECLMETHOD_DEFAULT,
       D3DDECLUSAGE_COLOR, 0},
      D3DDECL_END()};
  const auto declaration = on.make<IDirect3DVertexDeclaration9>(
      "CreateVertexDeclaration succeeds", [&](IDirect3DVertexDeclaration9** made) {
        return on->CreateVertexDeclaration(elements, made);
      });
  if (!declaration) return;
  constexpr float corners[4][2] = {{-0.5f, 0.5f}, {0.5f, 0.5f}, {-0.5f, -0.5f}, {0.5f, -0.5f}};
  std::array<Vertex, 4> vertices{};
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    vertices[i].x = corners[i][0];
    vertices[i].y = corners[i][1];
    vertices[i].color = blue;
  }
  on->SetVertexDeclaration(declaration.get());
  on.clear(red);
  on.needs(on->DrawPrimitiveUP(D3DPT_TRIANGLESTRIP, 2, vertices.data(), sizeof(Vertex)),
           "DrawPrimitiveUP succeeds");
  on.shows_middle(red, blue, rule);
  on->SetVertexDeclaration(nullptr);
}

void run_declarations(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  on.stay_in_clip_space();
  draw_declared<declared_vertex>(on, "a declaration of position and colour draws");
  draw_declared<swapped_vertex>(on, "so does one of colour and position");
}

struct lit_vertex {
  float x, y, z, nx, ny, nz;
  static constexpr DWORD format = D3DFVF_XYZ | D3DFVF_NORMAL;
};

/// A grid of squares that look at the viewer, so that a near light shows.
void draw_lit(const stage& on) {
  constexpr int cells = 8;
  for (int row = 0; row < cells; ++row) {
    for (int column = 0; column < cells; ++column) {
      const auto at = [&](int x, int y) {
        return lit_vertex{static_cast<float>(column + x) * 2 / cells - 1,
                          1 - static_cast<float>(row + y) * 2 / cells,
                          0.5f,
                          0,
                          0,
                          -1};
      };
      on.draw(D3DPT_TRIANGLESTRIP, 2,
              std::array<lit_vertex, 4>{at(0, 0), at(1, 0), at(0, 1), at(1, 1)});
    }
  }
}

[[nodiscard]] auto color_value(D3DCOLOR color) -> D3DCOLORVALUE {
  const auto channel = [&](unsigned shift) {
    return static_cast<float>(color >> shift & 0xFF) / 255;
  };
  return {channel(16), channel(8), channel(0), 1};
}

void light_stage(const stage& on, D3DCOLOR material_color) {
  D3DMATERIAL9 material{};
  material.Diffuse = color_value(material_color);
  on.stay_in_clip_space();
  on->SetRenderState(D3DRS_LIGHTING, TRUE);
  on->SetRenderState(D3DRS_AMBIENT, 0);
  on.needs(on->SetMaterial(&material), "SetMaterial succeeds");
}

void set_directional(const stage& on, DWORD which, D3DCOLOR color, float z) {
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_DIRECTIONAL;
  light.Diffuse = color_value(color);
  light.Direction = {0, 0, z};
  on.needs(on->SetLight(which, &light), "SetLight succeeds");
  on.needs(on->LightEnable(which, TRUE), "LightEnable succeeds");
}

void lit_middle_is(const stage& on, D3DCOLOR wanted, rule_text rule) {
  on.clear(white);
  draw_lit(on);
  on.shows(stage::middle, stage::middle, wanted, rule, 2);
}

void run_directional(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  light_stage(on, green);
  set_directional(on, 0, white, 1);
  lit_middle_is(on, green, "a light towards the face shows the material");
  set_directional(on, 0, white, -1);
  lit_middle_is(on, black, "one from behind shows nothing");
}

void run_two_directional(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  light_stage(on, white);
  set_directional(on, 0, red, 1);
  lit_middle_is(on, red, "a red light is red");
  set_directional(on, 1, green, 1);
  lit_middle_is(on, 0xFFFFFF00, "with a green one it is yellow");
}

void run_point_light(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  light_stage(on, white);
  D3DLIGHT9 light{};
  light.Type = D3DLIGHT_POINT;
  light.Diffuse = color_value(white);
  light.Range = 10;
  light.Attenuation1 = 1;
  light.Position = {0, 0, -0.5f};
  on.needs(on->SetLight(0, &light), "SetLight succeeds");
  on.needs(on->LightEnable(0, TRUE), "LightEnable succeeds");
  on.clear(black);
  draw_lit(on);
  const auto middle = on.pixel(stage::middle, stage::middle);
  const auto corner = on.pixel(stage::corner, stage::corner);
  if (!middle || !corner) return;
  to.check((*middle & 0xFF) > (*corner & 0xFF) + 32, "what is near a point light is brighter",
           message{hex{*middle}, " in the middle, ", hex{*corner}, " in the corner"});
}

}  // namespace

const guest_test d3d9_fixedfunc_wvp_triangle{"d3d9_fixedfunc_wvp_triangle",
                                             "World, view and projection move vertices.", limit_ms,
                                             &run_transform, false};
const guest_test d3d9_fixedfunc_xyz_diffuse{"d3d9_fixedfunc_xyz_diffuse",
                                            "Vertices with colours are drawn.", limit_ms,
                                            &run_diffuse, false};
const guest_test d3d9_fixedfunc_xyz_diffuse_tex1{"d3d9_fixedfunc_xyz_diffuse_tex1",
                                                 "A texture lies over vertices in space.", limit_ms,
                                                 &run_textured, false};
const guest_test d3d9_fixedfunc_textured_wvp{"d3d9_fixedfunc_textured_wvp",
                                             "A texture moves with its vertices.", limit_ms,
                                             &run_textured_transform, false};
const guest_test d3d9ex_fixedfunc_textured_triangle{"d3d9ex_fixedfunc_textured_triangle",
                                                    "A texture lies over vertices on the screen.",
                                                    limit_ms, &run_textured_triangle, false};
const guest_test d3d9_fixedfunc_vertexdecl_patterns{"d3d9_fixedfunc_vertexdecl_patterns",
                                                    "Declarations stand for vertex formats.",
                                                    limit_ms, &run_declarations, false};
const guest_test d3d9_fixedfunc_fog_smoke{"d3d9_fixedfunc_fog_smoke",
                                          "Linear vertex fog blends between start and end.",
                                          limit_ms, &run_fog, false};
const guest_test d3d9_fixedfunc_multitexture{"d3d9_fixedfunc_multitexture",
                                             "Two stages multiply their textures.", limit_ms,
                                             &run_multitexture, false};
const guest_test d3d9ex_fixedfunc_texture_stage_state{"d3d9ex_fixedfunc_texture_stage_state",
                                                      "A stage gives factor, colour or texture.",
                                                      limit_ms, &run_stage_state, false};
const guest_test d3d9_fixedfunc_lighting_directional{"d3d9_fixedfunc_lighting_directional",
                                                     "A directional light shows one side.",
                                                     limit_ms, &run_directional, false};
const guest_test d3d9_fixedfunc_lighting_multi_directional{
    "d3d9_fixedfunc_lighting_multi_directional", "Two lights add up.", limit_ms,
    &run_two_directional, false};
const guest_test d3d9_fixedfunc_lighting_point{"d3d9_fixedfunc_lighting_point",
                                               "A point light fades with distance.", limit_ms,
                                               &run_point_light, false};

}  // namespace aerogpu::guest
