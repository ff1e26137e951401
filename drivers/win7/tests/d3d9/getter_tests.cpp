// SPDX-License-Identifier: MIT
/// \file What is set is what a getter gives (umd-d3d9.md 7, G08 to G10).
#include "drivers/win7/tests/d3d9/tests.hpp"

#include <algorithm>

namespace aerogpu::guest {
namespace {

void run_state_round_trip(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  DWORD value = 0;
  on->SetRenderState(D3DRS_TEXTUREFACTOR, 0x12345678);
  on->GetRenderState(D3DRS_TEXTUREFACTOR, &value);
  to.check(value == 0x12345678, "a render state comes back", message{hex{value}});
  on->SetSamplerState(3, D3DSAMP_ADDRESSV, D3DTADDRESS_CLAMP);
  on->GetSamplerState(3, D3DSAMP_ADDRESSV, &value);
  to.check(value == D3DTADDRESS_CLAMP, "a sampler state comes back", message{hex{value}});
  on->SetTextureStageState(2, D3DTSS_ALPHAARG2, D3DTA_TFACTOR);
  on->GetTextureStageState(2, D3DTSS_ALPHAARG2, &value);
  to.check(value == D3DTA_TFACTOR, "a stage's state comes back", message{hex{value}});
  D3DMATRIX set{}, got{};
  set._11 = 2;
  set._43 = -3;
  on->SetTransform(D3DTS_VIEW, &set);
  on->GetTransform(D3DTS_VIEW, &got);
  to.check(got._11 == 2 && got._43 == -3 && got._22 == 0, "a matrix comes back");
  const D3DVIEWPORT9 viewport{1, 2, 30, 40, 0.25f, 0.75f};
  D3DVIEWPORT9 seen{};
  on->SetViewport(&viewport);
  on->GetViewport(&seen);
  to.check(seen.X == 1 && seen.Height == 40 && seen.MaxZ == 0.75f, "a viewport comes back");
  const float constants[4] = {1, -2, 3, 0.5f};
  float read[4] = {};
  on->SetVertexShaderConstantF(17, constants, 1);
  on->GetVertexShaderConstantF(17, read, 1);
  to.check(std::equal(constants, constants + 4, read), "a constant comes back");
}

/// Whether a getter gives that object.
template <class T, class Get>
[[nodiscard]] auto gives(const T* wanted, Get get) -> bool {
  T* seen = nullptr;
  if (FAILED(get(&seen)) || seen == nullptr) return false;
  seen->Release();
  return seen == wanted;
}

void check_resources(const stage& on, report& to) {
  const auto texture = on.plain_texture(red);
  const auto vertices =
      on.make<IDirect3DVertexBuffer9>("CreateVertexBuffer succeeds", [&](auto** made) {
        return on->CreateVertexBuffer(256, 0, 0, D3DPOOL_DEFAULT, made, nullptr);
      });
  const auto indices =
      on.make<IDirect3DIndexBuffer9>("CreateIndexBuffer succeeds", [&](auto** made) {
        return on->CreateIndexBuffer(64, 0, D3DFMT_INDEX16, D3DPOOL_DEFAULT, made, nullptr);
      });
  const auto target = on.make<IDirect3DSurface9>("CreateRenderTarget succeeds", [&](auto** made) {
    return on->CreateRenderTarget(32, 32, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, made,
                                  nullptr);
  });
  const auto depth =
      on.make<IDirect3DSurface9>("CreateDepthStencilSurface succeeds", [&](auto** made) {
        return on->CreateDepthStencilSurface(32, 32, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, FALSE,
                                             made, nullptr);
      });
  if (!texture || !vertices || !indices || !target || !depth) return;
  on->SetTexture(2, texture.get());
  to.check(gives<IDirect3DBaseTexture9>(texture.get(),
                                        [&](auto** seen) { return on->GetTexture(2, seen); }),
           "GetTexture gives the texture");
  on->SetTexture(2, nullptr);
  on->SetStreamSource(1, vertices.get(), 16, 24);
  UINT offset = 0, stride = 0;
  to.check(gives<IDirect3DVertexBuffer9>(
               vertices.get(),
               [&](auto** seen) { return on->GetStreamSource(1, seen, &offset, &stride); }) &&
               offset == 16 && stride == 24,
           "GetStreamSource gives buffer, offset and stride");
  on->SetIndices(indices.get());
  to.check(gives<IDirect3DIndexBuffer9>(indices.get(),
                                        [&](auto** seen) { return on->GetIndices(seen); }),
           "GetIndices gives the buffer");
  on->SetRenderTarget(0, target.get());
  on->SetDepthStencilSurface(depth.get());
  to.check(gives<IDirect3DSurface9>(target.get(),
                                    [&](auto** seen) { return on->GetRenderTarget(0, seen); }),
           "GetRenderTarget gives the target");
  to.check(gives<IDirect3DSurface9>(depth.get(),
                                    [&](auto** seen) { return on->GetDepthStencilSurface(seen); }),
           "GetDepthStencilSurface gives the surface");
  D3DVIEWPORT9 viewport{};
  on->GetViewport(&viewport);
  to.check(viewport.Width == 32 && viewport.Height == 32, "the viewport follows the target");
}

void run_getters(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  check_resources(on, to);
  const RECT scissor{1, 2, 20, 30};
  RECT seen{};
  on->SetScissorRect(&scissor);
  on->GetScissorRect(&seen);
  to.check(seen.left == 1 && seen.top == 2 && seen.right == 20 && seen.bottom == 30,
           "GetScissorRect gives the rectangle");
  DWORD format = 0;
  on->SetFVF(space_vertex::format);
  on->GetFVF(&format);
  to.check(format == space_vertex::format, "GetFVF gives the format", message{hex{format}});
  on->SetSoftwareVertexProcessing(FALSE);
  to.check(on->GetSoftwareVertexProcessing() == FALSE, "hardware processes vertices");
  D3DDEVICE_CREATION_PARAMETERS made{};
  on.works(on->GetCreationParameters(&made), "GetCreationParameters succeeds");
  to.check(made.hFocusWindow == on.window() && made.DeviceType == D3DDEVTYPE_HAL,
           "and gives the window and the type");
}

struct fixed_state {
  D3DMATRIX world{};
  D3DMATERIAL9 material{};
  D3DLIGHT9 light{};
  float plane[4] = {};
  DWORD operation = 0;
};

[[nodiscard]] auto some_state(float value) -> fixed_state {
  fixed_state made;
  made.world = scaling(value);
  made.material.Diffuse = {value, 0.5f, 0, 1};
  made.light.Type = D3DLIGHT_DIRECTIONAL;
  made.light.Diffuse = {0, value, 0, 1};
  made.light.Direction = {0, 0, 1};
  made.plane[0] = value;
  made.operation = value > 1 ? D3DTOP_ADD : D3DTOP_MODULATE2X;
  return made;
}

void set(const stage& on, const fixed_state& to) {
  on->SetTransform(D3DTS_WORLD, &to.world);
  on->SetMaterial(&to.material);
  on->SetLight(1, &to.light);
  on->SetClipPlane(0, to.plane);
  on->SetTextureStageState(1, D3DTSS_COLOROP, to.operation);
}

[[nodiscard]] auto is_set(const stage& on, const fixed_state& wanted) -> bool {
  fixed_state seen;
  on->GetTransform(D3DTS_WORLD, &seen.world);
  on->GetMaterial(&seen.material);
  on->GetLight(1, &seen.light);
  on->GetClipPlane(0, seen.plane);
  on->GetTextureStageState(1, D3DTSS_COLOROP, &seen.operation);
  return seen.world._11 == wanted.world._11 &&
         seen.material.Diffuse.r == wanted.material.Diffuse.r &&
         seen.light.Diffuse.g == wanted.light.Diffuse.g && seen.plane[0] == wanted.plane[0] &&
         seen.operation == wanted.operation;
}

void run_fixed_round_trip(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto first = some_state(2), second = some_state(0.5f);
  set(on, first);
  to.check(is_set(on, first), "transform, material, light, clip plane and stage come back");
  if (!on.needs(on->BeginStateBlock(), "BeginStateBlock succeeds")) return;
  set(on, second);
  const auto block = on.make<IDirect3DStateBlock9>(
      "EndStateBlock succeeds",
      [&](IDirect3DStateBlock9** made) { return on->EndStateBlock(made); });
  if (!block) return;
  to.check(is_set(on, first), "what is recorded is not set");
  on.works(block->Apply(), "Apply succeeds");
  to.check(is_set(on, second), "Apply sets it");
  set(on, first);
  on.works(block->Capture(), "Capture succeeds");
  set(on, second);
  on.works(block->Apply(), "Apply succeeds again");
  to.check(is_set(on, first), "and sets what was captured");
}

}  // namespace

const guest_test d3d9ex_getters_sanity{"d3d9ex_getters_sanity",
                                       "Getters give what is bound and how the device was made.",
                                       limit_ms, &run_getters, false};
const guest_test d3d9_get_state_roundtrip{"d3d9_get_state_roundtrip",
                                          "What is set is what a getter gives.", limit_ms,
                                          &run_state_round_trip, false};
const guest_test d3d9ex_fixedfunc_state_roundtrip{
    "d3d9ex_fixedfunc_state_roundtrip", "Fixed-function state comes back, through blocks too.",
    limit_ms, &run_fixed_round_trip, false};

}  // namespace aerogpu::guest
