// SPDX-License-Identifier: MIT
/// \file Which bytes are UTF-8.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Bytes of the UTF-8 sequence at the front, 1..4, or 0 when there is none: cut short, overlong,
/// a surrogate or beyond U+10FFFF. Precondition: `bytes` is not empty.
[[nodiscard]] inline auto utf8_sequence_size(const_bytes bytes) noexcept -> std::size_t {
  const auto lead = std::to_integer<std::uint32_t>(bytes[0]);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || bytes.size() < size) return 0;
  std::uint32_t value = lead & (0x7Fu >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const auto next = std::to_integer<std::uint32_t>(bytes[i]);
    if ((next & 0xC0) != 0x80) return 0;
    value = value << 6 | (next & 0x3F);
  }
  const bool is_overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  return is_overlong || is_surrogate || value > 0x10FFFF ? 0 : size;
}

}  // namespace aerogpu
