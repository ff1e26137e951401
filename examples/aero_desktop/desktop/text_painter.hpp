// SPDX-License-Identifier: MIT
/// \file Text as textured quads out of the atlas, batched into one vertex buffer a stream.
#pragma once

#include "examples/aero_desktop/desktop/glyph_atlas.hpp"
#include "examples/aero_desktop/guest/d3d_device.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace desktop {

enum class spacing : std::uint8_t { proportional, fixed };

/// How one run of text looks.
struct text_style {
  std::uint32_t color = 0xFFFFFFFF;  ///< 0xAARRGGBB, straight alpha.
  float dot = 1.3F;                  ///< Pixels a dot: a capital is seven dots high.
  spacing pitch = spacing::proportional;
  float weight = 0;  ///< Pixels by which strokes grow.
  float glow = 0;    ///< Strength of a halo in place of the text; 0 = text.
};

/// Belongs to one device. Where a window opens or closes, `place` moves and scales all text.
class text_painter {
 public:
  explicit text_painter(d3d_device& device) : device_(device) {}

  /// In the stream that is being written; once.
  void create(const glyph_atlas& atlas);
  /// A new stream: the buffer is used from its start again.
  void restart() { used_ = 0; }
  /// Top left of the first letter, in pixels. `place` is a scale x y and an offset x y.
  void draw(float x, float y, std::string_view words, const text_style& style, float opacity = 1,
            const float4& place = {1, 1, 0, 0});
  [[nodiscard]] static auto width_of(std::string_view words, float dot) -> float {
    return glyph_atlas::text_width(words) * dot;
  }

 private:
  struct vertex {
    float x, y, u, v;
    std::uint32_t color;
  };
  static constexpr std::uint32_t most_quads = 2048;

  [[nodiscard]] static auto quads_of(float x, float y, std::string_view words,
                                     const text_style& style) -> std::vector<vertex>;

  d3d_device& device_;
  surface atlas_;
  aerogpu::resource_handle vertices_{}, indices_{};
  aerogpu::input_layout_handle layout_{};
  std::uint32_t used_ = 0;  ///< Quads of this stream.
};

}  // namespace desktop
