// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/display/scanout.hpp"

#include "aerogpu/abi/format.h"
#include "drivers/win7/kmd/display/video_signal.hpp"
#include "tests/drivers/kmd/display/display_session.hpp"

#include <algorithm>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::kmd;
using test::display_session;
using test::display_setup;
using test::register_write;

namespace {

constexpr std::uint32_t enable = AEROGPU_MMIO_REG_SCANOUT0_ENABLE;
constexpr std::uint32_t fb_low = AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO;
constexpr std::uint32_t fb_high = AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI;

[[nodiscard]] auto pinned_source(std::uint32_t stride, D3DDDIFORMAT format = D3DDDIFMT_A8R8G8B8)
    -> D3DKMDT_VIDPN_SOURCE_MODE {
  D3DKMDT_VIDPN_SOURCE_MODE mode{};
  fill_source_mode(mode, {1366, 768}, format);
  mode.Format.Graphics.Stride = stride;
  return mode;
}

/// Registers as firmware would leave them.
struct boot_screen {
  std::uint32_t width = 1024, height = 768;
  std::uint32_t format = AEROGPU_FORMAT_B8G8R8X8_UNORM;
  std::uint32_t pitch = 4096;
  std::uint64_t address = 0xE0040000;
  std::uint32_t is_enabled = 1;
};
void leave(display_session& session, const boot_screen& screen) {
  auto& bus = session.m.pc.bus;
  bus.write_config(4, PCI_ENABLE_MEMORY_SPACE | PCI_ENABLE_BUS_MASTER, 2);
  bus.poke(AEROGPU_MMIO_REG_SCANOUT0_WIDTH, screen.width);
  bus.poke(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT, screen.height);
  bus.poke(AEROGPU_MMIO_REG_SCANOUT0_FORMAT, screen.format);
  bus.poke(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES, screen.pitch);
  bus.poke(fb_low, static_cast<std::uint32_t>(screen.address));
  bus.poke(fb_high, static_cast<std::uint32_t>(screen.address >> 32));
  bus.poke(enable, screen.is_enabled);
}

}  // namespace

TEST_CASE("CommitVidPn programs the pinned source mode for one source or all",
          "[kmd][scanout][case-136]") {
  struct row {
    std::uint32_t affected, stride, pitch;
    D3DDDIFORMAT pixel;
    std::uint32_t format;
  };
  const row asked =
      GENERATE(row{0, 5632, 5632, D3DDDIFMT_A8R8G8B8, AEROGPU_FORMAT_B8G8R8A8_UNORM},
               row{D3DDDI_ID_ALL, 5632, 5632, D3DDDIFMT_X8R8G8B8, AEROGPU_FORMAT_B8G8R8X8_UNORM},
               row{0, 0, 5632, D3DDDIFMT_A8R8G8B8, AEROGPU_FORMAT_B8G8R8A8_UNORM},
               row{0, 5463, 5464, D3DDDIFMT_A8R8G8B8, AEROGPU_FORMAT_B8G8R8A8_UNORM},
               row{0, 5464, 5464, D3DDDIFMT_A8R8G8B8, AEROGPU_FORMAT_B8G8R8A8_UNORM});
  display_session session;
  sim::vidpn& functional = session.vidpns.create_usual();
  session.vidpns.put(functional, 0, pinned_source(asked.stride, asked.pixel), true);
  CHECK(session.vidpns.commit(&functional, asked.affected) == STATUS_SUCCESS);
  CHECK(session.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 1366);
  CHECK(session.reg(AEROGPU_MMIO_REG_SCANOUT0_HEIGHT) == 768);
  CHECK(session.reg(AEROGPU_MMIO_REG_SCANOUT0_PITCH_BYTES) == asked.pitch);
  CHECK(session.reg(AEROGPU_MMIO_REG_SCANOUT0_FORMAT) == asked.format);
  CHECK(session.reg(enable) == 0);
}

TEST_CASE("a VidPN without a pinned source mode turns the source off", "[kmd][scanout][case-136]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.reg(enable) == 1);
  sim::vidpn& unpinned = session.vidpns.create_usual();
  sim::vidpn& empty = session.vidpns.create();
  sim::vidpn* const committed = GENERATE(false, true) ? nullptr : &unpinned;
  CHECK(session.vidpns.commit(committed) == STATUS_SUCCESS);
  CHECK(session.reg(enable) == 0);
  CHECK(session.vidpns.commit(&empty) == STATUS_SUCCESS);
  CHECK_FALSE(session.adapter->display.scanout.is_visible());
}

TEST_CASE("a VidPN without a path turns the source off, however it is told so",
          "[kmd][scanout][case-136]") {
  display_session session;
  session.vidpns.answers_source_off_with_success = GENERATE(false, true);
  session.show_desktop();
  REQUIRE(session.reg(enable) == 1);
  CHECK(session.vidpns.commit(&session.vidpns.create()) == STATUS_SUCCESS);
  CHECK(session.reg(enable) == 0);
}

TEST_CASE("CommitVidPn refuses what was never offered", "[kmd][scanout]") {
  display_session session;
  sim::vidpn& functional = session.vidpns.create_usual();
  auto mode = pinned_source(0);
  mode.Format.Graphics.PrimSurfSize = {1000, 700};
  session.vidpns.put(functional, 0, mode, true);
  CHECK(session.vidpns.commit(&functional) == STATUS_NOT_SUPPORTED);
  CHECK(session.vidpns.commit(&functional, 1) == STATUS_GRAPHICS_INVALID_VIDEO_PRESENT_SOURCE);
}

TEST_CASE("a mode change enables the scanout at its end and never without an address",
          "[kmd][scanout][case-137]") {
  display_session session;
  session.show_desktop(1024, 768);
  static_cast<void>(session.take_writes());
  sim::vidpn* const functional = session.vidpns.negotiate(800, 600);
  REQUIRE(functional != nullptr);
  REQUIRE(session.set_visible(false) == STATUS_SUCCESS);
  REQUIRE(session.vidpns.commit(functional) == STATUS_SUCCESS);
  REQUIRE(session.set_address(session.primary + 0x400000) == STATUS_SUCCESS);
  REQUIRE(session.set_visible(true) == STATUS_SUCCESS);
  const auto writes = session.take_writes();
  const auto is_enabling = [](const register_write& one) {
    return one == register_write{enable, 1};
  };
  CHECK(std::count_if(writes.begin(), writes.end(), is_enabling) == 1);
  REQUIRE_FALSE(writes.empty());
  CHECK(is_enabling(writes.back()));
  CHECK(session.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 800);
  CHECK(session.reg(fb_low) == session.primary + 0x400000);
}

TEST_CASE("a mode that changes under a visible source is dark until the new address comes",
          "[kmd][scanout][case-137]") {
  display_session session;
  session.show_desktop(1024, 768);
  sim::vidpn* const functional = session.vidpns.negotiate(800, 600);
  REQUIRE(functional != nullptr);
  REQUIRE(session.vidpns.commit(functional) == STATUS_SUCCESS);
  CHECK(session.reg(enable) == 0);
  REQUIRE(session.set_visible(true) == STATUS_SUCCESS);
  CHECK(session.reg(enable) == 0);
  REQUIRE(session.set_address(session.primary + 0x400000) == STATUS_SUCCESS);
  CHECK(session.reg(enable) == 1);
}

TEST_CASE("committing the same mode again leaves the picture on", "[kmd][scanout]") {
  display_session session;
  session.show_desktop(1024, 768);
  static_cast<void>(session.take_writes());
  sim::vidpn* const again = session.vidpns.negotiate(1024, 768);
  REQUIRE(session.vidpns.commit(again) == STATUS_SUCCESS);
  for (const register_write& one : session.take_writes()) CHECK(one.offset != enable);
  CHECK(session.reg(enable) == 1);
}

TEST_CASE("an invisible source has ENABLE 0 and no vblank cause", "[kmd][scanout][case-138]") {
  display_session session;
  session.show_desktop();
  static_cast<void>(session.take_writes());
  CHECK(session.set_visible(false) == STATUS_SUCCESS);
  CHECK(session.take_writes() ==
        std::vector<register_write>{{enable, 0},
                                    {AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_SCANOUT_VBLANK}});
}

TEST_CASE("visibility before an address keeps ENABLE 0", "[kmd][scanout][case-138]") {
  display_session session;
  CHECK(session.set_visible(true) == STATUS_SUCCESS);
  CHECK(session.reg(enable) == 0);
  CHECK(session.set_address(session.primary) == STATUS_SUCCESS);
  CHECK(session.reg(enable) == 1);
}

TEST_CASE("each flip writes the low half of the address and then the high one",
          "[kmd][scanout][case-139]") {
  display_session session;
  session.show_desktop();
  static_cast<void>(session.take_writes());
  for (const std::uint64_t address : {session.primary + 0x400000, session.primary}) {
    session.flip_at_dirql(address);
    CHECK(session.take_writes() ==
          std::vector<register_write>{{fb_low, static_cast<std::uint32_t>(address)}, {fb_high, 0}});
    CHECK(session.adapter->display.scanout.displayed_address() == address);
  }
}

TEST_CASE("a primary's address has the segment's base or counts from its start",
          "[kmd][scanout][case-176]") {
  display_session session;
  session.show_desktop();
  const std::uint64_t offset = GENERATE(0u, 0x400000u);
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  for (const std::uint64_t given : {offset, session.primary + offset}) {
    CAPTURE(given);
    session.flip_at_dirql(given);
    CHECK(session.reg(fb_low) == session.primary + offset);
    CHECK(session.reg(fb_high) == 0);
    CHECK(session.adapter->display.scanout.displayed_address() == session.primary + offset);
    session.advance_frames(1);
    CHECK(session.vsyncs().back().address == given);
  }
  CHECK(session.adapter->counters.scanout_address_refused.get() == 0);
  REQUIRE(session.control_vsync(false) == STATUS_SUCCESS);
}

TEST_CASE("what the processor drew commits the address of a primary that was named by its offset",
          "[kmd][scanout][case-176]") {
  display_session session;
  session.show_desktop();
  constexpr std::uint64_t offset = 0x400000;
  REQUIRE(session.set_address(offset) == STATUS_SUCCESS);
  static_cast<void>(session.take_writes());
  const auto draw_at = [&](std::uint64_t address) {
    const sim::irql_scope raised{sim::dispatch_level};
    session.adapter->display.scanout.recommit(*session.adapter, {segment_id::video, address});
    return session.take_writes();
  };
  CHECK(draw_at(offset).empty());
  CHECK(draw_at(session.primary + offset) ==
        std::vector<register_write>{{fb_low, static_cast<std::uint32_t>(session.primary + offset)},
                                    {fb_high, 0}});
}

TEST_CASE("where a carve-out lies so low that an address has both forms, it has the base",
          "[kmd][scanout][case-176]") {
  sim::pc_config config;
  config.bars.bar1_bytes = 8u << 20;  // Too small for the driver.
  test::simulated_pc<> m{config};
  kmd::hardware none;
  kmd::segments segments;
  REQUIRE(segments.create(none, 512) == STATUS_SUCCESS);
  const std::uint64_t base = segments.video_base();
  REQUIRE(base < segments.video_bytes());
  CHECK(segments.video_address(0) == base);
  CHECK(segments.video_address(base - 1) == 2 * base - 1);
  CHECK(segments.video_address(base) == base);
  CHECK(segments.video_address(base + segments.video_bytes() - 1) ==
        base + segments.video_bytes() - 1);
  CHECK(segments.video_address(base + segments.video_bytes()) == 0);
  segments.destroy();
}

TEST_CASE("an address outside the video segment changes nothing and is counted", "[kmd][scanout]") {
  display_session session;
  session.show_desktop();
  static_cast<void>(session.take_writes());
  CHECK(session.set_address(0x1'0000'0000, 2) == STATUS_SUCCESS);
  CHECK(session.set_address(0, 2) == STATUS_SUCCESS);
  const auto& segments = session.adapter->segments;
  CHECK(session.set_address(segments.video_base() + segments.video_bytes()) == STATUS_SUCCESS);
  CHECK(session.set_address(segments.video_bytes()) == STATUS_SUCCESS);
  CHECK(session.take_writes().empty());
  CHECK(session.adapter->display.scanout.displayed_address() == session.primary);
  CHECK(session.adapter->counters.scanout_address_refused.get() == 4);
}

TEST_CASE("another source's address and visibility are refused", "[kmd][scanout]") {
  display_session session;
  DXGKARG_SETVIDPNSOURCEADDRESS address{};
  address.VidPnSourceId = 1;
  CHECK(ddi_set_vidpn_source_address(session.adapter, &address) == STATUS_INVALID_PARAMETER);
  const DXGKARG_SETVIDPNSOURCEVISIBILITY visibility{1, TRUE};
  CHECK(ddi_set_vidpn_source_visibility(session.adapter, &visibility) == STATUS_INVALID_PARAMETER);
}

TEST_CASE("a plausible boot screen is kept", "[kmd][scanout][case-140]") {
  display_session session{display_setup{60, 0, false}};
  boot_screen screen;
  SECTION("as stated") {}
  SECTION("format unstated") {
    screen.format = 0;
  }
  SECTION("pitch unstated") {
    screen.pitch = 0;
  }
  SECTION("16 bits") {
    screen.format = AEROGPU_FORMAT_B5G6R5_UNORM;
    screen.pitch = 2048;
  }
  leave(session, screen);
  session.start();
  CHECK(session.reg(enable) == 1);
  CHECK(session.reg(fb_low) == 0xE0040000);
  const scanout& scanout = session.adapter->display.scanout;
  CHECK(scanout.is_visible());
  CHECK(scanout.mode().width == 1024);
  CHECK(scanout.mode().format ==
        (screen.format == 0 ? std::uint32_t{AEROGPU_FORMAT_B8G8R8X8_UNORM} : screen.format));
  CHECK(scanout.mode().pitch_bytes == (screen.pitch == 0 ? 4096 : screen.pitch));
}

TEST_CASE("an implausible boot screen is turned off", "[kmd][scanout][case-140]") {
  display_session session{display_setup{60, 0, false}};
  boot_screen screen;
  SECTION("no width") {
    screen.width = 0;
  }
  SECTION("no height") {
    screen.height = 0;
  }
  SECTION("too wide") {
    screen.width = 16385;
    screen.pitch = 0;
  }
  SECTION("too high") {
    screen.height = 16385;
  }
  SECTION("unknown format") {
    screen.format = 99;
  }
  SECTION("short pitch") {
    screen.pitch = 4095;
  }
  SECTION("no address") {
    screen.address = 0;
  }
  leave(session, screen);
  session.start();
  CHECK(session.reg(enable) == 0);
  CHECK_FALSE(session.adapter->display.scanout.is_visible());
  CHECK(session.adapter->display.scanout.mode() == default_scanout_mode);
}

TEST_CASE("what the processor drew onto the displayed surface commits its address once more",
          "[kmd][scanout][K-35]") {
  display_session session;
  session.show_desktop();
  static_cast<void>(session.take_writes());
  auto& scanout = session.adapter->display.scanout;
  const auto draw_at = [&](segment_id segment, std::uint64_t address) {
    const sim::irql_scope raised{sim::dispatch_level};
    scanout.recommit(*session.adapter, {segment, address});
  };
  draw_at(segment_id::video, session.primary);
  CHECK(session.take_writes() ==
        std::vector<register_write>{{fb_low, static_cast<std::uint32_t>(session.primary)},
                                    {fb_high, 0}});
  draw_at(segment_id::video, session.primary + 0x400000);
  draw_at(segment_id::aperture, session.primary);
  CHECK(session.take_writes().empty());
}

TEST_CASE("turned off and restored, the scanout shows what it showed", "[kmd][scanout]") {
  display_session session;
  session.show_desktop(1280, 720);
  auto& scanout = session.adapter->display.scanout;
  scanout.turn_off(*session.adapter);
  CHECK(session.reg(enable) == 0);
  CHECK(session.reg(fb_low) == 0);
  scanout.restore(*session.adapter);
  CHECK(session.reg(enable) == 1);
  CHECK(session.reg(fb_low) == session.primary);
  CHECK(session.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 1280);
}

TEST_CASE("while the device is off, scanout calls are remembered without MMIO", "[kmd][scanout]") {
  display_session session;
  session.show_desktop();
  session.adapter->is_ready = false;
  sim::vidpn* const functional = session.vidpns.negotiate(800, 600);
  const std::uint64_t before = session.accesses();
  REQUIRE(session.vidpns.commit(functional) == STATUS_SUCCESS);
  REQUIRE(session.set_address(session.primary + 0x1000) == STATUS_SUCCESS);
  REQUIRE(session.set_visible(false) == STATUS_SUCCESS);
  CHECK(session.accesses() == before);
  session.adapter->is_ready = true;
  session.adapter->display.scanout.restore(*session.adapter);
  CHECK(session.reg(enable) == 0);
  CHECK(session.reg(AEROGPU_MMIO_REG_SCANOUT0_WIDTH) == 800);
  CHECK(session.reg(fb_low) == session.primary + 0x1000);
}
