// SPDX-License-Identifier: MIT
/// \file A smooth, proportional font out of dots: a texture of distances, and how wide letters are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace desktop {

/// Drawn as letters: the signs on a window's buttons.
inline constexpr std::string_view close_sign = "\x01", minimize_sign = "\x02",
                                  maximize_sign = "\x03";

/// Dots are joined by strokes. A texel's alpha tells how far the nearest stroke is, so that text is
/// sharp at every size and can have a glow. Units are dots unless a name says otherwise.
class glyph_atlas {
 public:
  static constexpr int columns = 5, rows = 9;  ///< Of a letter; two rows below the line.
  static constexpr int margin = 4;             ///< Around each letter, for the glow.
  static constexpr int texels_per_dot = 4;
  static constexpr float reach = 8;       ///< Alpha 0..1 covers this distance.
  static constexpr float stroke = 0.52F;  ///< Half the width of a stroke.
  static constexpr int cell_width = (columns + 2 * margin) * texels_per_dot;
  static constexpr int cell_height = (rows + 2 * margin) * texels_per_dot;
  static constexpr int cells_across = 16, cells_down = 8;
  static constexpr int width = cells_across * cell_width;
  static constexpr int height = cells_down * cell_height;

  glyph_atlas();

  /// B8G8R8A8 rows without padding; all colours white.
  [[nodiscard]] auto texels() const -> const std::vector<std::uint32_t>& { return texels_; }
  /// Where one of them lies.
  [[nodiscard]] static constexpr auto index(int x, int y) -> std::size_t {
    return static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x);
  }
  /// From this letter to the next.
  [[nodiscard]] static auto advance(char c) -> float;
  [[nodiscard]] static auto text_width(std::string_view words) -> float;
  /// First column with ink, so that proportional text closes up.
  [[nodiscard]] static auto bearing(char c) -> float;
  /// How far right a letter moves to stand in the middle of its five columns.
  [[nodiscard]] static auto centring(char c) -> float;

 private:
  void paint(int cell);
  std::vector<std::uint32_t> texels_;
};

}  // namespace desktop
