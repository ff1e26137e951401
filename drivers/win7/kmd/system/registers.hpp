// SPDX-License-Identifier: MIT
/// \file BAR0: 32-bit registers, and pairs of them.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/ring/shared_words.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <cstdint>

namespace aerogpu::kmd {

/// What a register reads as when the device is gone from the bus.
inline constexpr std::uint32_t absent_device = 0xFFFFFFFF;
/// Every bit of IRQ_STATUS, IRQ_ENABLE and IRQ_ACK.
inline constexpr std::uint32_t all_causes = 0xFFFFFFFF;

/// A view of the mapped registers. Any IRQL. Precondition of reads and writes: `is_mapped()`.
class registers {
 public:
  registers() noexcept = default;
  explicit registers(void* bar0) noexcept : base_(static_cast<volatile std::byte*>(bar0)) {}

  [[nodiscard]] auto is_mapped() const noexcept -> bool { return base_ != nullptr; }
  [[nodiscard]] auto mapping() const noexcept -> void* { return const_cast<std::byte*>(base_); }

  [[nodiscard]] auto read(std::uint32_t offset) const noexcept -> std::uint32_t {
    return os::read_register(word(offset));
  }
  void write(std::uint32_t offset, std::uint32_t value) const noexcept {
    os::write_register(word(offset), value);
  }
  /// A counter that moves while it is read (kmd.md 3.1).
  [[nodiscard]] auto read64(std::uint32_t low_offset) const noexcept -> std::uint64_t {
    return read_split_counter([&] { return read(low_offset + 4); },
                              [&] { return read(low_offset); });
  }
  /// The low half first: the high one commits (kmd.md 3.1).
  void write64(std::uint32_t low_offset, std::uint64_t value) const noexcept {
    write(low_offset, static_cast<std::uint32_t>(value));
    write(low_offset + 4, static_cast<std::uint32_t>(value >> 32));
  }

 private:
  [[nodiscard]] auto word(std::uint32_t offset) const noexcept -> volatile std::uint32_t* {
    return reinterpret_cast<volatile std::uint32_t*>(base_ + offset);
  }
  volatile std::byte* base_ = nullptr;
};

}  // namespace aerogpu::kmd
