// SPDX-License-Identifier: MIT
/// \file BAR0: every register once, as a row of a table.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/abi/version.h"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/device/address_latch.hpp"
#include "aerogpu/device/error_registers.hpp"
#include "aerogpu/device/interrupts.hpp"
#include "aerogpu/device/surface.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// What the guest sees through BAR0.
struct device_registers {
  std::uint64_t features = 0;          ///< Configuration; survives reset and snapshots.
  std::uint32_t vblank_period_ns = 0;  ///< Configuration.
  bool is_ring_enabled = false;
  std::uint32_t ring_size_bytes = 0;
  std::uint64_t ring_gpa = 0;
  std::uint64_t fence_gpa = 0;
  fence_value completed_fence{};
  interrupt_causes interrupts;
  error_registers errors;
  scanout_registers scanout;
  cursor_registers cursor;
  std::uint64_t vblank_sequence = 0;
  std::uint64_t vblank_time_ns = 0;
};

enum class register_access : std::uint8_t { read_only, read_write, write_only };

/// What a write sets off beyond its own value; the device does it.
enum class register_effect : std::uint8_t {
  none,
  ring_control,
  doorbell,
  interrupt_enable,
  interrupt_acknowledge,
  scanout_enable,
  scanout_mode,    ///< Size, pitch or format.
  scanout_commit,  ///< An address.
};

/// One register (host.md 1.2). `read` is null for write-only ones; `write` is null where the device
/// stores the value as part of `effect`, and for read-only ones.
struct register_row {
  std::uint16_t offset;
  register_access access;
  std::uint32_t reset;  ///< After device reset, with vblank at 60 Hz.
  register_effect effect;
  const char* name;
  std::uint32_t (*read)(const device_registers&) noexcept;
  void (*write)(device_registers&, std::uint32_t) noexcept;
};

namespace detail::bar0 {

using dev = device_registers;
using u32 = std::uint32_t;

constexpr auto read_only(std::uint16_t offset, const char* name, u32 reset,
                         u32 (*read)(const dev&) noexcept) noexcept -> register_row {
  return {offset, register_access::read_only, reset, register_effect::none, name, read, nullptr};
}
constexpr auto read_write(std::uint16_t offset, const char* name, register_effect effect,
                          u32 (*read)(const dev&) noexcept,
                          void (*write)(dev&, u32) noexcept) noexcept -> register_row {
  return {offset, register_access::read_write, 0, effect, name, read, write};
}
constexpr auto write_only(std::uint16_t offset, const char* name, register_effect effect) noexcept
    -> register_row {
  return {offset, register_access::write_only, 0, effect, name, nullptr, nullptr};
}

/// A plain 32-bit member.
template <auto Part, auto Member>
constexpr auto plain(std::uint16_t offset, const char* name, register_effect effect) noexcept
    -> register_row {
  return read_write(
      offset, name, effect, [](const dev& d) noexcept { return d.*Part.*Member; },
      [](dev& d, u32 v) noexcept { d.*Part.*Member = v; });
}
template <auto Member>
constexpr auto scanout(std::uint16_t offset, const char* name) noexcept -> register_row {
  return plain<&dev::scanout, Member>(offset, name, register_effect::scanout_mode);
}
template <auto Member>
constexpr auto cursor(std::uint16_t offset, const char* name) noexcept -> register_row {
  return plain<&dev::cursor, Member>(offset, name, register_effect::none);
}

/// The halves of a 64-bit register without a latch.
template <auto Member>
constexpr auto low(std::uint16_t offset, const char* name) noexcept -> register_row {
  return read_write(
      offset, name, register_effect::none,
      [](const dev& d) noexcept { return low_half(d.*Member); },
      [](dev& d, u32 v) noexcept { d.*Member = join_halves(v, high_half(d.*Member)); });
}
template <auto Member>
constexpr auto high(std::uint16_t offset, const char* name) noexcept -> register_row {
  return read_write(
      offset, name, register_effect::none,
      [](const dev& d) noexcept { return high_half(d.*Member); },
      [](dev& d, u32 v) noexcept { d.*Member = join_halves(low_half(d.*Member), v); });
}

/// The halves of a latched address.
template <auto Part>
constexpr auto latch_low(std::uint16_t offset, const char* name) noexcept -> register_row {
  return read_write(
      offset, name, register_effect::none,
      [](const dev& d) noexcept { return (d.*Part).frame_buffer.read_low(); },
      [](dev& d, u32 v) noexcept { (d.*Part).frame_buffer.write_low(v); });
}
template <auto Part>
constexpr auto latch_high(std::uint16_t offset, const char* name, register_effect effect) noexcept
    -> register_row {
  return read_write(
      offset, name, effect,
      [](const dev& d) noexcept { return (d.*Part).frame_buffer.read_high(); },
      [](dev& d, u32 v) noexcept { (d.*Part).frame_buffer.write_high(v); });
}

}  // namespace detail::bar0

#define AEROGPU_DETAIL_REGISTER(name) AEROGPU_MMIO_REG_##name, #name

/// Every register. Offsets that are not here read 0 and ignore writes.
inline constexpr auto register_table = [] {
  using namespace detail::bar0;
  using effect = register_effect;
  using scan = scanout_registers;
  using curs = cursor_registers;
  return std::array{
      read_only(AEROGPU_DETAIL_REGISTER(MAGIC), AEROGPU_MMIO_MAGIC,
                [](const dev&) noexcept -> u32 { return AEROGPU_MMIO_MAGIC; }),
      read_only(AEROGPU_DETAIL_REGISTER(ABI_VERSION), AEROGPU_ABI_VERSION_U32,
                [](const dev&) noexcept -> u32 { return AEROGPU_ABI_VERSION_U32; }),
      read_only(AEROGPU_DETAIL_REGISTER(FEATURES_LO), 0x3F,
                [](const dev& d) noexcept { return low_half(d.features); }),
      read_only(AEROGPU_DETAIL_REGISTER(FEATURES_HI), 0,
                [](const dev& d) noexcept { return high_half(d.features); }),

      low<&dev::ring_gpa>(AEROGPU_DETAIL_REGISTER(RING_GPA_LO)),
      high<&dev::ring_gpa>(AEROGPU_DETAIL_REGISTER(RING_GPA_HI)),
      read_write(
          AEROGPU_DETAIL_REGISTER(RING_SIZE_BYTES), effect::none,
          [](const dev& d) noexcept { return d.ring_size_bytes; },
          [](dev& d, u32 v) noexcept { d.ring_size_bytes = v; }),
      read_write(
          AEROGPU_DETAIL_REGISTER(RING_CONTROL), effect::ring_control,
          [](const dev& d) noexcept -> u32 {
            return d.is_ring_enabled ? AEROGPU_RING_CONTROL_ENABLE : 0;
          },
          [](dev& d, u32 v) noexcept {
            d.is_ring_enabled = (v & AEROGPU_RING_CONTROL_ENABLE) != 0;
          }),
      low<&dev::fence_gpa>(AEROGPU_DETAIL_REGISTER(FENCE_GPA_LO)),
      high<&dev::fence_gpa>(AEROGPU_DETAIL_REGISTER(FENCE_GPA_HI)),
      read_only(AEROGPU_DETAIL_REGISTER(COMPLETED_FENCE_LO), 0,
                [](const dev& d) noexcept { return low_half(raw(d.completed_fence)); }),
      read_only(AEROGPU_DETAIL_REGISTER(COMPLETED_FENCE_HI), 0,
                [](const dev& d) noexcept { return high_half(raw(d.completed_fence)); }),
      write_only(AEROGPU_DETAIL_REGISTER(DOORBELL), effect::doorbell),

      read_only(AEROGPU_DETAIL_REGISTER(IRQ_STATUS), 0,
                [](const dev& d) noexcept { return d.interrupts.status(); }),
      read_write(
          AEROGPU_DETAIL_REGISTER(IRQ_ENABLE), effect::interrupt_enable,
          [](const dev& d) noexcept { return d.interrupts.enable(); }, nullptr),
      write_only(AEROGPU_DETAIL_REGISTER(IRQ_ACK), effect::interrupt_acknowledge),
      read_only(AEROGPU_DETAIL_REGISTER(ERROR_CODE), 0,
                [](const dev& d) noexcept { return d.errors.code; }),
      read_only(AEROGPU_DETAIL_REGISTER(ERROR_FENCE_LO), 0,
                [](const dev& d) noexcept { return low_half(raw(d.errors.fence)); }),
      read_only(AEROGPU_DETAIL_REGISTER(ERROR_FENCE_HI), 0,
                [](const dev& d) noexcept { return high_half(raw(d.errors.fence)); }),
      read_only(AEROGPU_DETAIL_REGISTER(ERROR_COUNT), 0,
                [](const dev& d) noexcept { return d.errors.count; }),

      read_write(
          AEROGPU_DETAIL_REGISTER(SCANOUT0_ENABLE), effect::scanout_enable,
          [](const dev& d) noexcept -> u32 { return d.scanout.is_enabled ? 1 : 0; }, nullptr),
      scanout<&scan::width>(AEROGPU_DETAIL_REGISTER(SCANOUT0_WIDTH)),
      scanout<&scan::height>(AEROGPU_DETAIL_REGISTER(SCANOUT0_HEIGHT)),
      scanout<&scan::format>(AEROGPU_DETAIL_REGISTER(SCANOUT0_FORMAT)),
      scanout<&scan::pitch_bytes>(AEROGPU_DETAIL_REGISTER(SCANOUT0_PITCH_BYTES)),
      latch_low<&dev::scanout>(AEROGPU_DETAIL_REGISTER(SCANOUT0_FB_GPA_LO)),
      latch_high<&dev::scanout>(AEROGPU_DETAIL_REGISTER(SCANOUT0_FB_GPA_HI),
                                effect::scanout_commit),
      read_only(AEROGPU_DETAIL_REGISTER(SCANOUT0_VBLANK_SEQ_LO), 0,
                [](const dev& d) noexcept { return low_half(d.vblank_sequence); }),
      read_only(AEROGPU_DETAIL_REGISTER(SCANOUT0_VBLANK_SEQ_HI), 0,
                [](const dev& d) noexcept { return high_half(d.vblank_sequence); }),
      read_only(AEROGPU_DETAIL_REGISTER(SCANOUT0_VBLANK_TIME_NS_LO), 0,
                [](const dev& d) noexcept { return low_half(d.vblank_time_ns); }),
      read_only(AEROGPU_DETAIL_REGISTER(SCANOUT0_VBLANK_TIME_NS_HI), 0,
                [](const dev& d) noexcept { return high_half(d.vblank_time_ns); }),
      read_only(AEROGPU_DETAIL_REGISTER(SCANOUT0_VBLANK_PERIOD_NS), 16'666'667,
                [](const dev& d) noexcept { return d.vblank_period_ns; }),

      read_write(
          AEROGPU_DETAIL_REGISTER(CURSOR_ENABLE), effect::none,
          [](const dev& d) noexcept -> u32 { return d.cursor.is_enabled ? 1 : 0; },
          [](dev& d, u32 v) noexcept {
            if (d.cursor.is_enabled && v == 0) d.cursor.frame_buffer.drop_pending();
            d.cursor.is_enabled = v != 0;
          }),
      cursor<&curs::x>(AEROGPU_DETAIL_REGISTER(CURSOR_X)),
      cursor<&curs::y>(AEROGPU_DETAIL_REGISTER(CURSOR_Y)),
      cursor<&curs::hot_x>(AEROGPU_DETAIL_REGISTER(CURSOR_HOT_X)),
      cursor<&curs::hot_y>(AEROGPU_DETAIL_REGISTER(CURSOR_HOT_Y)),
      cursor<&curs::width>(AEROGPU_DETAIL_REGISTER(CURSOR_WIDTH)),
      cursor<&curs::height>(AEROGPU_DETAIL_REGISTER(CURSOR_HEIGHT)),
      cursor<&curs::format>(AEROGPU_DETAIL_REGISTER(CURSOR_FORMAT)),
      latch_low<&dev::cursor>(AEROGPU_DETAIL_REGISTER(CURSOR_FB_GPA_LO)),
      latch_high<&dev::cursor>(AEROGPU_DETAIL_REGISTER(CURSOR_FB_GPA_HI), effect::none),
      cursor<&curs::pitch_bytes>(AEROGPU_DETAIL_REGISTER(CURSOR_PITCH_BYTES)),
  };
}();

#undef AEROGPU_DETAIL_REGISTER

namespace detail {

inline constexpr std::size_t register_dwords = AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES / 4 + 1;

/// Dword index to row number + 1; 0 is an unused offset.
inline constexpr auto register_rows = [] {
  std::array<std::uint8_t, register_dwords> rows{};
  for (std::size_t i = 0; i < register_table.size(); ++i) {
    rows[register_table[i].offset / 4u] = static_cast<std::uint8_t>(i + 1);
  }
  return rows;
}();

}  // namespace detail

/// The register at a dword-aligned offset, or null.
[[nodiscard]] constexpr auto find_register(std::uint64_t offset) noexcept -> const register_row* {
  const auto dword = offset / 4;
  if (offset % 4 != 0 || dword >= detail::register_dwords) return nullptr;
  const auto row = detail::register_rows[static_cast<std::size_t>(dword)];
  return row != 0 ? &register_table[row - 1u] : nullptr;
}

/// The dword that a guest reads at a dword-aligned offset of BAR0.
[[nodiscard]] constexpr auto read_register(const device_registers& registers,
                                           std::uint64_t offset) noexcept -> std::uint32_t {
  const auto* const row = find_register(offset);
  return row != nullptr && row->read != nullptr ? row->read(registers) : 0;
}

}  // namespace aerogpu
