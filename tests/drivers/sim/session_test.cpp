// SPDX-License-Identifier: MIT
#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/umd_private.h"
#include "tests/drivers/support/application.hpp"
#include "tests/drivers/support/running_windows.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

using namespace aerogpu;
using test::application;

namespace {

using windows = test::running_windows<>;

}  // namespace

TEST_CASE("a present beyond the queued limit would block, and has no effect", "[sim][present]") {
  windows w;
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  const auto surface = app.create_surface(11, 640, 480);
  CHECK(app.set_queued_limit(0) == STATUS_INVALID_PARAMETER);
  CHECK(app.set_queued_limit(17) == STATUS_INVALID_PARAMETER);
  const auto limit = GENERATE(1u, 2u, 5u);
  REQUIRE(app.set_queued_limit(limit) == STATUS_SUCCESS);
  for (std::uint32_t i = 0; i < limit; ++i) CHECK(app.flip(surface, false) == STATUS_SUCCESS);
  CHECK(app.flip(surface, false) == STATUS_DEVICE_BUSY);
  CHECK(app.statistics().PresentCount == 0);
  // With leave to wait it gets its place at the next vertical blank.
  const auto before = w.pc.clock.now_ns();
  CHECK(app.flip(surface, true) == STATUS_SUCCESS);
  CHECK(w.pc.clock.now_ns() > before);
  CHECK(app.statistics().PresentCount == 1);
  app.close();
}

TEST_CASE("present statistics count presents and vertical blanks", "[sim][present]") {
  windows w;
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  const auto surface = app.create_surface(11, 640, 480);
  D3DKMT_PRESENT_STATS last{};
  for (std::uint32_t i = 1; i <= 5; ++i) {
    REQUIRE(app.flip(surface) == STATUS_SUCCESS);
    REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
    const auto now = app.statistics();
    CHECK(now.PresentCount == i);
    CHECK(now.PresentRefreshCount > last.PresentRefreshCount);
    CHECK(now.SyncRefreshCount >= now.PresentRefreshCount);
    CHECK(now.SyncQPCTime.QuadPart > last.SyncQPCTime.QuadPart);
    last = now;
  }
  app.close();
}

TEST_CASE("flips retire one at a vertical blank, an interval of two takes two", "[sim][flip]") {
  windows w;
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  const auto first = app.create_surface(11, 640, 480);
  const auto second = app.create_surface(12, 640, 480);
  auto& flips = w.session.session().flips;
  const auto interval = GENERATE(D3DDDI_FLIPINTERVAL_ONE, D3DDDI_FLIPINTERVAL_TWO);
  constexpr std::uint32_t count = 6;
  REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
  const auto before = flips.refreshes();
  for (std::uint32_t i = 0; i < count; ++i)
    REQUIRE(app.flip(i % 2 == 0 ? first : second, true, interval) == STATUS_SUCCESS);
  while (!flips.is_empty()) REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
  CHECK(flips.flips_shown() == count);
  const auto refreshes = flips.refreshes() - before;
  const auto per_flip = static_cast<std::uint32_t>(interval);
  CHECK(refreshes >= (count - 1) * per_flip);
  CHECK(refreshes <= (count + 1) * per_flip);
  app.close();
}

TEST_CASE("only the source's owner flips, and an owner keeps others out", "[sim][flip]") {
  windows w;
  application a{7};
  application b{8};
  const auto surface = a.create_surface(11, 640, 480);
  CHECK(a.flip(surface) == STATUS_GRAPHICS_PRESENT_OCCLUDED);
  REQUIRE(a.own_source(D3DKMT_VIDPNSOURCEOWNER_EXCLUSIVE) == STATUS_SUCCESS);
  CHECK(b.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_GRAPHICS_VIDPN_SOURCE_IN_USE);
  CHECK(a.flip(surface) == STATUS_SUCCESS);
  a.close();
  CHECK(b.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  b.close();
}

TEST_CASE("a full-screen application sets its mode, and the desktop comes back", "[sim][modes]") {
  windows w;
  application app{7};
  const auto surface = app.create_surface(11, 1024, 768);
  const sim::process_scope here{7};
  const D3DKMT_SETDISPLAYMODE mode{app.device, surface.allocation, D3DDDI_VSSLO_PROGRESSIVE,
                                   D3DDDI_ROTATION_IDENTITY, 0};
  CHECK(D3DKMTSetDisplayMode(&mode) == STATUS_ACCESS_DENIED);
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_EXCLUSIVE) == STATUS_SUCCESS);
  REQUIRE(D3DKMTSetDisplayMode(&mode) == STATUS_SUCCESS);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 1024);
  app.close();
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 640);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 1);
}

TEST_CASE("a surface that ends before the scanout does is not shown", "[sim][modes][flip]") {
  windows w;
  application app{7};
  const auto packed = app.create_surface(11, 800, 600);
  const auto small = app.create_surface(12, 640, 400);
  const sim::process_scope here{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_EXCLUSIVE) == STATUS_SUCCESS);
  CHECK(app.flip(small) == STATUS_INVALID_PARAMETER);
  const D3DKMT_SETDISPLAYMODE mode{app.device, packed.allocation, D3DDDI_VSSLO_PROGRESSIVE,
                                   D3DDDI_ROTATION_IDENTITY, 0};
  CHECK(D3DKMTSetDisplayMode(&mode) == STATUS_GRAPHICS_VIDPN_MODALITY_NOT_SUPPORTED);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 640);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 1);
  app.close();
}

TEST_CASE("a process that dies leaves nothing behind, whatever order its objects go in",
          "[sim][objects]") {
  auto options = windows::small_desktop();
  options.order = GENERATE(sim::destroy_order::close_first, sim::destroy_order::destroy_first);
  const auto seed = GENERATE(1u, 2u, 3u, 4u);
  sim::pc_config config;
  config.seed = seed;
  windows w{options, config};
  application dying{7};
  application other{8};
  REQUIRE(dying.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  const auto surface = dying.create_surface(11, 640, 480, test::is_shared_flag);
  const auto small = dying.create_surface(12, 16, 16);
  static_cast<void>(other.open_surface(surface.share, 500));
  for (int i = 0; i < 3; ++i) dying.clear(small, 1, 0, 1);
  REQUIRE(dying.flip(surface) == STATUS_SUCCESS);
  w.session.session().objects.terminate(7);
  CHECK(w.session.session().objects.process_of(7).handles.size() == 0);
  other.close();
}

TEST_CASE("handles of another process, another kind or none are refused", "[sim][objects]") {
  windows w;
  application a{7};
  application b{8};
  const auto surface = a.create_surface(11, 64, 64);
  const sim::process_scope here{7};
  D3DKMT_LOCK lock{};
  lock.hDevice = a.device;
  lock.hAllocation = surface.resource;
  CHECK(D3DKMTLock(&lock) == STATUS_GRAPHICS_INVALID_ALLOCATION_HANDLE);
  lock.hAllocation = surface.allocation;
  CHECK(D3DKMTLock(&lock) == STATUS_SUCCESS);
  const D3DKMT_UNLOCK unlock{a.device, 1, &surface.allocation};
  CHECK(D3DKMTUnlock(&unlock) == STATUS_SUCCESS);
  CHECK(D3DKMTUnlock(&unlock) == STATUS_INVALID_PARAMETER);
  lock.hDevice = 0x1234;
  CHECK(D3DKMTLock(&lock) == STATUS_INVALID_HANDLE);
  D3DKMT_QUERYRESOURCEINFO about{};
  about.hDevice = a.device;
  about.hGlobalShare = 0x1234;
  CHECK(D3DKMTQueryResourceInfo(&about) == STATUS_INVALID_HANDLE);
  a.close();
  b.close();
}

TEST_CASE("a lock that may not wait says that the surface is busy", "[sim][objects]") {
  windows w;
  application app{7};
  const auto surface = app.create_surface(11, 64, 64);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  w.pc.bus.host.doorbells = sim::doorbell_mode::held;
  app.clear(surface, 1, 0, 0);
  const sim::process_scope here{7};
  D3DKMT_LOCK lock{};
  lock.hDevice = app.device;
  lock.hAllocation = surface.allocation;
  lock.Flags.DonotWait = 1;
  CHECK(D3DKMTLock(&lock) == STATUS_GRAPHICS_ALLOCATION_BUSY);
  w.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  w.pc.bus.release_doorbell();
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  CHECK(D3DKMTLock(&lock) == STATUS_SUCCESS);
  app.close();  // Ends the lock too.
}

TEST_CASE("surfaces and desktop survive sleep", "[sim][power]") {
  windows w;
  application app{7};
  const auto surface = app.create_surface(11, 64, 64);
  const sim::process_scope here{7};
  D3DKMT_LOCK lock{};
  lock.hDevice = app.device;
  lock.hAllocation = surface.allocation;
  REQUIRE(D3DKMTLock(&lock) == STATUS_SUCCESS);
  const std::uint32_t written = 0x12345678;
  std::memcpy(lock.pData, &written, sizeof written);
  const D3DKMT_UNLOCK unlock{app.device, 1, &surface.allocation};
  REQUIRE(D3DKMTUnlock(&unlock) == STATUS_SUCCESS);
  for (int i = 0; i < 2; ++i) {
    REQUIRE(w.session.sleep() == STATUS_SUCCESS);
    CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 0);
    CHECK(app.wait_idle() == STATUS_DEVICE_NOT_READY);
    std::memset(w.pc.bus.video_memory().data(), 0x55, w.pc.bus.video_memory().size());
    REQUIRE(w.session.wake() == STATUS_SUCCESS);
    CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 1);
  }
  REQUIRE(D3DKMTLock(&lock) == STATUS_SUCCESS);
  std::uint32_t read = 0;
  std::memcpy(&read, lock.pData, sizeof read);
  CHECK(read == written);
  REQUIRE(D3DKMTUnlock(&unlock) == STATUS_SUCCESS);
  app.clear(surface, 0, 1, 0);
  CHECK(app.wait_idle() == STATUS_SUCCESS);
  app.close();
}

TEST_CASE("the adapter answers for its driver, its memory, its modes and its scan line",
          "[sim][adapter]") {
  windows w;
  application app{7};
  const sim::process_scope here{7};
  aerogpu_umd_private_v1 data{};
  D3DKMT_QUERYADAPTERINFO query{app.adapter, KMTQAITYPE_UMDRIVERPRIVATE, &data, sizeof data};
  CHECK(D3DKMTQueryAdapterInfo(&query) == STATUS_SUCCESS);
  CHECK(data.device_mmio_magic == AEROGPU_MMIO_MAGIC);
  D3DKMT_SEGMENTSIZEINFO sizes{};
  query = {app.adapter, KMTQAITYPE_GETSEGMENTSIZE, &sizes, sizeof sizes};
  CHECK(D3DKMTQueryAdapterInfo(&query) == STATUS_SUCCESS);
  CHECK(sizes.DedicatedVideoMemorySize == w.pc.config.bars.bar1_bytes - 0x400000);
  CHECK(sizes.SharedSystemMemorySize == 512u << 20);
  query.PrivateDriverDataSize = 4;
  CHECK(D3DKMTQueryAdapterInfo(&query) == STATUS_INVALID_PARAMETER);
  D3DKMT_GETDISPLAYMODELIST list{app.adapter, 0, nullptr, 0};
  REQUIRE(D3DKMTGetDisplayModeList(&list) == STATUS_SUCCESS);
  REQUIRE(list.ModeCount != 0);
  std::vector<D3DKMT_DISPLAYMODE> modes(list.ModeCount);
  list.pModeList = modes.data();
  REQUIRE(D3DKMTGetDisplayModeList(&list) == STATUS_SUCCESS);
  CHECK(modes.front().Width == 1920);
  CHECK(modes.front().Format == D3DDDIFMT_A8R8G8B8);
  D3DKMT_GETSCANLINE line{};
  line.hAdapter = app.adapter;
  CHECK(D3DKMTGetScanLine(&line) == STATUS_SUCCESS);
  CHECK((line.InVerticalBlank != FALSE) == (line.ScanLine >= 480));
  std::array<std::uint32_t, 6> escape{1, 1, 24, 0, 0, 0};  // QUERY_DEVICE
  const D3DKMT_ESCAPE asked{
      app.adapter, app.device, D3DKMT_ESCAPE_DRIVERPRIVATE, {}, escape.data(), sizeof escape, 0};
  CHECK(D3DKMTEscape(&asked) == STATUS_SUCCESS);
  CHECK(escape[4] != 0);
  app.close();
}

TEST_CASE("user data of an escape goes in and out by one copy", "[sim][adapter]") {
  windows w;
  application app{7};
  const sim::process_scope here{7};
  const std::array<std::uint32_t, 6> asked{1, 1, 24, 0, 0, 0};  // QUERY_DEVICE
  auto* const data = w.pc.user.place(std::as_bytes(std::span{asked}));
  w.pc.user.watch();
  D3DKMT_ESCAPE escape{app.adapter,  app.device, D3DKMT_ESCAPE_DRIVERPRIVATE, {}, data,
                       sizeof asked, 0};
  CHECK(D3DKMTEscape(&escape) == STATUS_SUCCESS);
  CHECK(w.pc.user.bytes_read_twice() == 0);
  CHECK(std::any_of(data + 16, data + 24, [](std::byte one) { return one != std::byte{}; }));
  w.pc.user.release(data);
  CHECK(D3DKMTEscape(&escape) == STATUS_INVALID_PARAMETER);
  app.close();
}

TEST_CASE("a pointer that Windows sets is the device's cursor", "[sim][pointer]") {
  windows w;
  std::vector<std::uint32_t> pixels(32 * 32, 0xFF00FF00);
  DXGKARG_SETPOINTERSHAPE shape{};
  shape.Flags.Color = 1;
  shape.Width = shape.Height = 32;
  shape.Pitch = 128;
  shape.pPixels = pixels.data();
  shape.XHot = shape.YHot = 3;
  CHECK(w.display().set_pointer_shape(shape) == STATUS_SUCCESS);
  CHECK(w.display().set_pointer_position(100, 60, true) == STATUS_SUCCESS);
  rgba8_image image;
  REQUIRE(static_cast<bool>(w.machine.get().read_display(image)));
  const auto green = [&](std::size_t x, std::size_t y) {
    return image.pixels()[(y * image.width() + x) * 4 + 1] == std::byte{0xFF};
  };
  CHECK(green(100, 60));
  CHECK(green(131, 91));
  CHECK_FALSE(green(132, 91));
  CHECK_FALSE(green(99, 60));
}

TEST_CASE("memory that does not fit is evicted and comes back", "[sim][memory]") {
  sim::pc_config config;
  config.bars.bar1_bytes = 16u << 20;
  windows w{windows::small_desktop(), config};
  application app{7};
  std::vector<test::app_surface> surfaces;
  for (std::uint32_t i = 0; i < 10; ++i)
    surfaces.push_back(app.create_surface(20 + i, 1024, 512));  // 2 MiB each.
  for (std::uint32_t i = 0; i < 10; ++i) app.clear(surfaces[i], 1, 0, 0);
  CHECK(app.wait_idle() == STATUS_SUCCESS);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  app.close();
}
