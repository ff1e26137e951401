// SPDX-License-Identifier: MIT
#include "tests/drivers/d3d9/resource_rig.hpp"

#include <array>
#include <limits>

using namespace aerogpu;
using test::api_level;
using test::bad;
using test::resource_rig;

namespace {

enum class kind : std::uint8_t { texture, target_texture, target, plain, depth };

/// A surface of 32x32 texels; a level keeps its texture.
[[nodiscard]] auto make(resource_rig& r, kind of, D3DFORMAT format = D3DFMT_A8R8G8B8)
    -> test::any_surface {
  test::any_surface made;
  if (of == kind::target) return r.target(32, 32, format);
  if (of == kind::plain) return r.plain(32, 32, format, D3DPOOL_DEFAULT);
  if (of == kind::depth) {
    REQUIRE(r.device->CreateDepthStencilSurface(32, 32, D3DFMT_D24S8, D3DMULTISAMPLE_NONE, 0, 1,
                                                made.out(), nullptr) == S_OK);
    return made;
  }
  const DWORD usage = of == kind::target_texture ? D3DUSAGE_RENDERTARGET : 0;
  const auto texture = r.texture(32, 32, 1, usage, format, D3DPOOL_DEFAULT);
  REQUIRE(texture->GetSurfaceLevel(0, made.out()) == S_OK);
  return made;
}

[[nodiscard]] auto stretch(resource_rig& r, const test::any_surface& from,
                           const test::any_surface& to, const RECT* from_area = nullptr,
                           const RECT* to_area = nullptr,
                           D3DTEXTUREFILTERTYPE filter = D3DTEXF_NONE) -> HRESULT {
  return r.device->StretchRect(from.get(), from_area, to.get(), to_area, filter);
}

}  // namespace

TEST_CASE("StretchRect copies between the kinds of surfaces that the table allows",
          "[d3d9][T258]") {
  resource_rig r;
  const auto [source, to_target_texture, to_target, to_plain, to_texture] = GENERATE(
      table<kind, HRESULT, HRESULT, HRESULT, HRESULT>({{kind::texture, S_OK, S_OK, bad, bad},
                                                       {kind::target_texture, S_OK, S_OK, bad, bad},
                                                       {kind::target, S_OK, S_OK, bad, bad},
                                                       {kind::plain, S_OK, S_OK, S_OK, bad}}));
  CAPTURE(source);
  const auto from = make(r, source);
  CHECK(stretch(r, from, make(r, kind::target_texture)) == to_target_texture);
  CHECK(stretch(r, from, make(r, kind::target)) == to_target);
  CHECK(stretch(r, from, make(r, kind::plain)) == to_plain);
  CHECK(stretch(r, from, make(r, kind::texture)) == to_texture);
}

TEST_CASE("StretchRect refuses what is no copy of its kind", "[d3d9][T258]") {
  resource_rig r;
  const auto target = make(r, kind::target);
  const auto other = make(r, kind::target);
  const auto plain = make(r, kind::plain);
  const auto memory = r.plain(32, 32, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const RECT small{0, 0, 16, 16};
  const RECT outside{0, 0, 33, 16};
  CHECK(stretch(r, target, target) == bad);
  CHECK(stretch(r, memory, target) == bad);
  CHECK(stretch(r, target, memory) == bad);
  CHECK(stretch(r, target, other, &small, nullptr) == S_OK);
  CHECK(stretch(r, target, other, &outside, nullptr) == bad);
  CHECK(stretch(r, plain, make(r, kind::plain), &small, nullptr) == bad);
  CHECK(stretch(r, plain, make(r, kind::plain, D3DFMT_X8R8G8B8)) == S_OK);
  CHECK(stretch(r, target, make(r, kind::target, D3DFMT_R5G6B5)) == S_OK);
  CHECK(stretch(r, target, other, nullptr, nullptr, D3DTEXF_LINEAR) == S_OK);
  CHECK(stretch(r, target, other, nullptr, nullptr, D3DTEXF_ANISOTROPIC) == bad);
  CHECK(r.device->StretchRect(nullptr, nullptr, target.get(), nullptr, D3DTEXF_NONE) == bad);
}

TEST_CASE("depth surfaces are copied whole, and outside of scenes", "[d3d9][T258]") {
  resource_rig r;
  const auto from = make(r, kind::depth);
  const auto to = make(r, kind::depth);
  const RECT part{0, 0, 16, 16};
  CHECK(stretch(r, from, to) == S_OK);
  CHECK(stretch(r, from, to, &part, &part) == bad);
  CHECK(stretch(r, from, make(r, kind::target)) == bad);
  CHECK(r.device->BeginScene() == S_OK);
  CHECK(stretch(r, from, to) == bad);
  CHECK(r.device->EndScene() == S_OK);
}

TEST_CASE("UpdateSurface refuses places whose sum with a size has no number", "[d3d9]") {
  resource_rig r;
  const auto memory = r.plain(16, 16, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto target = r.target(32, 32);
  constexpr LONG most = std::numeric_limits<LONG>::max(), least = std::numeric_limits<LONG>::min();
  const POINT right{most, 0}, below{0, most}, left{least, 0};
  const RECT wide{least, 0, most, 1}, high{0, least, 1, most};
  for (const POINT& at : {right, below, left})
    CHECK(r.device->UpdateSurface(memory.get(), nullptr, target.get(), &at) == bad);
  for (const RECT& area : {wide, high})
    CHECK(r.device->UpdateSurface(memory.get(), &area, target.get(), nullptr) == bad);
}

TEST_CASE("UpdateSurface goes from system memory to video memory", "[d3d9][T258]") {
  resource_rig r;
  const auto memory = r.plain(16, 16, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto target = r.target(32, 32);
  const auto update = [&](const test::any_surface& from, const RECT* area,
                          const test::any_surface& to, const POINT* at) {
    return r.device->UpdateSurface(from.get(), area, to.get(), at);
  };
  resource_rig::fill(memory.get(), 0x12345678);
  REQUIRE(r.device->ColorFill(target.get(), nullptr, 0) == S_OK);
  const RECT area{0, 0, 2, 1};
  const POINT at{30, 31};
  const POINT outside{31, 31};
  CHECK(update(memory, &area, target, &at) == S_OK);
  std::vector<std::uint32_t> expected(32 * 32);
  expected[31 * 32 + 30] = expected[31 * 32 + 31] = 0x12345678;
  CHECK(r.read(target.get()) == expected);
  CHECK(update(memory, &area, target, &outside) == bad);
  CHECK(update(target, nullptr, memory, nullptr) == bad);
  CHECK(update(memory, nullptr, r.target(32, 32, D3DFMT_X8R8G8B8), nullptr) == bad);
  CHECK(update(memory, nullptr, r.plain(32, 32, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH), nullptr) == bad);
  D3DLOCKED_RECT locked{};
  CHECK(memory->LockRect(&locked, nullptr, 0) == S_OK);
  CHECK(update(memory, nullptr, target, nullptr) == bad);
  CHECK(memory->UnlockRect() == S_OK);
}

TEST_CASE("GetRenderTargetData needs a target and memory like it", "[d3d9][T258]") {
  resource_rig r;
  const auto target = r.target(32, 32);
  const auto memory = r.plain(32, 32, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto get = [&](const test::any_surface& from, const test::any_surface& to) {
    return r.device->GetRenderTargetData(from.get(), to.get());
  };
  REQUIRE(r.device->ColorFill(target.get(), nullptr, 0x01020304) == S_OK);
  CHECK(get(target, memory) == S_OK);
  CHECK(resource_rig::texels_of(memory.get()) == std::vector<std::uint32_t>(32 * 32, 0x01020304));
  CHECK(get(r.plain(32, 32, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT), memory) == bad);
  CHECK(get(memory, memory) == bad);
  CHECK(get(target, r.plain(32, 16, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM)) == bad);
  CHECK(get(target, r.plain(32, 32, D3DFMT_X8R8G8B8, D3DPOOL_SYSTEMMEM)) == bad);
  CHECK(get(target, r.plain(32, 32, D3DFMT_A8R8G8B8, D3DPOOL_SCRATCH)) == bad);
  CHECK(r.device->GetRenderTargetData(target.get(), nullptr) == bad);
}

TEST_CASE("ColorFill fills targets and offscreen surfaces", "[d3d9][T258]") {
  resource_rig r;
  const auto [of, expected] = GENERATE(table<kind, HRESULT>({{kind::target, S_OK},
                                                             {kind::target_texture, S_OK},
                                                             {kind::plain, S_OK},
                                                             {kind::texture, bad},
                                                             {kind::depth, bad}}));
  CAPTURE(of);
  const auto filled = make(r, of);
  const RECT outside{0, 0, 33, 1};
  CHECK(r.device->ColorFill(filled.get(), nullptr, 0xFF00FF00) == expected);
  CHECK(r.device->ColorFill(filled.get(), &outside, 0) == bad);
}

TEST_CASE("UpdateTexture copies what is dirty, once", "[d3d9][T258]") {
  resource_rig r;
  const auto memory = r.texture(8, 8, 1, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto video = r.texture(8, 8, 1, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  test::any_surface from;
  test::any_surface to;
  REQUIRE(memory->GetSurfaceLevel(0, from.out()) == S_OK);
  REQUIRE(video->GetSurfaceLevel(0, to.out()) == S_OK);
  resource_rig::fill(from.get(), 0x11111111);
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == S_OK);
  CHECK(r.read(to.get()) == std::vector<std::uint32_t>(64, 0x11111111));
  REQUIRE(r.device->ColorFill(to.get(), nullptr, 0x22222222) == S_OK);
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == S_OK);
  CHECK(r.read(to.get()) == std::vector<std::uint32_t>(64, 0x22222222));
  const RECT area{1, 0, 3, 1};
  resource_rig::fill(from.get(), 0x33333333, &area);
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == S_OK);
  std::vector<std::uint32_t> expected(64, 0x22222222);
  expected[1] = expected[2] = 0x33333333;
  CHECK(r.read(to.get()) == expected);
  CHECK(memory->AddDirtyRect(nullptr) == S_OK);
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == S_OK);
  expected.assign(64, 0x11111111);
  expected[1] = expected[2] = 0x33333333;
  CHECK(r.read(to.get()) == expected);
}

TEST_CASE("UpdateTexture needs two textures alike", "[d3d9][T258]") {
  resource_rig r;
  const auto memory = r.texture(8, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto update = [&](const test::any_2d_texture& to) {
    return r.device->UpdateTexture(memory.get(), to.get());
  };
  const auto video = [&](UINT edge, UINT levels, D3DFORMAT format) {
    return r.texture(edge, edge, levels, 0, format, D3DPOOL_DEFAULT);
  };
  CHECK(update(video(8, 0, D3DFMT_A8R8G8B8)) == S_OK);
  CHECK(update(video(4, 0, D3DFMT_A8R8G8B8)) == S_OK);
  CHECK(update(r.texture(8, 8, 1, D3DUSAGE_AUTOGENMIPMAP, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT)) ==
        S_OK);
  CHECK(update(video(16, 0, D3DFMT_A8R8G8B8)) == bad);
  CHECK(update(video(8, 0, D3DFMT_R5G6B5)) == bad);
  CHECK(update(r.texture(8, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM)) == bad);
  CHECK(r.device->UpdateTexture(nullptr, nullptr) == bad);
  test::any_cube_texture cube;
  REQUIRE(r.device->CreateCubeTexture(8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT, cube.out(),
                                      nullptr) == S_OK);
  CHECK(r.device->UpdateTexture(memory.get(), cube.get()) == bad);
}

TEST_CASE("UpdateTexture matches levels by their size", "[d3d9][T258]") {
  resource_rig r;
  struct row {
    UINT from_edge, from_levels, to_edge, to_levels;
    HRESULT expected;
  };
  const auto [from_edge, from_levels, to_edge, to_levels, expected] =
      GENERATE(row{8, 4, 8, 2, S_OK}, row{8, 4, 8, 1, S_OK}, row{8, 4, 4, 2, S_OK},
               row{8, 4, 2, 1, S_OK}, row{8, 1, 8, 4, S_OK}, row{8, 2, 4, 3, S_OK},
               row{8, 1, 4, 1, bad}, row{8, 2, 2, 1, bad}, row{4, 3, 8, 4, bad});
  CAPTURE(from_edge, from_levels, to_edge, to_levels);
  const auto memory =
      r.texture(from_edge, from_edge, from_levels, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto video = r.texture(to_edge, to_edge, to_levels, D3DUSAGE_RENDERTARGET, D3DFMT_A8R8G8B8,
                               D3DPOOL_DEFAULT);
  // Each texel of memory is its level's edge.
  test::any_surface level;
  for (UINT i = 0; i < from_levels; ++i) {
    REQUIRE(memory->GetSurfaceLevel(i, level.out()) == S_OK);
    resource_rig::fill(level.get(), from_edge >> i);
  }
  for (UINT i = 0; i < to_levels; ++i) {
    REQUIRE(video->GetSurfaceLevel(i, level.out()) == S_OK);
    REQUIRE(r.device->ColorFill(level.get(), nullptr, 0x77777777) == S_OK);
  }
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == expected);
  const UINT least = from_edge >> (from_levels - 1);
  for (UINT i = 0; i < to_levels; ++i) {
    REQUIRE(video->GetSurfaceLevel(i, level.out()) == S_OK);
    const UINT edge = to_edge >> i;
    const bool is_copied = expected == S_OK && edge >= least;
    CHECK(r.read(level.get()).front() == (is_copied ? edge : 0x77777777));
  }
}

TEST_CASE("UpdateTexture takes texels with and without alpha for each other", "[d3d9][T258]") {
  resource_rig r;
  const auto from = GENERATE(D3DFMT_A8R8G8B8, D3DFMT_X8R8G8B8);
  const auto to = from == D3DFMT_A8R8G8B8 ? D3DFMT_X8R8G8B8 : D3DFMT_A8R8G8B8;
  const auto memory = r.texture(8, 8, 4, 0, from, D3DPOOL_SYSTEMMEM);
  const auto video = r.texture(4, 4, 1, D3DUSAGE_RENDERTARGET, to, D3DPOOL_DEFAULT);
  test::any_surface second;
  test::any_surface top;
  REQUIRE(memory->GetSurfaceLevel(1, second.out()) == S_OK);
  REQUIRE(video->GetSurfaceLevel(0, top.out()) == S_OK);
  resource_rig::fill(second.get(), 0x12345678);
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == S_OK);
  CHECK((r.read(top.get()).front() & 0xFFFFFF) == 0x345678);
  // Nothing is dirty any more.
  REQUIRE(r.device->ColorFill(top.get(), nullptr, 0) == S_OK);
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == S_OK);
  CHECK((r.read(top.get()).front() & 0xFFFFFF) == 0);
}

TEST_CASE("a managed texture's copy follows its memory", "[d3d9][T257]") {
  resource_rig r{api_level::plain};
  const auto texture = r.texture(8, 8, 2, 0, D3DFMT_A8R8G8B8, D3DPOOL_MANAGED);
  auto* const inside = d3d9::texture_of(texture.get());
  test::any_surface top;
  test::any_surface below;
  REQUIRE(texture->GetSurfaceLevel(0, top.out()) == S_OK);
  REQUIRE(texture->GetSurfaceLevel(1, below.out()) == S_OK);
  CHECK(inside->driver() == nullptr);
  const auto sampled = [&](UINT level) {
    const auto target = r.target(8 >> level, 8 >> level);
    const auto read = static_cast<d3d9::surface*>(target.get())->place();
    REQUIRE(inside->prepare() == S_OK);
    auto& device = static_cast<d3d9::device&>(*r.device.get());
    REQUIRE(device.below.stretch_rect({inside->driver(), level}, nullptr, read, nullptr,
                                      D3DTEXF_NONE) == S_OK);
    return r.read(target.get());
  };
  resource_rig::fill(top.get(), 0x10101010);
  resource_rig::fill(below.get(), 0x20202020);
  CHECK(sampled(0) == std::vector<std::uint32_t>(64, 0x10101010));
  CHECK(sampled(1) == std::vector<std::uint32_t>(16, 0x20202020));

  SECTION("a dirty rectangle goes with the next use") {
    const RECT area{2, 0, 4, 1};
    resource_rig::fill(top.get(), 0x30303030, &area);
    std::vector<std::uint32_t> expected(64, 0x10101010);
    expected[2] = expected[3] = 0x30303030;
    CHECK(sampled(0) == expected);
  }
  SECTION("NO_DIRTY_UPDATE keeps the copy until AddDirtyRect") {
    D3DLOCKED_RECT locked{};
    REQUIRE(top->LockRect(&locked, nullptr, D3DLOCK_NO_DIRTY_UPDATE) == S_OK);
    std::memset(locked.pBits, 0x77, 4);
    REQUIRE(top->UnlockRect() == S_OK);
    CHECK(sampled(0).front() == 0x10101010);
    CHECK(texture->AddDirtyRect(nullptr) == S_OK);
    CHECK(sampled(0).front() == 0x77777777);
  }
  SECTION("a lock of the top level makes what lies below it dirty") {
    D3DLOCKED_RECT locked{};
    REQUIRE(below->LockRect(&locked, nullptr, D3DLOCK_NO_DIRTY_UPDATE) == S_OK);
    std::memset(locked.pBits, 0x77, 16);
    REQUIRE(below->UnlockRect() == S_OK);
    CHECK(sampled(1).front() == 0x20202020);
    const RECT area{0, 0, 3, 1};
    REQUIRE(top->LockRect(&locked, &area, 0) == S_OK);
    REQUIRE(top->UnlockRect() == S_OK);
    std::vector<std::uint32_t> expected(16, 0x20202020);
    expected[0] = expected[1] = 0x77777777;
    CHECK(sampled(1) == expected);
  }
  SECTION("a dirty rectangle of odd texels reaches the last that it touches below") {
    D3DLOCKED_RECT locked{};
    REQUIRE(below->LockRect(&locked, nullptr, D3DLOCK_NO_DIRTY_UPDATE) == S_OK);
    std::memset(locked.pBits, 0x77, 16);
    REQUIRE(below->UnlockRect() == S_OK);
    const RECT area{1, 0, 3, 1};
    CHECK(texture->AddDirtyRect(&area) == S_OK);
    std::vector<std::uint32_t> expected(16, 0x20202020);
    expected[0] = expected[1] = 0x77777777;
    CHECK(sampled(1) == expected);
  }
  SECTION("an evicted copy is made again") {
    CHECK(r.device->EvictManagedResources() == S_OK);
    CHECK(inside->driver() == nullptr);
    CHECK(sampled(1) == std::vector<std::uint32_t>(16, 0x20202020));
  }
  SECTION("levels above the LOD are not in video memory") {
    CHECK(texture->SetLOD(1) == 0);
    CHECK(texture->GetLOD() == 1);
    REQUIRE(inside->prepare() == S_OK);
    CHECK(inside->driver()->subresources.size() == 1);
    CHECK(inside->driver()->description.width == 4);
    CHECK(texture->SetLOD(7) == 1);
    CHECK(texture->GetLOD() == 1);
  }
}

TEST_CASE("a managed buffer's copy follows its memory", "[d3d9][T257]") {
  resource_rig r{api_level::plain};
  test::owned<d3d9::IDirect3DVertexBuffer9> buffer;
  REQUIRE(r.device->CreateVertexBuffer(64, 0, 0, D3DPOOL_MANAGED, buffer.out(), nullptr) == S_OK);
  auto* const inside = d3d9::vertex_buffer::of(buffer.get());
  CHECK(inside->driver() == nullptr);
  void* data = nullptr;
  REQUIRE(buffer->Lock(0, 0, &data, 0) == S_OK);
  std::memset(data, 0x11, 64);
  REQUIRE(buffer->Unlock() == S_OK);
  REQUIRE(inside->prepare() == S_OK);
  REQUIRE(inside->driver() != nullptr);
  auto& device = static_cast<d3d9::device&>(*r.device.get());
  void* copy = nullptr;
  REQUIRE(device.below.lock(*inside->driver(), 0, 0, copy, D3DLOCK_READONLY) == S_OK);
  CHECK(std::memcmp(copy, data, 64) == 0);
  CHECK(device.below.unlock(*inside->driver()) == S_OK);
  const auto changes = device.resources->changes();
  CHECK(r.device->EvictManagedResources() == S_OK);
  CHECK(inside->driver() == nullptr);
  CHECK(device.resources->changes() > changes);
}

TEST_CASE("UpdateTexture copies whole blocks of what was locked", "[d3d9]") {
  resource_rig r;
  const auto memory = r.texture(16, 16, 1, 0, D3DFMT_DXT1, D3DPOOL_SYSTEMMEM);
  const auto video = r.texture(16, 16, 1, 0, D3DFMT_DXT1, D3DPOOL_DEFAULT);
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == S_OK);
  const RECT area = GENERATE(RECT{5, 5, 7, 7}, RECT{-4, 0, 4, 4}, RECT{4, 4, 4, 4});
  D3DLOCKED_RECT locked{};
  REQUIRE(memory->LockRect(0, &locked, &area, 0) == S_OK);
  REQUIRE(memory->UnlockRect(0) == S_OK);
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == S_OK);
}

TEST_CASE("a narrow texture updates one that begins below its top", "[d3d9]") {
  resource_rig r;
  const auto memory = r.texture(1, 8, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM);
  const auto video = r.texture(1, 4, 0, 0, D3DFMT_A8R8G8B8, D3DPOOL_DEFAULT);
  CHECK(r.device->UpdateTexture(memory.get(), video.get()) == S_OK);
}

TEST_CASE("plain surfaces of compressed blocks are locked, updated and copied whole", "[d3d9]") {
  resource_rig r;
  constexpr std::uint64_t block = 0xFFAA550012345678;
  const auto memory = r.plain(8, 4, D3DFMT_DXT1, D3DPOOL_SYSTEMMEM);
  const auto first = r.plain(8, 4, D3DFMT_DXT1, D3DPOOL_DEFAULT);
  const auto second = r.plain(8, 4, D3DFMT_DXT1, D3DPOOL_DEFAULT);
  D3DLOCKED_RECT locked{};
  REQUIRE(memory->LockRect(&locked, nullptr, 0) == S_OK);
  std::memset(locked.pBits, 0, 16);
  std::memcpy(static_cast<std::byte*>(locked.pBits) + 8, &block, sizeof block);
  REQUIRE(memory->UnlockRect() == S_OK);
  const RECT uneven{1, 0, 8, 4};
  CHECK(r.device->UpdateSurface(memory.get(), &uneven, first.get(), nullptr) == bad);
  REQUIRE(r.device->UpdateSurface(memory.get(), nullptr, first.get(), nullptr) == S_OK);
  REQUIRE(r.device->StretchRect(first.get(), nullptr, second.get(), nullptr, D3DTEXF_NONE) == S_OK);
  const RECT right{4, 0, 8, 4};
  REQUIRE(second->LockRect(&locked, &right, D3DLOCK_READONLY) == S_OK);
  std::uint64_t found = 0;
  std::memcpy(&found, locked.pBits, sizeof found);
  CHECK(found == block);
  CHECK(second->UnlockRect() == S_OK);
  CHECK(r.device->ColorFill(second.get(), &uneven, 0xFFFF0000) == bad);
  REQUIRE(r.device->ColorFill(second.get(), &right, 0xFFFF0000) == S_OK);
  REQUIRE(second->LockRect(&locked, &right, D3DLOCK_READONLY) == S_OK);
  std::uint16_t end_point = 0;
  std::memcpy(&end_point, locked.pBits, sizeof end_point);
  CHECK(end_point == 0xF800);
  CHECK(second->UnlockRect() == S_OK);
}
