// SPDX-License-Identifier: MIT
/// \file A font of 5x7 dots for the demo's pictures: capitals, digits and a little punctuation.
#pragma once

#include <array>
#include <string_view>

namespace aerogpu::tool {

inline constexpr int glyph_width = 5;
inline constexpr int glyph_height = 7;

/// Seven rows of five dots, '#' = set. Lower case looks like upper case; what is missing is blank.
[[nodiscard]] auto glyph_of(char c) noexcept -> const std::array<std::string_view, 7>&;

}  // namespace aerogpu::tool
