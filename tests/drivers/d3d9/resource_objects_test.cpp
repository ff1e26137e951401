// SPDX-License-Identifier: MIT
#include "tests/drivers/d3d9/resource_rig.hpp"

using namespace aerogpu;
using test::api_level;
using test::resource_rig;

namespace {

constexpr GUID name{0x01020304, 0x0506, 0x0708, {1, 2, 3, 4, 5, 6, 7, 8}};
constexpr GUID other_name{0x11020304, 0x0506, 0x0708, {1, 2, 3, 4, 5, 6, 7, 8}};

[[nodiscard]] auto references(d3d9::IUnknown* of) -> ULONG {
  of->AddRef();
  return of->Release();
}

}  // namespace

TEST_CASE("a level's references are its texture's", "[d3d9][T251]") {
  resource_rig r;
  const auto before = references(r.device.get());
  auto texture = r.texture(8, 8, 2, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  CHECK(references(r.device.get()) == before + 1);
  test::any_surface level;
  test::any_surface again;
  REQUIRE(texture->GetSurfaceLevel(1, level.out()) == S_OK);
  REQUIRE(texture->GetSurfaceLevel(1, again.out()) == S_OK);
  CHECK(level.get() == again.get());
  CHECK(references(texture.get()) == 3);
  CHECK(references(level.get()) == 3);
  CHECK(references(r.device.get()) == before + 1);
  again.reset();
  texture.reset();
  D3DSURFACE_DESC about{};
  CHECK(level->GetDesc(&about) == S_OK);
  CHECK(about.Width == 4);
  level.reset();
  CHECK(references(r.device.get()) == before);
}

TEST_CASE("a bound texture lives on, and a getter brings it back", "[d3d9][T251]") {
  resource_rig r;
  auto texture = r.texture(8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  auto* const known = texture.get();
  REQUIRE(r.device->SetTexture(0, known) == S_OK);
  CHECK(references(known) == 1);
  texture.reset();
  test::owned<d3d9::IDirect3DBaseTexture9> back;
  REQUIRE(r.device->GetTexture(0, back.out()) == S_OK);
  CHECK(back.get() == known);
  CHECK(references(back.get()) == 1);
}

TEST_CASE("a bound level keeps its texture", "[d3d9][T251]") {
  resource_rig r;
  test::any_surface level;
  {
    const auto texture =
        r.texture(64, 48, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
    REQUIRE(texture->GetSurfaceLevel(0, level.out()) == S_OK);
  }
  auto* const known = level.get();
  REQUIRE(r.device->SetRenderTarget(0, known) == S_OK);
  level.reset();
  REQUIRE(r.device->GetRenderTarget(0, level.out()) == S_OK);
  CHECK(level.get() == known);
  CHECK(references(known) == 1);
}

TEST_CASE("the device lives until its last resource ends", "[d3d9][T251]") {
  resource_rig r;
  auto texture = r.texture(8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  r.device.reset();
  test::any_device back;
  CHECK(texture->GetDevice(back.out()) == S_OK);
  CHECK(references(back.get()) == 2);
}

TEST_CASE("a container is what its interface is asked for", "[d3d9][T251]") {
  resource_rig r;
  const auto texture = r.texture(8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  test::any_surface level;
  REQUIRE(texture->GetSurfaceLevel(0, level.out()) == S_OK);
  const auto plain = r.plain(8, 8, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto container = [](const test::any_surface& of, const d3d9::iid& wanted) -> void* {
    void* found = nullptr;
    const auto result = of->GetContainer(wanted, &found);
    CHECK(result == (found != nullptr ? S_OK : E_NOINTERFACE));
    if (found != nullptr) static_cast<d3d9::IUnknown*>(found)->Release();
    return found;
  };
  CHECK(container(level, d3d9::iid_unknown) == texture.get());
  CHECK(container(level, d3d9::iid_resource) == texture.get());
  CHECK(container(level, d3d9::iid_base_texture) == texture.get());
  CHECK(container(level, d3d9::iid_texture) == texture.get());
  CHECK(container(level, d3d9::iid_surface) == nullptr);
  CHECK(container(plain, d3d9::iid_device) == r.device.get());
  CHECK(container(plain, d3d9::iid_texture) == nullptr);
}

TEST_CASE("an object answers to its own interfaces by one pointer", "[d3d9][T250]") {
  resource_rig r;
  const auto texture = r.texture(8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  const auto answer = [&](const d3d9::iid& wanted) -> void* {
    void* found = nullptr;
    if (SUCCEEDED(texture->QueryInterface(wanted, &found))) texture->Release();
    return found;
  };
  CHECK(answer(d3d9::iid_unknown) == texture.get());
  CHECK(answer(d3d9::iid_resource) == texture.get());
  CHECK(answer(d3d9::iid_base_texture) == texture.get());
  CHECK(answer(d3d9::iid_texture) == texture.get());
  CHECK(answer(d3d9::iid_cube_texture) == nullptr);
  CHECK(answer(d3d9::iid_surface) == nullptr);
  CHECK(texture->QueryInterface(d3d9::iid_texture, nullptr) ==
        static_cast<HRESULT>(0x80004003u));  // E_POINTER
}

TEST_CASE("private data is kept by name, with its size", "[d3d9][T266]") {
  resource_rig r;
  const auto surface = r.plain(4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH);
  const std::uint32_t data[4]{1, 2, 3, 4};
  std::uint32_t read[4]{};
  DWORD size = 0xDEAD;
  CHECK(surface->GetPrivateData(name, read, &size) == D3DERR_NOTFOUND);
  CHECK(size == 0xDEAD);
  CHECK(surface->SetPrivateData(name, data, sizeof data, 0) == S_OK);
  CHECK(surface->GetPrivateData(other_name, read, &size) == D3DERR_NOTFOUND);
  size = 15;
  CHECK(surface->GetPrivateData(name, read, &size) == D3DERR_MOREDATA);
  CHECK(size == 16);
  CHECK(read[0] == 0);
  CHECK(surface->GetPrivateData(name, read, &size) == S_OK);
  CHECK(std::memcmp(read, data, sizeof data) == 0);
  size = 1;
  CHECK(surface->GetPrivateData(name, nullptr, &size) == S_OK);
  CHECK(size == 16);
  CHECK(surface->FreePrivateData(name) == S_OK);
  CHECK(surface->FreePrivateData(name) == D3DERR_NOTFOUND);
}

TEST_CASE("an interface in private data holds a reference", "[d3d9][T266]") {
  resource_rig r;
  auto surface = r.plain(4, 4, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH);
  auto* const kept = r.device.get();
  const auto before = references(kept);
  constexpr DWORD size = sizeof(void*);
  CHECK(surface->SetPrivateData(name, kept, size - 1, d3d9::private_data_is_unknown) ==
        D3DERR_INVALIDCALL);
  CHECK(surface->SetPrivateData(name, kept, size, d3d9::private_data_is_unknown) == S_OK);
  CHECK(references(kept) == before + 1);
  CHECK(surface->SetPrivateData(name, kept, size * 2, d3d9::private_data_is_unknown) ==
        D3DERR_INVALIDCALL);
  CHECK(references(kept) == before + 1);
  void* found = nullptr;
  DWORD room = size;
  CHECK(surface->GetPrivateData(name, &found, &room) == S_OK);
  CHECK(found == kept);
  CHECK(references(kept) == before + 2);
  kept->Release();
  surface.reset();
  CHECK(references(kept) == before - 1);
}

TEST_CASE("priorities are those of managed resources", "[d3d9]") {
  resource_rig r{api_level::plain};
  const auto [pool, after] = GENERATE(table<D3DPOOL, DWORD>(
      {{D3DPOOL_DEFAULT, 0}, {D3DPOOL_MANAGED, 5}, {D3DPOOL_SYSTEMMEM, 0}, {D3DPOOL_SCRATCH, 0}}));
  const auto texture = r.texture(8, 8, 1, 0, D3DFMT_A8R8G8B8, pool);
  CHECK(texture->GetPriority() == 0);
  CHECK(texture->SetPriority(5) == 0);
  CHECK(texture->GetPriority() == after);
  test::any_surface level;
  REQUIRE(texture->GetSurfaceLevel(0, level.out()) == S_OK);
  CHECK(level->SetPriority(5) == 0);
  CHECK(level->GetPriority() == 0);
}

TEST_CASE("a texture that makes its levels shows one", "[d3d9]") {
  resource_rig r{api_level::plain};
  const auto pool = GENERATE(D3DPOOL_DEFAULT, D3DPOOL_MANAGED);
  const auto texture = r.texture(64, 64, 0, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8, pool);
  CHECK(texture->GetLevelCount() == 1);
  D3DSURFACE_DESC about{};
  CHECK(texture->GetLevelDesc(0, &about) == S_OK);
  CHECK(about.Usage == D3DUSAGE_AUTOGENMIPMAP);
  CHECK(texture->GetLevelDesc(1, &about) == D3DERR_INVALIDCALL);
  test::any_surface level;
  CHECK(texture->GetSurfaceLevel(1, level.out()) == D3DERR_INVALIDCALL);
  CHECK(texture->GetAutoGenFilterType() == D3DTEXF_LINEAR);
  CHECK(texture->SetAutoGenFilterType(D3DTEXF_NONE) == D3DERR_INVALIDCALL);
  CHECK(texture->SetAutoGenFilterType(D3DTEXF_ANISOTROPIC) == S_OK);
  CHECK(texture->GetAutoGenFilterType() == D3DTEXF_ANISOTROPIC);
  texture->GenerateMipSubLevels();
  CHECK(d3d9::texture_of(texture.get())->prepare() == S_OK);
}

TEST_CASE("descriptions say what was asked for", "[d3d9]") {
  resource_rig r;
  test::owned<d3d9::IDirect3DVertexBuffer9> vertices;
  test::owned<d3d9::IDirect3DIndexBuffer9> indices;
  constexpr DWORD position = 2;
  REQUIRE(r.device->CreateVertexBuffer(96, D3DUSAGE_WRITEONLY, position, D3DPOOL_DEFAULT,
                                       vertices.out(), nullptr) == S_OK);
  REQUIRE(r.device->CreateIndexBuffer(12, 0, D3DFMT_INDEX32, D3DPOOL_SYSTEMMEM, indices.out(),
                                      nullptr) == S_OK);
  D3DVERTEXBUFFER_DESC about_vertices{};
  D3DINDEXBUFFER_DESC about_indices{};
  CHECK(vertices->GetDesc(&about_vertices) == S_OK);
  CHECK(about_vertices.Format == D3DFMT_VERTEXDATA);
  CHECK(about_vertices.Type == D3DRTYPE_VERTEXBUFFER);
  CHECK(about_vertices.Usage == D3DUSAGE_WRITEONLY);
  CHECK(about_vertices.Size == 96);
  CHECK(about_vertices.FVF == position);
  CHECK(indices->GetDesc(&about_indices) == S_OK);
  CHECK(about_indices.Format == D3DFMT_INDEX32);
  CHECK(about_indices.Pool == D3DPOOL_SYSTEMMEM);
  CHECK(vertices->GetDesc(nullptr) == D3DERR_INVALIDCALL);
}
