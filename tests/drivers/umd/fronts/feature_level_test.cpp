// SPDX-License-Identifier: MIT
/// Feature level 9_1 (umd-d3d9.md 2.2.5): what Direct3D 10.1, and with it the compositor, asks of a
/// driver of profile M, written from Microsoft's pages.
#include "drivers/win7/ddi/user/d3dumddi_values.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::umd::test {

namespace {

template <class T>
[[nodiscard]] auto ask_for(adapter_rig& rig, D3DDDICAPS_TYPE type, std::span<T> out) -> HRESULT {
  D3DDDIARG_GETCAPS query{};
  query.Type = type;
  query.pData = out.data();
  query.DataSize = static_cast<UINT>(out.size_bytes());
  return rig.table.pfnGetCaps(rig.handle, &query);
}
template <class T>
[[nodiscard]] auto ask_for(adapter_rig& rig, D3DDDICAPS_TYPE type) -> T {
  T out{};
  REQUIRE(ask_for(rig, type, std::span{&out, 1}) == S_OK);
  return out;
}

/// A bit of a member of D3DCAPS9.
struct wanted_bit {
  DWORD D3DCAPS9::*member;
  DWORD bit;
  const char* name;
};
using c = D3DCAPS9;
constexpr std::array wanted_bits{
    wanted_bit{&c::Caps2, D3DCAPS2_DYNAMICTEXTURES, "Caps2 DYNAMICTEXTURES"},
    wanted_bit{&c::Caps2, D3DCAPS2_FULLSCREENGAMMA, "Caps2 FULLSCREENGAMMA"},
    wanted_bit{&c::PresentationIntervals, D3DPRESENT_INTERVAL_IMMEDIATE, "INTERVAL_IMMEDIATE"},
    wanted_bit{&c::PresentationIntervals, D3DPRESENT_INTERVAL_ONE, "INTERVAL_ONE"},
    wanted_bit{&c::PrimitiveMiscCaps, D3DPMISCCAPS_COLORWRITEENABLE, "Misc COLORWRITEENABLE"},
    wanted_bit{&c::ShadeCaps, D3DPSHADECAPS_ALPHAGOURAUDBLEND, "Shade ALPHAGOURAUDBLEND"},
    wanted_bit{&c::ShadeCaps, D3DPSHADECAPS_COLORGOURAUDRGB, "Shade COLORGOURAUDRGB"},
    wanted_bit{&c::ShadeCaps, D3DPSHADECAPS_FOGGOURAUD, "Shade FOGGOURAUD"},
    wanted_bit{&c::ShadeCaps, D3DPSHADECAPS_SPECULARGOURAUDRGB, "Shade SPECULARGOURAUDRGB"},
    wanted_bit{&c::TextureFilterCaps, D3DPTFILTERCAPS_MINFLINEAR, "Texture MINFLINEAR"},
    wanted_bit{&c::TextureFilterCaps, D3DPTFILTERCAPS_MINFPOINT, "Texture MINFPOINT"},
    wanted_bit{&c::TextureFilterCaps, D3DPTFILTERCAPS_MAGFLINEAR, "Texture MAGFLINEAR"},
    wanted_bit{&c::TextureFilterCaps, D3DPTFILTERCAPS_MAGFPOINT, "Texture MAGFPOINT"},
    wanted_bit{&c::TextureCaps, D3DPTEXTURECAPS_ALPHA, "Texture ALPHA"},
    wanted_bit{&c::TextureCaps, D3DPTEXTURECAPS_CUBEMAP, "Texture CUBEMAP"},
    wanted_bit{&c::TextureCaps, D3DPTEXTURECAPS_MIPMAP, "Texture MIPMAP"},
    wanted_bit{&c::TextureCaps, D3DPTEXTURECAPS_PERSPECTIVE, "Texture PERSPECTIVE"},
    wanted_bit{&c::TextureAddressCaps, D3DPTADDRESSCAPS_CLAMP, "Address CLAMP"},
    wanted_bit{&c::TextureAddressCaps, D3DPTADDRESSCAPS_INDEPENDENTUV, "Address INDEPENDENTUV"},
    wanted_bit{&c::TextureAddressCaps, D3DPTADDRESSCAPS_MIRROR, "Address MIRROR"},
    wanted_bit{&c::TextureAddressCaps, D3DPTADDRESSCAPS_WRAP, "Address WRAP"},
    wanted_bit{&c::TextureOpCaps, D3DTEXOPCAPS_DISABLE, "Op DISABLE"},
    wanted_bit{&c::TextureOpCaps, D3DTEXOPCAPS_MODULATE, "Op MODULATE"},
    wanted_bit{&c::TextureOpCaps, D3DTEXOPCAPS_SELECTARG1, "Op SELECTARG1"},
    wanted_bit{&c::TextureOpCaps, D3DTEXOPCAPS_SELECTARG2, "Op SELECTARG2"},
    wanted_bit{&c::SrcBlendCaps, D3DPBLENDCAPS_INVDESTALPHA, "Src INVDESTALPHA"},
    wanted_bit{&c::SrcBlendCaps, D3DPBLENDCAPS_INVDESTCOLOR, "Src INVDESTCOLOR"},
    wanted_bit{&c::SrcBlendCaps, D3DPBLENDCAPS_INVSRCALPHA, "Src INVSRCALPHA"},
    wanted_bit{&c::SrcBlendCaps, D3DPBLENDCAPS_ONE, "Src ONE"},
    wanted_bit{&c::SrcBlendCaps, D3DPBLENDCAPS_SRCALPHA, "Src SRCALPHA"},
    wanted_bit{&c::SrcBlendCaps, D3DPBLENDCAPS_ZERO, "Src ZERO"},
    wanted_bit{&c::DestBlendCaps, D3DPBLENDCAPS_ONE, "Dest ONE"},
    wanted_bit{&c::DestBlendCaps, D3DPBLENDCAPS_INVSRCALPHA, "Dest INVSRCALPHA"},
    wanted_bit{&c::DestBlendCaps, D3DPBLENDCAPS_INVSRCCOLOR, "Dest INVSRCCOLOR"},
    wanted_bit{&c::DestBlendCaps, D3DPBLENDCAPS_SRCALPHA, "Dest SRCALPHA"},
    wanted_bit{&c::DestBlendCaps, D3DPBLENDCAPS_ZERO, "Dest ZERO"},
    wanted_bit{&c::StretchRectFilterCaps, D3DPTFILTERCAPS_MAGFLINEAR, "Stretch MAGFLINEAR"},
    wanted_bit{&c::StretchRectFilterCaps, D3DPTFILTERCAPS_MAGFPOINT, "Stretch MAGFPOINT"},
    wanted_bit{&c::StretchRectFilterCaps, D3DPTFILTERCAPS_MINFLINEAR, "Stretch MINFLINEAR"},
    wanted_bit{&c::StretchRectFilterCaps, D3DPTFILTERCAPS_MINFPOINT, "Stretch MINFPOINT"},
    wanted_bit{&c::ZCmpCaps, 0x80, "ZCmp ALWAYS"},
    wanted_bit{&c::ZCmpCaps, 0x08, "ZCmp LESSEQUAL"},
    wanted_bit{&c::RasterCaps, D3DPRASTERCAPS_DEPTHBIAS, "Raster DEPTHBIAS"},
    wanted_bit{&c::RasterCaps, D3DPRASTERCAPS_SLOPESCALEDEPTHBIAS, "Raster SLOPESCALEDEPTHBIAS"},
    wanted_bit{&c::StencilCaps, D3DSTENCILCAPS_TWOSIDED, "Stencil TWOSIDED"},
    // The page of formats: vertex buffers of 9_1, where the driver processes vertices.
    wanted_bit{&c::DeclTypes, D3DDTCAPS_UBYTE4, "Decl UBYTE4"},
    wanted_bit{&c::DeclTypes, D3DDTCAPS_UBYTE4N, "Decl UBYTE4N"},
    wanted_bit{&c::DeclTypes, D3DDTCAPS_SHORT2N, "Decl SHORT2N"},
    wanted_bit{&c::DeclTypes, D3DDTCAPS_SHORT4N, "Decl SHORT4N"},
};

/// The least that a member may be.
constexpr std::array wanted_numbers{
    wanted_bit{&c::MaxTextureWidth, 2048, "MaxTextureWidth"},
    wanted_bit{&c::MaxTextureHeight, 2048, "MaxTextureHeight"},
    wanted_bit{&c::NumSimultaneousRTs, 1, "NumSimultaneousRTs"},
    wanted_bit{&c::MaxSimultaneousTextures, 8, "MaxSimultaneousTextures"},
    wanted_bit{&c::MaxTextureBlendStages, 8, "MaxTextureBlendStages"},
    wanted_bit{&c::PixelShaderVersion, 0xFFFF0200, "PixelShaderVersion"},
    wanted_bit{&c::MaxPrimitiveCount, 65535, "MaxPrimitiveCount"},
    wanted_bit{&c::MaxVertexIndex, 65534, "MaxVertexIndex"},
    wanted_bit{&c::MaxVolumeExtent, 256, "MaxVolumeExtent"},
    wanted_bit{&c::MaxAnisotropy, 2, "MaxAnisotropy"},
};

/// What a format of the page needs at 9_1, in FORMATOP_ bits as the page's second table has them.
struct wanted_format {
  D3DFORMAT d3d9;
  const char* name;
  UINT operations;
  D3DFORMAT other = D3DFMT_UNKNOWN;  ///< That may stand in for it.
};
constexpr UINT texture2d = FORMATOP_TEXTURE;
constexpr UINT texture3d = FORMATOP_VOLUMETEXTURE;
constexpr UINT cube = FORMATOP_CUBETEXTURE;
constexpr UINT target = FORMATOP_OFFSCREEN_RENDERTARGET;
constexpr UINT depth = FORMATOP_ZSTENCIL;
constexpr std::array wanted_formats{
    wanted_format{D3DFMT_A8R8G8B8, "A8R8G8B8", texture2d | texture3d | cube | target},
    wanted_format{D3DFMT_X8R8G8B8, "X8R8G8B8", texture2d | texture3d | cube | target},
    // Of R8G8B8A8_UNORM, for which the page has A8R8G8B8 once more.
    wanted_format{D3DFMT_A8B8G8R8, "A8B8G8R8", texture2d | texture3d | cube | target},
    wanted_format{D3DFMT_Q8W8V8U8, "Q8W8V8U8", texture2d | cube},
    wanted_format{D3DFMT_V16U16, "V16U16", texture2d},
    wanted_format{D3DFMT_V8U8, "V8U8", texture2d},
    wanted_format{D3DFMT_L8, "L8", texture2d | texture3d | cube},
    wanted_format{D3DFMT_DXT1, "DXT1", texture2d | cube},
    wanted_format{D3DFMT_DXT2, "DXT2", texture2d | cube},
    wanted_format{D3DFMT_DXT4, "DXT4", texture2d | cube},
    wanted_format{D3DFMT_D24S8, "D24S8", depth, static_cast<D3DFORMAT>(D3DDDIFMT_S8D24)},
    wanted_format{D3DFMT_D16, "D16", depth, D3DFMT_D16_LOCKABLE},
};
/// SHADER_SAMPLE, BLENDABLE and MIP are what is not said.
constexpr UINT unwanted = FORMATOP_NOFILTER | FORMATOP_NOALPHABLEND | FORMATOP_NOTEXCOORDWRAPNORMIP;

struct named_operation {
  UINT bit;
  const char* name;
};
constexpr std::array operation_names{
    named_operation{texture2d, "TEXTURE"}, named_operation{texture3d, "VOLUMETEXTURE"},
    named_operation{cube, "CUBETEXTURE"},  named_operation{target, "OFFSCREEN_RENDERTARGET"},
    named_operation{depth, "ZSTENCIL"},
};

[[nodiscard]] auto list_formats(adapter_rig& rig) -> std::vector<FORMATOP> {
  std::vector<FORMATOP> list(ask_for<UINT>(rig, D3DDDICAPS_GETFORMATCOUNT));
  REQUIRE(ask_for(rig, D3DDDICAPS_GETFORMATDATA, std::span{list}) == S_OK);
  return list;
}
[[nodiscard]] auto operations_of(const std::vector<FORMATOP>& list, D3DFORMAT format) -> UINT {
  for (const FORMATOP& each : list) {
    if (static_cast<int>(each.Format) == static_cast<int>(format)) return each.Operations;
  }
  return 0;
}

/// CREATERESOURCE of one surface; what is left behind is the rig's to find.
[[nodiscard]] auto create(device_m_rig& rig, D3DFORMAT format, auto change) -> HRESULT {
  D3DDDI_SURFACEINFO surface{8, 8, 1, nullptr, 0, 0};
  D3DDDIARG_CREATERESOURCE wanted{};
  wanted.Format = static_cast<D3DDDIFORMAT>(format);
  wanted.Pool = D3DDDIPOOL_VIDEOMEMORY;
  wanted.MipLevels = 1;
  wanted.Rotation = D3DDDI_ROTATION_IDENTITY;
  wanted.pSurfList = &surface;
  wanted.SurfCount = 1;
  wanted.Flags.Texture = 1;
  change(wanted);
  const HRESULT created = rig.functions.pfnCreateResource(rig.device, &wanted);
  if (SUCCEEDED(created)) {
    CHECK(rig.functions.pfnDestroyResource(rig.device, wanted.hResource) == S_OK);
  }
  return created;
}

}  // namespace

TEST_CASE("D3DCAPS9 of profile M has each bit and number that feature level 9_1 wants",
          "[umd][T056]") {
  adapter_rig rig;
  const auto caps = ask_for<D3DCAPS9>(rig, D3DDDICAPS_GETD3D9CAPS);
  std::vector<std::string> missing;
  for (const wanted_bit& each : wanted_bits) {
    if ((caps.*each.member & each.bit) != each.bit) missing.emplace_back(each.name);
  }
  for (const wanted_bit& each : wanted_numbers) {
    if (caps.*each.member < each.bit) missing.emplace_back(each.name);
  }
  if (caps.MaxTextureRepeat != 0 && caps.MaxTextureRepeat < 128) missing.emplace_back("Repeat");
  if (caps.MaxVertexW < 0) missing.emplace_back("MaxVertexW");
  CHECK(missing == std::vector<std::string>{});
  constexpr DWORD both = D3DPTEXTURECAPS_NONPOW2CONDITIONAL | D3DPTEXTURECAPS_POW2;
  CHECK(((caps.TextureCaps & both) == 0 || (caps.TextureCaps & both) == both));
  CHECK((caps.TextureCaps & D3DPTEXTURECAPS_VOLUMEMAP) == 0);  // Nothing makes one.
}

TEST_CASE("profile M takes gamma ramps, as its kernel driver does", "[umd][T056]") {
  adapter_rig rig;
  CHECK(ask_for<DDIGAMMACAPS>(rig, D3DDDICAPS_GETGAMMARAMPCAPS).GammaCaps == 1);
}

TEST_CASE("profile M lists each format operation that feature level 9_1 wants", "[umd][T057]") {
  adapter_rig rig;
  const auto list = list_formats(rig);
  std::vector<std::string> missing, extra;
  for (const wanted_format& each : wanted_formats) {
    const UINT found = operations_of(list, each.d3d9) | operations_of(list, each.other);
    for (const named_operation& operation : operation_names) {
      const bool is_wanted = (each.operations & operation.bit) != 0;
      if (is_wanted && (found & operation.bit) == 0) {
        missing.push_back(std::string{each.name} + " " + operation.name);
      }
    }
    if ((found & unwanted) != 0) extra.emplace_back(each.name);
  }
  CHECK(missing == std::vector<std::string>{});
  CHECK(extra == std::vector<std::string>{});
}

TEST_CASE("what is listed for feature level 9_1 alone is not created, and leaves nothing",
          "[umd][T057][T070]") {
  device_m_rig rig;
  const std::size_t before = rig.callbacks.allocations.size();
  const auto nothing = [](D3DDDIARG_CREATERESOURCE&) {};
  const auto in_memory = [](D3DDDIARG_CREATERESOURCE& of) { of.Pool = D3DDDIPOOL_SYSTEMMEM; };
  const auto volume = [](D3DDDIARG_CREATERESOURCE& of) { of.Flags.Volume = 1; };
  for (const D3DFORMAT format : {D3DFMT_V8U8, D3DFMT_V16U16, D3DFMT_Q8W8V8U8}) {
    CAPTURE(format);
    CHECK(create(rig, format, nothing) == D3DERR_NOTAVAILABLE);
    CHECK(create(rig, format, in_memory) == D3DERR_NOTAVAILABLE);
    CHECK(create(rig, format, volume) == D3DERR_NOTAVAILABLE);
  }
  for (const D3DFORMAT format : {D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8, D3DFMT_A8B8G8R8, D3DFMT_L8}) {
    CAPTURE(format);
    CHECK(create(rig, format, volume) == D3DERR_NOTAVAILABLE);
    CHECK(create(rig, format, nothing) == S_OK);
  }
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  CHECK(rig.callbacks.allocations.size() == before);
}

}  // namespace aerogpu::umd::test
