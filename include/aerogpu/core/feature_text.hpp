// SPDX-License-Identifier: MIT
/// \file Feature bits as text for people.
#pragma once

#include "aerogpu/abi/mmio.h"
#include "aerogpu/core/text.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace aerogpu {

struct feature_name {
  std::uint64_t mask;
  std::string_view text;
};

/// Display order, which is not bit order (wire.md 3.3).
inline constexpr std::array<feature_name, 6> feature_names{{
    {AEROGPU_FEATURE_CURSOR, "cursor"},
    {AEROGPU_FEATURE_SCANOUT, "scanout"},
    {AEROGPU_FEATURE_VBLANK, "vblank"},
    {AEROGPU_FEATURE_FENCE_PAGE, "fence_page"},
    {AEROGPU_FEATURE_TRANSFER, "transfer"},
    {AEROGPU_FEATURE_ERROR_INFO, "error_info"},
}};

/// Appends the names of the bits set in a 128-bit feature word, `low` being bits 0..63, as
/// `cursor, scanout`, then unknown bits by number, or `(none)` (wire.md 3.3). The registers hold
/// two 32-bit halves of `low`; the escapes hold two 64-bit words.
template <text_sink Sink>
void append_feature_text(Sink& sink, std::uint64_t low, std::uint64_t high) noexcept {
  if (low == 0 && high == 0) {
    sink.append("(none)");
    return;
  }
  std::string_view separator = "";
  for (const feature_name& feature : feature_names) {
    if ((low & feature.mask) == 0) continue;
    low &= ~feature.mask;
    sink.append(separator);
    sink.append(feature.text);
    separator = ", ";
  }
  const auto append_unknown = [&](std::uint64_t bits, std::uint32_t first) {
    for (; bits != 0; bits &= bits - 1) {
      sink.append(separator);
      sink.append("unknown_bit_");
      append_decimal(sink, first + static_cast<std::uint32_t>(std::countr_zero(bits)));
      separator = ", ";
    }
  };
  append_unknown(low, 0);
  append_unknown(high, 64);
}

}  // namespace aerogpu
