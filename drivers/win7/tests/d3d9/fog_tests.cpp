// SPDX-License-Identifier: MIT
/// \file Fog behind shaders and behind the fixed pipeline (shaders.md 2.7, umd-d3d9.md 3.8).
#include "drivers/win7/tests/d3d9/tests.hpp"

namespace aerogpu::guest {
namespace {

// def c0, 0.25, 0, 0, 0; dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1; mov oFog, c0.x.
constexpr DWORD fogging_vs_2_0[] = {
    0xfffe0200, 0x05000051, 0xa00f0000, 0x3e800000, 0,          0,          0,          0x0200001f,
    0x80000000, 0x900f0000, 0x0200001f, 0x8000000a, 0x900f0001, 0x02000001, 0xc00f0000, 0x90e40000,
    0x02000001, 0xd00f0000, 0x90e40001, 0x02000001, 0xc0010001, 0xa0000000, 0x0000ffff};
// def c0, 10, 0, 0, 0; dcl_position v0; dcl_color v1; mul oPos, v0, c0.x; mov oD0, v1.
constexpr DWORD widening_vs_2_0[] = {
    0xfffe0200, 0x05000051, 0xa00f0000, 0x41200000, 0,          0,          0,
    0x0200001f, 0x80000000, 0x900f0000, 0x0200001f, 0x8000000a, 0x900f0001, 0x03000005,
    0xc00f0000, 0x90e40000, 0xa0000000, 0x02000001, 0xd00f0000, 0x90e40001, 0x0000ffff};
// dcl_position v0; dcl_color v1; dcl_position o0; dcl_color o1; mov o0, v0; mov o1, v1.
constexpr DWORD passing_vs_3_0[] = {0xfffe0300, 0x0200001f, 0x80000000, 0x900f0000, 0x0200001f,
                                    0x8000000a, 0x900f0001, 0x0200001f, 0x80000000, 0xe00f0000,
                                    0x0200001f, 0x8000000a, 0xe00f0001, 0x02000001, 0xe00f0000,
                                    0x90e40000, 0x02000001, 0xe00f0001, 0x90e40001, 0x0000ffff};
// mov r0, v0.
constexpr DWORD passing_ps_1_1[] = {0xffff0101, 0x00000001, 0x800f0000, 0x90e40000, 0x0000ffff};
// dcl v0; mov oC0, v0.
constexpr DWORD passing_ps_2_0[] = {0xffff0200, 0x0200001f, 0x80000000, 0x900f0000,
                                    0x02000001, 0x800f0800, 0x90e40000, 0x0000ffff};
// dcl_color v0; mov oC0, v0.
constexpr DWORD passing_ps_3_0[] = {0xffff0300, 0x0200001f, 0x8000000a, 0x900f0000,
                                    0x02000001, 0x800f0800, 0x90e40000, 0x0000ffff};

struct shader_pair {
  const DWORD* vertex;  ///< nullptr: the fixed pipeline.
  const DWORD* pixel;
};
constexpr shader_pair fixed{nullptr, nullptr}, pixel_1{nullptr, passing_ps_1_1},
    pixel_2{nullptr, passing_ps_2_0}, vertex_2{fogging_vs_2_0, nullptr},
    vertex_w{widening_vs_2_0, nullptr}, both_w{widening_vs_2_0, passing_ps_2_0},
    both_1{fogging_vs_2_0, passing_ps_1_1}, both_2{fogging_vs_2_0, passing_ps_2_0},
    both_3{passing_vs_3_0, passing_ps_3_0};

constexpr int colour_at_half = 128, colour_at_exp = 155, colour_of_shader = 64, all_colour = 255;

/// Blue at depth 0.5 in red fog from 0 to 1, of density 1.
struct fog_row {
  shader_pair shaders;
  DWORD vertex_mode, table_mode;
  int blue;  ///< What is left of it, 0..255.
  rule_text rule;
};
constexpr fog_row rows[] = {
    {fixed, D3DFOG_LINEAR, D3DFOG_NONE, colour_at_half,
     "the fixed pipeline, vertex fog linear, table fog none"},
    {fixed, D3DFOG_NONE, D3DFOG_LINEAR, colour_at_half,
     "the fixed pipeline, vertex fog none, table fog linear"},
    {pixel_1, D3DFOG_LINEAR, D3DFOG_NONE, colour_at_half,
     "ps_1_1, vertex fog linear, table fog none"},
    {pixel_2, D3DFOG_LINEAR, D3DFOG_NONE, colour_at_half,
     "ps_2_0, vertex fog linear, table fog none"},
    {pixel_2, D3DFOG_EXP, D3DFOG_NONE, colour_at_exp, "ps_2_0, vertex fog exp, table fog none"},
    {pixel_2, D3DFOG_NONE, D3DFOG_LINEAR, colour_at_half,
     "ps_2_0, vertex fog none, table fog linear"},
    {pixel_2, D3DFOG_LINEAR, D3DFOG_EXP, colour_at_exp, "ps_2_0, vertex fog linear, table fog exp"},
    {vertex_2, D3DFOG_NONE, D3DFOG_NONE, colour_of_shader,
     "vs_2_0, vertex fog none, table fog none"},
    {vertex_2, D3DFOG_LINEAR, D3DFOG_NONE, colour_of_shader,
     "vs_2_0, vertex fog linear, table fog none"},
    {vertex_2, D3DFOG_NONE, D3DFOG_LINEAR, colour_at_half,
     "vs_2_0, vertex fog none, table fog linear"},
    {vertex_w, D3DFOG_NONE, D3DFOG_LINEAR, colour_at_half,
     "vs_2_0 of w 10, vertex fog none, table fog linear"},
    {both_w, D3DFOG_NONE, D3DFOG_LINEAR, colour_at_half,
     "vs_2_0 of w 10 and ps_2_0, vertex fog none, table fog linear"},
    {both_1, D3DFOG_NONE, D3DFOG_NONE, colour_of_shader,
     "vs_2_0 and ps_1_1, vertex fog none, table fog none"},
    {both_2, D3DFOG_LINEAR, D3DFOG_NONE, colour_of_shader,
     "vs_2_0 and ps_2_0, vertex fog linear, table fog none"},
    {both_2, D3DFOG_NONE, D3DFOG_EXP, colour_at_exp,
     "vs_2_0 and ps_2_0, vertex fog none, table fog exp"},
    {both_3, D3DFOG_LINEAR, D3DFOG_LINEAR, all_colour,
     "vs_3_0 and ps_3_0, vertex fog linear, table fog linear"},
};

void check_row(const stage& on, const fog_row& row) {
  com<IDirect3DVertexShader9> vertex;
  com<IDirect3DPixelShader9> pixel;
  if (row.shaders.vertex != nullptr) {
    vertex = on.make<IDirect3DVertexShader9>("CreateVertexShader succeeds", [&](auto made) {
      return on->CreateVertexShader(row.shaders.vertex, made);
    });
  }
  if (row.shaders.pixel != nullptr) {
    pixel = on.make<IDirect3DPixelShader9>("CreatePixelShader succeeds", [&](auto made) {
      return on->CreatePixelShader(row.shaders.pixel, made);
    });
  }
  on->SetVertexShader(vertex.get());
  on->SetPixelShader(pixel.get());
  on->SetRenderState(D3DRS_FOGVERTEXMODE, row.vertex_mode);
  on->SetRenderState(D3DRS_FOGTABLEMODE, row.table_mode);
  on.clear(black);
  on.draw(D3DPT_TRIANGLESTRIP, 2, whole_square(blue));
  const auto left = static_cast<DWORD>(row.blue);
  on.shows(stage::middle, stage::middle, 0xFF000000 | (255 - left) << 16 | left, row.rule, 2);
  on->SetVertexShader(nullptr);
  on->SetPixelShader(nullptr);
}

/// Flat shading is of colours: fog from none at the left to all at the right is half in the middle.
void check_flat(const stage& on) {
  on->SetRenderState(D3DRS_SHADEMODE, D3DSHADE_FLAT);
  on->SetRenderState(D3DRS_FOGVERTEXMODE, D3DFOG_LINEAR);
  on->SetRenderState(D3DRS_FOGTABLEMODE, D3DFOG_NONE);
  on.clear(black);
  auto square = whole_square(blue);
  for (space_vertex& corner : square) corner.z = corner.x < 0 ? 0.0f : 1.0f;
  on.draw(D3DPT_TRIANGLESTRIP, 2, square);
  on.shows(stage::middle, stage::middle, 0xFF800080, "flat shading interpolates fog", 4);
}

/// z of the screen is linear there, also where w is not the same everywhere.
void check_screen_vertices(const stage& on) {
  constexpr float wide = stage::width, high = stage::height;
  const auto pixel = on.make<IDirect3DPixelShader9>("CreatePixelShader succeeds", [&](auto made) {
    return on->CreatePixelShader(passing_ps_2_0, made);
  });
  on->SetRenderState(D3DRS_FOGTABLEMODE, D3DFOG_LINEAR);
  const std::array<screen_vertex, 4> square{{{0, high, 0, 1, blue},
                                             {0, 0, 0, 1, blue},
                                             {wide, high, 1, 0.1f, blue},
                                             {wide, 0, 1, 0.1f, blue}}};
  for (IDirect3DPixelShader9* const behind :
       {static_cast<IDirect3DPixelShader9*>(nullptr), pixel.get()}) {
    on->SetPixelShader(behind);
    on.clear(black);
    on.draw(D3DPT_TRIANGLESTRIP, 2, square);
    on.shows(stage::middle, stage::middle, 0xFF800080,
             behind == nullptr ? rule_text{"screen vertices, the fixed pipeline"}
                               : rule_text{"screen vertices, ps_2_0"},
             4);
  }
  on->SetPixelShader(nullptr);
}

void run_fog_of_shaders(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  on.stay_in_clip_space();
  on->SetRenderState(D3DRS_FOGENABLE, TRUE);
  on->SetRenderState(D3DRS_FOGCOLOR, red);
  on->SetRenderState(D3DRS_FOGSTART, bits_of(0));
  on->SetRenderState(D3DRS_FOGEND, bits_of(1));
  on->SetRenderState(D3DRS_FOGDENSITY, bits_of(1));
  for (const fog_row& row : rows) check_row(on, row);
  check_screen_vertices(on);
  check_flat(on);
}

constexpr unsigned fog_limit_ms = 30'000;

}  // namespace

const guest_test d3d9_fog_of_shaders{"d3d9_fog_of_shaders",
                                     "Fog is behind the fixed pipeline and shaders below 3.0.",
                                     fog_limit_ms, &run_fog_of_shaders, false};

}  // namespace aerogpu::guest
