// SPDX-License-Identifier: MIT
// Tests of null/null_texture.hpp.
#include "null/null_texture.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>

using namespace aerogpu;
using test::byte_vector;
using test::counting;
using test::filled;

namespace {

auto make_texture(aerogpu_format format, std::uint32_t width, std::uint32_t height,
                  std::uint32_t mips = 1, std::uint32_t layers = 1) -> null_texture {
  auto made = null_texture::create({{}, 0, format, width, height, mips, layers});
  REQUIRE(made);
  return *std::move(made);
}

auto content(const null_texture& texture, subresource where) -> byte_vector {
  byte_vector bytes(texture.size_of(where));
  REQUIRE(texture.save(where, bytes));
  return bytes;
}

auto rows(subresource where, std::uint32_t first_row, std::uint32_t row_count,
          std::uint32_t first_byte, std::uint32_t row_size, std::uint64_t pitch = 0)
    -> texture_rows {
  return {where, first_row, row_count, first_byte, row_size, pitch};
}

}  // namespace

TEST_CASE("a new null_texture is zero in every subresource", "[null]") {
  const auto texture = make_texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 5, 3, 3, 2);
  for (std::uint32_t layer = 0; layer < 2; ++layer) {
    CHECK(content(texture, {0, layer}) == filled(60, 0));
    CHECK(content(texture, {1, layer}) == filled(8, 0));
    CHECK(content(texture, {2, layer}) == filled(4, 0));
  }
}

TEST_CASE("an upload stores padded source rows at the place they name", "[null]") {
  auto texture = make_texture(AEROGPU_FORMAT_B5G6R5_UNORM, 4, 4);
  const auto source = counting(3 * 10);
  REQUIRE(texture.upload(rows({0, 0}, 1, 3, 2, 4, 10), source));
  auto expected = filled(32, 0);
  for (std::size_t row = 0; row < 3; ++row) {
    test::overwrite(expected, (row + 1) * 8 + 2, test::part_of(source, row * 10, 4));
  }
  CHECK(content(texture, {0, 0}) == expected);
}

TEST_CASE("an upload may start inside a texel, and its last row needs no padding", "[null]") {
  auto texture = make_texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 2, 2);
  REQUIRE(texture.upload(rows({0, 0}, 0, 2, 3, 2, 100), counting(102)));
  auto expected = filled(16, 0);
  test::overwrite(expected, 3, test::bytes_from({1, 2}));
  test::overwrite(expected, 11, test::bytes_from({101, 102}));
  CHECK(content(texture, {0, 0}) == expected);
}

TEST_CASE("rows that leave their subresource or their bytes are refused", "[null]") {
  auto texture = make_texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4, 2);
  const auto bytes = counting(64);
  const auto wrong = GENERATE(rows({2, 0}, 0, 1, 0, 4, 4), rows({0, 1}, 0, 1, 0, 4, 4),
                              rows({0, 0}, 4, 1, 0, 4, 4), rows({0, 0}, 1, UINT32_MAX, 0, 4, 4),
                              rows({0, 0}, 0, 1, 13, 4, 4), rows({0, 0}, 0, 4, 0, 16, 17),
                              rows({1, 0}, 0, 1, 0, 16, 16));
  CHECK(texture.upload(wrong, bytes).why().code == error_code::internal);
  CHECK(content(texture, {0, 0}) == filled(64, 0));
}

TEST_CASE("X8 texels show alpha 0xFF to every reader, wherever the rows start", "[null]") {
  auto texture = make_texture(AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB, 2, 1);
  CHECK(content(texture, {0, 0}) == test::bytes_from({0, 0, 0, 0xFF, 0, 0, 0, 0xFF}));
  REQUIRE(texture.upload(rows({0, 0}, 0, 1, 0, 8, 8), counting(8)));
  const auto opaque = test::bytes_from({1, 2, 3, 0xFF, 5, 6, 7, 0xFF});
  CHECK(content(texture, {0, 0}) == opaque);
  for (std::uint32_t first = 0; first < 8; ++first) {
    auto part = texture.download(rows({0, 0}, 0, 1, first, 8 - first));
    REQUIRE(part);
    const const_bytes bytes = part->view();
    CHECK(byte_vector(bytes.begin(), bytes.end()) == test::part_of(opaque, first, 8 - first));
  }
}

TEST_CASE("a download packs rows tightly", "[null]") {
  auto texture = make_texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 2);
  REQUIRE(texture.load({0, 0}, counting(32)));
  auto packed = texture.download(rows({0, 0}, 0, 2, 4, 8));
  REQUIRE(packed);
  const const_bytes bytes = packed->view();
  auto expected = counting(8, 5);
  const auto second = counting(8, 21);
  expected.insert(expected.end(), second.begin(), second.end());
  CHECK(byte_vector(bytes.begin(), bytes.end()) == expected);
}

TEST_CASE("a copy moves a rectangle between mips and layers", "[null]") {
  auto from = make_texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 2);
  auto to = make_texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 8, 8, 2);
  REQUIRE(from.load({0, 1}, counting(64)));
  REQUIRE(to.copy_from(from, {{1, 0}, {0, 1}, 2, 1, 1, 2, 2, 2}));
  auto expected = filled(64, 0);
  test::overwrite(expected, 1 * 16 + 8, counting(8, 1 + 2 * 16 + 4));
  test::overwrite(expected, 2 * 16 + 8, counting(8, 1 + 3 * 16 + 4));
  CHECK(content(to, {1, 0}) == expected);
  CHECK(content(to, {0, 0}) == filled(256, 0));
}

TEST_CASE("a copy of a cut edge block moves the whole block", "[null]") {
  auto from = make_texture(AEROGPU_FORMAT_BC1_RGBA_UNORM, 6, 6);
  auto to = make_texture(AEROGPU_FORMAT_BC1_RGBA_UNORM, 6, 6);
  REQUIRE(from.load({0, 0}, counting(32)));
  REQUIRE(to.copy_from(from, {{0, 0}, {0, 0}, 4, 4, 4, 4, 2, 2}));
  auto expected = filled(32, 0);
  test::overwrite(expected, 24, counting(8, 25));
  CHECK(content(to, {0, 0}) == expected);
}

TEST_CASE("a copy between subresources of one texture works", "[null]") {
  auto texture = make_texture(AEROGPU_FORMAT_B5G5R5A1_UNORM, 2, 2, 1, 2);
  REQUIRE(texture.load({0, 0}, counting(8)));
  REQUIRE(texture.copy_from(texture, {{0, 1}, {0, 0}, 0, 0, 0, 0, 2, 2}));
  CHECK(content(texture, {0, 1}) == counting(8));
}

TEST_CASE("save and load want exactly one subresource", "[null]") {
  auto texture = make_texture(AEROGPU_FORMAT_R8G8B8A8_UNORM, 2, 2);
  byte_vector bytes(15);
  CHECK(texture.save({0, 0}, bytes).why().code == error_code::internal);
  CHECK(texture.load({0, 0}, bytes).why().code == error_code::internal);
  bytes.resize(16);
  CHECK(texture.save({1, 0}, bytes).why().code == error_code::internal);
  CHECK(texture.load({0, 1}, bytes).why().code == error_code::internal);
}

TEST_CASE("a texture that no host can hold is out_of_memory", "[null]") {
  const texture_desc huge{{}, 0, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1u << 29, 1u << 31, 1, 1};
  CHECK(null_texture::create(huge).why().code == error_code::out_of_memory);
}
