// SPDX-License-Identifier: MIT
#include "aerogpu/device/cursor.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>

namespace aerogpu {
namespace {

constexpr std::uint32_t blue = 0xFFFF0000;

auto filled(std::uint32_t width, std::uint32_t height, std::uint32_t pixel) -> rgba8_image {
  rgba8_image image;
  REQUIRE(image.resize(width, height, 1u << 20));
  for (std::size_t i = 0; i < image.pixels().size(); i += 4) {
    store(image.pixels().data() + i, pixel);
  }
  return image;
}
auto pixel_at(const rgba8_image& image, std::uint32_t x, std::uint32_t y) -> std::uint32_t {
  return load<std::uint32_t>(image.row(y).data() + 4 * x);
}

TEST_CASE("a cursor pixel blends with straight alpha and rounds to nearest", "[device]") {
  const auto [cursor_pixel, expected] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {0x00FFFFFF, 0x40302010},
      {0xFF112233, 0xFF112233},
      {0x80FFFFFF, 0xFF989088},
      {0x01000000, 0xFF302010},
  }));
  auto screen = filled(1, 1, 0x40302010);
  blend_cursor(screen, filled(1, 1, cursor_pixel), {0, 0});
  CHECK(pixel_at(screen, 0, 0) == expected);
}

TEST_CASE("a cursor is clipped at every edge of the screen", "[device]") {
  for (std::int64_t left = -3; left <= 5; ++left) {
    for (std::int64_t top = -3; top <= 5; ++top) {
      auto screen = filled(4, 4, 0xFF000000);
      blend_cursor(screen, filled(2, 2, blue), {left, top});
      for (std::uint32_t y = 0; y < 4; ++y) {
        for (std::uint32_t x = 0; x < 4; ++x) {
          const bool is_covered = x >= left && x < left + 2 && y >= top && y < top + 2;
          CHECK(pixel_at(screen, x, y) == (is_covered ? blue : 0xFF000000));
        }
      }
    }
  }
}

TEST_CASE("the corner is the signed position less the unsigned hot spot", "[device]") {
  cursor_registers cursor;
  cursor.x = static_cast<std::uint32_t>(-5);
  cursor.y = 0x80000000;
  cursor.hot_x = 3;
  cursor.hot_y = 0xFFFFFFFF;
  CHECK(position_of(cursor).left == -8);
  CHECK(position_of(cursor).top == -2147483648ll - 4294967295ll);
  auto screen = filled(2, 2, 0xFF000000);
  blend_cursor(screen, filled(2, 2, blue), position_of(cursor));
  CHECK(pixel_at(screen, 0, 0) == 0xFF000000);
}

TEST_CASE("a cursor shows only with ENABLE, a 32-bit format, a size, a pitch and an address",
          "[device]") {
  cursor_registers good;
  good.is_enabled = true;
  good.width = good.height = 32;
  good.format = AEROGPU_FORMAT_B8G8R8A8_UNORM;
  good.pitch_bytes = 130;
  good.frame_buffer.restore(gpa{0x1000}, false, 0);
  CHECK(shown_cursor_format(good) != nullptr);

  const std::array<void (*)(cursor_registers&), 9> changes{
      [](cursor_registers& c) { c.is_enabled = false; },
      [](cursor_registers& c) { c.width = 0; },
      [](cursor_registers& c) { c.height = 0; },
      [](cursor_registers& c) { c.format = AEROGPU_FORMAT_B5G6R5_UNORM; },
      [](cursor_registers& c) { c.format = 77; },
      [](cursor_registers& c) { c.pitch_bytes = 127; },
      [](cursor_registers& c) { c.width = 0x40000000; },  // Rows of 2^32 bytes.
      [](cursor_registers& c) { c.frame_buffer.restore(gpa{0}, false, 0); },
      [](cursor_registers& c) {
        c.frame_buffer.restore(gpa{UINT64_MAX - (31 * 130 + 128) + 1}, false, 0);
      },
  };
  for (const auto change : changes) {
    auto cursor = good;
    change(cursor);
    CHECK(shown_cursor_format(cursor) == nullptr);
  }
}

TEST_CASE("a cursor has one of the eight 32-bit display formats", "[device]") {
  cursor_registers cursor;
  cursor.is_enabled = true;
  cursor.width = cursor.height = 1;
  cursor.pitch_bytes = 4;
  cursor.frame_buffer.restore(gpa{UINT64_MAX - 4}, false, 0);
  for (std::uint32_t format = 0; format < 80; ++format) {
    INFO(format);
    cursor.format = format;
    const bool is_16_bit = format == 5 || format == 6;
    CHECK((shown_cursor_format(cursor) != nullptr) == (format >= 1 && format <= 10 && !is_16_bit));
  }
}

}  // namespace
}  // namespace aerogpu
