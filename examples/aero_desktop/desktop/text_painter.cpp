// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/desktop/text_painter.hpp"

namespace desktop {

using namespace aerogpu;

namespace {

constexpr std::array<std::array<float, 2>, 4> corners{{{0, 0}, {1, 0}, {0, 1}, {1, 1}}};

}  // namespace

void text_painter::create(const glyph_atlas& atlas) {
  atlas_ = device_.create_picture(glyph_atlas::width, glyph_atlas::height,
                                  std::as_bytes(std::span{atlas.texels()}));
  std::vector<std::uint16_t> indices;
  for (std::uint32_t quad = 0; quad < most_quads; ++quad) {
    for (const std::uint32_t corner : {0U, 1U, 2U, 2U, 1U, 3U}) {
      indices.push_back(static_cast<std::uint16_t>(4 * quad + corner));
    }
  }
  indices_ =
      device_.create_buffer(AEROGPU_RESOURCE_USAGE_INDEX_BUFFER, std::as_bytes(std::span{indices}));
  const std::vector<vertex> blank(std::size_t{4} * most_quads);
  vertices_ =
      device_.create_buffer(AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, std::as_bytes(std::span{blank}));
  constexpr std::uint8_t float2 = 1, d3dcolor = 4, position = 0, texcoord = 5, color = 10;
  constexpr std::array elements{d3d9_vertex_element{0, 0, float2, 0, position, 0},
                                d3d9_vertex_element{0, 8, float2, 0, texcoord, 0},
                                d3d9_vertex_element{0, 16, d3dcolor, 0, color, 0}};
  layout_ = device_.create_layout(elements);
}

auto text_painter::quads_of(float x, float y, std::string_view words, const text_style& style)
    -> std::vector<vertex> {
  constexpr auto atlas_width = static_cast<float>(glyph_atlas::width);
  constexpr auto atlas_height = static_cast<float>(glyph_atlas::height);
  constexpr auto cell_width = static_cast<float>(glyph_atlas::cell_width);
  constexpr auto cell_height = static_cast<float>(glyph_atlas::cell_height);
  constexpr auto margin = static_cast<float>(glyph_atlas::margin);
  constexpr auto dots = static_cast<float>(glyph_atlas::texels_per_dot);
  std::vector<vertex> quads;
  for (const char c : words) {
    const bool is_fixed = style.pitch == spacing::fixed;
    const int cell =
        static_cast<unsigned char>(c) % (glyph_atlas::cells_across * glyph_atlas::cells_down);
    const float inset = is_fixed ? glyph_atlas::centring(c) : -glyph_atlas::bearing(c);
    const float left = x + (inset - margin) * style.dot;
    const float top = y - margin * style.dot;
    const float u = static_cast<float>(cell % glyph_atlas::cells_across) * cell_width;
    const int line = cell / glyph_atlas::cells_across;
    const float v = static_cast<float>(line) * cell_height;
    for (const auto& [across, down] : corners) {
      quads.push_back({left + across * cell_width / dots * style.dot,
                       top + down * cell_height / dots * style.dot,
                       (u + across * cell_width) / atlas_width,
                       (v + down * cell_height) / atlas_height, style.color});
    }
    x += (is_fixed ? glyph_atlas::columns + 1.0F : glyph_atlas::advance(c)) * style.dot;
  }
  return quads;
}

void text_painter::draw(float x, float y, std::string_view words, const text_style& style,
                        float opacity, const float4& place) {
  std::vector<vertex> quads = quads_of(x, y, words, style);
  const auto count = static_cast<std::uint32_t>(quads.size() / 4);
  if (count == 0 || used_ + count > most_quads) return;
  device_.upload(vertices_, std::uint64_t{used_} * 4 * sizeof(vertex),
                 std::as_bytes(std::span{quads}));
  // Alpha 0.5 is the edge of a stroke; one pixel on either side is the ramp.
  const float scale = style.dot * place[0] * glyph_atlas::reach;
  const bool is_glow = style.glow > 0;
  device_.set_shaders(shader::text_vertex, shader::glyph);
  device_.set_texture(atlas_);
  device_.set_vertex_constants(4, {place});
  device_.set_pixel_constants(
      0, {is_glow ? float4{2, 0, 1, opacity * style.glow}
                  : float4{scale, 0.5F - 0.5F * scale + style.weight, 0, opacity}});
  device_.set_vertices(layout_, vertices_, sizeof(vertex));
  device_.draw_quads(indices_, used_, count);
  used_ += count;
}

}  // namespace desktop
