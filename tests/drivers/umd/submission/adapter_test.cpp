// SPDX-License-Identifier: MIT
/// Opening adapters, what they say they can do, and the tables they give.
#include "aerogpu/memory/texture_layout.hpp"
#include "drivers/win7/umd/d3d9/adapter/caps.hpp"
#include "drivers/win7/umd/d3d9/adapter/formats.hpp"
#include "drivers/win7/umd/d3d9/core/entry_table.hpp"
#include "drivers/win7/umd/d3d9/front_m/device_table.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace aerogpu::umd::test {

namespace {

[[nodiscard]] auto ask(adapter_rig& rig, UINT type, mutable_bytes out) -> HRESULT {
  D3DDDIARG_GETCAPS query{};
  query.Type = static_cast<D3DDDICAPS_TYPE>(type);
  query.pData = out.data();
  query.DataSize = static_cast<UINT>(out.size());
  const HRESULT answered = rig.table.pfnGetCaps(rig.handle, &query);
  CHECK(query.DataSize == out.size());
  return answered;
}
template <class T>
[[nodiscard]] auto ask_for(adapter_rig& rig, UINT type) -> T {
  T out;
  std::memset(&out, 0xEE, sizeof out);
  REQUIRE(ask(rig, type, mutable_bytes_of(out)) == S_OK);
  return out;
}
[[nodiscard]] auto formats_of_rig(adapter_rig& rig) -> std::vector<FORMATOP> {
  std::vector<FORMATOP> formats(ask_for<UINT>(rig, D3DDDICAPS_GETFORMATCOUNT));
  REQUIRE(ask(rig, D3DDDICAPS_GETFORMATDATA, std::as_writable_bytes(std::span{formats})) == S_OK);
  return formats;
}

/// What a member of D3DCAPS9 has to have.
struct caps_row {
  const char* name;
  DWORD D3DCAPS9::*member;
  DWORD wanted;
};
void check_bits(const D3DCAPS9& caps, std::span<const caps_row> rows) {
  for (const caps_row& row : rows) {
    INFO(row.name);
    CHECK((caps.*row.member & row.wanted) == row.wanted);
  }
}
void check_least(const D3DCAPS9& caps, std::span<const caps_row> rows) {
  for (const caps_row& row : rows) {
    INFO(row.name);
    CHECK(caps.*row.member >= row.wanted);
  }
}

}  // namespace

TEST_CASE("OpenAdapter fills a table without NULL and says what it was built for", "[umd][T050]") {
  adapter_rig rig;
  CHECK(rig.table.pfnGetCaps != nullptr);
  CHECK(rig.table.pfnCreateDevice != nullptr);
  CHECK(rig.table.pfnCloseAdapter != nullptr);
  CHECK(rig.system.logged("OpenAdapter Interface=9 Version=65537 LUID=00000005:00001234") == 1);
  CHECK(rig.system.logged("UMDRIVERPRIVATE magic=0x55504741 (AGPU) abi=0x00010004 features=0x3f "
                          "flags=0x00000006") == 1);
  CHECK(rig.system.logged("KMD MaxAllocationListSlotId=65535") == 1);
}

TEST_CASE("OpenAdapter refuses what is not there and interfaces that it does not know",
          "[umd][T050]") {
  adapter_rig rig;
  D3DDDI_ADAPTERFUNCS functions{};
  D3DDDIARG_OPENADAPTER good{};
  good.hAdapter = &rig.callbacks;
  good.Interface = 9;
  good.pAdapterCallbacks = &rig.callbacks.adapter;
  good.pAdapterFuncs = &functions;
  CHECK(front_m::open_adapter(nullptr) == E_INVALIDARG);
  const auto refused = [&](auto&& change) {
    D3DDDIARG_OPENADAPTER open = good;
    change(open);
    CHECK(front_m::open_adapter(&open) == E_INVALIDARG);
    CHECK(open.hAdapter == &rig.callbacks);
  };
  refused([](auto& open) { open.pAdapterFuncs = nullptr; });
  refused([](auto& open) { open.pAdapterCallbacks = nullptr; });
  refused([](auto& open) { open.Interface = 0; });
  refused([](auto& open) { open.Interface = 6; });
  for (const UINT interface : {7u, 8u, 9u, 10u, 0xFFFFFFFFu}) {
    D3DDDIARG_OPENADAPTER open = good;
    open.Interface = interface;
    CHECK(front_m::open_adapter(&open) == S_OK);
    CHECK(functions.pfnCloseAdapter(open.hAdapter) == S_OK);
  }
  CHECK(rig.system.logged("is taken as 9") == 2);
  CHECK(rig.system.logged("OpenAdapter Interface=10 is taken as 9") == 1);
  CHECK(functions.pfnCloseAdapter(nullptr) == E_INVALIDARG);
}

TEST_CASE("a second open of one LUID gives the same adapter", "[umd][T051]") {
  adapter_rig rig;
  D3DDDI_ADAPTERFUNCS functions{};
  HANDLE second = nullptr;
  REQUIRE(rig.open(functions, second) == S_OK);
  CHECK(second == rig.handle);
  CHECK(openings(*front_m::to_adapter(second)) == 2);
  rig.system.kernel_adapter.luid.low = 0x4321;
  HANDLE other = nullptr;
  REQUIRE(rig.open(functions, other) == S_OK);
  CHECK(other != rig.handle);
  CHECK(functions.pfnCloseAdapter(other) == S_OK);
  CHECK(functions.pfnCloseAdapter(other) == E_INVALIDARG);
  CHECK(functions.pfnCloseAdapter(second) == S_OK);
  CHECK(openings(*front_m::to_adapter(rig.handle)) == 1);
}

TEST_CASE("an adapter whose LUID cannot be asked opens as LUID 0", "[umd]") {
  adapter_rig rig;
  rig.system.has_adapter = false;
  D3DDDI_ADAPTERFUNCS functions{};
  HANDLE nameless = nullptr;
  REQUIRE(rig.open(functions, nameless) == S_OK);
  CHECK(front_m::to_adapter(nameless)->luid() == os::adapter_luid{});
  CHECK(rig.system.logged("LUID of the display cannot be asked") == 1);
  CHECK(functions.pfnCloseAdapter(nameless) == S_OK);
}

TEST_CASE("a device keeps its adapter open", "[umd][T051]") {
  device_m_rig rig;
  CHECK(openings(*front_m::to_adapter(rig.handle)) == 2);
  CHECK(rig.functions.pfnDestroyDevice(rig.device) == S_OK);
  rig.device = nullptr;
  CHECK(openings(*front_m::to_adapter(rig.handle)) == 1);
}

TEST_CASE("every slot of a device's table has a function or is optional, and none is behind it",
          "[umd][T053][T055]") {
  struct guarded {
    D3DDDI_DEVICEFUNCS table;
    std::array<std::uint64_t, 8> guard;
  };
  device_m_rig rig;
  guarded out;
  std::memset(&out, 0x5A, sizeof out);
  HANDLE made = nullptr;
  REQUIRE(rig.create(out.table, made) == S_OK);
  CHECK(sizeof out.table == 121 * sizeof(void*));
  CHECK(sizeof(D3DDDI_ADAPTERFUNCS) == 3 * sizeof(void*));
  for (const std::uint64_t word : out.guard) CHECK(word == 0x5A5A5A5A5A5A5A5A);
  for (const ddi::entry_row& row : ddi::device_entries) {
    INFO(row.name);
    CHECK((entry_at(out.table, row.index) == nullptr) == row.is_null());
  }
  CHECK(out.table.pfnDestroyDevice(made) == S_OK);
}

TEST_CASE("LockAsync, UnlockAsync and Rename are NULL together", "[umd][T053][T085]") {
  device_m_rig rig;
  CHECK(rig.functions.pfnLockAsync == nullptr);
  CHECK(rig.functions.pfnUnlockAsync == nullptr);
  CHECK(rig.functions.pfnRename == nullptr);
}

TEST_CASE("an entry that is NULL is found and named", "[umd][T053]") {
  fake_system system;
  D3DDDI_DEVICEFUNCS table;
  REQUIRE(front_m::fill_device_table(table));
  CHECK(front_m::find_missing_entry(table) == nullptr);
  table.pfnClear = nullptr;
  const ddi::entry_row* const missing = front_m::find_missing_entry(table);
  REQUIRE(missing != nullptr);
  CHECK(std::string{missing->name} == "Clear");
  CHECK(system.logged("D3DDDI_DEVICEFUNCS missing entry index=21 (bytes=" +
                      std::to_string(21 * sizeof(void*)) + ") member=pfnClear") == 1);
}

TEST_CASE("a stub logs its name once and answers NOTAVAILABLE", "[umd][T053]") {
  device_m_rig rig;
  const D3DDDIARG_VOLUMEBLT volume{};
  CHECK(rig.functions.pfnVolBlt(rig.device, &volume) == D3DERR_NOTAVAILABLE);
  CHECK(rig.functions.pfnVolBlt(rig.device, &volume) == D3DERR_NOTAVAILABLE);
  CHECK(rig.system.logged("stub VolBlt") == 1);
}

TEST_CASE("D3DCAPS9 has the bits that are required and none of the forbidden ones", "[umd][T056]") {
  adapter_rig rig;
  const auto caps = ask_for<D3DCAPS9>(rig, D3DDDICAPS_GETD3D9CAPS);
  CHECK(caps.DeviceType == D3DDEVTYPE_HAL);
  CHECK(caps.Caps == 0x20000);
  CHECK((caps.Caps2 & 0xA0080000) == 0xA0080000);
  CHECK(caps.Caps3 == 0x320);
  CHECK(caps.PresentationIntervals == 0x80000001);
  CHECK((caps.DevCaps & 0x51A000) == 0x51A000);
  CHECK((caps.DevCaps & 0x1200000) == 0);  // NPATCHES, QUINTICRTPATCHES
  CHECK((caps.PrimitiveMiscCaps & 0x20AF2) == 0x20AF2);
  CHECK((caps.RasterCaps & 0x1000110) == 0x1000110);
  CHECK(caps.ZCmpCaps == 0xFF);
  CHECK((caps.SrcBlendCaps & 0x20F3) == 0x20F3);
  CHECK((caps.TextureCaps & 0x14805) == 0x14805);
  CHECK((caps.TextureCaps & 0x2122) == 0);  // POW2, SQUAREONLY, NONPOW2CONDITIONAL, VOLUMEMAP
  CHECK(caps.StretchRectFilterCaps == 0x3000300);
  CHECK(caps.MaxTextureWidth == 4096);
  CHECK((caps.FVFCaps & 0xFFFF) <= 8);
  CHECK(caps.VertexShaderVersion == 0xFFFE0300);
  CHECK(caps.PixelShaderVersion == 0xFFFF0300);
  CHECK(caps.MaxVertexShader30InstructionSlots >= 512);
  CHECK(caps.MaxPixelShader30InstructionSlots >= 512);
  CHECK(caps.MaxNpatchTessellationLevel > 0);
  CHECK(caps.NumSimultaneousRTs == 4);
  CHECK(caps.NumberOfAdaptersInGroup == 1);
  CHECK(caps.PS20Caps.NumInstructionSlots == 512);
}

TEST_CASE("D3DCAPS9 has what shader model 3 wants, but for what it cannot do", "[umd][T056]") {
  adapter_rig rig;
  const auto caps = ask_for<D3DCAPS9>(rig, D3DDDICAPS_GETD3D9CAPS);
  constexpr DWORD blend_factors = D3DPBLENDCAPS_ZERO | D3DPBLENDCAPS_ONE | D3DPBLENDCAPS_SRCCOLOR |
                                  D3DPBLENDCAPS_INVSRCCOLOR | D3DPBLENDCAPS_SRCALPHA |
                                  D3DPBLENDCAPS_INVSRCALPHA | D3DPBLENDCAPS_DESTALPHA |
                                  D3DPBLENDCAPS_INVDESTALPHA | D3DPBLENDCAPS_DESTCOLOR |
                                  D3DPBLENDCAPS_INVDESTCOLOR | D3DPBLENDCAPS_BLENDFACTOR;
  constexpr DWORD texture_filters = D3DPTFILTERCAPS_MINFPOINT | D3DPTFILTERCAPS_MINFLINEAR |
                                    D3DPTFILTERCAPS_MIPFPOINT | D3DPTFILTERCAPS_MIPFLINEAR |
                                    D3DPTFILTERCAPS_MAGFPOINT | D3DPTFILTERCAPS_MAGFLINEAR;
  constexpr caps_row bit_rows[] = {
      {"PrimitiveMiscCaps", &D3DCAPS9::PrimitiveMiscCaps,
       D3DPMISCCAPS_MASKZ | D3DPMISCCAPS_CULLNONE | D3DPMISCCAPS_CULLCW | D3DPMISCCAPS_CULLCCW |
           D3DPMISCCAPS_COLORWRITEENABLE | D3DPMISCCAPS_CLIPTLVERTS | D3DPMISCCAPS_BLENDOP |
           D3DPMISCCAPS_INDEPENDENTWRITEMASKS | D3DPMISCCAPS_MRTINDEPENDENTBITDEPTHS |
           D3DPMISCCAPS_MRTPOSTPIXELSHADERBLENDING},
      {"RasterCaps", &D3DCAPS9::RasterCaps,
       D3DPRASTERCAPS_FOGVERTEX | D3DPRASTERCAPS_MIPMAPLODBIAS | D3DPRASTERCAPS_ANISOTROPY |
           D3DPRASTERCAPS_COLORPERSPECTIVE | D3DPRASTERCAPS_SCISSORTEST |
           D3DPRASTERCAPS_SLOPESCALEDEPTHBIAS | D3DPRASTERCAPS_DEPTHBIAS},
      {"ZCmpCaps", &D3DCAPS9::ZCmpCaps, 0xFF},
      {"SrcBlendCaps", &D3DCAPS9::SrcBlendCaps,
       blend_factors | D3DPBLENDCAPS_SRCALPHASAT | D3DPBLENDCAPS_BOTHSRCALPHA |
           D3DPBLENDCAPS_BOTHINVSRCALPHA},
      {"DestBlendCaps", &D3DCAPS9::DestBlendCaps, blend_factors},
      {"TextureCaps", &D3DCAPS9::TextureCaps,
       D3DPTEXTURECAPS_PERSPECTIVE | D3DPTEXTURECAPS_TEXREPEATNOTSCALEDBYSIZE |
           D3DPTEXTURECAPS_PROJECTED | D3DPTEXTURECAPS_CUBEMAP | D3DPTEXTURECAPS_MIPMAP |
           D3DPTEXTURECAPS_MIPCUBEMAP},
      {"TextureFilterCaps", &D3DCAPS9::TextureFilterCaps,
       texture_filters | D3DPTFILTERCAPS_MINFANISOTROPIC},
      {"CubeTextureFilterCaps", &D3DCAPS9::CubeTextureFilterCaps, texture_filters},
      {"TextureAddressCaps", &D3DCAPS9::TextureAddressCaps,
       D3DPTADDRESSCAPS_WRAP | D3DPTADDRESSCAPS_MIRROR | D3DPTADDRESSCAPS_CLAMP |
           D3DPTADDRESSCAPS_BORDER | D3DPTADDRESSCAPS_INDEPENDENTUV},
      {"StencilCaps", &D3DCAPS9::StencilCaps, 0x1FF},
      {"FVFCaps", &D3DCAPS9::FVFCaps, D3DFVFCAPS_PSIZE},
      {"DevCaps2", &D3DCAPS9::DevCaps2, D3DDEVCAPS2_VERTEXELEMENTSCANSHARESTREAMOFFSET},
      {"DeclTypes", &D3DCAPS9::DeclTypes, 0x3FF}};
  check_bits(caps, bit_rows);
  constexpr caps_row least_rows[] = {{"MaxTextureWidth", &D3DCAPS9::MaxTextureWidth, 4096},
                                     {"MaxTextureHeight", &D3DCAPS9::MaxTextureHeight, 4096},
                                     {"MaxTextureRepeat", &D3DCAPS9::MaxTextureRepeat, 8192},
                                     {"MaxAnisotropy", &D3DCAPS9::MaxAnisotropy, 16},
                                     {"MaxVertexShaderConst", &D3DCAPS9::MaxVertexShaderConst, 256},
                                     {"MaxUserClipPlanes", &D3DCAPS9::MaxUserClipPlanes, 6},
                                     {"MaxStreams", &D3DCAPS9::MaxStreams, 8}};
  check_least(caps, least_rows);
  CHECK(caps.GuardBandRight >= 8192);
  CHECK(caps.VS20Caps.DynamicFlowControlDepth == 24);
  CHECK(caps.PS20Caps.DynamicFlowControlDepth == 24);
  // Each of these would promise what nothing does (umd-d3d9.md 2.2.6).
  CHECK((caps.PrimitiveMiscCaps & 0x2100) == 0);  // FOGINFVF, CLIPPLANESCALEDPOINTS
  CHECK((caps.TextureCaps & D3DPTEXTURECAPS_MIPVOLUMEMAP) == 0);
  CHECK((caps.TextureAddressCaps & D3DPTADDRESSCAPS_MIRRORONCE) == 0);
  CHECK((caps.VolumeTextureFilterCaps | caps.VertexTextureFilterCaps) == 0);
  CHECK((caps.DestBlendCaps & (D3DPBLENDCAPS_BOTHSRCALPHA | D3DPBLENDCAPS_BOTHINVSRCALPHA)) == 0);
}

TEST_CASE("a short buffer for D3DCAPS9 is refused, and a longer one ends in zeros", "[umd][T056]") {
  adapter_rig rig;
  std::vector<std::byte> bytes(sizeof(D3DCAPS9) + 8, std::byte{0xEE});
  CHECK(ask(rig, D3DDDICAPS_GETD3D9CAPS, std::span{bytes}.first(sizeof(D3DCAPS9) - 1)) ==
        E_INVALIDARG);
  CHECK(ask(rig, D3DDDICAPS_GETD3D9CAPS, bytes) == S_OK);
  CHECK(std::vector<std::byte>(bytes.end() - 8, bytes.end()) == std::vector<std::byte>(8));
  CHECK(rig.table.pfnGetCaps(rig.handle, nullptr) == E_INVALIDARG);
  CHECK(rig.table.pfnGetCaps(nullptr, nullptr) == E_INVALIDARG);
}

TEST_CASE("caps grow only with what is implemented", "[umd][T056]") {
  const D3DCAPS9 least = make_caps({.fixed_function = false, .mip_generation = false});
  const D3DCAPS9 most = make_caps({.fixed_function = true, .mip_generation = true});
  CHECK(least.MaxActiveLights == 0);
  CHECK(least.MaxTextureBlendStages == 4);
  CHECK((least.Caps2 & D3DCAPS2_CANAUTOGENMIPMAP) == 0);
  CHECK(most.MaxActiveLights == 8);
  CHECK(most.MaxUserClipPlanes == 6);
  CHECK(most.MaxTextureBlendStages == 8);
  CHECK(most.MaxVertexBlendMatrices == 4);
  CHECK(most.MaxVertexBlendMatrixIndex == 31);
  CHECK((most.TextureOpCaps & D3DTEXOPCAPS_LERP) != 0);
  CHECK((most.TextureOpCaps & D3DTEXOPCAPS_BUMPENVMAP) == 0);
  CHECK((most.FVFCaps & D3DFVFCAPS_TEXCOORDCOUNTMASK) == 8);
  CHECK((most.VertexProcessingCaps & 0x18) == 0x18);
  CHECK((most.VertexProcessingCaps & D3DVTXPCAPS_NO_TEXGEN_NONLOCALVIEWER) != 0);
  CHECK((most.Caps2 & D3DCAPS2_CANAUTOGENMIPMAP) != 0);
}

TEST_CASE("D3DCAPS8 is the front of D3DCAPS9", "[umd]") {
  adapter_rig rig;
  std::array<std::byte, 212> caps8{};
  REQUIRE(ask(rig, D3DDDICAPS_GETD3D8CAPS, caps8) == S_OK);
  const auto caps9 = ask_for<D3DCAPS9>(rig, D3DDDICAPS_GETD3D9CAPS);
  CHECK(std::memcmp(caps8.data(), &caps9, caps8.size()) == 0);
}

TEST_CASE("each format is listed once, has a device format and a layout", "[umd][T057]") {
  adapter_rig rig;
  const adapter_facts& facts = front_m::to_adapter(rig.handle)->facts();
  std::set<int> seen;
  for (const FORMATOP& row : formats_of_rig(rig)) {
    INFO(row.Format);
    CHECK(seen.insert(row.Format).second);
    CHECK(row.Operations != 0);
    CHECK((row.FlipMsTypes | row.BltMsTypes) == 0);
    const auto d3d9 = static_cast<std::uint32_t>(row.Format);
    const surface_format* const format = find_surface_format(facts, d3d9);
    if (is_only_listed(d3d9)) {
      CHECK(format == nullptr);
      continue;
    }
    REQUIRE(format != nullptr);
    REQUIRE(format->device != nullptr);
    CHECK(row.Operations == (format->operations | only_listed_operations(d3d9)));
    CHECK(texture_layout::create({format->device->value, 4, 4, 1, 1, 0}));
  }
  CHECK(seen.size() == 20);
  std::size_t known = 0;
  for (std::uint32_t value = 0; value < 256; ++value) {
    if (find_surface_format(facts, value) != nullptr) ++known;
  }
  CHECK(known == 12);
  CHECK(find_surface_format(facts, 0x31545845) == nullptr);
}

TEST_CASE("a list of formats is cut to whole entries", "[umd][T057]") {
  adapter_rig rig;
  std::vector<std::byte> bytes(sizeof(FORMATOP) * 2 + 19, std::byte{0xEE});
  REQUIRE(ask(rig, D3DDDICAPS_GETFORMATDATA, bytes) == S_OK);
  CHECK(load<FORMATOP>(bytes.data()).Format == D3DDDIFMT_A8R8G8B8);
  CHECK(load<FORMATOP>(bytes.data() + sizeof(FORMATOP)).Format == D3DDDIFMT_X8R8G8B8);
  CHECK(bytes.back() == std::byte{});
}

TEST_CASE("DXT formats need a good blob of a new enough ABI", "[umd][T058]") {
  fake_system system;
  fake_callbacks callbacks;
  SECTION("minor 1") {
    callbacks.blob.device_abi_version_u32 = 0x10001;
  }
  SECTION("another major") {
    callbacks.blob.device_abi_version_u32 = 0x20004;
  }
  SECTION("no blob") {
    callbacks.blob_result = E_FAIL;
  }
  SECTION("an unknown version of the blob") {
    callbacks.blob.struct_version = 2;
  }
  SECTION("a blob that is too short") {
    callbacks.blob.size_bytes = 63;
  }
  SECTION("no callback") {
    callbacks.adapter.pfnQueryAdapterInfoCb = nullptr;
  }
  D3DDDI_ADAPTERFUNCS table{};
  D3DDDIARG_OPENADAPTER open{};
  open.hAdapter = &callbacks;
  open.Interface = 9;
  open.pAdapterCallbacks = &callbacks.adapter;
  open.pAdapterFuncs = &table;
  REQUIRE(front_m::open_adapter(&open) == S_OK);
  CHECK(formats_of(front_m::to_adapter(open.hAdapter)->facts()).size() == 12);
  CHECK(table.pfnCloseAdapter(open.hAdapter) == S_OK);
}

TEST_CASE("an opening asks again what the kernel driver did not answer the first one",
          "[umd][T058]") {
  fake_system system;
  fake_callbacks failing, answering;
  failing.blob_result = E_FAIL;
  const auto open = [](fake_callbacks& callbacks, D3DDDI_ADAPTERFUNCS& table) {
    D3DDDIARG_OPENADAPTER opened{};
    opened.hAdapter = &callbacks;
    opened.Interface = 9;
    opened.pAdapterCallbacks = &callbacks.adapter;
    opened.pAdapterFuncs = &table;
    REQUIRE(front_m::open_adapter(&opened) == S_OK);
    return opened.hAdapter;
  };
  const auto count_formats = [](const D3DDDI_ADAPTERFUNCS& table, HANDLE handle) {
    UINT count = 0;
    D3DDDIARG_GETCAPS query{};
    query.Type = D3DDDICAPS_GETFORMATCOUNT;
    query.pData = &count;
    query.DataSize = sizeof count;
    CHECK(table.pfnGetCaps(handle, &query) == S_OK);
    return count;
  };
  D3DDDI_ADAPTERFUNCS table{};
  const HANDLE first = open(failing, table);
  const UINT without_blocks = count_formats(table, first);
  CHECK(count_formats(table, open(failing, table)) == without_blocks);
  CHECK(count_formats(table, open(answering, table)) == without_blocks + 5);
  CHECK(count_formats(table, first) == without_blocks + 5);
  CHECK(count_formats(table, open(failing, table)) == without_blocks + 5);
  for (int i = 0; i < 4; ++i) CHECK(table.pfnCloseAdapter(first) == S_OK);
}

TEST_CASE("formats without multisampling have one quality level", "[umd][T059]") {
  adapter_rig rig;
  const auto levels = [&](UINT format, UINT type) {
    DDIMULTISAMPLEQUALITYLEVELSDATA data{};
    data.Format = static_cast<D3DDDIFORMAT>(format);
    data.MsType = static_cast<D3DDDIMULTISAMPLE_TYPE>(type);
    data.QualityLevels = 77;
    REQUIRE(ask(rig, D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS, mutable_bytes_of(data)) == S_OK);
    CHECK(data.Format == static_cast<D3DDDIFORMAT>(format));
    return data.QualityLevels;
  };
  CHECK(levels(D3DFMT_X8R8G8B8, 0) == 1);
  CHECK(levels(D3DFMT_X8R8G8B8, 1) == 0);
  CHECK(levels(D3DFMT_X8R8G8B8, 4) == 0);
  CHECK(levels(D3DFMT_A32B32G32R32F, 0) == 0);
  std::array<std::byte, 15> little{};
  CHECK(ask(rig, D3DDDICAPS_GETMULTISAMPLEQUALITYLEVELS, little) == E_INVALIDARG);
}

TEST_CASE("unknown caps are zeros and at most 16 lines of the log", "[umd][T060][T062]") {
  adapter_rig rig;
  for (UINT type = 1000; type < 1040; ++type) {
    for (int again = 0; again < 2; ++again) {
      std::array<std::byte, 33> out;
      out.fill(std::byte{0xEE});
      CHECK(ask(rig, type, out) == S_OK);
      CHECK(out == std::array<std::byte, 33>{});
    }
  }
  CHECK(rig.system.logged("GetCaps unknown type=") <= 16);
  CHECK(rig.system.logged("suppressing") == 1);
}

TEST_CASE("an overlay is refused, and what video would count is none", "[umd][T062]") {
  adapter_rig rig;
  std::array<std::byte, 64> out{};
  CHECK(ask(rig, D3DDDICAPS_CHECKOVERLAYSUPPORT, out) == static_cast<HRESULT>(0x8876087B));
  for (const UINT type : {14u, 16u, 18u, 20u, 22u, 24u, 26u, 31u}) {
    CHECK(ask_for<UINT>(rig, type) == 0);
  }
  CHECK(ask_for<UINT>(rig, D3DDDICAPS_GETD3DQUERYCOUNT) == 1);
  CHECK(ask_for<UINT>(rig, D3DDDICAPS_GETD3DQUERYDATA) == D3DDDIQUERYTYPE_EVENT);
  for (UINT type = 1; type <= 44; ++type) {
    CHECK((type == D3DDDICAPS_CHECKOVERLAYSUPPORT || ask(rig, type, out) == S_OK ||
           type == D3DDDICAPS_GETD3D9CAPS || type == D3DDDICAPS_GETD3D8CAPS));
  }
}

TEST_CASE("the structures of Direct3D 3 and 7 are empty but for their size", "[umd][T062]") {
  adapter_rig rig;
  const std::size_t global_bytes = sizeof(void*) == 8 ? 200 : 192;
  const auto [type, bytes] = GENERATE_COPY(table<UINT, std::size_t>(
      {{D3DDDICAPS_GETD3D3CAPS, global_bytes}, {D3DDDICAPS_GETD3D7CAPS, 116}}));
  for (const std::size_t room : {bytes, bytes + 4, std::size_t{64}, std::size_t{4}}) {
    CAPTURE(type, room);
    std::vector<std::byte> out(room, std::byte{0xEE});
    CHECK(ask(rig, type, out) == S_OK);
    CHECK(load<DWORD>(out.data()) == std::min(room, bytes));
    CHECK(std::all_of(out.begin() + 4, out.end(), [](std::byte b) { return b == std::byte{}; }));
  }
  std::array<std::byte, 3> little{std::byte{0xEE}, std::byte{0xEE}, std::byte{0xEE}};
  CHECK(ask(rig, type, little) == S_OK);
  CHECK(little == std::array<std::byte, 3>{});
}

TEST_CASE("each session of Windows has numbers of its own", "[umd][T088]") {
  constexpr std::uint32_t sessions = 64;
  constexpr std::uint64_t each = (std::uint64_t{1} << 31) / sessions, most_random = 1u << 22;
  std::vector<std::uint64_t> firsts;
  for (std::uint32_t session = 0; session < sessions; ++session) {
    const std::uint64_t first = first_shared_number(session, 0);
    CHECK(first_shared_number(session, UINT64_MAX) < first + most_random);
    CHECK(first_shared_number(session, 12'345) == first + 12'345);
    firsts.push_back(first);
  }
  std::ranges::sort(firsts);
  for (std::uint32_t i = 0; i < sessions; ++i) CHECK(firsts[i] == i * each);
}

TEST_CASE("handles and ids count on in one session, and are never 0", "[umd][T088][T089]") {
  fake_system system;
  protocol_handles one;
  protocol_handles two;
  const auto first = raw(one.next_resource());
  CHECK(raw(two.next_shader()) == first + 1);
  CHECK(raw(one.next_input_layout()) == first + 2);
  alloc_ids ids{{0xABCD, 7}};
  std::uint64_t* const counter =
      os::shared_counter("Local\\AeroGPU.D3D9.ShareToken.000000070000ABCD");
  REQUIRE(counter != nullptr);
  *counter = 0x7FFFFFFE;
  alloc_ids of_another_process{{0xABCD, 7}};
  CHECK(ids.next() == alloc_id{0x7FFFFFFF});
  CHECK(of_another_process.next() == alloc_id{1});  // 0x80000000 is masked to 0 and skipped.
  CHECK(ids.next() == alloc_id{2});
  CHECK(alloc_ids{{0xABCE, 7}}.next() == alloc_id{1});  // Another adapter counts by itself.
  std::uint64_t* const handle_counter = os::shared_counter("Local\\AeroGPU.GlobalHandleCounter");
  REQUIRE(handle_counter != nullptr);
  *handle_counter = 0xFFFFFFFF;
  CHECK(raw(one.next_resource()) == 1);
  CHECK(raw(two.next_resource()) == 2);
  *counter = 0xFFFFFFFF'FFFFFFFF;
  CHECK(ids.next() == alloc_id{1});
}

TEST_CASE("without shared counters numbers are random, in their ranges", "[umd][T088]") {
  fake_system system;
  system.has_counters = false;
  protocol_handles handles;
  alloc_ids ids{{1, 1}};
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 100; ++i) {
    CHECK(raw(handles.next_resource()) >= 0x80000000);
    const std::uint32_t id = raw(ids.next());
    CHECK(id - 1 < 0x7FFFFFFF);
    seen.insert(id);
  }
  CHECK(seen.size() > 90);
}

}  // namespace aerogpu::umd::test
