// SPDX-License-Identifier: MIT
#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/abi/mmio.h"
#include "tests/drivers/support/application.hpp"
#include "tests/drivers/support/running_windows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

using namespace aerogpu;
using test::app_surface;
using test::application;
using test::good;
using test::stream_type;

namespace {

using windows = test::running_windows<>;

/// What the monitor shows at a place: R, G, B.
[[nodiscard]] auto seen(windows& w, std::uint32_t x, std::uint32_t y) -> std::uint32_t {
  rgba8_image image;
  REQUIRE(static_cast<bool>(w.machine.get().read_display(image)));
  REQUIRE(x < image.width());
  REQUIRE(y < image.height());
  const auto* const at = image.pixels().data() + (std::size_t{y} * image.width() + x) * 4;
  const auto channel = [&](std::size_t i) { return static_cast<std::uint32_t>(at[i]); };
  return channel(0) << 16 | channel(1) << 8 | channel(2);
}

void let_pass(windows& w, std::uint64_t ns) {
  w.session.session().scheduler.advance(ns);
  w.session.poll();
}

[[nodiscard]] auto primary_address(windows& w) -> std::uint64_t {
  return w.pc.bus.peek64(AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO);
}

/// The contents reach guest memory through a second texture of the same backing (kmd.md 3.17).
void write_back(application& app, const app_surface& from) {
  const auto copy = static_cast<resource_handle>(from.texture + 5000);
  app.render({{from, true}}, [&](stream_type& s) {
    good(s.create_texture2d({.texture = copy,
                             .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
                             .format = AEROGPU_FORMAT_B8G8R8A8_UNORM,
                             .width = from.blob.width,
                             .height = from.blob.height,
                             .row_pitch_bytes = from.blob.row_pitch_bytes,
                             .backing = {static_cast<alloc_id>(from.blob.alloc_id), 0}}));
    good(s.copy_texture2d({.destination = {.texture = copy},
                           .source = {.texture = from.handle()},
                           .width = from.blob.width,
                           .height = from.blob.height,
                           .flags = AEROGPU_COPY_FLAG_WRITEBACK_DST}));
    good(s.destroy_resource(copy));
  });
}

}  // namespace

TEST_CASE("Windows boots to a visible desktop in the chosen mode", "[sim][boot]") {
  windows w;
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 1);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 640);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT) == 480);
  CHECK(primary_address(w) != 0);
  CHECK(seen(w, 10, 10) == 0);
}

TEST_CASE("without a wish Windows takes the mode that the monitor prefers", "[sim][boot]") {
  windows w{sim::windows_options{}};
  CHECK(w.display().preferred_mode() == sim::display_mode{1920, 1080, D3DDDIFMT_A8R8G8B8});
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 1920);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT) == 1080);
}

TEST_CASE("what GDI draws into the shadow surface reaches the screen", "[sim][desktop]") {
  windows w;
  auto& memory = w.session.session().memory;
  const auto& shadow = w.display().shadow();
  auto* const bytes = memory.lock(shadow.opening->memory);
  REQUIRE(bytes != nullptr);
  for (std::uint32_t x = 0; x < 640; ++x) {
    const std::uint32_t blue = 0xFF0000FF;
    std::memcpy(bytes + std::size_t{20} * shadow.pitch_bytes + 4 * x, &blue, 4);
  }
  memory.unlock(shadow.opening->memory);
  CHECK(w.display().update_desktop({0, 16, 320, 32}) == STATUS_SUCCESS);
  CHECK(seen(w, 100, 20) == 0x0000FF);
  CHECK(seen(w, 100, 21) == 0);
  CHECK(seen(w, 400, 20) == 0);  // Outside of the rectangle.
}

TEST_CASE("an application's frame is shown by a flip, whatever Patch does", "[sim][flip]") {
  auto options = windows::small_desktop();
  options.scheduler.patch = GENERATE(sim::patch_policy::always_full, sim::patch_policy::moved_only,
                                     sim::patch_policy::skip_when_valid, sim::patch_policy::twice);
  options.hints = GENERATE(sim::address_hints::where_resident, sim::address_hints::none);
  options.primaries = GENERATE(sim::primary_address::from_base, sim::primary_address::offset);
  windows w{options};
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  const auto back = app.create_surface(11, 640, 480);
  const auto desktop = primary_address(w);
  app.clear(back, 1, 0, 0);
  REQUIRE(app.flip(back) == STATUS_SUCCESS);
  REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
  REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
  CHECK(primary_address(w) != desktop);
  CHECK(seen(w, 320, 240) == 0xFF0000);
  CHECK(app.statistics().PresentCount == 1);
  app.close();
}

TEST_CASE("an idle desktop turns the vertical blank's interrupt off", "[sim][flip]") {
  windows w;
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  REQUIRE(app.flip(app.create_surface(11, 640, 480)) == STATUS_SUCCESS);
  CHECK((w.reg(AEROGPU_MMIO_REG_IRQ_ENABLE) & AEROGPU_IRQ_SCANOUT_VBLANK) != 0);
  for (int i = 0; i < 30; ++i) let_pass(w, 17'000'000);
  CHECK((w.reg(AEROGPU_MMIO_REG_IRQ_ENABLE) & AEROGPU_IRQ_SCANOUT_VBLANK) == 0);
  app.close();
}

TEST_CASE("an immediate flip is over without a vertical blank", "[sim][flip]") {
  windows w;
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  const auto first = app.create_surface(11, 640, 480);
  const auto second = app.create_surface(12, 640, 480);
  app.clear(first, 1, 0, 0);
  app.clear(second, 0, 1, 0);
  const auto& flips = w.session.session().flips;
  const auto refreshes = flips.refreshes();
  REQUIRE(app.flip(first, true, D3DDDI_FLIPINTERVAL_IMMEDIATE) == STATUS_SUCCESS);
  const auto of_first = primary_address(w);
  // The limit of queued presents holds nobody up: none is queued.
  REQUIRE(app.set_queued_limit(1) == STATUS_SUCCESS);
  REQUIRE(app.flip(second, false, D3DDDI_FLIPINTERVAL_IMMEDIATE) == STATUS_SUCCESS);
  CHECK(primary_address(w) != of_first);
  CHECK(flips.refreshes() == refreshes);
  CHECK(flips.flips_shown() == 2);
  CHECK(app.statistics().PresentCount == 2);
  REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
  CHECK(seen(w, 320, 240) == 0x00FF00);
  app.close();
}

TEST_CASE("a fill is presented to the desktop, and to a surface of the process", "[sim][present]") {
  windows w;
  application app{7};
  D3DKMT_PRESENT wanted{};
  wanted.Color = 0xFF3366CC;
  wanted.DstRect = {10, 20, 30, 24};
  wanted.Flags.ColorFill = 1;
  wanted.Flags.DstRectValid = 1;
  REQUIRE(app.present(wanted) == STATUS_SUCCESS);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  CHECK(seen(w, 10, 20) == 0x3366CC);
  CHECK(seen(w, 29, 23) == 0x3366CC);
  CHECK(seen(w, 30, 23) == 0);
  CHECK(seen(w, 29, 24) == 0);
  CHECK(w.pixel_in_memory(10, 20) == 0xFF3366CC);
  CHECK(app.statistics().PresentCount == 1);
  app.close();
}

TEST_CASE("a redirected present reaches the surface that the compositor shows", "[sim][present]") {
  windows w;
  static std::vector<DXGK_SUBMITCOMMANDFLAGS> submitted;
  static DXGKDDI_SUBMITCOMMAND* driver_submit = nullptr;
  submitted.clear();
  driver_submit = std::exchange(w.windows.table.DxgkDdiSubmitCommand,
                                [](HANDLE adapter, const DXGKARG_SUBMITCOMMAND* arguments) {
                                  submitted.push_back(arguments->Flags);
                                  return driver_submit(adapter, arguments);
                                });
  application app{7};
  application composer{8};
  const auto back = app.create_surface(11, 640, 480);
  const auto redirection = composer.create_surface(12, 640, 480, test::is_shared_flag);
  const auto token = static_cast<share_token>(redirection.blob.share_token);
  composer.render({{redirection, false}}, [&](stream_type& s) {
    good(s.export_shared_surface(redirection.handle(), token));
  });
  const auto opened = app.open_surface(redirection.share, 500);
  app.render({{opened, false}},
             [&](stream_type& s) { good(s.import_shared_surface(opened.handle(), token)); });
  app.clear(back, 1, 0, 1);
  submitted.clear();
  D3DKMT_PRESENT wanted{};
  wanted.hSource = back.allocation;
  wanted.hDestination = opened.allocation;
  wanted.Flags.Blt = wanted.Flags.RedirectedBlt = 1;
  REQUIRE(app.present(wanted) == STATUS_SUCCESS);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  CHECK(std::count_if(submitted.begin(), submitted.end(), [](const auto& flags) {
          return flags.Present != 0 && flags.RedirectedPresent != 0;
        }) == 1);
  CHECK(seen(w, 320, 240) == 0);
  REQUIRE(composer.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  REQUIRE(composer.flip(redirection) == STATUS_SUCCESS);
  REQUIRE(composer.wait_vblank() == STATUS_SUCCESS);
  REQUIRE(composer.wait_vblank() == STATUS_SUCCESS);
  CHECK(seen(w, 320, 240) == 0xFF00FF);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  app.close();
  composer.close();
}

TEST_CASE("what was flipped to is off the screen after sleep, until the next flip",
          "[sim][power][flip]") {
  windows w;
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  REQUIRE(app.set_queued_limit(1) == STATUS_SUCCESS);
  const auto surface = app.create_surface(11, 640, 480);
  app.clear(surface, 1, 1, 1);
  REQUIRE(app.flip(surface) == STATUS_SUCCESS);
  REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
  CHECK(seen(w, 1, 1) == 0xFFFFFF);
  const bool has_queued = GENERATE(false, true);
  if (has_queued) REQUIRE(app.flip(surface, false) == STATUS_SUCCESS);
  REQUIRE(w.session.sleep() == STATUS_SUCCESS);
  std::memset(w.pc.bus.video_memory().data(), 0x55, w.pc.bus.video_memory().size());
  REQUIRE(w.session.wake() == STATUS_SUCCESS);
  CHECK(seen(w, 1, 1) == 0);
  CHECK(w.session.session().flips.is_empty());
  // Its place in the queue is free again, and the host still has its contents.
  REQUIRE(app.flip(surface, false) == STATUS_SUCCESS);
  REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
  CHECK(seen(w, 1, 1) == 0xFFFFFF);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  app.close();
}

TEST_CASE("a surface written back is presented to the desktop by the processor", "[sim][present]") {
  windows w;
  application app{7};
  const auto window = app.create_surface(11, 64, 32);
  app.clear(window, 0, 1, 0);
  write_back(app, window);
  D3DKMT_PRESENT wanted{};
  wanted.hSource = window.allocation;
  wanted.DstRect = {100, 50, 164, 82};
  wanted.Flags.Blt = 1;
  wanted.Flags.DstRectValid = 1;
  REQUIRE(app.present(wanted) == STATUS_SUCCESS);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  CHECK(seen(w, 100, 50) == 0x00FF00);
  CHECK(seen(w, 163, 81) == 0x00FF00);
  CHECK(seen(w, 164, 81) == 0);
  CHECK(w.pixel_in_memory(100, 50) == 0xFF00FF00);
  CHECK(app.statistics().PresentCount == 1);
  app.close();
}

TEST_CASE("without video memory the desktop lives in a carve-out of RAM", "[sim][memory]") {
  sim::pc_config config;
  config.bars.bar1_bytes = 8u << 20;  // Too small for the driver.
  windows w{windows::small_desktop(), config};
  CHECK(primary_address(w) < w.pc.ram.size_bytes());
  application app{7};
  REQUIRE(app.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  const auto surface = app.create_surface(11, 640, 480);
  app.clear(surface, 0, 1, 1);
  write_back(app, surface);
  REQUIRE(app.blt(surface) == STATUS_SUCCESS);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  CHECK(w.pixel_in_memory(639, 479) == 0xFF00FFFF);
  REQUIRE(app.flip(surface) == STATUS_SUCCESS);
  REQUIRE(app.wait_vblank() == STATUS_SUCCESS);
  CHECK(seen(w, 639, 479) == 0x00FFFF);
  REQUIRE(w.session.sleep() == STATUS_SUCCESS);
  REQUIRE(w.session.wake() == STATUS_SUCCESS);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);
  app.close();
}

TEST_CASE("a surface goes to another process, and its token is released with the last opening",
          "[sim][sharing]") {
  auto options = windows::small_desktop();
  options.shares = GENERATE(sim::share_handle_kind::global, sim::share_handle_kind::process_local);
  options.edits = GENERATE(sim::create_edits::kept, sim::create_edits::discarded);
  options.order = GENERATE(sim::destroy_order::close_first, sim::destroy_order::destroy_first);
  windows w{options};
  application a{7};
  application b{8};
  auto& objects = w.session.session().objects;
  const auto made = a.create_surface(11, 640, 480, test::is_shared_flag);
  const auto token = static_cast<share_token>(made.blob.share_token);
  REQUIRE(token != share_token{});
  a.clear(made, 0, 0, 1);
  a.render({{made, false}},
           [&](stream_type& s) { good(s.export_shared_surface(made.handle(), token)); });

  auto share = made.share;
  if (options.shares == sim::share_handle_kind::process_local)
    share = objects.duplicate_share(7, made.share, 8);
  const auto opened = b.open_surface(share, 500);
  CHECK(std::memcmp(&opened.blob, &made.blob, sizeof made.blob) == 0);
  b.render({{opened, false}},
           [&](stream_type& s) { good(s.import_shared_surface(opened.handle(), token)); });
  REQUIRE(b.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  REQUIRE(b.flip(opened) == STATUS_SUCCESS);
  REQUIRE(b.wait_vblank() == STATUS_SUCCESS);
  REQUIRE(b.wait_vblank() == STATUS_SUCCESS);
  CHECK(seen(w, 5, 5) == 0x0000FF);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 0);

  a.close();
  objects.terminate(7);  // What is left of it: share handles.
  if (options.shares == sim::share_handle_kind::global) {
    CHECK(objects.find_share(objects.process_of(9), share) != nullptr);  // B has it open.
  }
  objects.terminate(8);
  application c{9};
  c.render({}, [&](stream_type& s) {
    good(s.import_shared_surface(static_cast<resource_handle>(600), token));
  });
  CHECK(c.wait_idle() == STATUS_SUCCESS);
  CHECK(w.reg(AEROGPU_MMIO_REG_ERROR_COUNT) == 1);  // The host forgot the token.
  c.close();
}

TEST_CASE("one number of a process-local share handle names two surfaces", "[sim][sharing]") {
  auto options = windows::small_desktop();
  options.shares = sim::share_handle_kind::process_local;
  windows w{options};
  application a{7};
  application b{8};
  const auto first = a.create_surface(11, 64, 64, test::is_shared_flag);
  const auto second = b.create_surface(12, 64, 64, test::is_shared_flag);
  CHECK(first.share == second.share);
  CHECK(std::uint64_t{first.blob.share_token} != std::uint64_t{second.blob.share_token});
  auto& objects = w.session.session().objects;
  CHECK(objects.find_share(objects.process_of(7), first.share) !=
        objects.find_share(objects.process_of(8), first.share));
  objects.terminate(7);
  objects.terminate(8);
}

TEST_CASE("a mode change goes through dark, CommitVidPn and a new primary", "[sim][modes]") {
  windows w;
  const auto before = primary_address(w);
  w.pc.bus.log.clear();
  const sim::display_mode mode{800, 600, D3DDDIFMT_A8R8G8B8};
  REQUIRE(w.display().set_mode(mode) == STATUS_SUCCESS);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 1);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 800);
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT) == 600);
  CHECK(primary_address(w) != before);
  std::vector<std::uint32_t> enables;
  for (const auto& one : w.pc.bus.log.writes()) {
    if (one.offset == AEROGPU_MMIO_REG_SCANOUT0_ENABLE) enables.push_back(one.value);
  }
  CHECK(enables == std::vector<std::uint32_t>{0, 1});
  CHECK(w.display().set_mode({801, 601, D3DDDIFMT_A8R8G8B8}) ==
        STATUS_GRAPHICS_VIDPN_MODALITY_NOT_SUPPORTED);
}

TEST_CASE("a lost interrupt costs no timeout", "[sim][timeout]") {
  windows w;
  application app{7};
  const auto surface = app.create_surface(11, 64, 64);
  w.pc.interrupts.hold_interrupts(true);
  app.clear(surface, 1, 1, 1);
  const auto start = w.pc.clock.now_ns();
  CHECK(app.wait_idle() == STATUS_SUCCESS);
  CHECK(w.pc.clock.now_ns() - start >= 2'000'000'000);
  CHECK(w.session.session().scheduler.resets() == 0);
  w.pc.interrupts.hold_interrupts(false);
  w.pc.interrupts.settle();
  app.close();
}

TEST_CASE("a timeout removes applications' devices and redraws the desktop", "[sim][timeout]") {
  windows w;
  application app{7};
  const auto surface = app.create_surface(11, 64, 64);
  REQUIRE(app.wait_idle() == STATUS_SUCCESS);
  w.pc.bus.host.doorbells = sim::doorbell_mode::held;
  app.clear(surface, 1, 1, 1);
  CHECK(app.wait_idle() == STATUS_DEVICE_REMOVED);
  CHECK(w.session.session().scheduler.resets() == 1);
  w.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  w.session.poll();
  CHECK(app.try_render({}, [](stream_type&) {}) == STATUS_DEVICE_REMOVED);
  CHECK(app.blt(surface) == STATUS_DEVICE_REMOVED);
  {
    const sim::process_scope here{7};
    D3DKMT_GETDEVICESTATE asked{};
    asked.hDevice = app.device;
    asked.StateType = D3DKMT_DEVICESTATE_EXECUTION;
    CHECK(D3DKMTGetDeviceState(&asked) == STATUS_SUCCESS);
    CHECK(asked.ExecutionState == D3DKMT_DEVICEEXECUTION_RESET);
  }
  app.close();
  CHECK(w.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 1);
  CHECK(w.display().update_desktop({0, 0, 640, 480}) == STATUS_SUCCESS);

  application next{7};
  const auto fresh = next.create_surface(11, 640, 480);
  next.clear(fresh, 1, 1, 0);
  REQUIRE(next.own_source(D3DKMT_VIDPNSOURCEOWNER_SHARED) == STATUS_SUCCESS);
  REQUIRE(next.flip(fresh) == STATUS_SUCCESS);
  let_pass(w, 50'000'000);
  CHECK(seen(w, 1, 1) == 0xFFFF00);
  next.close();
}
