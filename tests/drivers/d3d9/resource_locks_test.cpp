// SPDX-License-Identifier: MIT
#include "tests/drivers/d3d9/resource_rig.hpp"

#include <array>

using namespace aerogpu;
using test::api_level;
using test::resource_rig;

namespace {

/// Where a lock begins, from where the whole surface does.
[[nodiscard]] auto offset_of(d3d9::IDirect3DSurface9* one, const RECT& area, INT& pitch)
    -> std::ptrdiff_t {
  D3DLOCKED_RECT whole{};
  REQUIRE(one->LockRect(&whole, nullptr, 0) == S_OK);
  REQUIRE(one->UnlockRect() == S_OK);
  D3DLOCKED_RECT part{};
  REQUIRE(one->LockRect(&part, &area, 0) == S_OK);
  REQUIRE(one->UnlockRect() == S_OK);
  pitch = part.Pitch;
  return static_cast<std::byte*>(part.pBits) - static_cast<std::byte*>(whole.pBits);
}

const RECT bad_areas[]{{60, 60, 60, 68},  {60, 60, 68, 60},  {68, 60, 60, 68},
                       {60, 68, 68, 60},  {-8, 60, 0, 68},   {60, -8, 68, 0},
                       {60, 60, 136, 68}, {60, 60, 68, 136}, {136, 60, 144, 68}};

}  // namespace

TEST_CASE("a lock of a rectangle begins at its corner", "[d3d9]") {
  resource_rig r;
  const auto pool = GENERATE(D3DPOOL_DEFAULT, D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH);
  const auto surface = r.plain(128, 128, D3DFMT_A8R8G8B8, pool);
  INT pitch = 0;
  const auto offset = offset_of(surface.get(), {60, 61, 68, 69}, pitch);
  CHECK(offset == 61 * pitch + 60 * 4);
}

TEST_CASE("a lock outside of video memory is refused, and writes nothing", "[d3d9]") {
  resource_rig r;
  const auto surface = r.plain(128, 128, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  for (const auto& area : bad_areas) {
    D3DLOCKED_RECT locked{7, &r};
    CHECK(surface->LockRect(&locked, &area, 0) == D3DERR_INVALIDCALL);
    CHECK(locked.Pitch == 7);
    CHECK(locked.pBits == &r);
  }
}

TEST_CASE("blocks are locked whole in video memory", "[d3d9]") {
  resource_rig r;
  const auto texture = r.texture(128, 128, 1, D3DUSAGE_DYNAMIC, D3DFMT_DXT1, D3DPOOL_DEFAULT);
  const auto [left, expected] =
      GENERATE(table<LONG, HRESULT>({{0, S_OK}, {4, S_OK}, {2, D3DERR_INVALIDCALL}}));
  const RECT area{left, 0, 8, 4};
  D3DLOCKED_RECT locked{};
  CHECK(texture->LockRect(0, &locked, &area, 0) == expected);
  if (expected == S_OK) CHECK(texture->UnlockRect(0) == S_OK);
}

TEST_CASE("rectangles in system memory are not checked", "[d3d9]") {
  resource_rig r;
  const auto format = GENERATE(D3DFMT_DXT1, D3DFMT_A8R8G8B8);
  const auto surface = r.texture(128, 128, 1, 0, format, D3DPOOL_SYSTEMMEM);
  for (const auto& area : bad_areas) {
    D3DLOCKED_RECT locked{};
    CHECK(surface->LockRect(0, &locked, &area, 0) == S_OK);
    CHECK(surface->UnlockRect(0) == S_OK);
  }
}

TEST_CASE("a surface is locked once", "[d3d9]") {
  resource_rig r;
  const auto pool = GENERATE(D3DPOOL_DEFAULT, D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH);
  const auto surface = r.plain(8, 8, D3DFMT_A8R8G8B8, pool);
  D3DLOCKED_RECT locked{};
  CHECK(surface->UnlockRect() == D3DERR_INVALIDCALL);
  CHECK(surface->LockRect(&locked, nullptr, 0) == S_OK);
  CHECK(surface->LockRect(&locked, nullptr, D3DLOCK_READONLY) == D3DERR_INVALIDCALL);
  CHECK(surface->UnlockRect() == S_OK);
  CHECK(surface->UnlockRect() == D3DERR_INVALIDCALL);
}

TEST_CASE("each buffer of a chain is locked by itself, and they change places with a present",
          "[d3d9]") {
  test::direct3d_rig<> app;
  auto wanted = app.windowed();
  wanted.BackBufferCount = 2;
  wanted.Flags = D3DPRESENTFLAG_LOCKABLE_BACKBUFFER;
  test::any_device device;
  *device.out() = app.make_device(wanted);
  test::any_surface first, second;
  REQUIRE(device->GetBackBuffer(0, 0, D3DBACKBUFFER_TYPE_MONO, first.out()) == S_OK);
  REQUIRE(device->GetBackBuffer(0, 1, D3DBACKBUFFER_TYPE_MONO, second.out()) == S_OK);
  resource_rig::fill(first.get(), 0xFF112233);
  resource_rig::fill(second.get(), 0xFF445566);
  D3DLOCKED_RECT of_first{}, of_second{};
  REQUIRE(first->LockRect(&of_first, nullptr, 0) == S_OK);
  REQUIRE(second->LockRect(&of_second, nullptr, 0) == S_OK);
  CHECK(of_first.pBits != of_second.pBits);
  CHECK(first->UnlockRect() == S_OK);
  CHECK(second->UnlockRect() == S_OK);
  const auto texel_of = [](const test::any_surface& of) {
    return resource_rig::texels_of(of.get())[0] & 0xFFFFFF;
  };
  CHECK(texel_of(first) == 0x112233);
  CHECK(texel_of(second) == 0x445566);
  REQUIRE(device->Present(nullptr, nullptr, nullptr, nullptr) == S_OK);
  CHECK(texel_of(first) == 0x445566);
  CHECK(texel_of(second) == 0x112233);
}

TEST_CASE("a 2D texture forgives one Unlock too many", "[d3d9]") {
  resource_rig r;
  const auto texture = r.texture(8, 8, 2, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  test::any_surface level;
  REQUIRE(texture->GetSurfaceLevel(1, level.out()) == S_OK);
  CHECK(texture->UnlockRect(1) == S_OK);
  CHECK(level->UnlockRect() == S_OK);
  CHECK(texture->UnlockRect(2) == D3DERR_INVALIDCALL);
  D3DLOCKED_RECT locked{};
  CHECK(texture->LockRect(0, &locked, nullptr, 0) == S_OK);
  CHECK(texture->LockRect(1, &locked, nullptr, 0) == S_OK);
  CHECK(level->LockRect(&locked, nullptr, 0) == D3DERR_INVALIDCALL);
}

TEST_CASE("what the driver keeps to itself is not locked", "[d3d9]") {
  resource_rig r;
  const auto texture = r.texture(8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  const auto target = r.target(8, 8);
  const auto lockable = r.target(8, 8, D3DFMT_A8R8G8B8, true);
  D3DLOCKED_RECT locked{};
  CHECK(texture->LockRect(0, &locked, nullptr, 0) == D3DERR_INVALIDCALL);
  CHECK(texture->UnlockRect(0) == D3DERR_INVALIDCALL);
  CHECK(target->LockRect(&locked, nullptr, 0) == D3DERR_INVALIDCALL);
  CHECK(lockable->LockRect(&locked, nullptr, 0) == S_OK);
  CHECK(lockable->UnlockRect() == S_OK);
}

TEST_CASE("a lock of a lockable target reads what was drawn", "[d3d9]") {
  resource_rig r;
  const auto target = r.target(8, 8, D3DFMT_A8R8G8B8, true);
  REQUIRE(r.device->ColorFill(target.get(), nullptr, 0x11223344) == S_OK);
  CHECK(resource_rig::texels_of(target.get()) == std::vector<std::uint32_t>(64, 0x11223344));
}

TEST_CASE("flags that do not fit a buffer are not followed", "[d3d9]") {
  resource_rig r;
  const auto [usage, flags] =
      GENERATE(table<DWORD, DWORD>({{D3DUSAGE_DYNAMIC, D3DLOCK_DISCARD | D3DLOCK_NOOVERWRITE},
                                    {D3DUSAGE_DYNAMIC, D3DLOCK_READONLY | D3DLOCK_DISCARD},
                                    {D3DUSAGE_DYNAMIC, 0xDEADBEEF},
                                    {0, D3DLOCK_DISCARD},
                                    {0, D3DLOCK_NOOVERWRITE},
                                    {0, D3DLOCK_DONOTWAIT}}));
  CAPTURE(usage, flags);
  test::owned<d3d9::IDirect3DVertexBuffer9> buffer;
  REQUIRE(r.device->CreateVertexBuffer(64, usage, 0, D3DPOOL_DEFAULT, buffer.out(), nullptr) ==
          S_OK);
  void* data = nullptr;
  CHECK(buffer->Lock(0, 0, &data, flags) == S_OK);
  CHECK(data != nullptr);
  CHECK(buffer->Unlock() == S_OK);
}

TEST_CASE("a surface is not discarded by who reads it", "[d3d9]") {
  resource_rig r;
  const auto surface = r.target(8, 8, D3DFMT_A8R8G8B8, true);
  const auto [flags, expected] =
      GENERATE(table<DWORD, HRESULT>({{D3DLOCK_READONLY | D3DLOCK_DISCARD, D3DERR_INVALIDCALL},
                                      {0x4, D3DERR_INVALIDCALL},
                                      {D3DLOCK_DISCARD, S_OK},
                                      {D3DLOCK_NOSYSLOCK, S_OK}}));
  D3DLOCKED_RECT locked{};
  CHECK(surface->LockRect(&locked, nullptr, flags) == expected);
}

TEST_CASE("locks of a buffer nest", "[d3d9]") {
  resource_rig r{api_level::plain};
  const auto [pool, usage] = GENERATE(table<D3DPOOL, DWORD>({{D3DPOOL_DEFAULT, 0},
                                                             {D3DPOOL_DEFAULT, D3DUSAGE_DYNAMIC},
                                                             {D3DPOOL_MANAGED, 0},
                                                             {D3DPOOL_SYSTEMMEM, 0}}));
  test::owned<d3d9::IDirect3DIndexBuffer9> buffer;
  REQUIRE(r.device->CreateIndexBuffer(64, usage, D3DFMT_INDEX16, pool, buffer.out(), nullptr) ==
          S_OK);
  void* first = nullptr;
  void* second = nullptr;
  CHECK(buffer->Lock(16, 8, &first, 0) == S_OK);
  CHECK(buffer->Lock(4, 40, &second, 0) == S_OK);
  CHECK(static_cast<std::byte*>(first) - static_cast<std::byte*>(second) == 12);
  std::memset(second, 0x5A, 40);
  CHECK(buffer->Unlock() == S_OK);
  CHECK(buffer->Unlock() == S_OK);
  CHECK(buffer->Unlock() == S_OK);
  CHECK(buffer->Lock(4, 40, &first, D3DLOCK_READONLY) == S_OK);
  CHECK(std::all_of(static_cast<std::byte*>(first), static_cast<std::byte*>(first) + 40,
                    [](std::byte one) { return one == std::byte{0x5A}; }));
  CHECK(buffer->Unlock() == S_OK);
}

TEST_CASE("a lock that goes on beyond a buffer's end ends there", "[d3d9]") {
  resource_rig r{api_level::plain};
  const auto [pool, usage] = GENERATE(table<D3DPOOL, DWORD>({{D3DPOOL_DEFAULT, 0},
                                                             {D3DPOOL_DEFAULT, D3DUSAGE_DYNAMIC},
                                                             {D3DPOOL_MANAGED, 0},
                                                             {D3DPOOL_SYSTEMMEM, 0}}));
  test::owned<d3d9::IDirect3DIndexBuffer9> buffer;
  REQUIRE(r.device->CreateIndexBuffer(64, usage, D3DFMT_INDEX16, pool, buffer.out(), nullptr) ==
          S_OK);
  void* data = nullptr;
  const auto bytes = GENERATE(8u, 0xFFFFFFFFu);
  REQUIRE(buffer->Lock(60, bytes, &data, 0) == S_OK);
  std::memset(data, 0x5A, 4);
  CHECK(buffer->Unlock() == S_OK);
  // The copy takes what there is.
  CHECK(d3d9::index_buffer::of(buffer.get())->prepare() == S_OK);
  REQUIRE(buffer->Lock(0, 0, &data, D3DLOCK_READONLY) == S_OK);
  const auto* const all = static_cast<const std::byte*>(data);
  CHECK(std::all_of(all + 60, all + 64, [](std::byte one) { return one == std::byte{0x5A}; }));
  CHECK(buffer->Unlock() == S_OK);
  CHECK(buffer->Lock(65, 0, &data, 0) == D3DERR_INVALIDCALL);
  CHECK(buffer->Lock(65, 8, &data, 0) == D3DERR_INVALIDCALL);
}

TEST_CASE("DISCARD and NOOVERWRITE hand out the same memory, without a copy", "[d3d9]") {
  resource_rig r;
  test::owned<d3d9::IDirect3DVertexBuffer9> buffer;
  REQUIRE(r.device->CreateVertexBuffer(256, D3DUSAGE_DYNAMIC | D3DUSAGE_WRITEONLY, 0,
                                       D3DPOOL_DEFAULT, buffer.out(), nullptr) == S_OK);
  void* first = nullptr;
  REQUIRE(buffer->Lock(0, 0, &first, D3DLOCK_DISCARD) == S_OK);
  REQUIRE(buffer->Unlock() == S_OK);
  void* second = nullptr;
  REQUIRE(buffer->Lock(64, 64, &second, D3DLOCK_NOOVERWRITE) == S_OK);
  REQUIRE(buffer->Unlock() == S_OK);
  CHECK(static_cast<std::byte*>(second) - static_cast<std::byte*>(first) == 64);
}

TEST_CASE("levels lie behind each other in memory", "[d3d9]") {
  resource_rig r;
  const auto pool = GENERATE(D3DPOOL_SYSTEMMEM, D3DPOOL_SCRATCH);
  test::any_cube_texture cube;
  REQUIRE(r.device->CreateCubeTexture(17, 0, 0, D3DFMT_A8R8G8B8, pool, cube.out(), nullptr) ==
          S_OK);
  std::byte* next = nullptr;
  for (UINT face = 0; face < 6; ++face) {
    for (UINT level = 0; level < cube->GetLevelCount(); ++level) {
      D3DLOCKED_RECT locked{};
      REQUIRE(cube->LockRect(static_cast<D3DCUBEMAP_FACES>(face), level, &locked, nullptr, 0) ==
              S_OK);
      auto* const begin = static_cast<std::byte*>(locked.pBits);
      if (level != 0) CHECK(begin == next);
      CHECK((level != 0 || reinterpret_cast<std::uintptr_t>(begin) % 16 == 0));
      next = begin + std::ptrdiff_t{locked.Pitch} * (17 >> level);
      CHECK(cube->UnlockRect(static_cast<D3DCUBEMAP_FACES>(face), level) == S_OK);
    }
  }
}

TEST_CASE("rows in system memory begin at multiples of four bytes", "[d3d9]") {
  resource_rig r;
  const auto [format, width, expected] =
      GENERATE(table<D3DFORMAT, UINT, INT>({{D3DFMT_R5G6B5, 5, 12},
                                            {D3DFMT_L8, 5, 8},
                                            {D3DFMT_R8G8B8, 3, 12},
                                            {D3DFMT_YUY2, 5, 12},
                                            {D3DFMT_DXT5, 20, 80}}));
  const auto surface = r.plain(width, 4, format, D3DPOOL_SCRATCH);
  D3DLOCKED_RECT locked{};
  CHECK(surface->LockRect(&locked, nullptr, 0) == S_OK);
  CHECK(locked.Pitch == expected);
}

TEST_CASE("a device context excludes locks and other contexts of the texture", "[d3d9]") {
  resource_rig r;
  const auto texture = r.texture(8, 8, 2, 0, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM);
  test::any_surface first;
  test::any_surface second;
  REQUIRE(texture->GetSurfaceLevel(0, first.out()) == S_OK);
  REQUIRE(texture->GetSurfaceLevel(1, second.out()) == S_OK);
  HDC context = nullptr;
  HDC other = nullptr;
  D3DLOCKED_RECT locked{};
  CHECK(first->GetDC(&context) == S_OK);
  CHECK(context != nullptr);
  CHECK(first->GetDC(&other) == D3DERR_INVALIDCALL);
  CHECK(second->GetDC(&other) == D3DERR_INVALIDCALL);
  CHECK(first->LockRect(&locked, nullptr, 0) == D3DERR_INVALIDCALL);
  CHECK(second->LockRect(&locked, nullptr, 0) == D3DERR_INVALIDCALL);
  CHECK(second->UnlockRect() == S_OK);
  CHECK(second->ReleaseDC(context) == D3DERR_INVALIDCALL);
  CHECK(first->ReleaseDC(context) == S_OK);
  CHECK(first->ReleaseDC(context) == D3DERR_INVALIDCALL);
  CHECK(second->LockRect(&locked, nullptr, 0) == S_OK);
  CHECK(second->GetDC(&other) == D3DERR_INVALIDCALL);
  CHECK(first->GetDC(&other) == D3DERR_INVALIDCALL);
  CHECK(second->UnlockRect() == S_OK);
  CHECK(second->GetDC(&other) == S_OK);
  CHECK(second->ReleaseDC(other) == S_OK);
}

TEST_CASE("GDI draws to six formats", "[d3d9]") {
  resource_rig r;
  const auto [format, expected] =
      GENERATE(table<D3DFORMAT, HRESULT>({{D3DFMT_R8G8B8, S_OK},
                                          {D3DFMT_X8R8G8B8, S_OK},
                                          {D3DFMT_A8R8G8B8, S_OK},
                                          {D3DFMT_R5G6B5, S_OK},
                                          {D3DFMT_X1R5G5B5, S_OK},
                                          {D3DFMT_A1R5G5B5, S_OK},
                                          {D3DFMT_A8B8G8R8, D3DERR_INVALIDCALL},
                                          {D3DFMT_L8, D3DERR_INVALIDCALL},
                                          {D3DFMT_DXT1, D3DERR_INVALIDCALL}}));
  const auto surface = r.plain(8, 8, format, D3DPOOL_SCRATCH);
  HDC context = nullptr;
  CHECK(surface->GetDC(&context) == expected);
  if (SUCCEEDED(expected)) CHECK(surface->ReleaseDC(context) == S_OK);
}

TEST_CASE("a buffer larger than any submission goes to the driver", "[d3d9]") {
  sim::runtime_options options;
  options.spaces.sizes = {{}};  // All that the kernel takes, as Windows lends it.
  resource_rig r{api_level::plain, options};
  const auto pool = GENERATE(D3DPOOL_DEFAULT, D3DPOOL_MANAGED);
  constexpr UINT bytes = (1 << 20) + 1;
  test::owned<d3d9::IDirect3DVertexBuffer9> buffer;
  REQUIRE(r.device->CreateVertexBuffer(bytes, 0, 0, pool, buffer.out(), nullptr) == S_OK);
  void* data = nullptr;
  REQUIRE(buffer->Lock(0, 0, &data, 0) == S_OK);
  CHECK(reinterpret_cast<std::uintptr_t>(data) % 16 == 0);
  std::memset(data, 0x3C, bytes);
  CHECK(buffer->Unlock() == S_OK);
  CHECK(d3d9::vertex_buffer::of(buffer.get())->prepare() == S_OK);
  REQUIRE(buffer->Lock(bytes - 1, 0, &data, D3DLOCK_READONLY) == S_OK);
  CHECK(*static_cast<const std::uint8_t*>(data) == 0x3C);
  CHECK(buffer->Unlock() == S_OK);
}
