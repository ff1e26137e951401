// SPDX-License-Identifier: MIT
/// \file AddDevice to RemoveDevice: what is found, programmed, unwound and given back.
#include "drivers/win7/kmd/adapter/lifecycle.hpp"

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/umd_private.h"
#include "tests/drivers/kmd/adapter/adapter_session.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;
using entries = DRIVER_INITIALIZATION_DATA;

namespace {

constexpr std::uint32_t command_bits = PCI_ENABLE_MEMORY_SPACE | PCI_ENABLE_BUS_MASTER;

auto descriptor(std::uint64_t first, std::uint32_t size) -> CM_PARTIAL_RESOURCE_DESCRIPTOR {
  CM_PARTIAL_RESOURCE_DESCRIPTOR made{};
  made.Type = CmResourceTypeMemory;
  made.u.Memory.Start.QuadPart = static_cast<LONGLONG>(first);
  made.u.Memory.Length = size;
  return made;
}

/// All that StartDevice switched on is off, and nothing is mapped.
void check_off(loaded_driver& driver) {
  // Memory decode may be off still: the device was not touched then.
  const bool is_decoded = (driver.pc().bus.read_config(4, 2) & PCI_ENABLE_MEMORY_SPACE) != 0;
  const std::uint32_t expected = is_decoded ? 0 : 0xFFFFFFFF;
  CHECK(driver.device_register(AEROGPU_MMIO_REG_IRQ_ENABLE) == expected);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_RING_CONTROL) == expected);
  CHECK(driver.pc().bus.mappings() == 0);
}

/// Where in the log of register writes the offset is first written with the value.
auto position(const std::vector<sim::access>& writes, std::uint32_t offset, std::uint32_t value)
    -> std::ptrdiff_t {
  const auto found = std::find_if(writes.begin(), writes.end(), [&](const sim::access& one) {
    return one.offset == offset && one.value == value;
  });
  return found - writes.begin();
}

}  // namespace

TEST_CASE("AddDevice asks nobody, and RemoveDevice without a start leaves nothing",
          "[drivers][kmd][case-5]") {
  loaded_driver driver;
  const auto accesses = driver.pc().bus.log.total();
  const auto callbacks = driver.pc().faults.calls(sim::fault_point::callback);
  REQUIRE(driver.windows().add_device() == STATUS_SUCCESS);
  CHECK(driver.pc().bus.log.total() == accesses);
  CHECK(driver.pc().faults.calls(sim::fault_point::callback) == callbacks);
  driver.windows().remove_device();
  CHECK(driver.pc().leaks().empty());
}

TEST_CASE("AddDevice without memory leaves nothing, at each allocation", "[drivers][kmd]") {
  loaded_driver driver;
  for (std::uint64_t nth = 0;; ++nth) {
    REQUIRE(nth < 100);
    driver.pc().faults.fail(sim::fault_point::pool, nth);
    const NTSTATUS status = driver.windows().add_device();
    if (!driver.pc().faults.has_fired(sim::fault_point::pool)) {
      CHECK(nth > 0);
      CHECK(status == STATUS_SUCCESS);
      return;
    }
    CHECK(status == STATUS_NO_MEMORY);
    CHECK(driver.pc().leaks().empty());
  }
}

TEST_CASE("StartDevice reports one source and one child", "[drivers][kmd][case-12]") {
  running_driver driver;
  CHECK(driver.windows().sources() == 1);
  CHECK(driver.windows().children() == 1);
  CHECK(driver.adapter().is_ready);
}

TEST_CASE("BAR0 is found behind the legacy window, wherever it stands in the list",
          "[drivers][kmd][case-6]") {
  loaded_driver driver;
  auto& resources = driver.windows().dxgk.resources;
  const LONGLONG first = resources.at(0).u.Memory.Start.QuadPart;  // Packed to 4 bytes.
  REQUIRE(first == 0xA0000);
  SECTION("BARs in reverse order") {}
  SECTION("BARs in order") {
    std::reverse(resources.begin() + 1, resources.end());
  }
  SECTION("another range of the same size before it") {
    resources.insert(resources.begin(), descriptor(0xD0000000, 0x10000));
  }
  REQUIRE(driver.windows().start() == STATUS_SUCCESS);
  CHECK(driver.adapter().hardware.video_physical ==
        driver.pc().config.bars.bar1 + kmd::video_reserve_bytes);
  CHECK(driver.adapter().hardware.magic == AEROGPU_MMIO_MAGIC);
}

TEST_CASE("memory decode and bus master are on before the first ring write, and INTx is not off",
          "[drivers][kmd][case-7]") {
  loaded_driver driver;
  driver.pc().bus.write_config(4, PCI_DISABLE_LEVEL_INTERRUPT, 2);
  driver.pc().bus.log.clear();
  REQUIRE(driver.windows().start() == STATUS_SUCCESS);
  const auto log = driver.pc().bus.log.entries();
  const auto is_command = [](const sim::access& one) {
    return one.kind == sim::access_kind::write_config && one.offset == 4;
  };
  const auto is_register = [](const sim::access& one) {
    return one.kind == sim::access_kind::write_register;
  };
  const auto command = std::find_if(log.begin(), log.end(), is_command);
  const auto first_register = std::find_if(log.begin(), log.end(), is_register);
  REQUIRE(command != log.end());
  CHECK((command->value & command_bits) == command_bits);
  CHECK((command->value & PCI_DISABLE_LEVEL_INTERRUPT) == 0);
  CHECK(command < first_register);
}

TEST_CASE("only this device's magic number and ABI 1 are taken", "[drivers][kmd][case-8]") {
  const auto [magic, version, status] = GENERATE(table<std::uint32_t, std::uint32_t, NTSTATUS>(
      {{AEROGPU_MMIO_MAGIC, 0x00010000, STATUS_SUCCESS},
       {AEROGPU_MMIO_MAGIC, 0x00010009, STATUS_SUCCESS},
       {AEROGPU_MMIO_MAGIC, 0x00020000, STATUS_NOT_SUPPORTED},
       {AEROGPU_MMIO_MAGIC, 0x00000004, STATUS_NOT_SUPPORTED},
       {AEROGPU_UMDPRIV_MMIO_MAGIC_LEGACY_ARGP, 0x00010004, STATUS_NOT_SUPPORTED},
       {0xFFFFFFFF, 0x00010004, STATUS_NOT_SUPPORTED}}));
  loaded_driver driver;
  driver.pc().bus.host.on_read = [m = magic, v = version](std::uint32_t offset,
                                                          std::uint32_t value) {
    if (offset == AEROGPU_MMIO_REG_MAGIC) return m;
    return offset == AEROGPU_MMIO_REG_ABI_VERSION ? v : value;
  };
  CHECK(driver.windows().start() == status);
  if (NT_SUCCESS(status)) return;
  check_off(driver);
  const auto lines = driver.pc().log_lines();
  const bool names_legacy = std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("ARGP") != std::string::npos;
  });
  CHECK(names_legacy == (magic == AEROGPU_UMDPRIV_MMIO_MAGIC_LEGACY_ARGP));
}

TEST_CASE("without a memory resource StartDevice fails with a configuration error",
          "[drivers][kmd][case-9]") {
  loaded_driver driver;
  auto& resources = driver.windows().dxgk.resources;
  SECTION("none") {
    resources.clear();
  }
  SECTION("the legacy window alone") {
    resources.resize(1);
  }
  CHECK(driver.windows().start() == STATUS_DEVICE_CONFIGURATION_ERROR);
  check_off(driver);
}

TEST_CASE("each failing allocation and callback of StartDevice is unwound, and the next one works",
          "[drivers][kmd][case-10]") {
  const auto point =
      GENERATE(sim::fault_point::pool, sim::fault_point::contiguous, sim::fault_point::callback);
  loaded_driver driver;
  REQUIRE(driver.windows().add_device() == STATUS_SUCCESS);
  const auto leaks = driver.pc().leaks();
  for (std::uint64_t nth = 0;; ++nth) {
    INFO("call " << nth << " of kind " << static_cast<int>(point));
    REQUIRE(nth < 1000);
    driver.pc().faults.fail(point, nth);
    const NTSTATUS status = driver.windows().start_device();
    const bool has_fired = driver.pc().faults.has_fired(point);
    driver.pc().faults.disarm();
    if (!NT_SUCCESS(status)) {
      CHECK(has_fired);
      check_off(driver);
      CHECK(driver.pc().leaks() == leaks);
      continue;
    }
    // What is not fatal: a fence page, a second look at the configuration.
    driver.windows().stop_device();
    CHECK(driver.pc().leaks() == leaks);
    if (!has_fired) return;
  }
}

TEST_CASE("without a BAR1 of use, memory is carved out of RAM", "[drivers][kmd]") {
  sim::pc_config config;
  config.bars.bar1_bytes = GENERATE(16u << 20, 8u << 20);
  const bool is_listed = GENERATE(true, false);
  const bool is_used = is_listed && config.bars.bar1_bytes == 16u << 20;
  loaded_driver driver{config};
  if (!is_listed)
    driver.windows().dxgk.resources.erase(driver.windows().dxgk.resources.begin() + 1);
  REQUIRE(driver.windows().start() == STATUS_SUCCESS);
  const auto& segments = driver.adapter().segments;
  if (is_used) {
    CHECK(segments.video_base() == config.bars.bar1 + kmd::video_reserve_bytes);
    CHECK(segments.video_bytes() == config.bars.bar1_bytes - kmd::video_reserve_bytes);
  } else {
    CHECK(driver.pc().ram.at(segments.video_base(), segments.video_bytes()) != nullptr);
    CHECK(segments.video_bytes() == 512u << 18);  // A quarter of NonLocalMemorySizeMB.
  }
}

TEST_CASE("video memory is mapped behind what the boot display has mapped already",
          "[drivers][kmd][case-174]") {
  running_driver driver;
  const auto& found = driver.adapter().hardware;
  const auto& bars = driver.pc().config.bars;
  CHECK(found.video_physical == bars.bar1 + (4u << 20));
  CHECK(found.video_bytes == bars.bar1_bytes - (4u << 20));
  CHECK(driver.pc().bugs.text().empty());
}

TEST_CASE("a BAR1 that cannot be mapped is done without", "[drivers][kmd]") {
  loaded_driver driver;
  REQUIRE(driver.windows().add_device() == STATUS_SUCCESS);
  int starts_without = 0;
  for (std::uint64_t nth = 0; nth < 32; ++nth) {
    driver.pc().faults.fail(sim::fault_point::callback, nth);
    const NTSTATUS status = driver.windows().start_device();
    driver.pc().faults.disarm();
    if (!NT_SUCCESS(status)) continue;
    const auto& adapter = driver.adapter();
    if (adapter.hardware.video == nullptr) {
      ++starts_without;
      CHECK(driver.pc().ram.at(adapter.segments.video_base()) != nullptr);
    }
    driver.windows().stop_device();
    CHECK(driver.pc().bus.mappings() == 0);
  }
  CHECK(starts_without == 1);
}

TEST_CASE("the carve-out is halved until there is so much in a row, down to 32 MiB",
          "[drivers][kmd]") {
  constexpr std::uint64_t mib = 1u << 20;
  const auto [ram, carved] = GENERATE(table<std::uint64_t, std::uint64_t>(
      {{200 * mib, 128 * mib}, {100 * mib, 64 * mib}, {50 * mib, 32 * mib}, {30 * mib, 0}}));
  sim::pc_config config;
  config.ram_bytes = ram;
  config.bars.bar1_bytes = 8u << 20;
  loaded_driver driver{config};
  const NTSTATUS status = driver.windows().start();
  CHECK(status == (carved != 0 ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES));
  if (carved != 0) CHECK(driver.adapter().segments.video_bytes() == carved);
  if (carved == 0) check_off(driver);
}

TEST_CASE("addresses are programmed before the ring is enabled, and interrupts last",
          "[drivers][kmd][case-11]") {
  running_driver driver;
  const auto writes = driver.pc().bus.log.writes();
  const auto is_address = [](const sim::access& one) {
    return one.offset >= AEROGPU_MMIO_REG_RING_GPA_LO &&
           one.offset <= AEROGPU_MMIO_REG_FENCE_GPA_HI &&
           one.offset != AEROGPU_MMIO_REG_RING_CONTROL;
  };
  const auto last = std::find_if(writes.rbegin(), writes.rend(), is_address);
  const auto last_address = writes.rend() - last - 1;
  const auto enable = position(writes, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
  const auto interrupts =
      position(writes, AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR);
  CHECK(last_address < enable);
  CHECK(enable < interrupts);
  CHECK(interrupts + 1 == static_cast<std::ptrdiff_t>(writes.size()));
}

TEST_CASE("the interrupt routine says no before BAR0 is mapped and after it is unmapped",
          "[drivers][kmd][case-13]") {
  loaded_driver driver;
  REQUIRE(driver.windows().add_device() == STATUS_SUCCESS);
  const auto ask = [&] {
    return driver.windows().call_at(sim::device_level, &entries::DxgkDdiInterruptRoutine,
                                    driver.windows().context(), ULONG{0});
  };
  CHECK(ask() == FALSE);
  REQUIRE(driver.windows().start_device() == STATUS_SUCCESS);
  driver.windows().stop_device();
  CHECK(ask() == FALSE);
}

TEST_CASE("StopDevice leaves scanout, cursor, ring and interrupts at 0, and may come twice",
          "[drivers][kmd][case-14]") {
  running_driver driver;
  driver.windows().stop_device();
  constexpr std::uint32_t zeros[] = {
      AEROGPU_MMIO_REG_SCANOUT0_ENABLE,    AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_LO,
      AEROGPU_MMIO_REG_SCANOUT0_FB_GPA_HI, AEROGPU_MMIO_REG_CURSOR_ENABLE,
      AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO,   AEROGPU_MMIO_REG_CURSOR_FB_GPA_HI,
      AEROGPU_MMIO_REG_RING_CONTROL,       AEROGPU_MMIO_REG_RING_GPA_LO,
      AEROGPU_MMIO_REG_RING_GPA_HI,        AEROGPU_MMIO_REG_FENCE_GPA_LO,
      AEROGPU_MMIO_REG_FENCE_GPA_HI,       AEROGPU_MMIO_REG_IRQ_ENABLE};
  for (const std::uint32_t offset : zeros) {
    INFO("register " << offset);
    CHECK(driver.device_register(offset) == 0);
  }
  CHECK(driver.pc().bus.mappings() == 0);
  const auto accesses = driver.pc().bus.log.total();
  CHECK(driver.windows().stop_device() == STATUS_SUCCESS);
  CHECK(driver.pc().bus.log.total() == accesses);
}

TEST_CASE("a wish for vertical blanks ends with StopDevice", "[drivers][kmd][case-14]") {
  device_config device;
  device.vblank_hz = GENERATE(60u, 0u);  // Without the feature a timer stands in.
  running_driver driver{{}, device};
  CHECK(driver.windows().call(&DRIVER_INITIALIZATION_DATA::DxgkDdiControlInterrupt,
                              driver.windows().context(), DXGK_INTERRUPT_CRTC_VSYNC,
                              BOOLEAN{TRUE}) == STATUS_SUCCESS);
  driver.windows().stop_device();
  CHECK_FALSE(driver.adapter().display.vblank.is_wanted());
  REQUIRE(driver.windows().start_device() == STATUS_SUCCESS);
  CHECK(driver.device_register(AEROGPU_MMIO_REG_IRQ_ENABLE) ==
        (AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR));
  CHECK(driver.pc().clock.running_timers() == 0);
}

TEST_CASE("tokens go on over Stop and Start", "[drivers][kmd][case-16]") {
  running_driver driver;
  const share_token first = driver.adapter().tokens.make({}).token;
  driver.windows().stop_device();
  REQUIRE(driver.windows().start_device() == STATUS_SUCCESS);
  CHECK(driver.adapter().tokens.references(first) == 1);
  const share_token next = driver.adapter().tokens.make({}).token;
  CHECK(next != share_token{});
  CHECK(next != first);
}

TEST_CASE("ResetDevice at the highest level writes four registers and calls nobody",
          "[drivers][kmd][case-17]") {
  running_driver driver;
  const auto callbacks = driver.pc().faults.calls(sim::fault_point::callback);
  driver.pc().bus.log.clear();
  driver.windows().call_at(sim::high_level, &entries::DxgkDdiResetDevice,
                           driver.windows().context());
  const auto log = driver.pc().bus.log.entries();
  std::vector<std::uint32_t> offsets;
  for (const auto& one : log) {
    CHECK(one.kind == sim::access_kind::write_register);
    CHECK(one.value == 0);
    offsets.push_back(one.offset);
  }
  CHECK(offsets ==
        std::vector<std::uint32_t>{AEROGPU_MMIO_REG_IRQ_ENABLE, AEROGPU_MMIO_REG_SCANOUT0_ENABLE,
                                   AEROGPU_MMIO_REG_CURSOR_ENABLE, AEROGPU_MMIO_REG_RING_CONTROL});
  CHECK(driver.pc().faults.calls(sim::fault_point::callback) == callbacks);
}

TEST_CASE("stubs answer as documented", "[drivers][kmd][case-18]") {
  running_driver driver;
  auto& windows = driver.windows();
  void* const context = windows.context();
  QUERY_INTERFACE query{};
  CHECK(windows.call(&entries::DxgkDdiQueryInterface, context, &query) == STATUS_NOT_SUPPORTED);
  CHECK(windows.call(&entries::DxgkDdiDispatchIoRequest, context, ULONG{0},
                     static_cast<VIDEO_REQUEST_PACKET*>(nullptr)) == STATUS_NOT_SUPPORTED);
  ULONG flags = 0xFFFFFFFF;
  CHECK(windows.call(&entries::DxgkDdiNotifyAcpiEvent, context, DxgkAcpiEvent, ULONG{0x80},
                     static_cast<void*>(nullptr), &flags) == STATUS_SUCCESS);
  CHECK(flags == 0);
  DXGKARG_SETPALETTE palette{};
  CHECK(windows.call(&entries::DxgkDdiSetPalette, context, &palette) == STATUS_SUCCESS);
  DXGKARG_STOPCAPTURE capture{};
  CHECK(windows.call(&entries::DxgkDdiStopCapture, context, &capture) == STATUS_NOT_SUPPORTED);
}

TEST_CASE("a started device's software key says what hardware it is", "[drivers][kmd][case-171]") {
  const std::uint32_t bar1_bytes = GENERATE(64u << 20, 8u << 20);
  sim::pc_config config;
  config.bars.bar1_bytes = bar1_bytes;  // The smaller one is not used: memory is carved out.
  loaded_driver driver{config};
  const auto value = [&](const std::string& name) {
    return driver.pc().written_registry(sim::device_registry_key, "HardwareInformation." + name);
  };
  REQUIRE(driver.windows().add_device() == STATUS_SUCCESS);
  CHECK(value("MemorySize").empty());
  REQUIRE(driver.windows().start_device() == STATUS_SUCCESS);

  REQUIRE(value("MemorySize").size() == sizeof(std::uint32_t));
  CHECK(load<std::uint32_t>(value("MemorySize").data()) == driver.adapter().segments.video_bytes());
  const auto text = [](const auto& wide) {
    const const_bytes bytes = bytes_of(wide);
    return std::vector<std::byte>(bytes.begin(), bytes.end());  // With the zero at its end.
  };
  CHECK(value("ChipType") == text(u"AeroGPU"));
  CHECK(value("DacType") == text(u"Internal"));
  CHECK(value("AdapterString") == text(u"AeroGPU Display Adapter"));
  CHECK(value("BiosString") == text(u"None"));
}
