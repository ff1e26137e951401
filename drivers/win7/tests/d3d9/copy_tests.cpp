// SPDX-License-Identifier: MIT
/// \file Copies, fills and formats of textures (umd-d3d9.md 7, G21, G23, G24, G35).
#include "drivers/win7/tests/d3d9/tests.hpp"

#include <cstdint>
#include <cstring>

namespace aerogpu::guest {
namespace {

/// Of system memory, one colour.
[[nodiscard]] auto plain_surface(const stage& on, UINT edge, D3DCOLOR color)
    -> com<IDirect3DSurface9> {
  auto made = on.make<IDirect3DSurface9>(
      "CreateOffscreenPlainSurface succeeds", [&](IDirect3DSurface9** out) {
        return on->CreateOffscreenPlainSurface(edge, edge, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM, out,
                                               nullptr);
      });
  D3DLOCKED_RECT locked{};
  if (!made || !on.needs(made->LockRect(&locked, nullptr, 0), "LockRect succeeds")) return nullptr;
  fill_texels(locked, edge, color);
  on.needs(made->UnlockRect(), "UnlockRect succeeds");
  return made;
}

void run_stretch_rect(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto target = on.target();
  const auto from = plain_surface(on, 16, green);
  const auto video =
      on.make<IDirect3DSurface9>("CreateRenderTarget succeeds", [&](IDirect3DSurface9** made) {
        return on->CreateRenderTarget(16, 16, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, made,
                                      nullptr);
      });
  if (!target || !from || !video) return;
  on.clear(black);
  constexpr LONG half = stage::width / 2, whole = stage::width;
  const RECT upper_left{0, 0, half, half}, upper_right{half, 0, whole, half},
      lower_left{0, half, half, whole};
  on.works(on->ColorFill(target.get(), &upper_left, red), "ColorFill succeeds");
  on.works(on->UpdateSurface(from.get(), nullptr, video.get(), nullptr), "UpdateSurface succeeds");
  on.works(on->StretchRect(video.get(), nullptr, target.get(), &upper_right, D3DTEXF_POINT),
           "StretchRect succeeds");
  on.works(on->ColorFill(video.get(), nullptr, blue), "ColorFill of a target succeeds");
  on.works(on->StretchRect(video.get(), nullptr, target.get(), &lower_left, D3DTEXF_LINEAR),
           "StretchRect with a linear filter succeeds");
  on.shows(8, 8, red, "the upper left quarter is filled");
  on.shows(40, 8, green, "the upper right one has what UpdateSurface brought");
  on.shows(8, 40, blue, "the lower left one has what was filled later");
  on.shows(40, 40, black, "the lower right one is as it was");
}

void run_update_texture(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto from = on.texture(8, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto video = on.texture(8, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  if (!from || !video) return;
  to.check(from->GetLevelCount() == 4, "a texture of 8x8 has four levels",
           message{static_cast<std::uint32_t>(from->GetLevelCount())});
  constexpr D3DCOLOR of_level[] = {red, green, blue, white};
  for (UINT level = 0; level < 4; ++level) {
    D3DLOCKED_RECT locked{};
    if (!on.needs(from->LockRect(level, &locked, nullptr, 0), "LockRect succeeds")) return;
    const UINT edge = 8u >> level;
    to.check(locked.Pitch >= static_cast<INT>(edge * 4), "a row has room for its texels",
             message{static_cast<std::uint32_t>(locked.Pitch)});
    fill_texels(locked, edge, of_level[level]);
    on.needs(from->UnlockRect(level), "UnlockRect succeeds");
  }
  on.works(on->UpdateTexture(from.get(), video.get()), "UpdateTexture succeeds");
  on->SetSamplerState(0, D3DSAMP_MIPFILTER, D3DTEXF_POINT);
  for (DWORD level = 0; level < 4; ++level) {
    on->SetSamplerState(0, D3DSAMP_MAXMIPLEVEL, level);
    on.show(*video);
    on.shows(stage::middle, stage::middle, of_level[level], "MAXMIPLEVEL chooses the level");
  }
}

[[nodiscard]] auto texture_of_16_bits(const stage& on, D3DFORMAT format, std::uint16_t texel)
    -> com<IDirect3DTexture9> {
  constexpr UINT edge = 4;
  auto made = on.texture(edge, edge, 1, D3DUSAGE_DYNAMIC, format, D3DPOOL_DEFAULT);
  D3DLOCKED_RECT locked{};
  if (!made || !on.needs(made->LockRect(0, &locked, nullptr, D3DLOCK_DISCARD), "LockRect succeeds"))
    return nullptr;
  fill_texels(locked, edge, texel);
  on.needs(made->UnlockRect(0), "UnlockRect succeeds");
  return made;
}

void run_16_bits(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  struct row {
    D3DFORMAT format;
    std::uint16_t texel;
    D3DCOLOR seen;
    rule_text rule;
  };
  constexpr row rows[] = {
      {D3DFMT_R5G6B5, 0xF800, red, "R5G6B5 has red on top"},
      {D3DFMT_R5G6B5, 0x07E0, green, "R5G6B5 has six bits of green"},
      {D3DFMT_X1R5G5B5, 0x001F, blue, "X1R5G5B5 has blue below"},
      {D3DFMT_X1R5G5B5, 0x4210, 0xFF848484, "X1R5G5B5 spreads five bits over eight"},
      {D3DFMT_A1R5G5B5, 0xFC00, red, "A1R5G5B5 has red below alpha"},
  };
  for (const row& one : rows) {
    const auto texture = texture_of_16_bits(on, one.format, one.texel);
    if (!texture) return;
    on.clear(black);
    on.show(*texture);
    on.shows(stage::middle, stage::middle, one.seen, one.rule, 2);
  }
}

void run_16_bit_formats(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  constexpr UINT edge = 4;
  constexpr std::uint16_t written = 0xA5C3;
  for (const auto format : {D3DFMT_R5G6B5, D3DFMT_X1R5G5B5, D3DFMT_A1R5G5B5}) {
    on.works(on.direct3d().CheckDeviceFormat(on.adapter(), D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0,
                                             D3DRTYPE_TEXTURE, format),
             "textures of 16 bits a texel are offered");
    const auto texture = texture_of_16_bits(on, format, written);
    D3DLOCKED_RECT locked{};
    if (!texture || !on.needs(texture->LockRect(0, &locked, nullptr, D3DLOCK_READONLY),
                              "LockRect for reading succeeds"))
      return;
    std::uint16_t read = 0;
    std::memcpy(&read, locked.pBits, sizeof read);
    on.needs(texture->UnlockRect(0), "UnlockRect succeeds");
    to.check(locked.Pitch >= static_cast<INT>(edge * sizeof read) && read == written,
             "a lock gives what was written", message{hex{read}});
  }
  on->SetRenderState(D3DRS_ALPHATESTENABLE, TRUE);
  on->SetRenderState(D3DRS_ALPHAFUNC, D3DCMP_GREATER);
  on->SetRenderState(D3DRS_ALPHAREF, 0x7F);
  constexpr std::uint16_t opaque_blue = 0x801F, clear_blue = 0x001F;
  const auto shows = [&](D3DFORMAT format, std::uint16_t texel, D3DCOLOR wanted, rule_text rule) {
    const auto texture = texture_of_16_bits(on, format, texel);
    on.clear(red);
    if (texture) on.show(*texture);
    on.shows(stage::middle, stage::middle, wanted, rule);
  };
  shows(D3DFMT_A1R5G5B5, clear_blue, red, "a texel of A1R5G5B5 without its alpha bit is hidden");
  shows(D3DFMT_A1R5G5B5, opaque_blue, blue, "and with it shown");
  shows(D3DFMT_X1R5G5B5, clear_blue, blue, "X1R5G5B5 is opaque");
  shows(D3DFMT_R5G6B5, clear_blue, blue, "so is R5G6B5");
}

void run_shared_allocations(session& with, report& to) {
  stage on{with, to};
  if (!on.open()) return;
  const auto create = [&](UINT levels, DWORD usage, HANDLE* share, com<IDirect3DTexture9>& made) {
    IDirect3DTexture9* out = nullptr;
    const HRESULT result =
        on->CreateTexture(32, 32, levels, usage, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, &out, share);
    made.reset(out);
    return result;
  };
  com<IDirect3DTexture9> target, chain, plain;
  HANDLE shared = nullptr, refused = nullptr;
  on.works(create(1, D3DUSAGE_RENDERTARGET, &shared, target), "a render target can be shared");
  to.check(shared != nullptr, "and gets a handle");
  to.check(FAILED(create(0, 0, &refused, chain)), "a chain of levels cannot be shared");
  on.works(create(4, 0, nullptr, plain), "one that is not shared can have four");
}

}  // namespace

const guest_test d3d9ex_stretchrect{"d3d9ex_stretchrect",
                                    "ColorFill, UpdateSurface and StretchRect bring their texels.",
                                    limit_ms, &run_stretch_rect, false};
const guest_test d3d9_mipmapped_texture_smoke{"d3d9_mipmapped_texture_smoke",
                                              "UpdateTexture brings each level.", limit_ms,
                                              &run_update_texture, false};
const guest_test d3d9_texture_16bit_sampling{"d3d9_texture_16bit_sampling",
                                             "Texels of 16 bits have their colours.", limit_ms,
                                             &run_16_bits, false};
const guest_test d3d9ex_texture_16bit_formats{
    "d3d9ex_texture_16bit_formats", "Textures of 16 bits keep their bytes and know their alpha.",
    limit_ms, &run_16_bit_formats, false};
const guest_test d3d9ex_shared_allocations{"d3d9ex_shared_allocations",
                                           "What can be shared is, and nothing else.", limit_ms,
                                           &run_shared_allocations, false};

}  // namespace aerogpu::guest
