// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/display/vblank.hpp"

#include "drivers/win7/shared_u64.hpp"
#include "tests/drivers/kmd/display/display_session.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::kmd;
using test::display_session;
using test::display_setup;
using test::register_write;
using table_type = DRIVER_INITIALIZATION_DATA;

namespace {

constexpr std::uint32_t vblank_bit = AEROGPU_IRQ_SCANOUT_VBLANK;
constexpr std::uint64_t period_ns = 16'666'667;

}  // namespace

TEST_CASE("enabling acknowledges a stale cause, and the first report is of a new tick",
          "[kmd][vblank][case-120]") {
  display_session session;
  session.show_desktop();
  session.m.pc.clock.advance(period_ns / 2);
  static_cast<void>(session.take_writes());
  CHECK(session.control_vsync(true) == STATUS_SUCCESS);
  const auto writes = session.take_writes();
  REQUIRE(writes.size() == 2);
  CHECK(writes[0] == register_write{AEROGPU_MMIO_REG_IRQ_ACK, vblank_bit});
  CHECK(writes[1].offset == AEROGPU_MMIO_REG_IRQ_ENABLE);
  CHECK(writes[1].value == (AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR | vblank_bit));
  CHECK(session.vsyncs().empty());
  const std::uint64_t enabled_at = session.m.pc.clock.now_ns();
  session.advance_frames(1);
  REQUIRE(session.vsyncs().size() == 1);
  CHECK(session.vsyncs()[0].time_ns > enabled_at);
}

TEST_CASE("disabling stops the reports at once and keeps the other causes",
          "[kmd][vblank][case-121]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  session.advance_frames(3);
  const std::size_t reports = session.vsyncs().size();
  CHECK(reports == 3);
  CHECK(session.control_vsync(false) == STATUS_SUCCESS);
  CHECK(session.reg(AEROGPU_MMIO_REG_IRQ_ENABLE) == (AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR));
  session.advance_frames(5);
  CHECK(session.vsyncs().size() == reports);
}

TEST_CASE("redundant calls write nothing", "[kmd][vblank]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  static_cast<void>(session.take_writes());
  CHECK(session.control_vsync(true) == STATUS_SUCCESS);
  CHECK(session.take_writes().empty());
}

TEST_CASE("other interrupt types are not implemented", "[kmd][vblank][case-122]") {
  display_session session;
  const auto type = GENERATE(DXGK_INTERRUPT_DMA_COMPLETED, DXGK_INTERRUPT_DMA_PREEMPTED,
                             DXGK_INTERRUPT_DMA_FAULTED, static_cast<DXGK_INTERRUPT_TYPE>(0),
                             static_cast<DXGK_INTERRUPT_TYPE>(5));
  const std::uint64_t before = session.accesses();
  CHECK(session.call(&table_type::DxgkDdiControlInterrupt, type, BOOLEAN{TRUE}) ==
        STATUS_NOT_IMPLEMENTED);
  CHECK(session.accesses() == before);
}

TEST_CASE("each report carries target 0 and the address that is displayed",
          "[kmd][vblank][case-123]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  session.advance_frames(1);
  session.flip_at_dirql(session.primary + 0x800000);
  session.advance_frames(1);
  const auto reports = session.vsyncs();
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].target == 0);
  CHECK(reports[0].address == session.primary);
  CHECK(reports[1].address == session.primary + 0x800000);
}

TEST_CASE("a flip out of the notification itself is on the next report",
          "[kmd][vblank][case-124]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  std::uint64_t next = session.primary;
  session.m.windows.dxgk.on_vsync = [&](const sim::vsync_report&) {
    next += 0x1000;
    session.flip_at_dirql(next);
  };
  session.advance_frames(4);
  session.m.windows.dxgk.on_vsync = nullptr;
  const auto reports = session.vsyncs();
  REQUIRE(reports.size() == 4);
  for (std::size_t i = 0; i < reports.size(); ++i)
    CHECK(reports[i].address == session.primary + 0x1000 * i);
}

TEST_CASE("a flip between the acknowledgement and the notification is reported bit for bit",
          "[kmd][vblank][case-165]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  constexpr std::uint64_t flipped = display_session::primary + 0x0012'3000;
  bool is_flipped = false;
  session.m.pc.bus.host.on_write = [&](std::uint32_t offset, std::uint32_t value) {
    if (offset != AEROGPU_MMIO_REG_IRQ_ACK || (value & vblank_bit) == 0 || is_flipped) return true;
    is_flipped = true;
    session.m.pc.clock.at(session.m.pc.clock.now_ns(), [] {});
    session.adapter->display.scanout.set_address(*session.adapter, {segment_id::video, flipped},
                                                 nullptr);
    return true;
  };
  session.advance_frames(1);
  session.m.pc.bus.host.on_write = nullptr;
  REQUIRE(session.vsyncs().size() == 1);
  CHECK(session.vsyncs()[0].address == flipped);
}

TEST_CASE("without the VBLANK feature a timer reports sixty times a second until disabled",
          "[kmd][vblank][case-125]") {
  display_session session{display_setup{0, 0, true}};
  REQUIRE_FALSE(session.adapter->hardware.has(AEROGPU_FEATURE_VBLANK));
  session.show_desktop();
  CHECK(session.m.pc.clock.running_timers() == 0);
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  CHECK(session.m.pc.clock.running_timers() == 1);
  session.m.pc.clock.advance(1'000'000'000);
  CHECK(session.vsyncs().size() == 60);
  CHECK(session.vsyncs().back().address == session.primary);
  REQUIRE(session.control_vsync(false) == STATUS_SUCCESS);
  CHECK(session.m.pc.clock.running_timers() == 0);
  session.m.pc.clock.advance(1'000'000'000);
  CHECK(session.vsyncs().size() == 60);
}

TEST_CASE("an invisible source is reported sixty times a second, flips too",
          "[kmd][vblank][case-138]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  REQUIRE(session.set_visible(false) == STATUS_SUCCESS);
  REQUIRE(session.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 0);
  session.flip_at_dirql(session.primary + 0x800000);
  session.m.pc.clock.advance(1'000'000'000);
  REQUIRE(session.vsyncs().size() == 60);
  CHECK(session.vsyncs().back().address == session.primary + 0x800000);
  REQUIRE(session.control_vsync(false) == STATUS_SUCCESS);
  CHECK(session.m.pc.clock.running_timers() == 0);
}

TEST_CASE("reports go on when a VidPN without paths is committed", "[kmd][vblank][case-138]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  REQUIRE(session.vidpns.commit(&session.vidpns.create()) == STATUS_SUCCESS);
  REQUIRE(session.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 0);
  session.m.pc.clock.advance(1'000'000'000);
  CHECK(session.vsyncs().size() == 60);
}

TEST_CASE("vertical blanks that are wanted while the source is invisible are the timer's",
          "[kmd][vblank][case-138]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.set_visible(false) == STATUS_SUCCESS);
  CHECK(session.m.pc.clock.running_timers() == 0);
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  session.m.pc.clock.advance(1'000'000'000);
  CHECK(session.vsyncs().size() == 60);
}

TEST_CASE("the timer hands over to the device when the source is visible again",
          "[kmd][vblank][case-138]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  REQUIRE(session.set_visible(false) == STATUS_SUCCESS);
  session.m.pc.clock.advance(1'000'000'000);
  const std::size_t reports = session.vsyncs().size();
  REQUIRE(session.set_visible(true) == STATUS_SUCCESS);
  CHECK(session.m.pc.clock.running_timers() == 0);
  session.advance_frames(30);
  CHECK(session.vsyncs().size() == reports + 30);
}

TEST_CASE("a flip at DIRQL that enables the scanout leaves one report for each refresh",
          "[kmd][vblank]") {
  display_session session;
  session.show_desktop(1024, 768);
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  // Another mode under a visible source: dark until its address comes.
  REQUIRE(session.vidpns.commit(session.vidpns.negotiate(800, 600)) == STATUS_SUCCESS);
  session.m.pc.clock.advance(1'000'000'000);
  const std::size_t dark = session.vsyncs().size();
  CHECK(dark == 60);
  session.flip_at_dirql(session.primary + 0x400000);
  REQUIRE(session.reg(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 1);
  session.advance_frames(30);
  CHECK(session.vsyncs().size() == dark + 30);
}

TEST_CASE("two threads that find the scanout dark start one timer", "[kmd][vblank]") {
  display_session session{{.is_concurrent = true}};
  auto& pc = session.m.pc;
  session.show_desktop();
  REQUIRE(session.set_visible(false) == STATUS_SUCCESS);
  std::atomic<int> starts = 0;
  std::atomic<bool> is_there = false, is_done = false;
  std::thread second;
  pc.clock.on_start = [&] {
    if (starts++ != 0) return;
    second = std::thread{[&] {
      const sim::thread_scope here{pc};
      is_there = true;
      session.adapter->display.vblank.stand_in(*session.adapter);
      is_done = true;
    }};
    while (!is_there) std::this_thread::yield();  // A late thread would pass without the lock.
    for (int i = 0; i < 50 && !is_done; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
  };
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  second.join();
  pc.clock.on_start = {};
  CHECK(starts == 1);
  CHECK(pc.clock.running_timers() == 1);
  REQUIRE(session.control_vsync(false) == STATUS_SUCCESS);
  CHECK(pc.clock.running_timers() == 0);
}

TEST_CASE("a dark scanout's timer rests while the device sleeps", "[kmd][vblank]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  REQUIRE(session.set_visible(false) == STATUS_SUCCESS);
  const auto set_power = [&](DEVICE_POWER_STATE state) {
    return session.call(&table_type::DxgkDdiSetPowerState, ULONG{DISPLAY_ADAPTER_HW_ID}, state,
                        PowerActionSleep);
  };
  REQUIRE(set_power(PowerDeviceD3) == STATUS_SUCCESS);
  CHECK(session.m.pc.clock.running_timers() == 0);
  REQUIRE(set_power(PowerDeviceD0) == STATUS_SUCCESS);
  session.m.pc.clock.advance(1'000'000'000);
  CHECK(session.vsyncs().size() == 60);
}

TEST_CASE("a wish while the device is off is kept and applied at its return", "[kmd][vblank]") {
  display_session session;
  session.show_desktop();
  session.adapter->is_ready = false;
  const std::uint64_t before = session.accesses();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  CHECK(session.accesses() == before);
  CHECK(session.adapter->display.vblank.is_wanted());
  session.adapter->is_ready = true;
  session.adapter->display.vblank.restore(*session.adapter);
  CHECK((session.reg(AEROGPU_MMIO_REG_IRQ_ENABLE) & vblank_bit) != 0);
  session.advance_frames(1);
  CHECK(session.vsyncs().size() == 1);
}

TEST_CASE("scan lines follow from height, period and the time since the vblank",
          "[kmd][vblank][case-128]") {
  struct row {
    std::uint32_t height, period;
    std::uint64_t since;
    std::uint32_t line;
    bool is_in_blank;
  };
  // 768 + 38 lines, 1000 + 40, 100 + 20; the tick starts the blank lines.
  const row asked = GENERATE(
      row{768, 806'000, 0, 768, true}, row{768, 806'000, 999, 768, true},
      row{768, 806'000, 37'999, 805, true}, row{768, 806'000, 38'000, 0, false},
      row{768, 806'000, 805'999, 767, false}, row{768, 806'000, 806'000, 768, true},
      row{768, 806'000, 806'000 * 7 + 38'000, 0, false}, row{1000, 1'040'000, 40'000, 0, false},
      row{1000, 1'040'000, 39'999, 1039, true}, row{100, 120'000, 20'000, 0, false},
      row{0, 21'000, 0, 1, true}, row{0, 21'000, 20'999, 0, false}, row{768, 0, 0, 768, true},
      row{16384, 16'424'000, 16'423'999, 16383, false});
  const scan_position position = scan_position_at(asked.height, asked.period, asked.since);
  CHECK(position.line == asked.line);
  CHECK(position.is_in_vertical_blank == asked.is_in_blank);
}

TEST_CASE("GetScanLine follows the newest tick without MMIO", "[kmd][vblank][case-128]") {
  display_session session;
  session.show_desktop(1024, 768);
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  session.advance_frames(3);
  const std::uint64_t tick = session.vsyncs().back().time_ns;
  for (const std::uint64_t after : {std::uint64_t{1'000'000}, period_ns / 2, period_ns - 200'000}) {
    session.m.pc.clock.advance(tick + after - session.m.pc.clock.now_ns());
    const std::uint64_t before = session.accesses();
    const auto asked = session.scan_line();
    CHECK(session.accesses() == before);
    const auto expected = scan_position_at(768, period_ns, after);
    CHECK(asked.ScanLine == expected.line);
    CHECK((asked.InVerticalBlank == TRUE) == expected.is_in_vertical_blank);
  }
  CHECK(session.adapter->counters.scanline_cache_hits.get() == 3);
  CHECK(session.adapter->counters.scanline_mmio_polls.get() == 0);
}

TEST_CASE("GetScanLine reads registers once the anchor is older than four periods and 50 ms",
          "[kmd][vblank][case-129]") {
  display_session session;
  session.show_desktop();
  REQUIRE(session.control_vsync(true) == STATUS_SUCCESS);
  session.advance_frames(2);
  // 4 * 16.67 ms is more than 50 ms. The device falls silent by itself: no timer stands in.
  session.m.pc.bus.poke(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  const std::uint64_t tick = session.vsyncs().back().time_ns;
  const auto at_age = [&](std::uint64_t age) {
    session.m.pc.clock.advance(tick + age - session.m.pc.clock.now_ns());
    static_cast<void>(session.scan_line());
    return session.adapter->counters.scanline_mmio_polls.get();
  };
  CHECK(at_age(4 * period_ns - 1000) == 0);
  CHECK(at_age(4 * period_ns + 1000) == 1);
}

TEST_CASE("polled scan lines follow the device's ticks", "[kmd][vblank][case-129]") {
  display_session session;
  session.show_desktop(1024, 768);
  static_cast<void>(session.scan_line());
  for (int frame = 0; frame < 20; ++frame) {
    session.m.pc.clock.advance(period_ns + 321);
    const auto asked = session.scan_line();
    CHECK(asked.ScanLine < 768 + 38);
    CHECK((asked.InVerticalBlank == TRUE) == (asked.ScanLine >= 768));
  }
  CHECK(session.adapter->counters.scanline_mmio_polls.get() == 21);
  CHECK(session.adapter->counters.scanline_cache_hits.get() == 0);
}

TEST_CASE("a device that lies about its ticks leads no scan line out of the frame",
          "[kmd][vblank]") {
  display_session session;
  session.show_desktop(1024, 768);
  std::uint64_t random = 12345;
  session.m.pc.bus.host.on_read = [&](std::uint32_t offset, std::uint32_t value) {
    if (offset < AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO ||
        offset > AEROGPU_MMIO_REG_SCANOUT0_VBLANK_PERIOD_NS)
      return value;
    random = random * 6364136223846793005u + 1442695040888963407u;
    return offset == AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_HI
               ? 0
               : static_cast<std::uint32_t>(random >> 40);
  };
  for (int i = 0; i < 500; ++i) {
    session.m.pc.clock.advance(777'777);
    CHECK(session.scan_line().ScanLine < 768 + 38);
  }
  session.m.pc.bus.host.on_read = nullptr;
}

TEST_CASE("GetScanLine without the feature, or while the device is off, goes by the clock",
          "[kmd][vblank]") {
  display_session session{display_setup{GENERATE(0u, 60u), 0, true}};
  session.show_desktop(1024, 768);
  session.adapter->is_ready = false;
  const std::uint64_t before = session.accesses();
  CHECK(session.scan_line().ScanLine < 768 + 38);
  CHECK(session.accesses() == before);
  session.adapter->is_ready = true;
}

TEST_CASE("the scan line of another target is refused", "[kmd][vblank]") {
  display_session session;
  DXGKARG_GETSCANLINE asked{};
  asked.VidPnTargetId = 1;
  CHECK(session.call(&table_type::DxgkDdiGetScanLine, &asked) == STATUS_INVALID_PARAMETER);
}

TEST_CASE("a shared 64-bit number is never seen torn", "[kmd][vblank]") {
  shared_u64 number;
  constexpr std::uint64_t ones = 0xFFFFFFFFFFFFFFFF;
  std::thread writer{[&] {
    for (int i = 0; i < 20000; ++i) number.store((i & 1) != 0 ? ones : 0);
  }};
  bool is_torn = false;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t seen = number.load();
    is_torn = is_torn || (seen != 0 && seen != ones);
  }
  writer.join();
  CHECK_FALSE(is_torn);
}
