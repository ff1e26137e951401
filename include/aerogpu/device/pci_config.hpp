// SPDX-License-Identifier: MIT
/// \file PCI configuration space: identity, BARs with size probing, and the COMMAND register.
#pragma once

#include "aerogpu/abi/pci.h"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/device/submission/lanes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// COMMAND bits that the device has (host.md 1.1).
enum pci_command : std::uint32_t {
  pci_command_io = 1u << 0,
  pci_command_memory = 1u << 1,
  pci_command_bus_master = 1u << 2,
  pci_command_intx_disable = 1u << 10,
};

/// Type-0 configuration space of function 0 (host.md 1.1).
class pci_config {
 public:
  struct bar {
    std::uint32_t size_bytes = 0;  ///< Power of two.
    std::uint32_t type_bits = 0;
    std::uint32_t base = 0;
    bool is_probed = false;  ///< Reads give the size mask until the next write.
  };

  /// `bar1_size_bytes` is a power of two and at least 16.
  constexpr explicit pci_config(std::uint32_t bar1_size_bytes) noexcept
      : bars_{bar{AEROGPU_PCI_BAR0_SIZE_BYTES, 0}, bar{bar1_size_bytes, prefetchable}} {}

  /// 1, 2 or 4 bytes; other sizes and offsets past 255 read all ones.
  [[nodiscard]] constexpr auto read(std::uint32_t offset, std::uint32_t size_bytes) const noexcept
      -> std::uint32_t {
    if (!is_access(offset, size_bytes)) {
      return static_cast<std::uint32_t>(floating_bus(size_bytes < 4 ? size_bytes : 4));
    }
    return static_cast<std::uint32_t>(
        read_lanes(offset, size_bytes, [&](std::uint64_t at) { return read_dword(at); }));
  }

  /// 1, 2 or 4 bytes; others are dropped.
  constexpr void write(std::uint32_t offset, std::uint32_t value,
                       std::uint32_t size_bytes) noexcept {
    if (!is_access(offset, size_bytes)) return;
    if (size_bytes == 4 && value == UINT32_MAX && offset % 4 == 0 && bar_at(offset) != nullptr) {
      bar_at(offset)->is_probed = true;
      return;
    }
    write_lanes(
        offset, size_bytes, value, [&](std::uint64_t at) { return stored_dword(at); },
        [&](std::uint64_t at, std::uint32_t merged) { write_dword(at, merged); });
  }

  /// Clears COMMAND; BAR bases stay (host.md 1.1).
  constexpr void reset() noexcept { command_ = 0; }

  [[nodiscard]] constexpr auto decodes_io() const noexcept -> bool { return has(pci_command_io); }
  [[nodiscard]] constexpr auto decodes_memory() const noexcept -> bool {
    return has(pci_command_memory);
  }
  [[nodiscard]] constexpr auto is_bus_master() const noexcept -> bool {
    return has(pci_command_bus_master);
  }
  [[nodiscard]] constexpr auto is_intx_disabled() const noexcept -> bool {
    return has(pci_command_intx_disable);
  }

  [[nodiscard]] constexpr auto command() const noexcept -> std::uint32_t { return command_; }
  [[nodiscard]] constexpr auto interrupt_line() const noexcept -> std::uint32_t {
    return interrupt_line_;
  }
  /// BAR 0 or 1. A base of 0 means that nobody programmed it.
  [[nodiscard]] constexpr auto bar_of(std::size_t index) const noexcept -> const bar& {
    return bars_[index];
  }

  /// Puts back what a snapshot holds; bases are aligned down to the BAR size.
  constexpr void restore(std::uint32_t command, std::uint32_t interrupt_line, std::uint32_t base0,
                         std::uint32_t base1) noexcept {
    command_ = command & command_mask;
    interrupt_line_ = interrupt_line & 0xFFu;
    set_base(bars_[0], base0);
    set_base(bars_[1], base1);
  }

 private:
  static constexpr std::uint32_t prefetchable = 8;
  static constexpr std::uint32_t command_mask =
      pci_command_io | pci_command_memory | pci_command_bus_master | pci_command_intx_disable;
  static constexpr std::uint32_t command_offset = 0x04;
  static constexpr std::uint32_t bar0_offset = 0x10;
  static constexpr std::uint32_t interrupt_offset = 0x3C;
  static constexpr std::uint32_t interrupt_pin_a = 1u << 8;

  [[nodiscard]] static constexpr auto is_access(std::uint32_t offset,
                                                std::uint32_t size_bytes) noexcept -> bool {
    return is_access_size(size_bytes) && size_bytes <= 4 && offset <= 256 - size_bytes;
  }
  [[nodiscard]] constexpr auto has(pci_command bit) const noexcept -> bool {
    return (command_ & bit) != 0;
  }
  [[nodiscard]] constexpr auto bar_at(std::uint64_t dword) noexcept -> bar* {
    if (dword < bar0_offset || dword >= bar0_offset + 4 * bars_.size()) return nullptr;
    return &bars_[static_cast<std::size_t>((dword - bar0_offset) / 4)];
  }
  static constexpr void set_base(bar& b, std::uint32_t value) noexcept {
    b.base = value & ~(b.size_bytes - 1);
    b.is_probed = false;
  }

  /// What is stored, as opposed to what a probed BAR shows.
  [[nodiscard]] constexpr auto stored_dword(std::uint64_t at) const noexcept -> std::uint32_t {
    const auto* const b = const_cast<pci_config*>(this)->bar_at(at);
    return b != nullptr ? b->base : read_dword(at);
  }

  [[nodiscard]] constexpr auto read_dword(std::uint64_t at) const noexcept -> std::uint32_t {
    switch (at) {
      case 0x00: return AEROGPU_PCI_DEVICE_ID << 16 | AEROGPU_PCI_VENDOR_ID;
      case command_offset: return command_;
      case 0x08:
        return AEROGPU_PCI_CLASS_CODE_DISPLAY_CONTROLLER << 24 |
               AEROGPU_PCI_SUBCLASS_VGA_COMPATIBLE << 16 | AEROGPU_PCI_PROG_IF << 8;
      case 0x2C: return AEROGPU_PCI_SUBSYSTEM_ID << 16 | AEROGPU_PCI_SUBSYSTEM_VENDOR_ID;
      case interrupt_offset: return interrupt_pin_a | interrupt_line_;
      default: break;
    }
    const auto* const b = const_cast<pci_config*>(this)->bar_at(at);
    if (b == nullptr) return 0;
    return (b->is_probed ? ~(b->size_bytes - 1) : b->base) | b->type_bits;
  }

  constexpr void write_dword(std::uint64_t at, std::uint32_t value) noexcept {
    if (at == command_offset) command_ = value & command_mask;
    if (at == interrupt_offset) interrupt_line_ = value & 0xFFu;
    if (auto* const b = bar_at(at)) set_base(*b, value);
  }

  std::uint32_t command_ = 0;
  std::uint32_t interrupt_line_ = 0;
  std::array<bar, 2> bars_;
};

}  // namespace aerogpu
