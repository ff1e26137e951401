// SPDX-License-Identifier: MIT
/// \file What draws and states leave in a picture (umd-d3d9.md 7, G12 to G18, G22).
#include "drivers/win7/tests/d3d9/tests.hpp"

#include <cstring>

namespace aerogpu::guest {
namespace {

// ps_2_0: def c0, 0, 0, 1, 1; mov oC0, c0.
constexpr DWORD blue_shader[] = {0xffff0200, 0x05000051, 0xa00f0000, 0,
                                 0,          0x3f800000, 0x3f800000, 0x02000001,
                                 0x800f0800, 0xa0e40000, 0x0000ffff};

// ps_2_0: def c0, 1, 0, 0, 1; def c1, 0, 1, 0, 1; mov oC0, c0; mov oC1, c0; mov oC2, c1.
constexpr DWORD three_target_shader[] = {
    0xffff0200, 0x05000051, 0xa00f0000, 0x3f800000, 0,          0,          0x3f800000, 0x05000051,
    0xa00f0001, 0,          0x3f800000, 0,          0x3f800000, 0x02000001, 0x800f0800, 0xa0e40000,
    0x02000001, 0x800f0801, 0xa0e40000, 0x02000001, 0x800f0802, 0xa0e40001, 0x0000ffff};

void expect_middle(const stage& on, D3DCOLOR around = red, D3DCOLOR inside = blue) {
  on.shows_middle(around, inside, "the middle has the triangle's colour");
}

void present(const stage& on) {
  on.works(on->PresentEx(nullptr, nullptr, nullptr, nullptr, 0), "PresentEx succeeds");
}

[[nodiscard]] auto vertex_buffer(const stage& on, UINT bytes, DWORD usage)
    -> com<IDirect3DVertexBuffer9> {
  return on.make<IDirect3DVertexBuffer9>(
      "CreateVertexBuffer succeeds", [&](IDirect3DVertexBuffer9** made) {
        return on->CreateVertexBuffer(bytes, usage, screen_vertex::format, D3DPOOL_DEFAULT, made,
                                      nullptr);
      });
}

/// Copies vertices to that byte of the buffer.
void write(const stage& on, IDirect3DVertexBuffer9& to, UINT offset,
           const std::array<screen_vertex, 3>& from, DWORD flags) {
  void* bytes = nullptr;
  if (!on.needs(to.Lock(offset, sizeof from, &bytes, flags), "Lock succeeds")) return;
  std::memcpy(bytes, from.data(), sizeof from);
  on.needs(to.Unlock(), "Unlock succeeds");
}

void draw_buffer(const stage& on, IDirect3DVertexBuffer9& from, UINT first) {
  on->SetFVF(screen_vertex::format);
  on.needs(on->SetStreamSource(0, &from, 0, sizeof(screen_vertex)), "SetStreamSource succeeds");
  on.needs(on->DrawPrimitive(D3DPT_TRIANGLELIST, first, 1), "DrawPrimitive succeeds");
}

void run_triangle(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto vertices = vertex_buffer(on, 3 * sizeof(screen_vertex), D3DUSAGE_WRITEONLY);
  if (!vertices) return;
  write(on, *vertices, 0, middle_triangle(blue), 0);
  on.clear(red);
  draw_buffer(on, *vertices, 0);
  expect_middle(on);
  present(on);
}

void run_multiframe(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  for (const D3DCOLOR color : {blue, green, white, black}) {
    on.clear(red);
    on.draw(D3DPT_TRIANGLELIST, 1, middle_triangle(color));
    on.shows(stage::middle, stage::middle, color, "each frame has its own colour in the middle");
    present(on);
  }
}

void run_pixel_shader(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto shader = on.make<IDirect3DPixelShader9>(
      "CreatePixelShader succeeds",
      [&](IDirect3DPixelShader9** made) { return on->CreatePixelShader(blue_shader, made); });
  if (!shader) return;
  on->SetPixelShader(shader.get());
  on.clear(red);
  on.draw(D3DPT_TRIANGLELIST, 1, middle_triangle(green));
  expect_middle(on);
  on->SetPixelShader(nullptr);
}

void run_indexed_up(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto vertices = middle_triangle(blue);
  constexpr WORD indices[] = {2, 0, 1};
  on->SetFVF(screen_vertex::format);
  on.clear(red);
  on.works(on->DrawIndexedPrimitiveUP(D3DPT_TRIANGLELIST, 0, 3, 1, indices, D3DFMT_INDEX16,
                                      vertices.data(), sizeof(screen_vertex)),
           "DrawIndexedPrimitiveUP succeeds");
  expect_middle(on);
}

void run_dirty_range(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  constexpr UINT size = 3 * sizeof(screen_vertex);
  const auto vertices = vertex_buffer(on, 2 * size, D3DUSAGE_WRITEONLY);
  if (!vertices) return;
  write(on, *vertices, 0, middle_triangle(green), 0);
  write(on, *vertices, size, middle_triangle(green), 0);
  on.clear(red);
  draw_buffer(on, *vertices, 3);
  write(on, *vertices, size, middle_triangle(blue), 0);
  draw_buffer(on, *vertices, 3);
  expect_middle(on);
  draw_buffer(on, *vertices, 0);
  on.shows(stage::middle, stage::middle, green, "the range that was not locked is as it was");
}

void run_dynamic_buffer(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  constexpr UINT size = 3 * sizeof(screen_vertex);
  const auto vertices = vertex_buffer(on, 2 * size, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY);
  if (!vertices) return;
  on.clear(red);
  write(on, *vertices, 0, middle_triangle(green), D3DLOCK_DISCARD);
  draw_buffer(on, *vertices, 0);
  on.shows(stage::middle, stage::middle, green, "what DISCARD wrote is drawn");
  write(on, *vertices, size, middle_triangle(blue), D3DLOCK_NOOVERWRITE);
  draw_buffer(on, *vertices, 3);
  on.shows(stage::middle, stage::middle, blue, "what NOOVERWRITE added is drawn");
  draw_buffer(on, *vertices, 0);
  on.shows(stage::middle, stage::middle, green, "NOOVERWRITE leaves the rest");
  for (int i = 0; i < 32; ++i) {
    write(on, *vertices, 0, middle_triangle(i % 2 == 0 ? white : blue), D3DLOCK_DISCARD);
    draw_buffer(on, *vertices, 0);
  }
  on.shows(stage::middle, stage::middle, blue, "the last of many DISCARDs is what is seen");
}

void run_scissor(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const RECT inner{16, 16, 48, 48};
  on->SetScissorRect(&inner);
  on->SetRenderState(D3DRS_SCISSORTESTENABLE, TRUE);
  on->SetRenderState(D3DRS_SCISSORTESTENABLE, FALSE);
  on.clear(red);
  on->SetRenderState(D3DRS_SCISSORTESTENABLE, TRUE);
  on.draw_all(blue);
  expect_middle(on);
  on.shows(15, 32, red, "the column before the scissor rectangle is not drawn on");
  on.shows(16, 32, blue, "its first column is");
}

void run_state_block(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  on->SetTextureStageState(0, D3DTSS_COLOROP, D3DTOP_SELECTARG1);
  on->SetTextureStageState(0, D3DTSS_COLORARG1, D3DTA_TFACTOR);
  on.needs(on->BeginStateBlock(), "BeginStateBlock succeeds");
  on->SetRenderState(D3DRS_TEXTUREFACTOR, green);
  const auto block = on.make<IDirect3DStateBlock9>(
      "EndStateBlock succeeds",
      [&](IDirect3DStateBlock9** made) { return on->EndStateBlock(made); });
  if (!block) return;
  const auto middle_is = [&](D3DCOLOR wanted, rule_text rule) {
    on.clear(black);
    on.draw_all(white);
    on.shows(stage::middle, stage::middle, wanted, rule);
  };
  on->SetRenderState(D3DRS_TEXTUREFACTOR, blue);
  middle_is(blue, "a recorded state is not set");
  on.works(block->Apply(), "Apply succeeds");
  middle_is(green, "Apply sets what was recorded");
  on->SetRenderState(D3DRS_TEXTUREFACTOR, red);
  on.works(block->Capture(), "Capture succeeds");
  on->SetRenderState(D3DRS_TEXTUREFACTOR, blue);
  on.works(block->Apply(), "Apply succeeds again");
  middle_is(red, "Apply sets what was captured");
}

/// Of a render target that a texture is.
[[nodiscard]] auto top_of(const stage& on, IDirect3DTexture9& texture) -> com<IDirect3DSurface9> {
  return on.make<IDirect3DSurface9>("GetSurfaceLevel succeeds", [&](IDirect3DSurface9** made) {
    return texture.GetSurfaceLevel(0, made);
  });
}

/// Target 2 without 1, and then after 1 is taken away.
void run_target_gap(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto shader = on.make<IDirect3DPixelShader9>(
      "CreatePixelShader succeeds", [&](IDirect3DPixelShader9** made) {
        return on->CreatePixelShader(three_target_shader, made);
      });
  const auto make_target = [&] {
    return on.texture(stage::width, stage::height, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                      D3DPOOL_DEFAULT);
  };
  const auto between = make_target(), behind = make_target();
  if (!shader || !between || !behind) return;
  const auto middle = top_of(on, *between), last = top_of(on, *behind);
  if (!middle || !last) return;
  for (const bool was_bound : {false, true}) {
    if (was_bound) on.works(on->SetRenderTarget(1, middle.get()), "target 1 can be bound");
    on.works(on->SetRenderTarget(2, last.get()), "target 2 can be bound");
    if (was_bound) on.works(on->SetRenderTarget(1, nullptr), "target 1 can be taken away");
    on.clear(blue);
    on->SetPixelShader(shader.get());
    on.draw(D3DPT_TRIANGLELIST, 1, middle_triangle(white));
    on->SetPixelShader(nullptr);
    on.works(on->SetRenderTarget(2, nullptr), "target 2 can be taken away");
    expect_middle(on, blue, red);
    on.clear(black);
    on.show(*behind);
    on.shows_middle(blue, green, "the target behind the gap has its own colour");
  }
}

}  // namespace

const guest_test d3d9_target_gap{"d3d9_target_gap",
                                 "A render target behind an empty one is drawn to.", limit_ms,
                                 &run_target_gap, false};
const guest_test d3d9ex_triangle{"d3d9ex_triangle", "A triangle from a vertex buffer is seen.",
                                 limit_ms, &run_triangle, false};
const guest_test d3d9ex_multiframe_triangle{"d3d9ex_multiframe_triangle",
                                            "Each frame shows its own triangle.", limit_ms,
                                            &run_multiframe, false};
const guest_test d3d9ex_ps_only_triangle{"d3d9ex_ps_only_triangle",
                                         "A pixel shader behind fixed-function vertices colours.",
                                         limit_ms, &run_pixel_shader, false};
const guest_test d3d9ex_draw_indexed_primitive_up{
    "d3d9ex_draw_indexed_primitive_up", "Indexed vertices of the program's memory are drawn.",
    limit_ms, &run_indexed_up, false};
const guest_test d3d9ex_vb_dirty_range{"d3d9ex_vb_dirty_range",
                                       "A lock of a part changes that part of a buffer alone.",
                                       limit_ms, &run_dirty_range, false};
const guest_test d3d9_dynamic_vb_lock_semantics{
    "d3d9_dynamic_vb_lock_semantics", "DISCARD and NOOVERWRITE keep what draws still need.",
    limit_ms, &run_dynamic_buffer, false};
const guest_test d3d9ex_scissor_sanity{"d3d9ex_scissor_sanity",
                                       "A scissor rectangle cuts what is drawn.", limit_ms,
                                       &run_scissor, false};
const guest_test d3d9ex_stateblock_sanity{"d3d9ex_stateblock_sanity",
                                          "A state block applies, captures and applies that.",
                                          limit_ms, &run_state_block, false};

}  // namespace aerogpu::guest
