// SPDX-License-Identifier: MIT
/// \file The arrow that the compositor draws, with its soft shadow.
#pragma once

#include <cstdint>
#include <vector>

namespace desktop {

inline constexpr int cursor_size = 48;
inline constexpr int cursor_hot_spot = 6;  ///< Of the tip, across and down.

/// B8G8R8A8, premultiplied, rows without padding.
[[nodiscard]] auto paint_cursor() -> std::vector<std::uint32_t>;

}  // namespace desktop
