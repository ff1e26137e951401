// SPDX-License-Identifier: MIT
/// \file The monitor's EDID block, and what it says about modes (kmd.md 3.16).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

using edid_block = std::array<std::uint8_t, 128>;

namespace detail {

inline constexpr std::size_t edid_checksum_offset = 127;

/// What the last byte must be for all 128 to add up to 0 modulo 256.
[[nodiscard]] constexpr auto edid_checksum(const edid_block& edid) noexcept -> std::uint8_t {
  unsigned sum = 0;
  for (std::size_t i = 0; i < edid_checksum_offset; ++i) sum += edid[i];
  return static_cast<std::uint8_t>(0u - sum);
}

[[nodiscard]] constexpr auto with_checksum(edid_block edid) noexcept -> edid_block {
  edid[edid_checksum_offset] = edid_checksum(edid);
  return edid;
}

}  // namespace detail

/// Whether the block has EDID's fixed header and adds up.
[[nodiscard]] constexpr auto is_valid_edid(const edid_block& edid) noexcept -> bool {
  constexpr std::array<std::uint8_t, 8> header{0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00};
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (edid[i] != header[i]) return false;
  }
  return edid[detail::edid_checksum_offset] == detail::edid_checksum(edid);
}

/// The one monitor: EDID 1.4, 1920x1080 at 60 Hz preferred, no extension.
inline constexpr edid_block monitor_edid = detail::with_checksum({
    0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00,  // header
    0x04, 0xB2, 0x01, 0x00,                          // manufacturer, product
    0x01, 0x00, 0x00, 0x00, 1, 0x23,                 // serial, week 1 of 2025
    1, 4, 0x80, 52, 29, 0x78, 0x06,                  // version 1.4, input, cm, gamma, features
    0xA5, 0x4C, 0x99, 0x26, 0x0F, 0x50, 0x54, 0xA5, 0x4B, 0x00,  // chromaticity
    0x21, 0x08, 0x00,                                            // established timings
    0x45, 0x40, 0x61, 0x40, 0x81, 0xC0, 0x81, 0x00,              // 800x600 1024x768 1280x720/800
    0xD1, 0xC0, 0xA9, 0xC0, 0x01, 0x01, 0x01, 0x01,              // 1920x1080 1600x900, unused
    0x02, 0x3A, 0x80, 0x18, 0x71, 0x38, 0x2D, 0x40, 0x58,        // 1920x1080, 148.5 MHz
    0x2C, 0x45, 0x00, 0x08, 0x22, 0x21, 0x00, 0x00, 0x1E,        //
    0, 0, 0, 0xFC, 0, 'A', 'e', 'r', 'o', 'G', 'P', 'U', ' ', 'M', 'o', 'n', 'i', 't',   // name
    0, 0, 0, 0xFF, 0, '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '0', 0x0A,  // serial
    0, 0, 0, 0xFD, 0, 0x38, 0x4C, 0x1E, 0x53, 0x11, 0x00, 0x0A,  // 56-76 Hz, 30-83 kHz,
                                                                 // 170 MHz
    ' ', ' ', ' ', ' ', ' ', ' ',                                //
    0, 0,                                                        // extensions, checksum
});
static_assert(is_valid_edid(monitor_edid));

}  // namespace aerogpu::kmd
