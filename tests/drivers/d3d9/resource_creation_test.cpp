// SPDX-License-Identifier: MIT
#include "tests/drivers/d3d9/resource_rig.hpp"

using namespace aerogpu;
using test::api_level;
using test::bad;
using test::resource_rig;

namespace {

constexpr DWORD target = D3DUSAGE_RENDERTARGET;
constexpr DWORD depth = D3DUSAGE_DEPTHSTENCIL;
constexpr DWORD dynamic = D3DUSAGE_DYNAMIC;
constexpr DWORD autogen = D3DUSAGE_AUTOGENMIPMAP;

struct texture_case {
  D3DPOOL pool;
  DWORD usage;
  UINT levels;
  D3DFORMAT format;
  HRESULT plain_result;
  HRESULT ex_result;
};

/// umd-d3d9.md 6.8.
const texture_case texture_cases[]{
    {D3DPOOL_DEFAULT, 0, 0, D3DFMT_A8R8G8B8, S_OK, S_OK},
    {D3DPOOL_DEFAULT, target, 1, D3DFMT_A8R8G8B8, S_OK, S_OK},
    {D3DPOOL_DEFAULT, dynamic, 1, D3DFMT_A8R8G8B8, S_OK, S_OK},
    {D3DPOOL_DEFAULT, target | dynamic, 1, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_DEFAULT, target | depth, 1, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_DEFAULT, target, 1, D3DFMT_DXT1, bad, bad},
    {D3DPOOL_DEFAULT, depth, 1, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_DEFAULT, autogen, 0, D3DFMT_A8R8G8B8, S_OK, S_OK},
    {D3DPOOL_DEFAULT, autogen, 1, D3DFMT_A8R8G8B8, S_OK, S_OK},
    {D3DPOOL_DEFAULT, autogen, 2, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_DEFAULT, D3DUSAGE_WRITEONLY, 1, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_DEFAULT, 0, 1, D3DFMT_UNKNOWN, bad, bad},
    {D3DPOOL_DEFAULT, 0, 1, D3DFMT_R3G3B2, bad, bad},
    {D3DPOOL_DEFAULT, 0, 8, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_MANAGED, 0, 0, D3DFMT_A8R8G8B8, S_OK, bad},
    {D3DPOOL_MANAGED, autogen, 0, D3DFMT_A8R8G8B8, S_OK, bad},
    {D3DPOOL_MANAGED, dynamic, 1, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_MANAGED, target, 1, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_SYSTEMMEM, 0, 0, D3DFMT_DXT5, S_OK, S_OK},
    {D3DPOOL_SYSTEMMEM, dynamic, 1, D3DFMT_A8R8G8B8, S_OK, S_OK},
    {D3DPOOL_SYSTEMMEM, target, 1, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_SYSTEMMEM, autogen, 0, D3DFMT_A8R8G8B8, bad, bad},
    {D3DPOOL_SYSTEMMEM, 0, 1, D3DFMT_D24S8, bad, bad},
    {D3DPOOL_SCRATCH, 0, 0, D3DFMT_R3G3B2, S_OK, S_OK},
    {D3DPOOL_SCRATCH, 0, 1, D3DFMT_A32B32G32R32F, S_OK, S_OK},
    {D3DPOOL_SCRATCH, depth, 1, D3DFMT_D24S8, bad, bad},
    {D3DPOOL_SCRATCH, autogen, 1, D3DFMT_A8R8G8B8, bad, bad},
    {static_cast<D3DPOOL>(4), 0, 1, D3DFMT_A8R8G8B8, bad, bad},
};

}  // namespace

TEST_CASE("textures of every pool and usage exist as the table says", "[d3d9][T257]") {
  const auto level = GENERATE(api_level::plain, api_level::ex);
  resource_rig r{level};
  for (const auto& row : texture_cases) {
    CAPTURE(row.pool, row.usage, row.levels, row.format);
    const auto expected = level == api_level::ex ? row.ex_result : row.plain_result;
    test::any_2d_texture made;
    CHECK(r.device->CreateTexture(64, 64, row.levels, row.usage, row.format, row.pool, made.out(),
                                  nullptr) == expected);
    CHECK((made.get() != nullptr) == SUCCEEDED(expected));
  }
}

TEST_CASE("what is said to be a texture can be made, and nothing else", "[wine][d3d9]") {
  resource_rig r{api_level::plain};
  const auto offers = [&](D3DRESOURCETYPE type, D3DFORMAT format) {
    return r.direct3d->CheckDeviceFormat(0, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, 0, type, format) ==
           S_OK;
  };
  for (int value = 1; value < 128; ++value) {
    const auto format = static_cast<D3DFORMAT>(value);
    const auto pool = value % 2 == 0 ? D3DPOOL_DEFAULT : D3DPOOL_MANAGED;
    CAPTURE(value);
    test::any_2d_texture flat;
    CHECK((r.device->CreateTexture(8, 8, 0, 0, format, pool, flat.out(), nullptr) == S_OK) ==
          offers(D3DRTYPE_TEXTURE, format));
    test::any_cube_texture cube;
    CHECK((r.device->CreateCubeTexture(8, 0, 0, format, pool, cube.out(), nullptr) == S_OK) ==
          offers(D3DRTYPE_CUBETEXTURE, format));
    CHECK_FALSE(offers(D3DRTYPE_VOLUMETEXTURE, format));
  }
  for (const auto format : {D3DFMT_L8, D3DFMT_A8, D3DFMT_A8L8}) {
    CHECK(offers(D3DRTYPE_TEXTURE, format));
    CHECK(offers(D3DRTYPE_CUBETEXTURE, format));
  }
  for (const auto format : {D3DFMT_V8U8, D3DFMT_V16U16, D3DFMT_Q8W8V8U8}) {
    CHECK_FALSE(offers(D3DRTYPE_TEXTURE, format));
  }
}

TEST_CASE("a texture without a size or with half blocks does not exist", "[d3d9]") {
  resource_rig r;
  const auto [width, height] =
      GENERATE(table<UINT, UINT>({{0, 4}, {4, 0}, {2, 4}, {4, 6}, {0xFFFFFFFF, 4}, {8192, 4}}));
  CAPTURE(width, height);
  test::any_2d_texture made;
  CHECK(r.device->CreateTexture(width, height, 1, 0, D3DFMT_DXT1, D3DPOOL_DEFAULT, made.out(),
                                nullptr) == D3DERR_INVALIDCALL);
  CHECK(made.get() == nullptr);
}

TEST_CASE("buffers exist in all pools but SCRATCH", "[d3d9][T257]") {
  const auto level = GENERATE(api_level::plain, api_level::ex);
  resource_rig r{level};
  const auto managed = level == api_level::ex ? D3DERR_INVALIDCALL : S_OK;
  const auto create = [&](UINT bytes, DWORD usage, D3DPOOL pool) {
    test::owned<d3d9::IDirect3DVertexBuffer9> vertices;
    test::owned<d3d9::IDirect3DIndexBuffer9> indices;
    const auto result =
        r.device->CreateVertexBuffer(bytes, usage, 0, pool, vertices.out(), nullptr);
    CHECK(r.device->CreateIndexBuffer(bytes, usage, D3DFMT_INDEX16, pool, indices.out(), nullptr) ==
          result);
    return result;
  };
  CHECK(create(16, 0, D3DPOOL_DEFAULT) == S_OK);
  CHECK(create(16, dynamic | D3DUSAGE_WRITEONLY, D3DPOOL_DEFAULT) == S_OK);
  CHECK(create(16, 0, D3DPOOL_MANAGED) == managed);
  CHECK(create(16, dynamic, D3DPOOL_MANAGED) == D3DERR_INVALIDCALL);
  CHECK(create(16, dynamic, D3DPOOL_SYSTEMMEM) == S_OK);
  CHECK(create(16, 0, D3DPOOL_SCRATCH) == D3DERR_INVALIDCALL);
  CHECK(create(0, 0, D3DPOOL_DEFAULT) == D3DERR_INVALIDCALL);
  CHECK(create(16, target, D3DPOOL_DEFAULT) == D3DERR_INVALIDCALL);
  CHECK(create(16, depth, D3DPOOL_DEFAULT) == D3DERR_INVALIDCALL);
}

TEST_CASE("index buffers have one of two formats", "[d3d9]") {
  resource_rig r;
  const auto [format, expected] = GENERATE(table<D3DFORMAT, HRESULT>(
      {{D3DFMT_INDEX16, S_OK}, {D3DFMT_INDEX32, S_OK}, {D3DFMT_UNKNOWN, D3DERR_INVALIDCALL}}));
  test::owned<d3d9::IDirect3DIndexBuffer9> made;
  CHECK(r.device->CreateIndexBuffer(16, 0, format, D3DPOOL_DEFAULT, made.out(), nullptr) ==
        expected);
}

TEST_CASE("offscreen surfaces are not managed", "[d3d9][T257]") {
  resource_rig r{api_level::plain};
  const auto [pool, expected] =
      GENERATE(table<D3DPOOL, HRESULT>({{D3DPOOL_DEFAULT, S_OK},
                                        {D3DPOOL_MANAGED, D3DERR_INVALIDCALL},
                                        {D3DPOOL_SYSTEMMEM, S_OK},
                                        {D3DPOOL_SCRATCH, S_OK}}));
  CAPTURE(pool);
  test::any_surface made;
  CHECK(r.device->CreateOffscreenPlainSurface(8, 8, D3DFMT_X8R8G8B8, pool, made.out(), nullptr) ==
        expected);
}

TEST_CASE("surfaces to draw to take formats of their kind", "[d3d9]") {
  resource_rig r;
  test::any_surface made;
  const auto target_of = [&](D3DFORMAT format) {
    return r.device->CreateRenderTarget(8, 8, format, D3DMULTISAMPLE_NONE, 0, 0, made.out(),
                                        nullptr);
  };
  const auto depth_of = [&](D3DFORMAT format) {
    return r.device->CreateDepthStencilSurface(8, 8, format, D3DMULTISAMPLE_NONE, 0, 1, made.out(),
                                               nullptr);
  };
  CHECK(target_of(D3DFMT_A8R8G8B8) == S_OK);
  CHECK(target_of(D3DFMT_D24S8) == D3DERR_INVALIDCALL);
  CHECK(target_of(D3DFMT_DXT1) == D3DERR_INVALIDCALL);
  CHECK(depth_of(D3DFMT_D24S8) == S_OK);
  CHECK(depth_of(D3DFMT_A8R8G8B8) == D3DERR_INVALIDCALL);
  CHECK(r.device->CreateRenderTarget(8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, 0,
                                     made.out(), nullptr) == D3DERR_INVALIDCALL);
  CHECK(r.device->CreateRenderTarget(8, 8, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_4_SAMPLES, 0, 1,
                                     made.out(), nullptr) == D3DERR_INVALIDCALL);
}

TEST_CASE("surfaces of video memory are no larger than hosts take", "[d3d9][T257]") {
  constexpr UINT most = 16'384;
  resource_rig r{api_level::plain};
  test::any_surface made;
  const bool is_wide = GENERATE(true, false);
  const auto target_of = [&](UINT edge) {
    return r.device->CreateRenderTarget(is_wide ? edge : 4, is_wide ? 4 : edge, D3DFMT_A8R8G8B8,
                                        D3DMULTISAMPLE_NONE, 0, 0, made.out(), nullptr);
  };
  const auto plain_of = [&](UINT edge, D3DPOOL pool) {
    return r.device->CreateOffscreenPlainSurface(is_wide ? edge : 4, is_wide ? 4 : edge,
                                                 D3DFMT_A8R8G8B8, pool, made.out(), nullptr);
  };
  CHECK(target_of(most) == S_OK);
  CHECK(target_of(most + 1) == D3DERR_INVALIDCALL);
  CHECK(plain_of(most + 1, D3DPOOL_DEFAULT) == D3DERR_INVALIDCALL);
  CHECK(plain_of(most + 1, D3DPOOL_SYSTEMMEM) == S_OK);
  made.reset();
  auto wide = r.windowed(most + 1, 4);
  CHECK(r.device->Reset(&wide) == D3DERR_INVALIDCALL);
  auto fine = r.windowed();
  CHECK(r.device->Reset(&fine) == S_OK);
}

TEST_CASE("Ex's usages restrict, and none else is taken", "[d3d9]") {
  resource_rig r;
  const auto [usage, expected] =
      GENERATE(table<DWORD, HRESULT>({{0, S_OK},
                                      {D3DUSAGE_RESTRICTED_CONTENT, S_OK},
                                      {D3DUSAGE_RESTRICT_SHARED_RESOURCE_DRIVER, S_OK},
                                      {D3DUSAGE_DEPTHSTENCIL, D3DERR_INVALIDCALL},
                                      {D3DUSAGE_DYNAMIC, D3DERR_INVALIDCALL}}));
  CAPTURE(usage);
  test::any_surface made;
  CHECK(r.device->CreateDepthStencilSurfaceEx(8, 8, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, 1,
                                              made.out(), nullptr, usage) == expected);
  if (FAILED(expected)) return;
  D3DSURFACE_DESC about{};
  CHECK(made->GetDesc(&about) == S_OK);
  CHECK(about.Usage == (usage | D3DUSAGE_DEPTHSTENCIL));
}

TEST_CASE("volumes are in system memory alone", "[d3d9]") {
  resource_rig r{api_level::plain};
  const auto [pool, expected] =
      GENERATE(table<D3DPOOL, HRESULT>({{D3DPOOL_DEFAULT, D3DERR_INVALIDCALL},
                                        {D3DPOOL_MANAGED, D3DERR_INVALIDCALL},
                                        {D3DPOOL_SYSTEMMEM, S_OK},
                                        {D3DPOOL_SCRATCH, S_OK}}));
  CAPTURE(pool);
  test::owned<d3d9::IDirect3DVolumeTexture9> made;
  CHECK(r.device->CreateVolumeTexture(8, 4, 2, 0, 0, D3DFMT_A8R8G8B8, pool, made.out(), nullptr) ==
        expected);
  if (FAILED(expected)) return;
  CHECK(made->GetLevelCount() == 4);
  D3DVOLUME_DESC about{};
  CHECK(made->GetLevelDesc(2, &about) == S_OK);
  CHECK(about.Width == 2);
  CHECK(about.Height == 1);
  CHECK(about.Depth == 1);
  D3DLOCKED_BOX locked{};
  const D3DBOX box{2, 1, 4, 3, 1, 2};
  CHECK(made->LockBox(0, &locked, nullptr, 0) == S_OK);
  auto* const base = static_cast<std::byte*>(locked.pBits);
  CHECK(locked.RowPitch == 32);
  CHECK(locked.SlicePitch == 128);
  CHECK(made->LockBox(0, &locked, nullptr, 0) == D3DERR_INVALIDCALL);
  CHECK(made->UnlockBox(0) == S_OK);
  CHECK(made->LockBox(0, &locked, &box, 0) == S_OK);
  CHECK(locked.pBits == base + 128 + 32 + 8);
  CHECK(made->UnlockBox(0) == S_OK);
}

TEST_CASE("sharing is Ex's, of single surfaces in video memory", "[d3d9]") {
  HANDLE share = nullptr;
  {
    resource_rig plain{api_level::plain};
    test::any_2d_texture refused;
    CHECK(plain.device->CreateTexture(64, 64, 1, target, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                      refused.out(), &share) == E_NOTIMPL);
  }
  resource_rig r;
  test::any_2d_texture made;
  const auto create = [&](UINT levels, D3DPOOL pool) {
    share = nullptr;
    return r.device->CreateTexture(64, 64, levels, 0, D3DFMT_A8R8G8B8, pool, made.out(), &share);
  };
  CHECK(create(0, D3DPOOL_DEFAULT) == D3DERR_INVALIDCALL);
  CHECK(create(2, D3DPOOL_DEFAULT) == D3DERR_INVALIDCALL);
  CHECK(create(1, D3DPOOL_SYSTEMMEM) == D3DERR_INVALIDCALL);
  CHECK(create(1, D3DPOOL_SCRATCH) == D3DERR_INVALIDCALL);
  CHECK(create(1, D3DPOOL_DEFAULT) == S_OK);
  CHECK(share != nullptr);
  auto again = share;
  test::any_2d_texture opened;
  CHECK(r.device->CreateTexture(64, 64, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, opened.out(),
                                &again) == S_OK);
  CHECK(again == share);
  CHECK(r.device->CreateTexture(32, 64, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, opened.out(),
                                &again) == D3DERR_INVALIDCALL);
}

TEST_CASE("a shared texture is opened as a target if it was made as one", "[d3d9]") {
  resource_rig r;
  const auto open = [&](DWORD usage, HANDLE& share) {
    test::any_2d_texture made;
    const auto result = r.device->CreateTexture(64, 64, 1, usage, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                                made.out(), &share);
    return std::pair{result, std::move(made)};
  };
  HANDLE sampled = nullptr, drawn = nullptr;
  const auto first = open(0, sampled);
  const auto second = open(target, drawn);
  REQUIRE((first.first == S_OK && second.first == S_OK));
  CHECK(open(target, sampled).first == D3DERR_INVALIDCALL);
  CHECK(open(target, drawn).first == S_OK);
  CHECK(open(0, drawn).first == S_OK);
}

TEST_CASE("memory that is left counts blocks once", "[d3d9]") {
  resource_rig r{api_level::plain};
  const auto before = r.device->GetAvailableTextureMem();
  const auto texture = r.texture(4096, 4096, 1, 0, D3DFMT_DXT1, D3DPOOL_DEFAULT);
  constexpr UINT texture_bytes = 4096 * 4096 / 2;
  CHECK(before - r.device->GetAvailableTextureMem() == texture_bytes);
}

TEST_CASE("a shared handle is an object of the system, for as long as its texture lives",
          "[d3d9]") {
  resource_rig r;
  r.windows.has_share_objects = true;
  auto& objects = r.windows.share_objects;
  HANDLE share = nullptr;
  const auto make = [&](HANDLE& handle) {
    test::any_2d_texture made;
    const auto result = r.device->CreateTexture(64, 64, 1, target, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT,
                                                made.out(), &handle);
    return std::pair{result, std::move(made)};
  };
  {
    const auto [result, made] = make(share);
    REQUIRE(result == S_OK);
    REQUIRE(objects.known.size() == 1);
    CHECK(objects.known.begin()->first == share);
    // What another process calls it.
    auto elsewhere = reinterpret_cast<HANDLE>(std::uintptr_t{0x7000});
    objects.known[elsewhere] = objects.known[share];
    const auto [opens, opened] = make(elsewhere);
    CHECK(opens == S_OK);
    objects.known.erase(elsewhere);
    CHECK(make(elsewhere).first == D3DERR_INVALIDCALL);
  }
  CHECK(objects.known.empty());
  objects.is_full = true;
  share = nullptr;
  CHECK(make(share).first == E_OUTOFMEMORY);
  CHECK(share == nullptr);
}

TEST_CASE("the program's memory is what its texture locks", "[d3d9][T265]") {
  resource_rig r;
  std::vector<std::uint8_t> memory(33 * 33 * 4);
  void* given = memory.data();
  D3DLOCKED_RECT locked{};
  test::any_2d_texture texture;
  REQUIRE(r.device->CreateTexture(33, 33, 1, 0, D3DFMT_R5G6B5, D3DPOOL_SYSTEMMEM, texture.out(),
                                  &given) == S_OK);
  CHECK(texture->LockRect(0, &locked, nullptr, 0) == S_OK);
  CHECK(locked.pBits == memory.data());
  CHECK(locked.Pitch == 66);
  CHECK(texture->UnlockRect(0) == S_OK);
  test::any_surface surface;
  REQUIRE(r.device->CreateOffscreenPlainSurface(33, 33, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM,
                                                surface.out(), &given) == S_OK);
  CHECK(surface->LockRect(&locked, nullptr, 0) == S_OK);
  CHECK(locked.pBits == memory.data());
  CHECK(surface->UnlockRect() == S_OK);
  test::owned<d3d9::IDirect3DVertexBuffer9> buffer;
  CHECK(r.device->CreateVertexBuffer(16, 0, 0, D3DPOOL_SYSTEMMEM, buffer.out(), &given) ==
        D3DERR_NOTAVAILABLE);
}

TEST_CASE("residency is asked for at most 65535 resources", "[d3d9][T267]") {
  resource_rig r;
  const auto texture = r.texture(8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  std::vector<d3d9::IDirect3DResource9*> list(65536, texture.get());
  CHECK(r.device->CheckResourceResidency(list.data(), 65536) == D3DERR_INVALIDCALL);
  CHECK(r.device->CheckResourceResidency(list.data(), 1) == S_OK);
  CHECK(r.device->CheckResourceResidency(nullptr, 1) == D3DERR_INVALIDCALL);
  CHECK(r.device->CheckResourceResidency(nullptr, 0) == S_OK);
}
