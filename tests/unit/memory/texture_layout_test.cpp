// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/texture_layout.hpp.
#include "aerogpu/memory/texture_layout.hpp"

#include "tests/catch.hpp"
#include "tests/unit/memory/naive_texture.hpp"

#include <array>
#include <vector>

using namespace aerogpu;
using aerogpu::test::naive_texture;
using aerogpu::test::small_shapes;

namespace {

constexpr texture_shape rgba_64x32{AEROGPU_FORMAT_R8G8B8A8_UNORM, 64, 32, 1, 1, 0};

auto code_of(const texture_shape& shape) -> error_code {
  return texture_layout::create(shape).why().code;
}

template <class Change>
auto code_with(Change change) -> error_code {
  texture_shape shape = rgba_64x32;
  change(shape);
  return code_of(shape);
}

}  // namespace

TEST_CASE("the BC7 example of wire.md 6.4 lies where the document says", "[memory][layout]") {
  const auto layout =
      texture_layout::create({AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB, 30, 18, 3, 2, 128});
  REQUIRE(layout);
  struct row {
    std::uint32_t mip, width, height, pitch, rows, row_size;
    std::uint64_t offset, size;
  };
  constexpr std::array<row, 3> expected{{{0, 30, 18, 128, 5, 128, 0, 640},
                                         {1, 15, 9, 64, 3, 64, 640, 192},
                                         {2, 7, 4, 32, 1, 32, 832, 32}}};
  for (const row& r : expected) {
    for (const std::uint32_t layer : {0u, 1u}) {
      CAPTURE(r.mip, layer);
      const subresource_layout at = layout->locate({r.mip, layer});
      CHECK(at.width == r.width);
      CHECK(at.height == r.height);
      CHECK(at.pitch_bytes == r.pitch);
      CHECK(at.row_size_bytes == r.row_size);
      CHECK(at.row_count == r.rows);
      CHECK(at.size_bytes() == r.size);
      CHECK(at.offset_bytes == r.offset + layer * 864);
    }
  }
  CHECK(layout->layer_stride_bytes() == 864);
  CHECK(layout->total_bytes() == 1728);
}

TEST_CASE("a layout agrees with a walk over every byte of many small textures",
          "[memory][layout]") {
  for (const texture_shape& shape : small_shapes()) {
    CAPTURE(shape.format, shape.width, shape.height, shape.mip_levels, shape.array_layers,
            shape.row_pitch_bytes);
    const auto layout = texture_layout::create(shape);
    REQUIRE(layout);
    const naive_texture naive{shape};
    REQUIRE(layout->total_bytes() == naive.bytes.size());
    REQUIRE(layout->subresource_count() == naive.starts.size());
    bool agrees = true;
    for (std::uint64_t index = 0; index < naive.starts.size(); ++index) {
      const subresource where = layout->at_index(index);
      agrees &= layout->index_of(where) == index;
      agrees &= layout->locate(where).offset_bytes == naive.starts[index];
    }
    for (std::uint64_t offset = 0; offset < naive.bytes.size(); ++offset) {
      const subresource where = layout->at_offset(offset);
      agrees &= where.mip_level == naive.bytes[offset].mip_level;
      agrees &= where.array_layer == naive.bytes[offset].array_layer;
    }
    CHECK(agrees);
  }
}

TEST_CASE("a zero size or count is refused before the format", "[memory][layout]") {
  const auto member = GENERATE(&texture_shape::width, &texture_shape::height,
                               &texture_shape::mip_levels, &texture_shape::array_layers);
  texture_shape shape = rgba_64x32;
  shape.format = 0;
  shape.*member = 0;
  CHECK(code_of(shape) == error_code::invalid_parameter);
  CHECK(texture_layout::check_counts(shape).why().code == error_code::invalid_parameter);
  CHECK(texture_layout::check_counts(rgba_64x32));
}

TEST_CASE("undefined formats are refused before the mip count", "[memory][layout]") {
  const std::uint32_t format = GENERATE(0u, 11u, 31u, 34u, 63u, 72u, 0xFFFFFFFFu);
  CHECK(code_of({format, 1, 1, 9, 1, 0}) == error_code::unsupported_format);
}

TEST_CASE("a mip chain may end at 1x1 and not go beyond", "[memory][layout]") {
  const auto [width, height, most] = GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>(
      {{1, 1, 1}, {2, 1, 2}, {1, 2, 2}, {3, 3, 2}, {4, 4, 3}, {30, 18, 5}, {1, 16384, 15}}));
  CHECK(full_mip_count(width, height) == most);
  CHECK(code_of({AEROGPU_FORMAT_B5G6R5_UNORM, width, height, most, 1, 0}) == error_code::none);
  CHECK(code_of({AEROGPU_FORMAT_B5G6R5_UNORM, width, height, most + 1, 1, 0}) ==
        error_code::invalid_parameter);
  CHECK(code_of({AEROGPU_FORMAT_B5G6R5_UNORM, width, height, UINT32_MAX, 1, 0}) ==
        error_code::invalid_parameter);
  CHECK(full_mip_count(0, 5) == 0);
  CHECK(full_mip_count(UINT32_MAX, 1) == 32);
}

TEST_CASE("a pitch is zero or at least the tight one", "[memory][layout]") {
  CHECK(code_with([](auto& s) { s.row_pitch_bytes = 255; }) == error_code::invalid_parameter);
  CHECK(code_with([](auto& s) { s.row_pitch_bytes = 256; }) == error_code::none);
  CHECK(code_with([](auto& s) { s.row_pitch_bytes = UINT32_MAX; }) == error_code::none);
  CHECK(texture_layout::create(rgba_64x32)->locate({0, 0}).pitch_bytes == 256);
  const auto refused = texture_layout::create({AEROGPU_FORMAT_BC1_RGBA_UNORM, 9, 9, 1, 1, 23});
  CHECK(refused.why().detail == 23);
  CHECK(refused.why().limit == 24);
}

TEST_CASE("what does not fit 64 bits is a size_overflow", "[memory][layout]") {
  const texture_shape shape = GENERATE(values<texture_shape>({
      {AEROGPU_FORMAT_R8G8B8A8_UNORM, UINT32_MAX, UINT32_MAX, 1, 1, 0},
      {AEROGPU_FORMAT_R8G8B8A8_UNORM, UINT32_MAX, UINT32_MAX, 32, UINT32_MAX, 0},
      {AEROGPU_FORMAT_R8G8B8A8_UNORM, 0x40000000, 1, 1, 1, 0},
      {AEROGPU_FORMAT_BC7_RGBA_UNORM, 0x40000000, 1, 1, 1, 0},
      {AEROGPU_FORMAT_B5G6R5_UNORM, 65536, 65536, 1, UINT32_MAX, UINT32_MAX},
      {AEROGPU_FORMAT_R8G8B8A8_UNORM, 0x3FFFFFFF, UINT32_MAX, 2, 1, 0xFFFFFFFF},
  }));
  CHECK(code_of(shape) == error_code::size_overflow);
}

TEST_CASE("the most layers that fit are laid out without a walk", "[memory][layout]") {
  const auto layout =
      texture_layout::create({AEROGPU_FORMAT_B5G6R5_UNORM, 5, 3, 3, UINT32_MAX, 16});
  REQUIRE(layout);
  const std::uint64_t layer = 16 * 3 + 2 * 2 * 1 + 2;
  CHECK(layout->layer_stride_bytes() == layer);
  CHECK(layout->total_bytes() == UINT32_MAX * layer);
  const subresource last = layout->at_offset(layout->total_bytes() - 1);
  CHECK(last.mip_level == 2);
  CHECK(last.array_layer == UINT32_MAX - 1);
  CHECK(layout->locate(last).offset_bytes == layout->total_bytes() - 2);
  const subresource_range all = layout->touched_by({0, layout->total_bytes()});
  CHECK(all.first_index == 0);
  CHECK(all.count == 3 * std::uint64_t{UINT32_MAX});
}

TEST_CASE("texels of one's own are laid out by their row, whatever the wire calls their number",
          "[memory][layout]") {
  format_info bytes = *find_format(AEROGPU_FORMAT_B5G6R5_UNORM);
  bytes.value = static_cast<aerogpu_format>(127);
  bytes.bytes_per_block = 1;
  REQUIRE(find_format(bytes.value) == nullptr);
  const texture_shape shape{bytes.value, 5, 3, 3, 2, 0};
  CHECK(code_of(shape) == error_code::unsupported_format);
  const auto layout = texture_layout::create(shape, bytes);
  REQUIRE(layout);
  CHECK(&layout->format() == &bytes);
  CHECK(layout->shape() == shape);
  CHECK(layout->layer_stride_bytes() == 5 * 3 + 2 + 1);
  CHECK(layout->locate({1, 1}).offset_bytes == 18 + 15);
  CHECK(layout->locate({1, 1}).pitch_bytes == 2);
  CHECK(texture_layout::create({bytes.value, 5, 3, 4, 1, 0}, bytes).why().code ==
        error_code::invalid_parameter);
  CHECK(texture_layout::create({bytes.value, 5, 0, 1, 1, 0}, bytes).why().code ==
        error_code::invalid_parameter);
}

TEST_CASE("a padded last row counts its whole pitch", "[memory][layout]") {
  const auto layout = texture_layout::create({AEROGPU_FORMAT_B8G8R8A8_UNORM, 3, 5, 1, 1, 100});
  REQUIRE(layout);
  CHECK(layout->total_bytes() == 500);
}

TEST_CASE("a range is inside the texture, or out of bounds, or overflows", "[memory][layout]") {
  const auto layout = texture_layout::create(rgba_64x32);
  REQUIRE(layout);
  const auto [offset, size, code] = GENERATE(table<std::uint64_t, std::uint64_t, error_code>(
      {{0, 0, error_code::none},
       {0, 8192, error_code::none},
       {8192, 0, error_code::none},
       {8191, 1, error_code::none},
       {8192, 1, error_code::resource_out_of_bounds},
       {0, 8193, error_code::resource_out_of_bounds},
       {8193, 0, error_code::resource_out_of_bounds},
       {UINT64_MAX, 0, error_code::resource_out_of_bounds},
       {UINT64_MAX, 1, error_code::size_overflow},
       {1, UINT64_MAX, error_code::size_overflow}}));
  CHECK(layout->check_range({offset, size}).why().code == code);
}

TEST_CASE("a range touches the subresources that hold its bytes", "[memory][layout]") {
  for (const texture_shape& shape : small_shapes()) {
    const auto layout = texture_layout::create(shape);
    REQUIRE(layout);
    const naive_texture naive{shape};
    const std::uint64_t total = naive.bytes.size();
    bool agrees = true;
    for (std::uint64_t begin = 0; begin < total; begin += 1 + total / 23) {
      for (std::uint64_t end = begin + 1; end <= total; end += 1 + total / 19) {
        const subresource_range touched = layout->touched_by({begin, end - begin});
        const std::uint64_t first = naive.index_at(begin), last = naive.index_at(end - 1);
        agrees &= touched.first_index == first && touched.count == last - first + 1;
      }
    }
    CHECK(agrees);
    CHECK(layout->touched_by({total, 0}).count == 0);
  }
}
