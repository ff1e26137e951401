// SPDX-License-Identifier: MIT
/// \file The PCI function: BARs found, mapped and identified.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/system/pci_resources.hpp"
#include "drivers/win7/kmd/system/registers.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

class adapter;

/// Of BAR1, before the video segment: the legacy planes and the boot frame buffer, which Windows'
/// boot display has mapped, with a caching of its own that counts for every mapping of a page.
inline constexpr std::uint64_t video_reserve_bytes = 4u << 20;
/// A BAR1 below this is not used, and system memory is carved out instead.
inline constexpr std::uint64_t least_video_bytes = 16u << 20;

/// What StartDevice found, valid until StopDevice. Identity stays for queries afterwards.
struct hardware {
  registers regs;
  std::byte* video = nullptr;  ///< BAR1 behind its first `video_reserve_bytes`.
  std::uint64_t video_physical = 0;
  std::uint64_t video_bytes = 0;

  std::uint32_t magic = 0;
  std::uint32_t abi_version = 0;
  std::uint64_t features = 0;  ///< AEROGPU_FEATURE_*.

  [[nodiscard]] auto has(std::uint64_t feature) const noexcept -> bool {
    return (features & feature) != 0;
  }
  /// Whether the registers answer as this device's. Precondition: they are mapped.
  [[nodiscard]] auto is_present() const noexcept -> bool;

  /// Finds, maps and identifies the device, and masks its interrupts (kmd.md 2.1, steps 3 to 7).
  /// DEVICE_CONFIGURATION_ERROR without BAR0, NOT_SUPPORTED for another device or ABI, what dxgkrnl
  /// answered else; nothing stays mapped then. PASSIVE.
  [[nodiscard]] auto open(adapter& adapter, const DXGK_DEVICE_INFO& info) noexcept -> NTSTATUS;
  /// Unmaps, once no interrupt handler can be at it any more. PASSIVE.
  void close(adapter& adapter) noexcept;
  /// Memory decode and bus master on, INTx on [K-14]. PASSIVE.
  [[nodiscard]] auto enable_bus(adapter& adapter) noexcept -> NTSTATUS;

 private:
  [[nodiscard]] auto map_registers(adapter& adapter, const memory_range& range) noexcept
      -> NTSTATUS;
  [[nodiscard]] auto find_registers(adapter& adapter, const memory_ranges& ranges,
                                    std::uint64_t bar0) noexcept -> NTSTATUS;
  [[nodiscard]] auto identify() noexcept -> NTSTATUS;
  /// Leaves `video` empty when there is none, or a small one, or it cannot be mapped.
  void map_video(adapter& adapter, const memory_ranges& ranges, std::uint64_t bar1_base) noexcept;

  std::uint64_t registers_physical_ = 0;
};

}  // namespace aerogpu::kmd
