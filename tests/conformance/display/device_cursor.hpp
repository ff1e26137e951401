// SPDX-License-Identifier: MIT
/// \file DEV-122..123: the hardware cursor over what the scanout shows.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"
#include "tests/conformance/display/display_reference.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aerogpu::conformance {

namespace cursor_case {

inline constexpr std::uint64_t cursor_gpa = 0x600000;

using pixel_rows = std::vector<std::uint32_t>;

/// A tightly packed image of R8G8B8A8 pixels, for guest memory.
struct picture {
  guest_image image;
  pixel_rows pixels;
};

/// Pixels that differ from their neighbours in every colour, and share the alpha of `first`.
[[nodiscard]] inline auto make_picture(std::uint32_t width, std::uint32_t height,
                                       std::uint64_t address, std::uint32_t first) -> picture {
  picture made{{width, height, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4 * width, address}, {}};
  for (std::uint32_t i = 0; i < width * height; ++i) {
    made.pixels.push_back(first ^ (i * 0x030507 & 0xFFFFFF));
  }
  return made;
}
[[nodiscard]] inline auto screen_of(std::uint32_t width, std::uint32_t height) -> picture {
  return make_picture(width, height, surface_gpa, 0x40102030);
}
[[nodiscard]] inline auto cursor_of(std::uint32_t width, std::uint32_t height) -> picture {
  return make_picture(width, height, cursor_gpa, 0xFFC0A080);
}

/// One channel of a cursor over the screen's (host.md 1.16).
[[nodiscard]] constexpr auto blended(std::uint32_t s, std::uint32_t d, std::uint32_t alpha)
    -> std::uint32_t {
  if (alpha == 255) return s;
  return (s * alpha + d * (255 - alpha) + 127) / 255;
}
[[nodiscard]] constexpr auto blended_pixel(std::uint32_t s, std::uint32_t d) -> std::uint32_t {
  const auto alpha = s >> 24;
  if (alpha == 0) return d;
  std::uint32_t out = 0xFF000000;
  for (std::uint32_t shift = 0; shift < 24; shift += 8) {
    out |= blended(s >> shift & 0xFF, d >> shift & 0xFF, alpha) << shift;
  }
  return out;
}

/// The screen with the cursor's corner at (left, top), pixel by pixel of the screen.
[[nodiscard]] inline auto expected_display(const picture& screen, const picture& cursor,
                                           std::int64_t left, std::int64_t top) -> pixel_rows {
  pixel_rows out = screen.pixels;
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    const auto x = std::int64_t{i % screen.image.width} - left;
    const auto y = std::int64_t{i / screen.image.width} - top;
    if (x < 0 || y < 0 || x >= cursor.image.width || y >= cursor.image.height) continue;
    const auto at = static_cast<std::size_t>(y * cursor.image.width + x);
    out[i] = blended_pixel(cursor.pixels[at], screen.pixels[i]);
  }
  return out;
}

template <class Rig>
void place_picture(Rig& rig, const picture& p) {
  rig.machine.ram.poke(gpa{p.image.address}, std::as_bytes(std::span{p.pixels}));
}

/// What the display shows of these pictures; memory is made fresh, as the host reads it but once.
template <class Rig>
auto display_of(Rig& rig, const picture& screen, const picture& cursor) -> pixel_rows {
  place_picture(rig, screen);
  place_picture(rig, cursor);
  rgba8_image image;
  REQUIRE(rig.dev->read_display(image));
  pixel_rows shown(image.pixels().size() / 4);
  copy_bytes(std::as_writable_bytes(std::span{shown}), image.pixels());
  return shown;
}

}  // namespace cursor_case

TEMPLATE_LIST_TEST_CASE(
    "DEV-122 a cursor pixel is skipped at alpha 0, replaces at 255, else blends",
    "[conformance][device]", backends) {
  using namespace cursor_case;
  device_rig<TestType> rig;
  picture screen = screen_of(5, 1), cursor = cursor_of(5, 1);
  screen.pixels.assign(5, 0x40302010);
  cursor.pixels = {0x00FFFFFF, 0xFF112233, 0x80FFFFFF, 0x80000000, 0x01FFFFFF};
  rig.set_scanout(screen.image);
  rig.set_cursor(cursor.image);
  CHECK(display_of(rig, screen, cursor) ==
        pixel_rows{0x40302010, 0xFF112233, 0xFF989088, 0xFF181008, 0xFF312111});
}

TEMPLATE_LIST_TEST_CASE("DEV-122 every alpha rounds to the nearest value", "[conformance][device]",
                        backends) {
  using namespace cursor_case;
  device_rig<TestType> rig;
  const picture screen = screen_of(256, 3);
  picture cursor = cursor_of(256, 3);
  for (std::uint32_t i = 0; i < 256 * 3; ++i) {
    cursor.pixels[i] = (cursor.pixels[i] & 0xFFFFFF) | (i % 256) << 24;
  }
  rig.set_scanout(screen.image);
  rig.set_cursor(cursor.image);
  CHECK(display_of(rig, screen, cursor) == expected_display(screen, cursor, 0, 0));
}

TEMPLATE_LIST_TEST_CASE("DEV-122 the cursor is clipped at every edge, at negative positions too",
                        "[conformance][device]", backends) {
  using namespace cursor_case;
  device_rig<TestType> rig;
  const picture screen = screen_of(5, 4), cursor = cursor_of(3, 2);
  rig.set_scanout(screen.image);
  for (std::int32_t left = -4; left <= 6; ++left) {
    for (std::int32_t top = -3; top <= 5; ++top) {
      INFO(left << ", " << top);
      rig.set_cursor(cursor.image, static_cast<std::uint32_t>(left),
                     static_cast<std::uint32_t>(top));
      CHECK(display_of(rig, screen, cursor) == expected_display(screen, cursor, left, top));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-122 a cursor larger than the screen covers all of it",
                        "[conformance][device]", backends) {
  using namespace cursor_case;
  device_rig<TestType> rig;
  const picture screen = screen_of(3, 2), cursor = cursor_of(9, 8);
  rig.set_scanout(screen.image);
  rig.set_cursor(cursor.image, static_cast<std::uint32_t>(-4), static_cast<std::uint32_t>(-5));
  CHECK(display_of(rig, screen, cursor) == expected_display(screen, cursor, -4, -5));
}

TEMPLATE_LIST_TEST_CASE("DEV-122 the corner is the position less the hot spot, without wrapping",
                        "[conformance][device]", backends) {
  using namespace cursor_case;
  const auto [x, y, hot_x, hot_y] =
      GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>({
          {3, 2, 1, 1},
          {1, 0, 2, 1},
          {0xFFFFFFFF, 1, 0, 0},
          {0, 0, 0xFFFFFFFF, 0},  // Not 1 to the right.
          {0, 0, 0, 0xFFFFFFFF},
          {0x80000000, 0, 0x80000000, 0},  // Not 0.
          {0x7FFFFFFF, 0x7FFFFFFF, 0x7FFFFFFE, 0x7FFFFFFF},
          {0x7FFFFFFF, 0, 0, 0},
          {0, 0x80000000, 0, 0},
          {0x80000000, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFF},
      }));
  INFO(x << ", " << y << " hot " << hot_x << ", " << hot_y);
  device_rig<TestType> rig;
  const picture screen = screen_of(5, 4), cursor = cursor_of(3, 2);
  rig.set_scanout(screen.image);
  rig.set_cursor(cursor.image, x, y);
  rig.write(AEROGPU_MMIO_REG_CURSOR_HOT_X, hot_x);
  rig.write(AEROGPU_MMIO_REG_CURSOR_HOT_Y, hot_y);
  const auto left = std::int64_t{static_cast<std::int32_t>(x)} - hot_x;
  const auto top = std::int64_t{static_cast<std::int32_t>(y)} - hot_y;
  CHECK(display_of(rig, screen, cursor) == expected_display(screen, cursor, left, top));
}

TEMPLATE_LIST_TEST_CASE("DEV-122 the cursor's rows are a pitch apart, and X8 cursors are opaque",
                        "[conformance][device]", backends) {
  using namespace cursor_case;
  device_rig<TestType> rig;
  const picture screen = screen_of(4, 3);
  rig.set_scanout(screen.image);
  for (const auto& row : display_rows) {
    if (row.pixel_bytes != 4) continue;
    INFO(row.format);
    const guest_image image{2, 2, row.format, 9, cursor_gpa + 1};
    const auto bytes = scrambled(9 + 8, row.format);
    rig.set_cursor(image, 1, 1);
    picture seen{{.width = 2, .height = 2}, {}};
    for (const std::size_t at : {0u, 4u, 9u, 13u}) seen.pixels.push_back(row.rgba8(&bytes[at]));
    place_picture(rig, screen);
    rig.machine.ram.poke(gpa{image.address}, bytes);
    rgba8_image shown;
    REQUIRE(rig.dev->read_display(shown));
    pixel_rows pixels(screen.pixels.size());
    copy_bytes(std::as_writable_bytes(std::span{pixels}), shown.pixels());
    CHECK(pixels == expected_display(screen, seen, 1, 1));
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-122 the cursor is on the display alone, and not in guest memory",
                        "[conformance][device]", backends) {
  using namespace cursor_case;
  device_rig<TestType> rig;
  const picture screen = screen_of(4, 4), cursor = cursor_of(4, 4);
  rig.set_scanout(screen.image);
  rig.set_cursor(cursor.image);
  REQUIRE(display_of(rig, screen, cursor) != screen.pixels);
  CHECK(rig.machine.ram.writes(gpa{surface_gpa}, 64) == 0);
  CHECK(rig.machine.ram.writes(gpa{cursor_gpa}, 64) == 0);
  place_picture(rig, screen);
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  CHECK(std::ranges::equal(image.pixels(), std::as_bytes(std::span{screen.pixels})));
}

TEMPLATE_LIST_TEST_CASE("DEV-123 a cursor shows in the 32-bit display formats and in no other",
                        "[conformance][device]", backends) {
  using namespace cursor_case;
  device_rig<TestType> rig;
  const picture screen = screen_of(4, 4);
  picture cursor = cursor_of(2, 2);
  rig.set_scanout(screen.image);
  for (std::uint32_t format = 0; format < 80; ++format) {
    INFO(format);
    cursor.image.format = format;
    rig.set_cursor(cursor.image);
    const bool is_shown = format >= 1 && format <= 10 && format != AEROGPU_FORMAT_B5G6R5_UNORM &&
                          format != AEROGPU_FORMAT_B5G5R5A1_UNORM;
    CHECK((display_of(rig, screen, cursor) != screen.pixels) == is_shown);
    place_picture(rig, cursor);
    rgba8_image image;
    CHECK(bool{rig.dev->read_cursor(image)} == is_shown);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-123 a cursor shows only while everything about it is in order",
                        "[conformance][device]", backends) {
  using namespace cursor_case;
  struct row {
    const char* what;
    std::uint32_t offset;
    std::uint64_t value;
  };
  const row rows[] = {
      {"disabled", AEROGPU_MMIO_REG_CURSOR_ENABLE, 0},
      {"zero width", AEROGPU_MMIO_REG_CURSOR_WIDTH, 0},
      {"zero height", AEROGPU_MMIO_REG_CURSOR_HEIGHT, 0},
      {"pitch a byte short", AEROGPU_MMIO_REG_CURSOR_PITCH_BYTES, 7},
      {"no address", AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, 0},
      {"address overflow", AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO, UINT64_MAX - 15},
      {"width of 2^32 bytes", AEROGPU_MMIO_REG_CURSOR_WIDTH, 0x40000000},
      {"no scanout", AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0},
      {"scanout without a format", AEROGPU_MMIO_REG_SCANOUT0_FORMAT, 0},
  };
  const picture screen = screen_of(4, 4), cursor = cursor_of(2, 2);
  for (const auto& [what, offset, value] : rows) {
    INFO(what);
    device_rig<TestType> rig;
    rig.set_scanout(screen.image);
    rig.set_cursor(cursor.image);
    REQUIRE(display_of(rig, screen, cursor) != screen.pixels);
    if (offset == AEROGPU_MMIO_REG_CURSOR_FB_GPA_LO) {
      rig.write64(offset, value);
    } else {
      rig.write(offset, static_cast<std::uint32_t>(value));
    }
    place_picture(rig, cursor);
    rgba8_image image;
    CHECK(rig.dev->read_cursor(image).why().code == error_code::invalid_parameter);
    CHECK(rig.machine.ram.max_reads(gpa{cursor_gpa}, 16) == 0);
    if (rig.dev->scanout().is_enabled) {
      CHECK(display_of(rig, screen, cursor) == screen.pixels);
    } else {
      CHECK_FALSE(rig.dev->read_display(image));
    }
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-123 a cursor whose memory is missing leaves the screen alone",
                        "[conformance][device]", backends) {
  using namespace cursor_case;
  device_rig<TestType> rig;
  const picture screen = screen_of(4, 4);
  place_picture(rig, screen);
  rig.set_scanout(screen.image);
  rig.set_cursor(cursor_of(2, 2).image);
  rgba8_image image;
  CHECK(rig.dev->read_cursor(image).why().code == error_code::guest_memory_fault);
  REQUIRE(rig.dev->read_display(image));
  CHECK(std::ranges::equal(image.pixels(), std::as_bytes(std::span{screen.pixels})));
}

TEMPLATE_LIST_TEST_CASE("DEV-123 without bus mastering neither cursor nor screen shows",
                        "[conformance][device]", backends) {
  using namespace cursor_case;
  device_rig<TestType> rig;
  const picture screen = screen_of(4, 4), cursor = cursor_of(2, 2);
  rig.set_scanout(screen.image);
  rig.set_cursor(cursor.image);
  place_picture(rig, cursor);
  rgba8_image image;
  REQUIRE(rig.dev->read_cursor(image));
  rig.set_bus_master(false);
  place_picture(rig, screen);
  place_picture(rig, cursor);
  CHECK(rig.dev->read_cursor(image).why().code == error_code::invalid_parameter);
  CHECK(image.empty());
  CHECK(rig.dev->read_display(image).why().code == error_code::invalid_parameter);
  CHECK(rig.machine.ram.max_reads(gpa{cursor_gpa}, 16) == 0);
  rig.set_bus_master(true);
  CHECK(display_of(rig, screen, cursor) == expected_display(screen, cursor, 0, 0));
}

}  // namespace aerogpu::conformance
