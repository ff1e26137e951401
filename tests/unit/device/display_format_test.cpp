// SPDX-License-Identifier: MIT
#include "aerogpu/device/display_format.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>

namespace aerogpu {
namespace {

/// One guest pixel as RGBA8, R in the low byte.
auto to_rgba8(std::uint32_t format, std::uint32_t pixel) -> std::uint32_t {
  std::uint32_t out = 0;
  find_display_format(format)->to_rgba8(mutable_bytes_of(out).data(), bytes_of(pixel).data(), 1);
  return out;
}
auto from_rgba8(std::uint32_t format, std::uint32_t pixel) -> std::uint32_t {
  std::uint32_t out = 0;
  find_display_format(format)->from_rgba8(mutable_bytes_of(out).data(), bytes_of(pixel).data(), 1);
  return out;
}

TEST_CASE("32-bit pixels become RGBA8, with opaque alpha where the format has none", "[device]") {
  const auto [format, expected] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {1, 0x44112233},
      {2, 0xFF112233},
      {3, 0x44332211},
      {4, 0xFF332211},
      {7, 0x44112233},
      {8, 0xFF112233},
      {9, 0x44332211},
      {10, 0xFF332211},
  }));
  INFO(format);
  CHECK(to_rgba8(format, 0x44332211) == expected);
}

TEST_CASE("RGBA8 goes back to the bytes that it came from", "[device]") {
  for (std::uint32_t format : {1u, 3u, 7u, 9u}) {
    INFO(format);
    CHECK(from_rgba8(format, to_rgba8(format, 0x12345678)) == 0x12345678);
  }
  for (std::uint32_t format : {2u, 4u, 8u, 10u}) {
    INFO(format);
    CHECK(from_rgba8(format, to_rgba8(format, 0x12345678)) == 0xFF345678);
  }
}

TEST_CASE("565 expands by repeating high bits", "[device]") {
  const auto [pixel, expected] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {0x0000, 0xFF000000},
      {0xFFFF, 0xFFFFFFFF},
      {0xF800, 0xFF0000FF},
      {0x07E0, 0xFF00FF00},
      {0x001F, 0xFFFF0000},
      {0x8410, 0xFF848284},  // 16, 32, 16
  }));
  CHECK(to_rgba8(5, pixel) == expected);
}

TEST_CASE("1555 expands its alpha bit to none or all", "[device]") {
  const auto [pixel, expected] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {0x0000, 0x00000000},
      {0x8000, 0xFF000000},
      {0xFFFF, 0xFFFFFFFF},
      {0x7C00, 0x000000FF},
      {0x03E0, 0x0000FF00},
      {0x001F, 0x00FF0000},
      {0x4210, 0x00848484},
  }));
  CHECK(to_rgba8(6, pixel) == expected);
}

TEST_CASE("RGBA8 is cut to 16 bits, and alpha is set from 0x80 up", "[device]") {
  CHECK(from_rgba8(5, 0x00070307) == 0x0000);
  CHECK(from_rgba8(5, 0x00080408) == 0x0821);
  CHECK(from_rgba8(5, 0xFFFFFFFF) == 0xFFFF);
  CHECK(from_rgba8(6, 0x7F000000) == 0x0000);
  CHECK(from_rgba8(6, 0x80000000) == 0x8000);
  CHECK(from_rgba8(6, 0x00080808) == 0x0421);
}

TEST_CASE("every 16-bit pixel survives the way to RGBA8 and back", "[device]") {
  for (const std::uint32_t format : {5u, 6u}) {
    std::uint32_t lost = 0;
    for (std::uint32_t pixel = 0; pixel < 0x10000; ++pixel) {
      if (from_rgba8(format, to_rgba8(format, pixel)) != pixel) ++lost;
    }
    INFO(format);
    CHECK(lost == 0);
  }
}

TEST_CASE("pixels of a row are converted one by one, also in place", "[device]") {
  for (const auto& row : display_formats) {
    INFO(row.format);
    std::array<std::uint32_t, 4> expanded{};
    std::array<std::byte, 16> guest{};
    for (std::size_t i = 0; i < guest.size(); ++i) guest[i] = static_cast<std::byte>(17 * i + 3);
    row.to_rgba8(mutable_bytes_of(expanded).data(), guest.data(), 4);
    std::array<std::uint32_t, 4> packed = expanded;
    row.from_rgba8(mutable_bytes_of(packed).data(), mutable_bytes_of(packed).data(), 4);
    for (std::size_t i = 0; i < 4; ++i) {
      std::uint32_t pixel = 0;
      const std::uint32_t size = row.bytes_per_pixel;
      copy_bytes(mutable_bytes_of(pixel).first(size), const_bytes{guest}.subspan(i * size, size));
      CHECK(expanded[i] == to_rgba8(row.format, pixel));
      std::uint32_t back = 0;
      copy_bytes(mutable_bytes_of(back).first(size), bytes_of(packed).subspan(i * size, size));
      CHECK(back == from_rgba8(row.format, expanded[i]));
    }
  }
}

TEST_CASE("a cursor shows 32-bit formats alone", "[device]") {
  for (const auto& row : display_formats) {
    CHECK(row.is_cursor_format() == (row.format != 5 && row.format != 6));
  }
  CHECK(find_display_format(0) == nullptr);
  CHECK(find_display_format(11) == nullptr);
  CHECK(find_display_format(AEROGPU_FORMAT_BC1_RGBA_UNORM) == nullptr);
}

}  // namespace
}  // namespace aerogpu
