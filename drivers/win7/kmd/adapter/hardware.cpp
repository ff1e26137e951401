// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/hardware.hpp"

#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/umd_private.h"
#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/interrupt_lock.hpp"

#include <algorithm>

namespace aerogpu::kmd {
namespace {

constexpr std::uint32_t abi_major = 1;
constexpr std::uint32_t command_offset = 0x04;
constexpr std::uint32_t bar0_offset = 0x10;
/// As much of BAR1 as is used: one mapping takes no more address space.
constexpr std::uint64_t most_video_bytes = 1u << 31;

template <class T>
auto read_config(adapter& adapter, std::uint32_t offset, T& value) noexcept -> NTSTATUS {
  ULONG read = 0;
  const auto& dxgkrnl = adapter.dxgkrnl;
  const NTSTATUS status = dxgkrnl.DxgkCbReadDeviceSpace(dxgkrnl.DeviceHandle, PCI_WHICHSPACE_CONFIG,
                                                        &value, offset, sizeof value, &read);
  if (!NT_SUCCESS(status)) return status;
  return read == sizeof value ? STATUS_SUCCESS : STATUS_DEVICE_CONFIGURATION_ERROR;
}

auto write_config(adapter& adapter, std::uint32_t offset, USHORT value) noexcept -> NTSTATUS {
  ULONG written = 0;
  const auto& dxgkrnl = adapter.dxgkrnl;
  const NTSTATUS status = dxgkrnl.DxgkCbWriteDeviceSpace(
      dxgkrnl.DeviceHandle, PCI_WHICHSPACE_CONFIG, &value, offset, sizeof value, &written);
  if (!NT_SUCCESS(status)) return status;
  return written == sizeof value ? STATUS_SUCCESS : STATUS_DEVICE_CONFIGURATION_ERROR;
}

auto map(adapter& adapter, std::uint64_t physical, std::uint64_t size_bytes,
         MEMORY_CACHING_TYPE caching, void*& mapping) noexcept -> NTSTATUS {
  PHYSICAL_ADDRESS address;
  address.QuadPart = static_cast<LONGLONG>(physical);
  PVOID at = nullptr;
  const NTSTATUS status =
      adapter.dxgkrnl.DxgkCbMapMemory(adapter.dxgkrnl.DeviceHandle, address,
                                      static_cast<ULONG>(size_bytes), FALSE, FALSE, caching, &at);
  if (!NT_SUCCESS(status)) return status;
  mapping = at;
  return at != nullptr ? STATUS_SUCCESS : STATUS_INSUFFICIENT_RESOURCES;
}

void unmap(adapter& adapter, void* mapping) noexcept {
  if (mapping == nullptr) return;
  static_cast<void>(adapter.dxgkrnl.DxgkCbUnmapMemory(adapter.dxgkrnl.DeviceHandle, mapping));
}

}  // namespace

auto hardware::is_present() const noexcept -> bool {
  return regs.read(AEROGPU_MMIO_REG_MAGIC) == AEROGPU_MMIO_MAGIC;
}

auto hardware::enable_bus(adapter& adapter) noexcept -> NTSTATUS {
  USHORT command = 0;
  if (const NTSTATUS status = read_config(adapter, command_offset, command); !NT_SUCCESS(status))
    return status;
  const unsigned wanted = (command | PCI_ENABLE_MEMORY_SPACE | PCI_ENABLE_BUS_MASTER) &
                          ~unsigned{PCI_DISABLE_LEVEL_INTERRUPT};
  return write_config(adapter, command_offset, static_cast<USHORT>(wanted));
}

auto hardware::map_registers(adapter& adapter, const memory_range& range) noexcept -> NTSTATUS {
  void* mapping = nullptr;
  const NTSTATUS status =
      map(adapter, range.first, AEROGPU_PCI_BAR0_SIZE_BYTES, MmNonCached, mapping);
  if (!NT_SUCCESS(status)) return status;
  regs = registers{mapping};
  registers_physical_ = range.first;
  return STATUS_SUCCESS;
}

/// A VGA function's list also has the legacy window, and no order: the base address decides. Where
/// configuration space does not tell, the magic number does.
auto hardware::find_registers(adapter& adapter, const memory_ranges& ranges,
                              std::uint64_t bar0) noexcept -> NTSTATUS {
  const memory_range* const named = find_range(ranges, bar0);
  if (named != nullptr && named->size_bytes >= AEROGPU_PCI_BAR0_SIZE_BYTES)
    return map_registers(adapter, *named);
  for (const memory_range& range : ranges) {
    if (is_legacy(range) || range.size_bytes < AEROGPU_PCI_BAR0_SIZE_BYTES) continue;
    if (const NTSTATUS status = map_registers(adapter, range); !NT_SUCCESS(status)) return status;
    if (is_present()) return STATUS_SUCCESS;
    close(adapter);
  }
  return STATUS_DEVICE_CONFIGURATION_ERROR;
}

auto hardware::identify() noexcept -> NTSTATUS {
  magic = regs.read(AEROGPU_MMIO_REG_MAGIC);
  if (magic == AEROGPU_UMDPRIV_MMIO_MAGIC_LEGACY_ARGP)
    os::log("aerogpu: the legacy device (ARGP) is not supported");
  if (magic != AEROGPU_MMIO_MAGIC) return STATUS_NOT_SUPPORTED;
  abi_version = regs.read(AEROGPU_MMIO_REG_ABI_VERSION);
  if (abi_version >> 16 != abi_major) return STATUS_NOT_SUPPORTED;
  features = regs.read64(AEROGPU_MMIO_REG_FEATURES_LO);
  return STATUS_SUCCESS;
}

void hardware::map_video(adapter& adapter, const memory_ranges& ranges,
                         std::uint64_t bar1_base) noexcept {
  const memory_range* found = find_range(ranges, bar1_base);
  if (found == nullptr) {
    for (const memory_range& range : ranges) {
      if (is_legacy(range) || range.first == registers_physical_) continue;
      if (found == nullptr || range.size_bytes > found->size_bytes) found = &range;
    }
  }
  if (found == nullptr || found->first == registers_physical_) return;
  if (found->size_bytes < least_video_bytes) return;
  const std::uint64_t first = found->first + video_reserve_bytes;
  const std::uint64_t size_bytes =
      std::min(found->size_bytes, most_video_bytes) - video_reserve_bytes;
  void* mapping = nullptr;
  if (!NT_SUCCESS(map(adapter, first, size_bytes, MmWriteCombined, mapping))) {
    os::log("aerogpu: BAR1 cannot be mapped; its memory is not used");
    return;
  }
  video = static_cast<std::byte*>(mapping);
  video_physical = first;
  video_bytes = size_bytes;
}

auto hardware::open(adapter& adapter, const DXGK_DEVICE_INFO& info) noexcept -> NTSTATUS {
  const memory_ranges ranges = find_memory_ranges(info.TranslatedResourceList);
  std::uint32_t bars[2] = {};
  pci_bases bases;
  if (NT_SUCCESS(read_config(adapter, bar0_offset, bars))) bases = decode_bars(bars[0], bars[1]);

  NTSTATUS status = enable_bus(adapter);
  if (NT_SUCCESS(status)) status = find_registers(adapter, ranges, bases.registers);
  if (NT_SUCCESS(status)) status = identify();
  if (!NT_SUCCESS(status)) {
    close(adapter);
    return status;
  }
  map_video(adapter, ranges, bases.video);
  regs.write(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
  regs.write(AEROGPU_MMIO_REG_IRQ_ACK, all_causes);
  return STATUS_SUCCESS;
}

void hardware::close(adapter& adapter) noexcept {
  void* const bar0_mapping = regs.mapping();
  void* const video_mapping = video;
  if (bar0_mapping != nullptr) under_interrupt_lock(adapter, [this] { regs = {}; });
  video = nullptr;
  video_physical = 0;
  video_bytes = 0;
  registers_physical_ = 0;
  unmap(adapter, video_mapping);
  unmap(adapter, bar0_mapping);
}

}  // namespace aerogpu::kmd
