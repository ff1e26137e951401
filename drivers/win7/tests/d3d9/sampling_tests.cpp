// SPDX-License-Identifier: MIT
/// \file How textures are sampled: addresses, sRGB, levels that the driver makes (umd-d3d9.md 7,
/// G38).
#include "drivers/win7/tests/d3d9/tests.hpp"

#include <cstdint>
#include <cstring>

namespace aerogpu::guest {
namespace {

constexpr UINT edge = 4;
constexpr DWORD grey_half = 0xFF808080;

/// A texture whose left half is red and whose right half is green.
[[nodiscard]] auto two_colors(const stage& on) -> com<IDirect3DTexture9> {
  auto made = on.texture(edge, edge, 1, D3DUSAGE_DYNAMIC, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  D3DLOCKED_RECT locked{};
  if (!made || !on.needs(made->LockRect(0, &locked, nullptr, D3DLOCK_DISCARD), "LockRect succeeds"))
    return nullptr;
  for (UINT y = 0; y < edge; ++y) {
    auto* const row = static_cast<char*>(locked.pBits) + y * static_cast<UINT>(locked.Pitch);
    for (UINT x = 0; x < edge; ++x) {
      const D3DCOLOR texel = x < edge / 2 ? red : green;
      std::memcpy(row + x * sizeof texel, &texel, sizeof texel);
    }
  }
  on.needs(made->UnlockRect(0), "UnlockRect succeeds");
  return made;
}

void run_addressing(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  D3DCAPS9 caps{};
  if (!on.works(on->GetDeviceCaps(&caps), "GetDeviceCaps succeeds")) return;
  const auto texture = two_colors(on);
  if (!texture) return;
  on->SetSamplerState(0, D3DSAMP_BORDERCOLOR, blue);
  struct row {
    DWORD mode, cap;
    D3DCOLOR left, inside, right;  ///< At -0.5 to 0, 0 to 0.5 and 1 to 1.5 of a texture.
    rule_text rule;
  };
  constexpr row rows[] = {
      {D3DTADDRESS_WRAP, D3DPTADDRESSCAPS_WRAP, green, red, red, "WRAP repeats"},
      {D3DTADDRESS_MIRROR, D3DPTADDRESSCAPS_MIRROR, red, red, green, "MIRROR turns back"},
      {D3DTADDRESS_CLAMP, D3DPTADDRESSCAPS_CLAMP, red, red, green, "CLAMP keeps the last texel"},
      {D3DTADDRESS_BORDER, D3DPTADDRESSCAPS_BORDER, blue, red, blue, "BORDER has its colour"},
  };
  for (const row& one : rows) {
    if ((caps.TextureAddressCaps & one.cap) == 0) continue;
    on->SetSamplerState(0, D3DSAMP_ADDRESSU, one.mode);
    on->SetSamplerState(0, D3DSAMP_ADDRESSV, one.mode);
    on.clear(black);
    on.show(*texture, -0.5f, 1.5f);
    on.shows(8, 24, one.left, one.rule);
    on.shows(24, 24, one.inside, one.rule);
    on.shows(40, 24, green, one.rule);
    on.shows(56, 24, one.right, one.rule);
  }
  to.check((caps.TextureAddressCaps & D3DPTADDRESSCAPS_BORDER) != 0, "borders are offered");
}

[[nodiscard]] auto is_offered(const stage& on, DWORD usage) -> bool {
  return on.direct3d().CheckDeviceFormat(on.adapter(), D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage,
                                         D3DRTYPE_TEXTURE, D3DFMT_A8R8G8B8) == D3D_OK;
}

void run_srgb(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  to.check(is_offered(on, D3DUSAGE_QUERY_SRGBREAD), "A8R8G8B8 can be read as sRGB");
  to.check(is_offered(on, D3DUSAGE_RENDERTARGET | D3DUSAGE_QUERY_SRGBWRITE),
           "A8R8G8B8 can be written as sRGB");
  const auto texture = on.plain_texture(grey_half);
  if (!texture) return;
  // 0x80 of sRGB is 0.2159 of light, 55 of 255; back it is 0x80, and 0x80 of light is 188.
  constexpr D3DCOLOR decoded = 0xFF373737, encoded = 0xFFBCBCBC;
  on.show(*texture);
  on.shows(stage::middle, stage::middle, grey_half, "a texture is as it is");
  on->SetSamplerState(0, D3DSAMP_SRGBTEXTURE, TRUE);
  on.show(*texture);
  on.shows(stage::middle, stage::middle, decoded, "SRGBTEXTURE decodes", 2);
  on->SetRenderState(D3DRS_SRGBWRITEENABLE, TRUE);
  on.show(*texture);
  on.shows(stage::middle, stage::middle, grey_half, "SRGBWRITEENABLE encodes it back", 2);
  on->SetSamplerState(0, D3DSAMP_SRGBTEXTURE, FALSE);
  on.show(*texture);
  on.shows(stage::middle, stage::middle, encoded, "SRGBWRITEENABLE encodes", 2);
  on->SetRenderState(D3DRS_SRGBWRITEENABLE, FALSE);
  on.show(*texture);
  on.shows(stage::middle, stage::middle, grey_half, "and is over with the state");
}

/// Draws so small a part that the smallest level is sampled.
void show_smallest(const stage& on, IDirect3DTexture9& texture) {
  on->SetSamplerState(0, D3DSAMP_MIPFILTER, D3DTEXF_POINT);
  on->SetSamplerState(0, D3DSAMP_MAXMIPLEVEL, 8);
  on.clear(blue);
  on.show(texture);
  on->SetSamplerState(0, D3DSAMP_MAXMIPLEVEL, 0);
}

void run_generated_levels(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  constexpr DWORD target = D3DUSAGE_RENDERTARGET | D3DUSAGE_AUTOGENMIPMAP;
  to.check(is_offered(on, D3DUSAGE_AUTOGENMIPMAP), "levels of A8R8G8B8 can be generated");
  D3DCAPS9 caps{};
  on.works(on->GetDeviceCaps(&caps), "GetDeviceCaps succeeds");
  to.check((caps.Caps2 & D3DCAPS2_CANAUTOGENMIPMAP) != 0, "and caps say so");
  const auto texture = on.texture(16, 16, 0, target, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  const auto back = on.target();
  if (!texture || !back) return;
  to.check(texture->GetLevelCount() == 1, "a program sees the top level",
           message{static_cast<std::uint32_t>(texture->GetLevelCount())});
  const auto top = on.make<IDirect3DSurface9>(
      "GetSurfaceLevel succeeds",
      [&](IDirect3DSurface9** made) { return texture->GetSurfaceLevel(0, made); });
  if (!top) return;
  constexpr LONG half = 8, whole = 16;
  const RECT left{0, 0, half, whole}, right{half, 0, whole, whole};
  on.works(on->ColorFill(top.get(), &left, red), "ColorFill succeeds");
  on.works(on->ColorFill(top.get(), &right, green), "ColorFill succeeds");
  show_smallest(on, *texture);
  on.shows(stage::middle, stage::middle, 0xFF808000, "the smallest level is the mean of all", 2);

  on.works(on->SetRenderTarget(0, top.get()), "SetRenderTarget succeeds");
  on.clear(white);
  on.works(on->SetRenderTarget(0, back.get()), "SetRenderTarget succeeds");
  show_smallest(on, *texture);
  on.shows(stage::middle, stage::middle, white, "levels follow what is drawn into the top");
}

}  // namespace

const guest_test d3d9_texture_addressing{"d3d9_texture_addressing",
                                         "WRAP, MIRROR, CLAMP and BORDER sample what they name.",
                                         limit_ms, &run_addressing, false};
const guest_test d3d9_srgb_textures{"d3d9_srgb_textures",
                                    "Textures are read as sRGB, and targets written.", limit_ms,
                                    &run_srgb, false};
const guest_test d3d9_generated_levels{"d3d9_generated_levels",
                                       "AUTOGENMIPMAP keeps the smaller levels true.", limit_ms,
                                       &run_generated_levels, false};

}  // namespace aerogpu::guest
