// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/texture_range.hpp.
#include "aerogpu/memory/texture_range.hpp"

#include "tests/catch.hpp"
#include "tests/unit/memory/naive_texture.hpp"

#include <vector>

using namespace aerogpu;
using aerogpu::test::naive_byte;
using aerogpu::test::naive_texture;
using aerogpu::test::small_shapes;

namespace {

auto layout_of(const texture_shape& shape) -> texture_layout {
  return *texture_layout::create(shape);
}

/// Whether a piece's byte (row, x) is the naive byte at that place of the range.
auto piece_matches(const texture_piece& piece, const naive_texture& naive, byte_range range,
                   std::vector<int>& seen) -> bool {
  const texture_rows& rows = piece.rows;
  for (std::uint32_t row = 0; row < rows.row_count; ++row) {
    for (std::uint32_t i = 0; i < rows.row_size_bytes; ++i) {
      const std::uint64_t at = piece.offset_in_range + row * rows.source_pitch_bytes + i;
      if (at >= range.size_bytes) return false;
      const naive_byte& byte = naive.bytes[range.offset_bytes + at];
      if (byte.is_padding || byte.mip_level != rows.where.mip_level ||
          byte.array_layer != rows.where.array_layer || byte.row != rows.first_row + row ||
          byte.x != rows.first_byte + i) {
        return false;
      }
      ++seen[at];
    }
  }
  return true;
}

/// Whether the pieces of a range are its texel bytes, each exactly once, at most three a
/// subresource, in rising order.
auto split_matches(const texture_layout& layout, const naive_texture& naive, byte_range range)
    -> bool {
  std::vector<int> seen(range.size_bytes);
  std::vector<int> per_subresource(layout.subresource_count());
  std::uint64_t previous = 0;
  bool matches = true;
  const auto walked = for_each_piece(layout, range, [&](const texture_piece& piece) {
    matches &= piece_matches(piece, naive, range, seen);
    matches &= ++per_subresource[layout.index_of(piece.rows.where)] <= 3;
    matches &= piece.offset_in_range >= previous;
    previous = piece.offset_in_range + piece.size_in_range();
    matches &= previous <= range.size_bytes;
    return result<void>{};
  });
  for (std::uint64_t at = 0; at < range.size_bytes; ++at) {
    matches &= seen[at] == (naive.bytes[range.offset_bytes + at].is_padding ? 0 : 1);
  }
  return matches && walked;
}

}  // namespace

TEST_CASE("the pieces of a range are its texel bytes, each once, in at most three rectangles",
          "[memory][range]") {
  for (const texture_shape& shape : small_shapes()) {
    CAPTURE(shape.format, shape.width, shape.height, shape.mip_levels, shape.array_layers,
            shape.row_pitch_bytes);
    const texture_layout layout = layout_of(shape);
    const naive_texture naive{shape};
    const std::uint64_t total = naive.bytes.size();
    bool matches = true;
    for (std::uint64_t begin = 0; begin < total; begin += 1 + total / 17) {
      for (std::uint64_t end = begin; end <= total; end += 1 + total / 13) {
        matches &= split_matches(layout, naive, {begin, end - begin});
      }
      matches &= split_matches(layout, naive, {begin, total - begin});
    }
    CHECK(matches);
  }
}

TEST_CASE("every range of a small padded texture splits as the naive walk does",
          "[memory][range]") {
  const texture_shape shape = GENERATE(values<texture_shape>({
      {AEROGPU_FORMAT_B5G6R5_UNORM, 3, 3, 2, 2, 9},
      {AEROGPU_FORMAT_BC1_RGBA_UNORM, 9, 5, 4, 1, 29},
  }));
  const texture_layout layout = layout_of(shape);
  const naive_texture naive{shape};
  bool matches = true;
  for (std::uint64_t begin = 0; begin <= naive.bytes.size(); ++begin) {
    for (std::uint64_t end = begin; end <= naive.bytes.size(); ++end) {
      matches &= split_matches(layout, naive, {begin, end - begin});
    }
  }
  CHECK(matches);
}

TEST_CASE("a range inside padding has no pieces", "[memory][range]") {
  const texture_layout layout = layout_of({AEROGPU_FORMAT_B8G8R8A8_UNORM, 2, 4, 1, 1, 16});
  CHECK(split_range(layout, {0, 0}, {8, 8}).empty());
  CHECK(split_range(layout, {0, 0}, {24, 1}).empty());
}

TEST_CASE("a whole padded subresource is one rectangle", "[memory][range]") {
  const texture_layout layout = layout_of({AEROGPU_FORMAT_B8G8R8A8_UNORM, 2, 4, 1, 1, 16});
  for (const std::uint64_t size : {64u, 56u}) {
    const texture_pieces pieces = split_range(layout, {0, 0}, {0, size});
    REQUIRE(pieces.size() == 1);
    CHECK(pieces[0].rows.row_count == 4);
    CHECK(pieces[0].rows.row_size_bytes == 8);
    CHECK(pieces[0].rows.source_pitch_bytes == 16);
    CHECK(pieces[0].size_in_range() == 56);
  }
}

TEST_CASE("a range in another subresource has no pieces in this one", "[memory][range]") {
  const texture_layout layout = layout_of({AEROGPU_FORMAT_B8G8R8A8_UNORM, 2, 2, 1, 2, 0});
  CHECK(split_range(layout, {0, 1}, {0, 16}).empty());
  CHECK(split_range(layout, {0, 0}, {16, 16}).empty());
  CHECK(split_range(layout, {0, 0}, {4, 0}).empty());
}

TEST_CASE("a walk over pieces stops at the first error", "[memory][range]") {
  const texture_layout layout = layout_of({AEROGPU_FORMAT_B8G8R8A8_UNORM, 4, 4, 3, 2, 0});
  int calls = 0;
  const auto walked =
      for_each_piece(layout, {0, layout.total_bytes()}, [&](const texture_piece&) -> result<void> {
        if (++calls == 4) return make_error(error_code::no_space, "");
        return {};
      });
  CHECK(walked.why().code == error_code::no_space);
  CHECK(calls == 4);
}

TEST_CASE("an upload cuts no block, though padding and uncompressed texels may be cut",
          "[memory][range]") {
  for (const texture_shape& shape : small_shapes()) {
    CAPTURE(shape.format, shape.width, shape.height, shape.row_pitch_bytes);
    const texture_layout layout = layout_of(shape);
    const naive_texture naive{shape};
    const std::uint32_t block =
        layout.format().is_block_compressed() ? layout.format().bytes_per_block : std::uint32_t{1};
    const auto may_cut_at = [&](std::uint64_t at) {
      return at == naive.bytes.size() || naive.bytes[at].is_padding ||
             naive.bytes[at].x % block == 0;
    };
    const std::uint64_t total = naive.bytes.size();
    bool agrees = true;
    for (std::uint64_t begin = 0; begin < total; begin += 1 + total / 29) {
      for (std::uint64_t end = begin + 1; end <= total; end += 1 + total / 31) {
        const bool expected = may_cut_at(begin) && may_cut_at(end);
        const auto checked = check_upload_range(layout, {begin, end - begin});
        agrees &= static_cast<bool>(checked) == expected;
        agrees &= expected || checked.why().code == error_code::invalid_parameter;
      }
    }
    CHECK(agrees);
  }
}

TEST_CASE("bounds come before block boundaries in an upload", "[memory][range]") {
  const texture_layout layout = layout_of({AEROGPU_FORMAT_BC1_RGBA_UNORM, 8, 8, 1, 1, 0});
  CHECK(check_upload_range(layout, {1, 32}).why().code == error_code::resource_out_of_bounds);
  CHECK(check_upload_range(layout, {1, UINT64_MAX}).why().code == error_code::size_overflow);
  CHECK(check_upload_range(layout, {1, 0}));
  CHECK(check_upload_range(layout, {32, 0}));
}

TEST_CASE("a range that only touches a subresource has no piece of it", "[memory][range]") {
  const texture_layout layout = layout_of({AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 3, 0});
  const subresource middle{0, 1};
  const subresource_layout at = layout.locate(middle);
  const std::uint64_t end = at.offset_bytes + at.size_bytes();
  CHECK(split_range(layout, middle, {0, at.offset_bytes}).empty());
  CHECK(split_range(layout, middle, {end, 4}).empty());
  CHECK(split_range(layout, middle, {at.offset_bytes, 0}).empty());
  CHECK(split_range(layout, middle, {0, at.offset_bytes + 4}).size() == 1);
  CHECK(split_range(layout, middle, {end - 4, 8}).size() == 1);
}
