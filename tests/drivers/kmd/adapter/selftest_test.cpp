// SPDX-License-Identifier: MIT
/// \file The self-test on devices that fail it, each at one place; and escapes while asleep.
#include "drivers/win7/kmd/escape/selftest.hpp"

#include "aerogpu/abi/dbgctl_escape.h"
#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "tests/drivers/support/running_windows.hpp"

using namespace aerogpu;
using entry_table = DRIVER_INITIALIZATION_DATA;

namespace {

constexpr std::uint32_t vblank = AEROGPU_IRQ_SCANOUT_VBLANK;

/// A desktop that is shown, so that there are vertical blanks.
class tested_windows : public test::running_windows<> {
 public:
  ~tested_windows() {
    pc.bus.host.on_read = {};
    pc.bus.host.on_write = {};
  }

  template <class Packet>
  auto ask(std::uint32_t op, Packet packet = {}) -> Packet {
    const aerogpu_escape_header header{AEROGPU_ESCAPE_VERSION, op, sizeof packet, 0};
    std::memcpy(&packet, &header, sizeof header);
    DXGKARG_ESCAPE args{};
    args.pPrivateDriverData = &packet;
    args.PrivateDriverDataSize = sizeof packet;
    CHECK(windows.call(&entry_table::DxgkDdiEscape, windows.context(),
                       static_cast<const DXGKARG_ESCAPE*>(&args)) == STATUS_SUCCESS);
    return packet;
  }
  auto selftest(std::uint32_t timeout_ms = 0) -> std::uint32_t {
    aerogpu_escape_selftest_inout wanted{};
    wanted.timeout_ms = timeout_ms;
    const auto answer = ask(AEROGPU_ESCAPE_OP_SELFTEST, wanted);
    CHECK(answer.passed == (answer.error_code == AEROGPU_DBGCTL_SELFTEST_OK ? 1u : 0u));
    return answer.error_code;
  }
  [[nodiscard]] auto adapter() -> kmd::adapter& {
    return *static_cast<kmd::adapter*>(windows.context());
  }
  void control_vsync(bool is_wanted) {
    windows.dxgk.on_vsync = {};  // The desktop's flips do not know of it.
    adapter().display.vblank.control(adapter(), is_wanted);
  }
  [[nodiscard]] auto is_vblank_enabled() -> bool {
    return (reg(AEROGPU_MMIO_REG_IRQ_ENABLE) & vblank) != 0;
  }
  /// Acts once, a moment after the self-test enabled the cause.
  void during_vblank_test(std::function<void()> act) {
    pc.bus.host.on_write = [this, act = std::move(act), is_done = false](
                               std::uint32_t at, std::uint32_t value) mutable {
      if (is_done || at != AEROGPU_MMIO_REG_IRQ_ENABLE || (value & vblank) == 0) return true;
      is_done = true;
      pc.clock.at(pc.clock.now_ns() + 1'000'000, act);
      return true;
    };
  }
};

auto is_masked() -> bool {
  return (sim::this_machine().bus.peek(AEROGPU_MMIO_REG_IRQ_ENABLE) & vblank) == 0;
}

/// What register reads give, and the error that the self-test names.
struct broken_device {
  const char* what;
  std::function<std::uint32_t(std::uint32_t, std::uint32_t)> on_read;
  std::uint32_t error;
  bool is_enable_lost = false;  ///< Writes of the interrupt mask do not arrive.
};

auto broken_devices() -> std::vector<broken_device> {
  return {
      {"a sequence that does not move",
       [](std::uint32_t at, std::uint32_t value) {
         const bool is_sequence = at == AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO ||
                                  at == AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_HI;
         return is_sequence ? 7u : value;
       },
       AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_SEQ_STUCK},
      {"a cause that is never latched",
       [](std::uint32_t at, std::uint32_t value) {
         return at == AEROGPU_MMIO_REG_IRQ_STATUS ? value & ~vblank : value;
       },
       AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_LATCHED, true},
      {"a cause that is latched and not delivered",
       [](std::uint32_t at, std::uint32_t value) {
         return at == AEROGPU_MMIO_REG_IRQ_STATUS ? value | vblank : value;
       },
       AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_DELIVERED, true},
      {"a cause that is not cleared",
       [](std::uint32_t at, std::uint32_t value) {
         return at == AEROGPU_MMIO_REG_IRQ_STATUS && is_masked() ? value | vblank : value;
       },
       AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_CLEARED},
      {"a cursor that forgets",
       [](std::uint32_t at, std::uint32_t value) {
         return at == AEROGPU_MMIO_REG_CURSOR_Y ? 1u : value;
       },
       AEROGPU_DBGCTL_SELFTEST_ERR_CURSOR_RW_MISMATCH},
  };
}

}  // namespace

TEST_CASE("the self-test passes on a desktop that is shown", "[drivers][kmd]") {
  tested_windows w;
  CHECK(w.selftest() == AEROGPU_DBGCTL_SELFTEST_OK);
}

TEST_CASE("the self-test names what a broken device lacks, and works again after it",
          "[drivers][kmd]") {
  for (const auto& one : broken_devices()) {
    INFO(one.what);
    tested_windows w;
    w.pc.bus.host.on_read = one.on_read;
    if (one.is_enable_lost) {
      w.pc.bus.poke(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
      w.pc.bus.host.on_write = [](std::uint32_t at, std::uint32_t) {
        return at != AEROGPU_MMIO_REG_IRQ_ENABLE;
      };
    }
    CHECK(w.selftest() == one.error);
    w.pc.bus.host.on_read = {};
    w.pc.bus.host.on_write = {};
    CHECK(w.selftest() == AEROGPU_DBGCTL_SELFTEST_OK);
  }
}

TEST_CASE("a self-test whose time is up says so", "[drivers][kmd]") {
  tested_windows w;
  w.pc.bus.host.on_read = broken_devices().front().on_read;
  CHECK(w.selftest(1) == AEROGPU_DBGCTL_SELFTEST_ERR_TIME_BUDGET_EXHAUSTED);
}

TEST_CASE("a self-test ends within three seconds, whatever the caller wants",
          "[drivers][kmd][case-156]") {
  tested_windows w;
  w.pc.bus.host.doorbells = sim::doorbell_mode::held;
  const auto start_ns = w.pc.clock.now_ns();
  CHECK(w.selftest(UINT32_MAX) == AEROGPU_DBGCTL_SELFTEST_ERR_TIMEOUT);
  CHECK(w.pc.clock.now_ns() - start_ns <= 3'001'000'000);
  w.pc.bus.host.doorbells = sim::doorbell_mode::synchronous;
  w.pc.bus.release_doorbell();
}

TEST_CASE("the self-test leaves the vblank interrupt as ControlInterrupt wanted it meanwhile",
          "[drivers][kmd][case-156]") {
  tested_windows w;
  const bool is_wanted = GENERATE(false, true);
  w.control_vsync(!is_wanted);
  w.during_vblank_test([&] { w.control_vsync(is_wanted); });
  // What was turned off under it proves nothing.
  CHECK(w.selftest() ==
        (is_wanted ? AEROGPU_DBGCTL_SELFTEST_OK : AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY));
  CHECK(w.is_vblank_enabled() == is_wanted);
  w.pc.bus.host.on_write = {};
  CHECK(w.selftest() == AEROGPU_DBGCTL_SELFTEST_OK);
  CHECK(w.is_vblank_enabled() == is_wanted);
}

TEST_CASE("a second self-test during one is told that the device is busy",
          "[drivers][kmd][case-156]") {
  tested_windows w;
  w.control_vsync(true);
  auto second = AEROGPU_DBGCTL_SELFTEST_OK;
  w.pc.clock.at(w.pc.clock.now_ns() + 1'000'000,
                [&] { second = kmd::run_selftest(w.adapter(), 0); });
  CHECK(w.selftest() == AEROGPU_DBGCTL_SELFTEST_OK);
  CHECK(second == AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY);
  CHECK(w.is_vblank_enabled());
}

TEST_CASE("while the adapter sleeps escapes answer from what the driver remembers",
          "[drivers][kmd]") {
  tested_windows w;
  const auto set_position = [&](std::int32_t x, std::int32_t y) {
    CHECK(w.display().set_pointer_position(x, y, true) == STATUS_SUCCESS);
  };
  const std::vector<std::uint32_t> pixels(16 * 8, 0x80204080u);
  DXGKARG_SETPOINTERSHAPE shape{};
  shape.Flags.Color = 1;
  shape.Width = 16;
  shape.Height = 8;
  shape.Pitch = 64;
  shape.pPixels = pixels.data();
  shape.XHot = 3;
  shape.YHot = 2;
  REQUIRE(w.display().set_pointer_shape(shape) == STATUS_SUCCESS);
  set_position(40, 50);
  REQUIRE(w.session.sleep() == STATUS_SUCCESS);

  const auto cursor = w.ask<aerogpu_escape_query_cursor_out>(AEROGPU_ESCAPE_OP_QUERY_CURSOR);
  CHECK(std::uint32_t{cursor.width} == 16);
  CHECK(std::uint32_t{cursor.height} == 8);
  CHECK(std::uint32_t{cursor.hot_x} == 3);
  CHECK(std::uint32_t{cursor.pitch_bytes} == 64);
  CHECK(std::uint64_t{cursor.fb_gpa} != 0);
  const auto scanout = w.ask<aerogpu_escape_query_scanout_out_v2>(AEROGPU_ESCAPE_OP_QUERY_SCANOUT);
  CHECK(std::uint32_t{scanout.base.cached_width} == 640);
  CHECK(std::uint32_t{scanout.base.mmio_width} == 0);
  const auto clock = w.ask<aerogpu_escape_query_vblank_out>(AEROGPU_ESCAPE_OP_QUERY_VBLANK);
  CHECK(std::uint64_t{clock.vblank_seq} == 0);
  CHECK(w.selftest() == AEROGPU_DBGCTL_SELFTEST_ERR_INVALID_STATE);
  REQUIRE(w.session.wake() == STATUS_SUCCESS);
  CHECK(w.selftest() == AEROGPU_DBGCTL_SELFTEST_OK);
}
