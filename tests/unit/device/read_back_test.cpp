// SPDX-License-Identifier: MIT
#include "aerogpu/device/submission/read_back.hpp"

#include "tests/catch.hpp"
#include "tests/support/guest_memory_fakes.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu {
namespace {

using test::fake_memory;

constexpr gpa base{0x10000};
constexpr std::uint64_t no_limit = 64u << 20;

TEST_CASE("rows are read a pitch apart, whatever the pitch", "[device]") {
  fake_memory memory;
  const guest_surface surface{2, 3, AEROGPU_FORMAT_R8G8B8A8_UNORM, 11, base};
  for (std::uint32_t y = 0; y < 3; ++y) {
    for (std::uint32_t x = 0; x < 2; ++x) {
      memory.poke_object(advance(base, y * 11 + x * 4), 0x01010101u * (10 * y + x));
    }
  }
  rgba8_image image;
  REQUIRE(read_surface(memory, surface, *find_display_format(surface.format), no_limit, image));
  REQUIRE(image.width() == 2);
  REQUIRE(image.height() == 3);
  for (std::uint32_t y = 0; y < 3; ++y) {
    for (std::uint32_t x = 0; x < 2; ++x) {
      CHECK(load<std::uint32_t>(image.row(y).data() + 4 * x) == 0x01010101u * (10 * y + x));
    }
  }
}

TEST_CASE("16-bit rows of every width are converted in place", "[device]") {
  fake_memory memory;
  for (std::uint32_t width = 1; width < 20; ++width) {
    for (std::uint32_t x = 0; x < width; ++x) {
      memory.poke_object(advance(base, 2 * x), static_cast<std::uint16_t>(x << 11 | x));
    }
    const guest_surface surface{width, 1, AEROGPU_FORMAT_B5G6R5_UNORM, 2 * width, base};
    rgba8_image image;
    REQUIRE(read_surface(memory, surface, *find_display_format(surface.format), no_limit, image));
    for (std::uint32_t x = 0; x < width; ++x) {
      const std::uint32_t expanded = x << 3 | x >> 2;
      CHECK(load<std::uint32_t>(image.row(0).data() + 4 * x) ==
            (0xFF000000u | expanded << 16 | expanded));
    }
  }
}

TEST_CASE("a surface of more rows than a display has is refused before any is read", "[device]") {
  fake_memory memory;
  const auto& format = *find_display_format(AEROGPU_FORMAT_R8G8B8A8_UNORM);
  rgba8_image image;
  const guest_surface most{1, 65'536, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, base};
  memory.map(base, 65'536 * 4);
  REQUIRE(read_surface(memory, most, format, no_limit, image));
  guest_surface more = most;
  ++more.height;
  CHECK(read_surface(memory, more, format, no_limit, image).why().code ==
        error_code::out_of_memory);
}

TEST_CASE("a read-back above the limit is refused and leaves the image alone", "[device]") {
  fake_memory memory;
  const guest_surface surface{16, 16, AEROGPU_FORMAT_R8G8B8A8_UNORM, 64, base};
  const auto& format = *find_display_format(surface.format);
  rgba8_image image;
  CHECK(read_surface(memory, surface, format, 1023, image).why().code == error_code::out_of_memory);
  CHECK(image.empty());
  CHECK(read_surface(memory, surface, format, 1024, image).why().code ==
        error_code::guest_memory_fault);
}

TEST_CASE("the widest surface is refused before anything is allocated", "[device]") {
  fake_memory memory;
  const guest_surface surface{0x3FFFFFFF, UINT32_MAX, AEROGPU_FORMAT_R8G8B8A8_UNORM, UINT32_MAX,
                              gpa{1}};
  rgba8_image image;
  CHECK(read_surface(memory, surface, *find_display_format(3), no_limit, image).why().code ==
        error_code::out_of_memory);
}

TEST_CASE("an image keeps its memory from one frame to the next", "[device]") {
  rgba8_image image;
  REQUIRE(image.resize(8, 8, no_limit));
  const auto* const bytes = image.pixels().data();
  REQUIRE(image.resize(4, 4, no_limit));
  CHECK(image.pixels().data() == bytes);
  CHECK(image.pixels().size() == 64);
}

TEST_CASE("a write-back is clipped to the smaller size and keeps the padding", "[device]") {
  fake_memory memory;
  rgba8_image image;
  REQUIRE(image.resize(3, 2, no_limit));
  for (std::size_t i = 0; i < 6; ++i) {
    store(image.pixels().data() + 4 * i, 0x40302010u + static_cast<std::uint32_t>(i));
  }
  memory.poke(base, std::vector<std::byte>(64, std::byte{0xEE}));
  const guest_surface surface{2, 3, AEROGPU_FORMAT_B8G8R8X8_UNORM, 12, base};
  REQUIRE(write_surface(memory, surface, *find_display_format(surface.format), no_limit, image));
  CHECK(memory.peek_object<std::uint32_t>(base) == 0xFF102030);
  CHECK(memory.peek_object<std::uint32_t>(advance(base, 4)) == 0xFF112030);
  CHECK(memory.peek_object<std::uint32_t>(advance(base, 8)) == 0xEEEEEEEE);
  CHECK(memory.peek_object<std::uint32_t>(advance(base, 12)) == 0xFF132030);
  CHECK(memory.peek_object<std::uint32_t>(advance(base, 24)) == 0xEEEEEEEE);
}

TEST_CASE("rows longer than the chunk are written whole", "[device]") {
  fake_memory memory;
  rgba8_image image;
  constexpr std::uint32_t width = 2500;
  REQUIRE(image.resize(width, 1, no_limit));
  for (std::uint32_t x = 0; x < width; ++x) store(image.pixels().data() + 4 * x, x);
  memory.map(base, width * 4);
  const guest_surface surface{width, 1, AEROGPU_FORMAT_R8G8B8A8_UNORM, width * 4, base};
  REQUIRE(write_surface(memory, surface, *find_display_format(3), no_limit, image));
  for (const std::uint32_t x : {0u, 1023u, 1024u, 2047u, 2048u, 2499u}) {
    CHECK(memory.peek_object<std::uint32_t>(advance(base, 4 * x)) == x);
  }
}

TEST_CASE("a write-back above the limit stores nothing, where the clipped size counts",
          "[device]") {
  fake_memory memory;
  memory.map(base, 256);
  rgba8_image image;
  REQUIRE(image.resize(8, 8, no_limit));
  const auto& format = *find_display_format(3);
  const guest_surface clipped{4, 2, AEROGPU_FORMAT_R8G8B8A8_UNORM, 32, base};
  CHECK(write_surface(memory, clipped, format, 4 * 8 - 1, image).why().code ==
        error_code::out_of_memory);
  CHECK(memory.writes(base, 256) == 0);
  CHECK(write_surface(memory, clipped, format, 4 * 8, image));
  CHECK(memory.writes(base, 256) == 4 * 8);
}

TEST_CASE("a write-back stops at the first row without memory", "[device]") {
  fake_memory memory;
  memory.map(base, 16);
  rgba8_image image;
  REQUIRE(image.resize(4, 2, no_limit));
  const guest_surface surface{4, 2, AEROGPU_FORMAT_R8G8B8A8_UNORM, 16, base};
  const auto why = write_surface(memory, surface, *find_display_format(3), no_limit, image).why();
  CHECK(why.code == error_code::guest_memory_fault);
  CHECK(why.detail == raw(base) + 16);
  CHECK(memory.writes(base, 16) == 16);
}

TEST_CASE("a write-back whose pitch does not cover the row is refused", "[device]") {
  fake_memory memory;
  rgba8_image image;
  REQUIRE(image.resize(1, 1, no_limit));
  const guest_surface surface{4, 4, AEROGPU_FORMAT_R8G8B8A8_UNORM, 15, base};
  CHECK(write_surface(memory, surface, *find_display_format(3), no_limit, image).why().code ==
        error_code::invalid_parameter);
}

}  // namespace
}  // namespace aerogpu
