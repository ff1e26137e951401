// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/texture_rectangle.hpp.
#include "aerogpu/memory/texture_rectangle.hpp"

#include "tests/catch.hpp"
#include "tests/unit/memory/naive_texture.hpp"

#include <set>

using namespace aerogpu;
using aerogpu::test::naive_texture;
using aerogpu::test::small_shapes;

namespace {

auto rectangle_layout(const texture_shape& shape) -> texture_layout {
  return *texture_layout::create(shape);
}

/// Offsets of the bytes of a rectangle, by looking at every byte of the texture.
auto naive_offsets(const naive_texture& naive, const format_info& format, subresource where,
                   const texel_rectangle& area) -> std::set<std::uint64_t> {
  std::set<std::uint64_t> offsets;
  for (std::uint64_t at = 0; at < naive.bytes.size(); ++at) {
    const auto& byte = naive.bytes[at];
    if (byte.is_padding || byte.mip_level != where.mip_level ||
        byte.array_layer != where.array_layer) {
      continue;
    }
    const std::uint32_t x = byte.x / format.bytes_per_block * format.block_dim;
    const std::uint32_t y = byte.row * format.block_dim;
    if (x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height) {
      offsets.insert(at);
    }
  }
  return offsets;
}

auto offsets_of(const texture_layout& layout, const texture_rows& rows) -> std::set<std::uint64_t> {
  std::set<std::uint64_t> offsets;
  const byte_range extent = extent_of(layout, rows);
  for (std::uint32_t row = 0; row < rows.row_count; ++row) {
    for (std::uint32_t i = 0; i < rows.row_size_bytes; ++i) {
      offsets.insert(extent.offset_bytes + row * rows.source_pitch_bytes + i);
    }
  }
  return offsets;
}

/// Calls `visit` for every rectangle of a subresource that cuts no block.
template <class Visit>
void for_each_aligned(const texture_layout& layout, subresource where, Visit visit) {
  const std::uint32_t dim = layout.format().block_dim;
  const std::uint32_t width = layout.width_of(where.mip_level);
  const std::uint32_t height = layout.height_of(where.mip_level);
  for (std::uint32_t x = 0; x < width; x += dim) {
    for (std::uint32_t y = 0; y < height; y += dim) {
      for (std::uint32_t w = 1; w <= width - x; ++w) {
        for (std::uint32_t h = 1; h <= height - y; ++h) {
          if (check_block_alignment(layout, where, {x, y, w, h})) {
            visit(texel_rectangle{x, y, w, h});
          }
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("a rectangle's rows are its bytes, whole blocks at the edge", "[memory][rectangle]") {
  for (const texture_shape& shape : small_shapes()) {
    if (shape.width > 5 || shape.array_layers > 1) continue;
    CAPTURE(shape.format, shape.width, shape.height, shape.mip_levels, shape.row_pitch_bytes);
    const texture_layout layout = rectangle_layout(shape);
    const naive_texture naive{shape};
    bool agrees = true;
    for (std::uint32_t mip = 0; mip < shape.mip_levels; ++mip) {
      for_each_aligned(layout, {mip, 0}, [&](const texel_rectangle& area) {
        agrees &= static_cast<bool>(check_rectangle(layout, {mip, 0}, area));
        const texture_rows rows = rows_of(layout, {mip, 0}, area);
        const auto expected = naive_offsets(naive, layout.format(), {mip, 0}, area);
        agrees &= offsets_of(layout, rows) == expected;
        const byte_range extent = extent_of(layout, rows);
        agrees &= extent.offset_bytes == *expected.begin();
        agrees &= extent.offset_bytes + extent.size_bytes == *expected.rbegin() + 1;
      });
    }
    CHECK(agrees);
  }
}

TEST_CASE("all rows of a subresource are whole, and a part is not", "[memory][rectangle]") {
  const texture_layout layout = rectangle_layout({AEROGPU_FORMAT_BC3_RGBA_UNORM, 10, 6, 2, 2, 64});
  const texture_rows whole = rows_of(layout, {0, 1});
  CHECK(whole.row_count == 2);
  CHECK(whole.row_size_bytes == 48);
  CHECK(whole.source_pitch_bytes == 64);
  CHECK(is_whole_subresource(layout, whole));
  CHECK(is_whole_subresource(layout, rows_of(layout, {0, 1}, {0, 0, 10, 6})));
  CHECK_FALSE(is_whole_subresource(layout, rows_of(layout, {0, 1}, {0, 0, 8, 6})));
  CHECK_FALSE(is_whole_subresource(layout, rows_of(layout, {0, 1}, {0, 0, 10, 4})));
  const byte_range extent = extent_of(layout, whole);
  CHECK(extent.offset_bytes == layout.layer_stride_bytes());
  CHECK(extent.size_bytes == 64 + 48);
}

TEST_CASE("a mip level or layer outside the texture is refused", "[memory][rectangle]") {
  const texture_layout layout = rectangle_layout({AEROGPU_FORMAT_B8G8R8A8_UNORM, 8, 8, 3, 2, 0});
  const auto [mip, layer, is_good] = GENERATE(table<std::uint32_t, std::uint32_t, bool>(
      {{0, 0, true}, {2, 1, true}, {3, 0, false}, {0, 2, false}, {UINT32_MAX, UINT32_MAX, false}}));
  const auto checked = check_subresource(layout, {mip, layer});
  CHECK(static_cast<bool>(checked) == is_good);
  CHECK(layout.contains({mip, layer}) == is_good);
  if (!is_good) CHECK(checked.why().code == error_code::invalid_parameter);
}

TEST_CASE("a rectangle that leaves the mip level is out of bounds, even when it wraps",
          "[memory][rectangle]") {
  const texture_layout layout = rectangle_layout({AEROGPU_FORMAT_B8G8R8A8_UNORM, 16, 8, 2, 1, 0});
  const auto area = GENERATE(values<texel_rectangle>({{0, 0, 9, 1},
                                                      {8, 0, 1, 1},
                                                      {0, 0, 1, 5},
                                                      {0, 4, 1, 1},
                                                      {UINT32_MAX, 0, 1, 1},
                                                      {1, 0, UINT32_MAX, 1},
                                                      {0, UINT32_MAX, 1, UINT32_MAX}}));
  CAPTURE(area.x, area.y, area.width, area.height);
  CHECK(check_rectangle(layout, {1, 0}, area).why().code == error_code::resource_out_of_bounds);
  CHECK(check_rectangle(layout, {1, 0}, {0, 0, 8, 4}));
  CHECK(check_rectangle(layout, {1, 0}, {7, 3, 1, 1}));
}

TEST_CASE("a rectangle cuts blocks only at the edge of its mip level", "[memory][rectangle]") {
  const texture_layout layout = rectangle_layout({AEROGPU_FORMAT_BC1_RGBA_UNORM, 10, 6, 1, 1, 0});
  const auto [area, is_good] = GENERATE(table<texel_rectangle, bool>({
      {{0, 0, 4, 4}, true},
      {{4, 4, 6, 2}, true},
      {{0, 0, 10, 6}, true},
      {{8, 0, 2, 4}, true},
      {{1, 0, 4, 4}, false},
      {{0, 2, 4, 4}, false},
      {{0, 0, 3, 4}, false},
      {{0, 0, 4, 3}, false},
      {{4, 0, 5, 4}, false},
  }));
  CAPTURE(area.x, area.y, area.width, area.height);
  const auto checked = check_block_alignment(layout, {0, 0}, area);
  CHECK(static_cast<bool>(checked) == is_good);
  if (!is_good) CHECK(checked.why().code == error_code::invalid_parameter);
}

TEST_CASE("any rectangle of an uncompressed format is aligned", "[memory][rectangle]") {
  const texture_layout layout = rectangle_layout({AEROGPU_FORMAT_B5G6R5_UNORM, 7, 7, 1, 1, 0});
  CHECK(check_block_alignment(layout, {0, 0}, {1, 3, 5, 1}));
}
