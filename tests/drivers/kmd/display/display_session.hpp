// SPDX-License-Identifier: MIT
/// \file The driver, loaded and started, and what Windows asks of its display side.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "drivers/sim/kernel/display/vidpn.hpp"
#include "drivers/sim/kernel/display/vidpn_calls.hpp"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "drivers/win7/kmd/entry/entry_display.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace aerogpu::test {

/// What the driver wrote, in order.
struct register_write {
  std::uint32_t offset = 0;
  std::uint32_t value = 0;
  friend auto operator==(const register_write&, const register_write&) -> bool = default;
};

struct display_setup {
  std::uint32_t vblank_hz = 60;       ///< 0: the device lacks the feature.
  std::uint64_t hidden_features = 0;  ///< Of the low half, that the driver is not to see.
  bool is_started = true;
  bool is_concurrent = false;
};

class display_session {
 public:
  using table = DRIVER_INITIALIZATION_DATA;
  static constexpr std::uint64_t primary = 0xE0000000 + (4u << 20);  ///< In the video segment.

  explicit display_session(const display_setup& setup = {})
      : m({.is_concurrent = setup.is_concurrent}, device_of(setup)), vidpns(m.windows) {
    if (setup.hidden_features != 0) {
      m.pc.bus.host.on_read = [hidden = setup.hidden_features](std::uint32_t at,
                                                               std::uint32_t value) {
        return at == AEROGPU_MMIO_REG_FEATURES_LO ? value & ~static_cast<std::uint32_t>(hidden)
                                                  : value;
      };
    }
    REQUIRE(m.windows.load(&DriverEntry) == STATUS_SUCCESS);
    REQUIRE(m.windows.add_device() == STATUS_SUCCESS);
    if (setup.is_started) start();
  }
  ~display_session() {
    CHECK(m.windows.stop_device() == STATUS_SUCCESS);
    CHECK(m.windows.remove_device() == STATUS_SUCCESS);
    m.windows.unload();
  }
  display_session(const display_session&) = delete;
  auto operator=(const display_session&) -> display_session& = delete;

  void start() {
    REQUIRE(m.windows.start_device() == STATUS_SUCCESS);
    adapter = static_cast<kmd::adapter*>(m.windows.context());
    m.pc.bus.log.clear();
  }

  template <class Entry, class... Arguments>
  auto call(Entry* table::*slot, Arguments... arguments) {
    return m.windows.call(slot, m.windows.context(), arguments...);
  }

  [[nodiscard]] auto set_address(std::uint64_t address, std::uint32_t segment = 1) -> NTSTATUS {
    const auto arguments = address_of(address, segment);
    return call(&table::DxgkDdiSetVidPnSourceAddress, &arguments);
  }
  /// As dxgkrnl flips: at DIRQL, out of its own processing of the vertical blank.
  void flip_at_dirql(std::uint64_t address) {
    const auto arguments = address_of(address, 1);
    CHECK(m.windows.call_at(sim::device_level, &table::DxgkDdiSetVidPnSourceAddress,
                            m.windows.context(), &arguments) == STATUS_SUCCESS);
  }
  [[nodiscard]] auto set_visible(bool is_visible) -> NTSTATUS {
    const DXGKARG_SETVIDPNSOURCEVISIBILITY arguments{0,
                                                     is_visible ? BOOLEAN{TRUE} : BOOLEAN{FALSE}};
    return call(&table::DxgkDdiSetVidPnSourceVisibility, &arguments);
  }
  [[nodiscard]] auto control_vsync(bool is_enabled) -> NTSTATUS {
    return call(&table::DxgkDdiControlInterrupt, DXGK_INTERRUPT_CRTC_VSYNC,
                is_enabled ? BOOLEAN{TRUE} : BOOLEAN{FALSE});
  }
  /// Mode, address, visibility: a desktop that ticks.
  void show_desktop(std::uint32_t width = 1024, std::uint32_t height = 768) {
    sim::vidpn* const functional = vidpns.negotiate(width, height);
    REQUIRE(functional != nullptr);
    REQUIRE(vidpns.commit(functional) == STATUS_SUCCESS);
    REQUIRE(set_address(primary) == STATUS_SUCCESS);
    REQUIRE(set_visible(true) == STATUS_SUCCESS);
  }
  [[nodiscard]] auto scan_line() -> DXGKARG_GETSCANLINE {
    DXGKARG_GETSCANLINE arguments{};
    CHECK(call(&table::DxgkDdiGetScanLine, &arguments) == STATUS_SUCCESS);
    return arguments;
  }

  [[nodiscard]] auto reg(std::uint32_t offset) -> std::uint32_t { return m.pc.bus.peek(offset); }
  /// Since the last call.
  [[nodiscard]] auto take_writes() -> std::vector<register_write> {
    std::vector<register_write> out;
    for (const auto& one : m.pc.bus.log.writes()) out.push_back({one.offset, one.value});
    m.pc.bus.log.clear();
    return out;
  }
  [[nodiscard]] auto accesses() -> std::uint64_t { return m.pc.bus.log.total(); }
  void advance_frames(unsigned frames) {
    for (unsigned i = 0; i < frames; ++i) m.pc.clock.advance(16'666'667);
  }
  [[nodiscard]] auto vsyncs() -> std::vector<sim::vsync_report> { return m.windows.dxgk.vsyncs(); }

  simulated_pc<> m;
  sim::vidpn_manager vidpns;
  kmd::adapter* adapter = nullptr;  ///< Once started.

 private:
  [[nodiscard]] static auto device_of(const display_setup& setup) -> device_config {
    device_config config;
    config.vblank_hz = setup.vblank_hz;
    return config;
  }
  [[nodiscard]] static auto address_of(std::uint64_t address, std::uint32_t segment)
      -> DXGKARG_SETVIDPNSOURCEADDRESS {
    DXGKARG_SETVIDPNSOURCEADDRESS arguments{};
    arguments.PrimarySegment = segment;
    arguments.PrimaryAddress.QuadPart = static_cast<LONGLONG>(address);
    return arguments;
  }
};

}  // namespace aerogpu::test
