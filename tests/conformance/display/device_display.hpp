// SPDX-License-Identifier: MIT
/// \file DEV-116..120: reading the guest's frame buffer back.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"
#include "tests/conformance/display/display_reference.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aerogpu::conformance {

namespace display_case {

/// Bytes of a whole surface, padding included.
[[nodiscard]] inline auto size_of(const guest_image& image) -> std::size_t {
  return std::size_t{image.height} * image.pitch;
}

/// What a surface of these bytes looks like.
[[nodiscard]] inline auto expected_pixels(const guest_image& image, const byte_vector& bytes)
    -> byte_vector {
  byte_vector pixels;
  for (std::uint32_t y = 0; y < image.height; ++y) {
    const auto* const at = bytes.data() + std::size_t{y} * image.pitch;
    const auto row = display_row_of(image.format).rgba8_row(at, image.width);
    pixels.insert(pixels.end(), row.begin(), row.end());
  }
  return pixels;
}
[[nodiscard]] inline auto pixels_of(const rgba8_image& image) -> byte_vector {
  const auto pixels = image.pixels();
  return {pixels.begin(), pixels.end()};
}

/// Reads the scanout and checks each byte of it.
template <class Rig>
void check_shows(Rig& rig, const guest_image& surface, const byte_vector& bytes) {
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  REQUIRE(image.width() == surface.width);
  REQUIRE(image.height() == surface.height);
  CHECK(pixels_of(image) == expected_pixels(surface, bytes));
}

/// Shows a row of pixels, and returns what the host sees of each.
template <class Pixel, class Rig>
auto show_row(Rig& rig, std::uint32_t format, const std::vector<Pixel>& pixels)
    -> std::vector<std::uint32_t> {
  const auto width = static_cast<std::uint32_t>(pixels.size());
  const auto pitch = static_cast<std::uint32_t>(width * sizeof(Pixel));
  rig.set_scanout({.width = width, .height = 1, .format = format, .pitch = pitch});
  rig.machine.ram.poke(gpa{surface_gpa}, std::as_bytes(std::span{pixels}));
  rgba8_image image;
  REQUIRE(rig.dev->read_scanout(image));
  REQUIRE(image.width() == width);
  std::vector<std::uint32_t> shown(width);
  copy_bytes(std::as_writable_bytes(std::span{shown}), image.pixels());
  return shown;
}

/// Scanout, cursor and both together refuse.
template <class Rig>
void check_shows_nothing(Rig& rig, error_code why) {
  rgba8_image image;
  CHECK(rig.dev->read_scanout(image).why().code == why);
  CHECK(image.empty());
  CHECK(rig.dev->read_cursor(image).why().code == why);
  CHECK(image.empty());
  CHECK(rig.dev->read_display(image).why().code == why);
  CHECK(image.empty());
}

}  // namespace display_case

TEMPLATE_LIST_TEST_CASE("DEV-116 each scanout format reads back exactly, with rows a pitch apart",
                        "[conformance][device]", backends) {
  using namespace display_case;
  const std::uint32_t padding = GENERATE(0u, 1u, 4u, 4099u);  // 1: no whole pixels, read as well.
  device_rig<TestType> rig;
  for (const auto& row : display_rows) {
    INFO("format " << row.format << ", padding " << padding);
    const guest_image surface{.width = 7,
                              .height = 5,
                              .format = row.format,
                              .pitch = 7 * row.pixel_bytes + padding,
                              .address = surface_gpa + 3};
    const auto bytes = scrambled(size_of(surface), row.format);
    rig.machine.ram.poke(gpa{surface.address}, bytes);
    rig.set_scanout(surface);
    check_shows(rig, surface, bytes);
    for (std::uint32_t y = 0; y < surface.height; ++y) {
      const auto at = surface.address + std::uint64_t{y} * surface.pitch;
      const auto row_bytes = 7u * row.pixel_bytes;
      CHECK(rig.machine.ram.max_reads(gpa{at}, row_bytes) == 1);
      CHECK(rig.machine.ram.max_reads(gpa{at + row_bytes}, padding) == 0);
    }
    CHECK(rig.machine.ram.writes(gpa{surface.address}, size_of(surface)) == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("DEV-116 a surface needs no memory behind its last pixel",
                        "[conformance][device]", backends) {
  using namespace display_case;
  device_rig<TestType> rig;
  const guest_image surface{.width = 3, .height = 2, .pitch = 100};
  const auto bytes = scrambled(112);
  rig.machine.ram.poke(gpa{surface.address}, bytes);
  rig.set_scanout(surface);
  check_shows(rig, surface, bytes);
  rig.machine.ram.poke(gpa{surface.address}, bytes);
  rig.machine.ram.unmap(gpa{surface.address + 111}, 1);
  rgba8_image image;
  CHECK(rig.dev->read_scanout(image).why().code == error_code::guest_memory_fault);
  CHECK(image.empty());
}

TEMPLATE_LIST_TEST_CASE("DEV-117 X8 is opaque whatever the byte says, and A8 is what it says",
                        "[conformance][device]", backends) {
  using namespace display_case;
  using pixels = std::vector<std::uint32_t>;
  const pixels guest{0x00112233, 0x01112233, 0x7F112233, 0x80112233, 0xFF112233};
  const pixels bgra{0x00332211, 0x01332211, 0x7F332211, 0x80332211, 0xFF332211};
  const pixels bgrx(guest.size(), 0xFF332211);
  const pixels rgbx(guest.size(), 0xFF112233);
  device_rig<TestType> rig;
  CHECK(show_row(rig, AEROGPU_FORMAT_B8G8R8A8_UNORM, guest) == bgra);
  CHECK(show_row(rig, AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, guest) == bgra);
  CHECK(show_row(rig, AEROGPU_FORMAT_R8G8B8A8_UNORM, guest) == guest);
  CHECK(show_row(rig, AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, guest) == guest);
  CHECK(show_row(rig, AEROGPU_FORMAT_B8G8R8X8_UNORM, guest) == bgrx);
  CHECK(show_row(rig, AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB, guest) == bgrx);
  CHECK(show_row(rig, AEROGPU_FORMAT_R8G8B8X8_UNORM, guest) == rgbx);
  CHECK(show_row(rig, AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB, guest) == rgbx);
}

TEMPLATE_LIST_TEST_CASE("DEV-118 565 repeats high bits at 0, the middle and the maximum",
                        "[conformance][device]", backends) {
  using namespace display_case;
  device_rig<TestType> rig;
  const std::vector<std::uint16_t> guest{0x0000, 0xFFFF, 0xF800, 0x07E0, 0x001F, 0x8000,
                                         0x0400, 0x0010, 0x7800, 0x03E0, 0x000F, 0x0821};
  CHECK(show_row(rig, AEROGPU_FORMAT_B5G6R5_UNORM, guest) ==
        std::vector<std::uint32_t>{0xFF000000, 0xFFFFFFFF, 0xFF0000FF, 0xFF00FF00, 0xFFFF0000,
                                   0xFF000084, 0xFF008200, 0xFF840000, 0xFF00007B, 0xFF007D00,
                                   0xFF7B0000, 0xFF080408});
}

TEMPLATE_LIST_TEST_CASE("DEV-118 1555 repeats high bits, and its alpha bit is none or all",
                        "[conformance][device]", backends) {
  using namespace display_case;
  device_rig<TestType> rig;
  const std::vector<std::uint16_t> guest{0x0000, 0x8000, 0xFFFF, 0x7FFF, 0x7C00, 0x03E0,
                                         0x001F, 0xC000, 0x0200, 0x8010, 0x3C00, 0x8421};
  CHECK(show_row(rig, AEROGPU_FORMAT_B5G5R5A1_UNORM, guest) ==
        std::vector<std::uint32_t>{0x00000000, 0xFF000000, 0xFFFFFFFF, 0x00FFFFFF, 0x000000FF,
                                   0x0000FF00, 0x00FF0000, 0xFF000084, 0x00008400, 0xFF840000,
                                   0x0000007B, 0xFF080808});
}

TEMPLATE_LIST_TEST_CASE("DEV-119 without bus mastering nothing reads back", "[conformance][device]",
                        backends) {
  using namespace display_case;
  device_rig<TestType> rig;
  const guest_image surface{}, cursor{.width = 1, .height = 1, .address = 0x500000};
  const auto bytes = scrambled(64);
  rig.machine.ram.poke(gpa{surface.address}, bytes);
  rig.machine.ram.map(gpa{cursor.address}, 4);
  rig.set_scanout(surface);
  rig.set_cursor(cursor);
  rig.set_bus_master(false);
  check_shows_nothing(rig, error_code::invalid_parameter);
  CHECK(rig.machine.ram.max_reads(gpa{surface.address}, 64) == 0);
  CHECK(rig.machine.ram.max_reads(gpa{cursor.address}, 4) == 0);
  CHECK(rig.dev->scanout().is_enabled);  // Still what there is to show.
  rig.set_bus_master(true);
  check_shows(rig, surface, bytes);
  rgba8_image image;
  CHECK(rig.dev->read_cursor(image));
}

TEMPLATE_LIST_TEST_CASE("DEV-119 a scanout that is disabled or not readable shows nothing",
                        "[conformance][device]", backends) {
  using namespace display_case;
  device_rig<TestType> rig;
  rig.machine.ram.map(gpa{surface_gpa}, 64);
  rig.set_cursor({});
  check_shows_nothing(rig, error_code::invalid_parameter);
  const guest_image images[] = {{.width = 0},
                                {.height = 0},
                                {.format = 0},
                                {.format = AEROGPU_FORMAT_D24_UNORM_S8_UINT},
                                {.pitch = 15},
                                {.address = 0},
                                {.address = UINT64_MAX - 63}};
  for (const auto& image : images) {
    rig.set_scanout(image);
    check_shows_nothing(rig, error_code::invalid_parameter);
  }
  CHECK(rig.machine.ram.max_reads(gpa{surface_gpa}, 64) == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-120 read-backs above 64 MiB, and of cursors above 4, are refused",
                        "[conformance][device]", backends) {
  // There is no such memory, so that what is within the limit fails at its first row.
  const auto [is_cursor, width, height, format, expected] =
      GENERATE(table<bool, std::uint32_t, std::uint32_t, std::uint32_t, error_code>({
          {false, 4096, 4096, 1, error_code::guest_memory_fault},
          {false, 4096, 4097, 1, error_code::out_of_memory},
          {false, 16'777'217, 1, 3, error_code::out_of_memory},
          {false, 4097, 4096, 5, error_code::out_of_memory},  // Of output, not of input.
          {false, 0x3FFFFFFF, 0xFFFFFFFF, 2, error_code::out_of_memory},
          {false, 0x40000, 0x4000, 6, error_code::out_of_memory},  // 2^32 pixels.
          {true, 1024, 1024, 1, error_code::guest_memory_fault},
          {true, 1024, 1025, 1, error_code::out_of_memory},
          {true, 1'048'577, 1, 4, error_code::out_of_memory},
          {true, 0x3FFFFFFF, 0xFFFFFFFF, 1, error_code::out_of_memory},
      }));
  INFO(width << " x " << height);
  device_rig<TestType> rig;
  const guest_image big{.width = width,
                        .height = height,
                        .format = format,
                        .pitch = width * display_row_of(format).pixel_bytes,
                        .address = 0x1'00000000};
  rig.machine.ram.map(gpa{surface_gpa}, 64);
  rig.set_scanout(is_cursor ? guest_image{} : big);
  if (is_cursor) rig.set_cursor(big);
  rgba8_image image;
  const auto code =
      is_cursor ? rig.dev->read_cursor(image).why().code : rig.dev->read_scanout(image).why().code;
  CHECK(code == expected);
  CHECK(image.empty());
  const bool is_refused = expected == error_code::out_of_memory;
  if (is_refused) CHECK(image.pixels().data() == nullptr);  // Nothing was allocated for it.
  // A cursor that cannot be read leaves the screen as it is.
  const auto shown = rig.dev->read_display(image).why().code;
  CHECK(shown == (is_cursor ? error_code::none : expected));
}

}  // namespace aerogpu::conformance
