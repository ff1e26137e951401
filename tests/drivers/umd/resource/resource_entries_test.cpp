// SPDX-License-Identifier: MIT
/// The entries of profile M for resources and transfers: pointers, structures, results.
#include "drivers/win7/umd/d3d9/front_m/create_arguments.hpp"
#include "drivers/win7/umd/d3d9/front_m/resource_arguments.hpp"
#include "drivers/win7/umd/d3d9/state/targets.hpp"
#include "tests/drivers/umd/fronts/front_m_rig.hpp"

#include <array>
#include <set>
#include <utility>
#include <vector>

namespace aerogpu::umd::test {

namespace {

/// CREATERESOURCE as the runtime fills it.
class creation {
 public:
  explicit creation(D3DDDIFORMAT format, UINT width, UINT height, UINT surfaces = 1) {
    for (UINT i = 0; i < surfaces; ++i) {
      list_.push_back({std::max(width >> i, 1u), std::max(height >> i, 1u), 1, nullptr, 0, 0});
    }
    argument.Format = format;
    argument.Pool = D3DDDIPOOL_VIDEOMEMORY;
    argument.MipLevels = surfaces;
    argument.Rotation = D3DDDI_ROTATION_IDENTITY;
  }
  void put_in_memory(std::vector<std::byte>& bytes, UINT pitch) {
    argument.Pool = D3DDDIPOOL_SYSTEMMEM;
    list_[0].pSysMem = bytes.data();
    list_[0].SysMemPitch = pitch;
  }
  [[nodiscard]] auto surfaces() -> std::vector<D3DDDI_SURFACEINFO>& { return list_; }
  [[nodiscard]] auto send(device_m_rig& rig) -> HRESULT {
    argument.pSurfList = list_.data();
    argument.SurfCount = static_cast<UINT>(list_.size());
    return rig.functions.pfnCreateResource(rig.device, &argument);
  }
  [[nodiscard]] auto make(device_m_rig& rig) -> HANDLE {
    REQUIRE(send(rig) == S_OK);
    REQUIRE(argument.hResource != nullptr);
    return argument.hResource;
  }

  D3DDDIARG_CREATERESOURCE argument{};

 private:
  std::vector<D3DDDI_SURFACEINFO> list_;
};

constexpr auto argb = static_cast<D3DDDIFORMAT>(D3DFMT_A8R8G8B8);

[[nodiscard]] auto texture(UINT width = 8, UINT height = 8, UINT levels = 1) -> creation {
  creation made{argb, width, height, levels};
  made.argument.Flags.Texture = 1;
  return made;
}
/// A swap chain, as the runtime makes it: surfaces of one size, and no levels.
[[nodiscard]] auto chain(UINT surfaces, UINT width = 8, UINT height = 4) -> creation {
  creation made{argb, width, height};
  made.surfaces().resize(surfaces, made.surfaces()[0]);
  made.argument.MipLevels = 0;
  made.argument.Flags.RenderTarget = 1;
  return made;
}
[[nodiscard]] auto buffer(UINT bytes) -> creation {
  creation made{static_cast<D3DDDIFORMAT>(D3DFMT_VERTEXDATA), bytes, 1};
  made.argument.Flags.VertexBuffer = 1;
  made.argument.MipLevels = 0x5EED;  // Of no meaning for buffers.
  return made;
}

}  // namespace

TEST_CASE("entries of resources refuse what is NULL", "[umd][T070]") {
  device_m_rig rig;
  const D3DDDI_DEVICEFUNCS& f = rig.functions;
  CHECK(f.pfnCreateResource(rig.device, nullptr) == E_INVALIDARG);
  CHECK(f.pfnCreateResource(nullptr, nullptr) == E_INVALIDARG);
  CHECK(f.pfnOpenResource(rig.device, nullptr) == E_INVALIDARG);
  CHECK(f.pfnDestroyResource(rig.device, nullptr) == E_INVALIDARG);
  CHECK(f.pfnLock(rig.device, nullptr) == E_INVALIDARG);
  CHECK(f.pfnUnlock(rig.device, nullptr) == E_INVALIDARG);
  CHECK(f.pfnClear(rig.device, nullptr, 0, nullptr) == E_INVALIDARG);
  CHECK(f.pfnBlt(rig.device, nullptr) == E_INVALIDARG);
  CHECK(f.pfnTexBlt(rig.device, nullptr) == E_INVALIDARG);
  CHECK(f.pfnBufBlt(rig.device, nullptr) == E_INVALIDARG);
  CHECK(f.pfnColorFill(rig.device, nullptr) == E_INVALIDARG);
  D3DDDIARG_LOCK lock{};
  CHECK(f.pfnLock(rig.device, &lock) == E_INVALIDARG);
  D3DDDIARG_BLT blt{};
  CHECK(f.pfnBlt(rig.device, &blt) == E_INVALIDARG);
  D3DDDIARG_TEXBLT tex_blt{};
  CHECK(f.pfnTexBlt(rig.device, &tex_blt) == E_INVALIDARG);
  D3DDDIARG_COLORFILL fill{};
  CHECK(f.pfnColorFill(rig.device, &fill) == E_INVALIDARG);
  D3DDDIARG_GENERATEMIPSUBLEVELS generate{};
  CHECK(f.pfnGenerateMipSubLevels(rig.device, &generate) == E_INVALIDARG);
  D3DDDIARG_GETPITCH pitch{};
  CHECK(f.pfnGetPitch(rig.device, &pitch) == E_INVALIDARG);
}

TEST_CASE("kinds that caps offer nowhere are not created", "[umd][T070]") {
  device_m_rig rig;
  const auto refused = [&](auto change) {
    creation wanted = texture();
    change(wanted);
    return wanted.send(rig);
  };
  CHECK(refused([](creation& c) { c.argument.Flags.Overlay = 1; }) == D3DERR_INVALIDCALL);
  CHECK(refused([](creation& c) { c.surfaces()[0].Depth = 2; }) == D3DERR_INVALIDCALL);
  CHECK(refused([](creation& c) { c.surfaces().clear(); }) == E_INVALIDARG);
  CHECK(refused([](creation& c) { c.argument.MipLevels = 2; }) == E_INVALIDARG);
  CHECK(refused([](creation& c) {
          c.argument.Flags.RenderTarget = 1;
          c.argument.MultisampleType = D3DDDIMULTISAMPLE_2_SAMPLES;
        }) == D3DERR_INVALIDCALL);
  // Of what is no render target these say nothing.
  CHECK(refused([](creation& c) {
          c.argument.MultisampleType = D3DDDIMULTISAMPLE_2_SAMPLES;
          c.argument.RefreshRate = {7, 7};
          c.argument.Fvf = 0x1FF;
          c.argument.VidPnSourceId = 9;
        }) == S_OK);
}

TEST_CASE("a lock through the table points into the resource", "[umd][T076]") {
  device_m_rig rig;
  const HANDLE made = texture(16, 8, 3).make(rig);
  D3DDDIARG_LOCK lock{};
  lock.hResource = made;
  lock.SubResourceIndex = 1;
  REQUIRE(rig.functions.pfnLock(rig.device, &lock) == S_OK);
  auto* const start = static_cast<std::byte*>(lock.pSurfData);
  CHECK(lock.Pitch == 32);
  CHECK(lock.SlicePitch == 128);
  const D3DDDIARG_UNLOCK unlock{made, 1, {}};
  REQUIRE(rig.functions.pfnUnlock(rig.device, &unlock) == S_OK);
  CHECK(rig.functions.pfnUnlock(rig.device, &unlock) == E_INVALIDARG);

  const bool is_box = GENERATE(false, true);
  lock.Flags.AreaValid = is_box ? 0 : 1;
  lock.Flags.BoxValid = is_box ? 1 : 0;
  if (is_box) lock.Box = {2, 1, 4, 3, 0, 1};
  if (!is_box) lock.Area = {2, 1, 4, 3};
  REQUIRE(rig.functions.pfnLock(rig.device, &lock) == S_OK);
  CHECK(lock.pSurfData == start + 32 + 8);
  REQUIRE(rig.functions.pfnUnlock(rig.device, &unlock) == S_OK);
  D3DDDIARG_GETPITCH pitch{};
  pitch.hResource = made;
  pitch.SubResourceIndex = 2;
  REQUIRE(rig.functions.pfnGetPitch(rig.device, &pitch) == S_OK);
  CHECK(pitch.Pitch == 16);
  pitch.SubResourceIndex = 3;
  CHECK(rig.functions.pfnGetPitch(rig.device, &pitch) == E_INVALIDARG);
}

TEST_CASE("a buffer is locked again through the table", "[umd][T077]") {
  device_m_rig rig;
  const HANDLE made = buffer(64).make(rig);
  D3DDDIARG_LOCK lock{};
  lock.hResource = made;
  REQUIRE(rig.functions.pfnLock(rig.device, &lock) == S_OK);
  auto* const start = static_cast<std::byte*>(lock.pSurfData);
  lock.Range = {16, 4};
  lock.Flags.RangeValid = 1;
  REQUIRE(rig.functions.pfnLock(rig.device, &lock) == S_OK);
  CHECK(lock.pSurfData == start + 16);
  const D3DDDIARG_UNLOCK unlock{made, 0, {}};
  CHECK(rig.functions.pfnUnlock(rig.device, &unlock) == S_OK);
  CHECK(rig.functions.pfnUnlock(rig.device, &unlock) == S_OK);
  CHECK(rig.functions.pfnUnlock(rig.device, &unlock) == E_INVALIDARG);
}

TEST_CASE("a range through the table is one of the buffer", "[umd][T077]") {
  device_m_rig rig;
  const HANDLE made = buffer(100).make(rig);
  D3DDDIARG_LOCK lock{};
  lock.hResource = made;
  lock.Flags.RangeValid = 1;
  lock.Range = {40, 20};
  REQUIRE(rig.functions.pfnLock(rig.device, &lock) == S_OK);
  const D3DDDIARG_UNLOCK unlock{made, 0, {}};
  REQUIRE(rig.functions.pfnUnlock(rig.device, &unlock) == S_OK);
  lock.Range = {101, 0};
  CHECK(rig.functions.pfnLock(rig.device, &lock) == E_INVALIDARG);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  const auto uploads = packets_of<aerogpu_cmd_upload_resource>(rig.callbacks.renders.back().stream);
  REQUIRE(uploads.size() == 1);
  CHECK(std::uint64_t{uploads[0].fields.offset_bytes} == 40);
  CHECK(std::uint64_t{uploads[0].fields.size_bytes} == 20);
}

TEST_CASE("a range through the table that exceeds the buffer ends with it", "[umd][T077]") {
  device_m_rig rig;
  const HANDLE made = buffer(64).make(rig);
  D3DDDIARG_LOCK lock{};
  lock.hResource = made;
  lock.Flags.RangeValid = 1;
  lock.Range = {40, GENERATE(24u, 28u, UINT_MAX)};
  REQUIRE(rig.functions.pfnLock(rig.device, &lock) == S_OK);
  const D3DDDIARG_UNLOCK unlock{made, 0, {}};
  REQUIRE(rig.functions.pfnUnlock(rig.device, &unlock) == S_OK);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  const auto uploads = packets_of<aerogpu_cmd_upload_resource>(rig.callbacks.renders.back().stream);
  REQUIRE(uploads.size() == 1);
  CHECK(std::uint64_t{uploads[0].fields.offset_bytes} == 40);
  CHECK(std::uint64_t{uploads[0].fields.size_bytes} == 24);
}

TEST_CASE("a texture whose levels are generated has them all behind what is listed",
          "[umd][T074][T133]") {
  device_m_rig rig;
  const auto faces = GENERATE(1u, 6u);
  creation wanted = texture(8, 8);
  wanted.surfaces().resize(faces, wanted.surfaces()[0]);
  wanted.argument.MipLevels = GENERATE(0u, 1u);
  wanted.argument.Flags.AutogenMipmap = 1;
  wanted.argument.Flags.RenderTarget = 1;
  wanted.argument.Flags.CubeMap = faces == 6 ? 1 : 0;
  const HANDLE made = wanted.make(rig);
  const resource& of = *front_m::to_resource(made);
  CHECK(of.layout()->shape().mip_levels == 4);
  for (UINT face = 0; face < faces; ++face) {
    CHECK(front_m::to_surface(made, face).subresource == face * 4);
    D3DDDIARG_COLORFILL fill{};
    fill.hResource = made;
    fill.SubResourceIndex = face;
    fill.DstRect = {0, 0, 8, 8};
    fill.Color = 0xFF102030;
    CHECK(rig.functions.pfnColorFill(rig.device, &fill) == S_OK);
  }
  for (const UINT none : {faces, 0x4000'0000u, UINT_MAX}) {
    D3DDDIARG_LOCK lock{};
    lock.hResource = made;
    lock.SubResourceIndex = none;
    CHECK(rig.functions.pfnLock(rig.device, &lock) == E_INVALIDARG);
  }
  const D3DDDIARG_GENERATEMIPSUBLEVELS generate{made, {}};
  CHECK(rig.functions.pfnGenerateMipSubLevels(rig.device, &generate) == S_OK);
}

TEST_CASE("a list of all levels is taken as it is, generated or not", "[umd][T074]") {
  device_m_rig rig;
  creation wanted = texture(8, 8, 4);
  wanted.argument.Flags.AutogenMipmap = 1;
  const HANDLE made = wanted.make(rig);
  CHECK(front_m::to_resource(made)->layout()->shape().mip_levels == 4);
  CHECK(front_m::to_surface(made, 1).subresource == 1);
}

TEST_CASE("what is shared has no levels behind the listed one", "[umd][T074]") {
  creation wanted = texture(8, 8);
  wanted.argument.Flags.AutogenMipmap = 1;
  const bool is_shared = GENERATE(false, true);
  wanted.argument.Flags.SharedResource = is_shared ? 1 : 0;
  wanted.argument.pSurfList = wanted.surfaces().data();
  wanted.argument.SurfCount = 1;
  front_m::creation_request read;
  REQUIRE(front_m::read_request(wanted.argument, read) == S_OK);
  CHECK(read.each.mip_levels == (is_shared ? 1 : 0));  // 0 is all of them.
}

TEST_CASE("system memory has no levels behind the listed one, and needs none", "[umd][T133]") {
  device_m_rig rig;
  const UINT faces = GENERATE(1u, 6u);
  creation wanted = texture(8, 8);
  wanted.argument.MipLevels = GENERATE(0u, 1u);
  wanted.argument.Flags.AutogenMipmap = 1;
  wanted.argument.Flags.CubeMap = faces == 6 ? 1 : 0;
  std::vector<std::byte> bytes(8 * 8 * 4);
  wanted.put_in_memory(bytes, 8 * 4);
  if (GENERATE(true, false)) wanted.surfaces()[0].pSysMem = nullptr;
  wanted.surfaces().resize(faces, wanted.surfaces()[0]);
  const HANDLE made = wanted.make(rig);
  CHECK(front_m::to_resource(made)->subresource_count() == faces);
  const D3DDDIARG_GENERATEMIPSUBLEVELS generate{made, {}};
  CHECK(rig.functions.pfnGenerateMipSubLevels(rig.device, &generate) == S_OK);
}

TEST_CASE("Clear through the table: when rectangles count", "[umd][T132]") {
  device_m_rig rig;
  creation target{argb, 8, 8};
  target.argument.Flags.RenderTarget = 1;
  target.argument.Flags.NotLockable = 1;
  auto* const bound = front_m::to_resource(target.make(rig));
  REQUIRE(set_render_target(rig.core(), 0, {bound, 0}) == S_OK);
  const auto clears = [&] {
    REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
    std::size_t count = 0;
    for (const seen_render& each : rig.callbacks.renders) {
      count += packets_of<aerogpu_cmd_clear>(each.stream).size();
    }
    return count;
  };
  D3DDDIARG_CLEAR clear{1, 0xFF00FF00, 1, 0};
  CHECK(rig.functions.pfnClear(rig.device, &clear, 0, nullptr) == S_OK);
  CHECK(clears() == 0);  // No rectangles, and none to compute.
  CHECK(rig.functions.pfnClear(rig.device, &clear, 2, nullptr) == E_INVALIDARG);
  const std::array<RECT, 2> rects{RECT{0, 0, 2, 2}, RECT{4, 4, 6, 6}};
  CHECK(rig.functions.pfnClear(rig.device, &clear, 2, rects.data()) == S_OK);
  CHECK(clears() == 2);
  clear.Flags |= 8;
  CHECK(rig.functions.pfnClear(rig.device, &clear, 0, nullptr) == S_OK);
  CHECK(clears() == 3);
  std::vector<RECT> many(200, RECT{1, 1, 2, 2});
  CHECK(rig.functions.pfnClear(rig.device, &clear, 200, many.data()) == S_OK);
  CHECK(clears() == 203);
}

TEST_CASE("TexBlt through the table reads the runtime's memory", "[umd][T125]") {
  device_m_rig rig;
  std::vector<std::byte> texels(8 * 40, std::byte{0x42});
  creation source = texture();
  source.put_in_memory(texels, 40);
  D3DDDIARG_TEXBLT blt{};
  blt.hSrcResource = source.make(rig);
  blt.hDstResource = texture().make(rig);
  blt.SrcRect = {0, 0, 8, 8};
  REQUIRE(rig.functions.pfnTexBlt(rig.device, &blt) == S_OK);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  CHECK_FALSE(packets_of<aerogpu_cmd_upload_resource>(rig.callbacks.renders.back().stream).empty());
}

TEST_CASE("the end of a present to the compositor is submitted at once", "[umd]") {
  device_m_rig rig;
  creation wanted{argb, 8, 8};
  wanted.argument.Flags.RenderTarget = 1;
  wanted.argument.Flags.NotLockable = 1;
  const HANDLE target = wanted.make(rig);
  const HANDLE source = texture().make(rig);
  D3DDDIARG_BLT blt{};
  blt.hSrcResource = source;
  blt.hDstResource = target;
  blt.SrcRect = blt.DstRect = {0, 0, 8, 8};
  blt.Flags.BeginPresentToDwm = 1;
  REQUIRE(rig.functions.pfnBlt(rig.device, &blt) == S_OK);
  CHECK_FALSE(rig.core().commands.is_empty());
  blt.Flags.EndPresentToDwm = 1;
  REQUIRE(rig.functions.pfnBlt(rig.device, &blt) == S_OK);
  CHECK(rig.core().commands.is_empty());
  D3DDDIARG_COLORFILL fill{};
  fill.hResource = target;
  fill.DstRect = {0, 0, 8, 8};
  REQUIRE(rig.functions.pfnColorFill(rig.device, &fill) == S_OK);
  CHECK_FALSE(rig.core().commands.is_empty());
  fill.Flags.PresentToDwm = 1;
  REQUIRE(rig.functions.pfnColorFill(rig.device, &fill) == S_OK);
  CHECK(rig.core().commands.is_empty());
  blt.Flags.Value = 0;
  blt.Flags.Rotate = 1;
  CHECK(rig.functions.pfnBlt(rig.device, &blt) == D3DERR_NOTAVAILABLE);
}

TEST_CASE("an application is told that everything is resident", "[umd]") {
  device_m_rig rig;
  const HANDLE made = texture().make(rig);
  D3DDDIARG_QUERYRESOURCERESIDENCY query{&made, 1};
  CHECK(rig.functions.pfnQueryResourceResidency(rig.device, &query) == S_OK);
  query = {nullptr, 0};
  CHECK(rig.functions.pfnQueryResourceResidency(rig.device, &query) == S_OK);
  query = {nullptr, 1};
  CHECK(rig.functions.pfnQueryResourceResidency(rig.device, &query) == E_INVALIDARG);
}

TEST_CASE("ResolveSharedResource submits what is recorded", "[umd]") {
  device_m_rig rig;
  const D3DDDIARG_RESOLVESHAREDRESOURCE resolve{texture().make(rig)};
  CHECK_FALSE(rig.core().commands.is_empty());
  REQUIRE(rig.functions.pfnResolveSharedResource(rig.device, &resolve) == S_OK);
  CHECK(rig.core().commands.is_empty());
}

TEST_CASE("a captured resource has an allocation", "[umd]") {
  device_m_rig rig;
  D3DDDIARG_GETCAPTUREALLOCATIONHANDLE get{texture().make(rig), 0};
  REQUIRE(rig.functions.pfnGetCaptureAllocationHandle(rig.device, &get) == S_OK);
  CHECK(rig.callbacks.find(get.hAllocation) != nullptr);
}

TEST_CASE("OpenResource takes one allocation with private data", "[umd][T103]") {
  device_m_rig rig;
  D3DDDI_OPENALLOCATIONINFO info{};
  D3DDDIARG_OPENRESOURCE open{};
  CHECK(rig.functions.pfnOpenResource(rig.device, &open) == E_INVALIDARG);
  open.NumAllocations = 1;
  CHECK(rig.functions.pfnOpenResource(rig.device, &open) == E_INVALIDARG);
  open.pOpenAllocationInfo = &info;
  CHECK(rig.functions.pfnOpenResource(rig.device, &open) == E_INVALIDARG);
  open.NumAllocations = 2;
  CHECK(rig.functions.pfnOpenResource(rig.device, &open) == E_INVALIDARG);
}

TEST_CASE("a swap chain is one resource of many surfaces, each with its own allocation and name",
          "[umd][T070]") {
  device_m_rig rig;
  const std::size_t before = rig.callbacks.allocations.size();
  creation wanted = chain(3);
  wanted.argument.Flags.Primary = 1;
  wanted.argument.VidPnSourceId = 2;
  wanted.argument.MipLevels = GENERATE(0u, 0x5EEDu);  // Of no meaning without Texture.
  static_cast<void>(wanted.make(rig));
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  REQUIRE(rig.callbacks.allocations.size() == before + 3);
  const auto created =
      packets_of<aerogpu_cmd_create_texture2d>(rig.callbacks.renders.back().stream);
  REQUIRE(created.size() == 3);
  std::set<std::uint32_t> names, memory;
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    const auto& made = rig.callbacks.allocations[before + i];
    const auto& packet = created[i].fields;
    CHECK(made.info.Flags.Primary == 1);
    CHECK(made.info.VidPnSourceId == 2);
    CHECK(std::uint32_t{packet.width} == 8);
    CHECK(std::uint32_t{packet.array_layers} == 1);
    CHECK(std::uint32_t{packet.backing_alloc_id} == std::uint32_t{made.data.alloc_id});
    CHECK(std::uint32_t{packet.texture_handle} == std::uint32_t{made.data.resource_handle});
    CHECK(std::uint64_t{made.data.size_bytes} == 256 * 4);  // Rows as the scanout reads them.
    names.insert(packet.texture_handle);
    memory.insert(packet.backing_alloc_id);
  }
  CHECK(names.size() == 3);
  CHECK(memory.size() == 3);
}

TEST_CASE("surfaces of a swap chain that differ, or that are shared, are refused", "[umd][T070]") {
  device_m_rig rig;
  const auto refused = [&](auto change) {
    creation wanted = chain(3);
    change(wanted);
    return wanted.send(rig);
  };
  CHECK(refused([](creation& c) { c.surfaces()[1].Width = 4; }) == E_INVALIDARG);
  CHECK(refused([](creation& c) { c.surfaces()[2].Height = 8; }) == E_INVALIDARG);
  CHECK(refused([](creation& c) { c.surfaces()[2].Depth = 2; }) == D3DERR_INVALIDCALL);
  CHECK(refused([](creation& c) { c.argument.Flags.SharedResource = 1; }) == D3DERR_INVALIDCALL);
  CHECK(refused([](creation& c) {
          c.argument.Flags.RenderTarget = 0;
          c.argument.Flags.VertexBuffer = 1;
        }) == E_INVALIDARG);
  CHECK(rig.core().resources.size() == 0);
}

TEST_CASE("each surface of a swap chain is locked by its index", "[umd][T076]") {
  device_m_rig rig;
  const HANDLE made = chain(2).make(rig);
  const auto lock = [&](UINT index, void*& bytes) {
    D3DDDIARG_LOCK wanted{};
    wanted.hResource = made;
    wanted.SubResourceIndex = index;
    const HRESULT locked = rig.functions.pfnLock(rig.device, &wanted);
    bytes = wanted.pSurfData;
    if (SUCCEEDED(locked)) CHECK(wanted.Pitch == 32);
    return locked;
  };
  const auto unlock = [&](UINT index) {
    const D3DDDIARG_UNLOCK wanted{made, index, {}};
    return rig.functions.pfnUnlock(rig.device, &wanted);
  };
  void *first = nullptr, *second = nullptr, *none = nullptr;
  REQUIRE(lock(1, second) == S_OK);
  REQUIRE(lock(0, first) == S_OK);
  auto& allocations = rig.callbacks.allocations;
  CHECK(first == allocations[allocations.size() - 2].bytes.data());
  CHECK(second == allocations.back().bytes.data());
  CHECK(lock(2, none) == E_INVALIDARG);
  CHECK(unlock(0) == S_OK);
  CHECK(unlock(0) == E_INVALIDARG);
  CHECK(unlock(1) == S_OK);
  CHECK(unlock(2) == E_INVALIDARG);
  D3DDDIARG_GETPITCH pitch{};
  pitch.hResource = made;
  pitch.SubResourceIndex = 1;
  CHECK(rig.functions.pfnGetPitch(rig.device, &pitch) == S_OK);
  CHECK(pitch.Pitch == 32);
  pitch.SubResourceIndex = 2;
  CHECK(rig.functions.pfnGetPitch(rig.device, &pitch) == E_INVALIDARG);
}

TEST_CASE("a target, a fill and a blit name a surface of a swap chain by its index", "[umd]") {
  device_m_rig rig;
  const HANDLE made = chain(3).make(rig);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  std::vector<std::uint32_t> names;
  for (const resource* at = front_m::to_resource(made); at != nullptr; at = at->next_surface)
    names.push_back(raw(at->handle));
  REQUIRE(names.size() == 3);
  D3DDDIARG_SETRENDERTARGET target{0, made, 1};
  REQUIRE(rig.functions.pfnSetRenderTarget(rig.device, &target) == S_OK);
  D3DDDIARG_BLT blt{};
  blt.hSrcResource = made;
  blt.SrcSubResourceIndex = 1;
  blt.hDstResource = made;
  blt.DstSubResourceIndex = 2;
  blt.SrcRect = blt.DstRect = {0, 0, 8, 4};
  REQUIRE(rig.functions.pfnBlt(rig.device, &blt) == S_OK);
  D3DDDIARG_COLORFILL fill{};
  fill.hResource = made;
  fill.SubResourceIndex = 2;
  fill.DstRect = {0, 0, 8, 4};
  REQUIRE(rig.functions.pfnColorFill(rig.device, &fill) == S_OK);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  const auto& stream = rig.callbacks.renders.back().stream;
  const auto targets = packets_of<aerogpu_cmd_set_render_targets>(stream);
  const auto copies = packets_of<aerogpu_cmd_copy_texture2d>(stream);
  REQUIRE(targets.size() >= 2);
  CHECK(std::uint32_t{targets[0].fields.colors[0]} == names[1]);
  CHECK(std::uint32_t{targets[1].fields.colors[0]} == names[2]);  // For the fill.
  REQUIRE(copies.size() == 1);
  CHECK(std::uint32_t{copies[0].fields.src_texture} == names[1]);
  CHECK(std::uint32_t{copies[0].fields.dst_texture} == names[2]);

  target.SubResourceIndex = 3;
  CHECK(rig.functions.pfnSetRenderTarget(rig.device, &target) == D3DERR_INVALIDCALL);
  blt.SrcSubResourceIndex = 3;
  CHECK(FAILED(rig.functions.pfnBlt(rig.device, &blt)));
  fill.SubResourceIndex = 3;
  CHECK(FAILED(rig.functions.pfnColorFill(rig.device, &fill)));
}

TEST_CASE("one DestroyResource ends all surfaces of a swap chain", "[umd]") {
  device_m_rig rig;
  const std::size_t before = rig.callbacks.allocations.size();
  const HANDLE made = chain(3).make(rig);
  const D3DDDIARG_SETRENDERTARGET target{0, made, 2};
  REQUIRE(rig.functions.pfnSetRenderTarget(rig.device, &target) == S_OK);
  D3DDDIARG_LOCK lock{};
  lock.hResource = made;
  lock.SubResourceIndex = 1;
  REQUIRE(rig.functions.pfnLock(rig.device, &lock) == S_OK);
  REQUIRE(rig.functions.pfnDestroyResource(rig.device, made) == S_OK);
  REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
  std::size_t destroyed = 0;
  for (const seen_render& each : rig.callbacks.renders)
    destroyed += packets_of<aerogpu_cmd_destroy_resource>(each.stream).size();
  CHECK(destroyed == 3);
  CHECK(rig.callbacks.allocations.size() == before);
  CHECK(rig.core().resources.size() == 0);
  CHECK(rig.core().state.render_targets[0].resource == nullptr);
}

TEST_CASE("a swap chain of which a surface cannot be made is not made at all", "[umd][T232]") {
  device_m_rig rig;
  const std::size_t before = rig.callbacks.allocations.size();
  creation wanted = chain(3);
  wanted.argument.Flags.Primary = 1;
  rig.callbacks.failure = D3DERR_OUTOFVIDEOMEMORY;
  // An AllocateCb and a LockCb for each surface.
  for (std::uint64_t nth = 1; nth <= 6; ++nth) {
    CAPTURE(nth);
    rig.callbacks.failing_call = rig.callbacks.calls + nth;
    wanted.argument.hResource = &rig;
    CHECK(wanted.send(rig) == D3DERR_OUTOFVIDEOMEMORY);
    CHECK(wanted.argument.hResource == &rig);
    rig.callbacks.failing_call = 0;
    REQUIRE(rig.functions.pfnFlush(rig.device) == S_OK);
    CHECK(rig.callbacks.allocations.size() == before);
    CHECK(rig.core().resources.size() == 0);
  }
  CHECK(wanted.send(rig) == S_OK);
}

TEST_CASE("surfaces of a list in system memory are where the runtime has each", "[umd]") {
  device_m_rig rig;
  std::vector<std::byte> first(4 * 40), second(4 * 48);
  creation wanted = chain(2);
  wanted.argument.Flags.RenderTarget = 0;
  wanted.put_in_memory(first, 40);
  wanted.surfaces()[1].pSysMem = second.data();
  wanted.surfaces()[1].SysMemPitch = 48;
  D3DDDIARG_LOCK lock{};
  lock.hResource = wanted.make(rig);
  lock.SubResourceIndex = 1;
  REQUIRE(rig.functions.pfnLock(rig.device, &lock) == S_OK);
  CHECK(lock.pSurfData == second.data());
  CHECK(lock.Pitch == 48);
}

TEST_CASE("SetDisplayMode and SetPriority reach the surfaces of a swap chain", "[umd]") {
  device_m_rig rig;
  const std::size_t before = rig.callbacks.allocations.size();
  creation wanted = chain(2);
  wanted.argument.Flags.Primary = 1;
  const HANDLE made = wanted.make(rig);
  const std::vector handles{rig.callbacks.allocations[before].handle,
                            rig.callbacks.allocations[before + 1].handle};
  D3DDDIARG_SETDISPLAYMODE mode{made, 1};
  REQUIRE(rig.functions.pfnSetDisplayMode(rig.device, &mode) == S_OK);
  CHECK(rig.callbacks.shown == std::vector{handles[1]});
  mode.SubResourceIndex = 2;
  CHECK(rig.functions.pfnSetDisplayMode(rig.device, &mode) == E_INVALIDARG);
  const D3DDDIARG_SETPRIORITY priority{made, 7};
  REQUIRE(rig.functions.pfnSetPriority(rig.device, &priority) == S_OK);
  CHECK(rig.callbacks.priorities ==
        std::vector<std::pair<D3DKMT_HANDLE, UINT>>{{handles[0], 7}, {handles[1], 7}});
}

}  // namespace aerogpu::umd::test
