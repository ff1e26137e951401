// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/dxgkrnl.hpp"

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/pci.h"
#include "drivers/win7/kmd/system/os.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <cstring>
#include <vector>

using namespace aerogpu;
using sim::stop_code;

namespace {

using machine = test::simulated_pc<>;
using stops = std::vector<stop_code>;

[[nodiscard]] auto physical(std::uint64_t address) -> PHYSICAL_ADDRESS {
  PHYSICAL_ADDRESS made;
  made.QuadPart = static_cast<LONGLONG>(address);
  return made;
}

/// Maps BAR0 and turns memory decoding and bus mastering on, as StartDevice would.
struct mapped_device {
  explicit mapped_device(machine& around) : m(around), callbacks(around.windows.dxgk.callbacks()) {
    std::uint16_t command = PCI_ENABLE_MEMORY_SPACE | PCI_ENABLE_BUS_MASTER;
    ULONG done = 0;
    CHECK(callbacks.DxgkCbWriteDeviceSpace(callbacks.DeviceHandle, PCI_WHICHSPACE_CONFIG, &command,
                                           4, 2, &done) == STATUS_SUCCESS);
    void* at = nullptr;
    CHECK(callbacks.DxgkCbMapMemory(callbacks.DeviceHandle, physical(m.pc.config.bars.bar0),
                                    AEROGPU_PCI_BAR0_SIZE_BYTES, FALSE, FALSE, MmNonCached,
                                    &at) == STATUS_SUCCESS);
    base = static_cast<volatile std::uint32_t*>(at);
  }
  ~mapped_device() {
    if (base != nullptr) unmap();
  }
  void unmap() {
    CHECK(callbacks.DxgkCbUnmapMemory(callbacks.DeviceHandle, const_cast<std::uint32_t*>(base)) ==
          STATUS_SUCCESS);
    base = nullptr;
  }
  [[nodiscard]] auto reg(std::uint32_t offset) const { return base + offset / 4; }

  machine& m;
  DXGKRNL_INTERFACE callbacks;
  volatile std::uint32_t* base = nullptr;
};

}  // namespace

TEST_CASE("registers of the device model are reached through a mapping of BAR0", "[sim][bus]") {
  machine m;
  mapped_device device{m};
  CHECK(kmd::os::read_register(device.reg(AEROGPU_MMIO_REG_MAGIC)) == AEROGPU_MMIO_MAGIC);
  kmd::os::write_register(device.reg(AEROGPU_MMIO_REG_CURSOR_X), 12);
  CHECK(m.pc.bus.peek(AEROGPU_MMIO_REG_CURSOR_X) == 12);
  const auto writes = m.pc.bus.log.writes();
  REQUIRE(writes.size() == 1);
  CHECK(writes[0].offset == AEROGPU_MMIO_REG_CURSOR_X);
  CHECK(writes[0].value == 12);
}

TEST_CASE("a register access through a mapping that is gone is a bug check", "[sim][bus]") {
  machine m;
  mapped_device device{m};
  auto* const stale = device.reg(0);
  device.unmap();
  CHECK(m.pc.bus.mappings() == 0);
  CHECK(kmd::os::read_register(stale) == 0xFFFFFFFF);
  CHECK(m.take_stops() == stops{stop_code::page_fault_in_nonpaged_area});
}

TEST_CASE("a device that left the bus reads as ones and hears nothing", "[sim][bus]") {
  machine m;
  mapped_device device{m};
  m.pc.bus.host.is_removed = true;
  CHECK(kmd::os::read_register(device.reg(AEROGPU_MMIO_REG_MAGIC)) == 0xFFFFFFFF);
  kmd::os::write_register(device.reg(AEROGPU_MMIO_REG_CURSOR_X), 12);
  m.pc.bus.host.is_removed = false;
  CHECK(kmd::os::read_register(device.reg(AEROGPU_MMIO_REG_CURSOR_X)) == 0);
}

TEST_CASE("bytes of BAR1 are guest memory for the device", "[sim][bus][K-H1]") {
  machine m;
  mapped_device device{m};
  void* at = nullptr;
  REQUIRE(device.callbacks.DxgkCbMapMemory(device.callbacks.DeviceHandle,
                                           physical(m.pc.config.bars.bar1 + 0x400000), 4096, FALSE,
                                           FALSE, MmWriteCombined, &at) == STATUS_SUCCESS);
  std::memset(at, 0x5A, 4096);
  std::uint32_t read = 0;
  CHECK(
      m.machine.get().memory().read(gpa{m.pc.config.bars.bar1 + 0x400000}, mutable_bytes_of(read)));
  CHECK(read == 0x5A5A5A5A);
  CHECK(device.callbacks.DxgkCbUnmapMemory(device.callbacks.DeviceHandle, at) == STATUS_SUCCESS);
}

TEST_CASE("a mapping of the boot display's frame buffer that is not uncached is a bug check",
          "[sim][dxgkrnl]") {
  machine m;
  const auto& callbacks = m.windows.dxgk.callbacks();
  const auto map = [&](std::uint64_t first, ULONG length, MEMORY_CACHING_TYPE caching) {
    void* at = nullptr;
    REQUIRE(callbacks.DxgkCbMapMemory(callbacks.DeviceHandle, physical(first), length, FALSE, FALSE,
                                      caching, &at) == STATUS_SUCCESS);
    CHECK(callbacks.DxgkCbUnmapMemory(callbacks.DeviceHandle, at) == STATUS_SUCCESS);
    return m.take_stops();
  };
  const std::uint64_t bar1 = m.pc.config.bars.bar1;
  CHECK(map(bar1, 4096, MmNonCached).empty());
  CHECK(map(bar1 + 0x400000, 4096, MmWriteCombined).empty());
  CHECK(map(bar1 + 0x3FF000, 8192, MmWriteCombined) ==
        stops{stop_code::driver_verifier_detected_violation});
}

TEST_CASE("the resource list starts with the legacy window and ends with the interrupt",
          "[sim][dxgkrnl]") {
  machine m;
  const auto& callbacks = m.windows.dxgk.callbacks();
  DXGK_DEVICE_INFO info{};
  REQUIRE(callbacks.DxgkCbGetDeviceInformation(callbacks.DeviceHandle, &info) == STATUS_SUCCESS);
  REQUIRE(info.TranslatedResourceList != nullptr);
  const auto& list = info.TranslatedResourceList->List[0].PartialResourceList;
  REQUIRE(list.Count == 4);
  CHECK(list.PartialDescriptors[0].u.Memory.Start.QuadPart == 0xA0000);
  const auto* const at = reinterpret_cast<const std::byte*>(&list.PartialDescriptors[0]);
  CM_PARTIAL_RESOURCE_DESCRIPTOR last{};
  std::memcpy(&last, at + 3 * sizeof last, sizeof last);
  CHECK(last.Type == CmResourceTypeInterrupt);
}

TEST_CASE("callbacks above their level are bug checks", "[sim][dxgkrnl]") {
  machine m;
  const auto& callbacks = m.windows.dxgk.callbacks();
  SECTION("MapMemory at DISPATCH_LEVEL") {
    const sim::irql_scope raised{sim::dispatch_level};
    void* at = nullptr;
    static_cast<void>(callbacks.DxgkCbMapMemory(callbacks.DeviceHandle, physical(0x100000), 4096,
                                                FALSE, FALSE, MmCached, &at));
    CHECK(m.take_stops() == stops{stop_code::irql_not_less_or_equal});
  }
  SECTION("NotifyInterrupt at DISPATCH_LEVEL") {
    const sim::irql_scope raised{sim::dispatch_level};
    DXGKARGCB_NOTIFY_INTERRUPT_DATA data{};
    data.InterruptType = DXGK_INTERRUPT_CRTC_VSYNC;
    callbacks.DxgkCbNotifyInterrupt(callbacks.DeviceHandle, &data);
    CHECK(m.take_stops() == stops{stop_code::irql_not_less_or_equal});
  }
  SECTION("NotifyDpc at PASSIVE_LEVEL") {
    callbacks.DxgkCbNotifyDpc(callbacks.DeviceHandle);
    CHECK(m.take_stops() == stops{stop_code::irql_not_less_or_equal});
  }
  SECTION("SynchronizeExecution at device level") {
    const sim::irql_scope raised{sim::device_level};
    BOOLEAN answer = FALSE;
    const auto nothing = [](PVOID) -> BOOLEAN { return TRUE; };
    static_cast<void>(
        callbacks.DxgkCbSynchronizeExecution(callbacks.DeviceHandle, nothing, nullptr, 0, &answer));
    CHECK(m.take_stops() == stops{stop_code::irql_not_less_or_equal});
  }
  SECTION("a wrong device handle") {
    DXGK_DEVICE_INFO info{};
    static_cast<void>(callbacks.DxgkCbGetDeviceInformation(&m, &info));
    CHECK(m.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
  }
  SECTION("UnmapMemory of what was not mapped") {
    static_cast<void>(callbacks.DxgkCbUnmapMemory(callbacks.DeviceHandle, &m));
    CHECK(m.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
  }
}

TEST_CASE("the nth callback fails, and only that one", "[sim][dxgkrnl]") {
  machine m;
  const auto& callbacks = m.windows.dxgk.callbacks();
  m.pc.faults.fail(sim::fault_point::callback, 1);
  DXGK_DEVICE_INFO info{};
  CHECK(callbacks.DxgkCbGetDeviceInformation(callbacks.DeviceHandle, &info) == STATUS_SUCCESS);
  CHECK_FALSE(NT_SUCCESS(callbacks.DxgkCbGetDeviceInformation(callbacks.DeviceHandle, &info)));
  CHECK(callbacks.DxgkCbGetDeviceInformation(callbacks.DeviceHandle, &info) == STATUS_SUCCESS);
}

TEST_CASE("SynchronizeExecution runs its routine at device level", "[sim][dxgkrnl]") {
  machine m;
  const auto& callbacks = m.windows.dxgk.callbacks();
  unsigned char level = 0;
  const auto routine = [](PVOID context) -> BOOLEAN {
    *static_cast<unsigned char*>(context) = kmd::os::current_irql();
    return TRUE;
  };
  BOOLEAN answer = FALSE;
  CHECK(callbacks.DxgkCbSynchronizeExecution(callbacks.DeviceHandle, routine, &level, 0, &answer) ==
        STATUS_SUCCESS);
  CHECK(answer == TRUE);
  CHECK(level == sim::device_level);
  CHECK(kmd::os::current_irql() == sim::passive_level);
}
