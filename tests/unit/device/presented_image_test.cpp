// SPDX-License-Identifier: MIT
#include "aerogpu/device/presented_image.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/processors/failing_processor.hpp"
#include "tests/support/processors/null_processor.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>
#include <utility>

namespace aerogpu {
namespace {

using namespace test;

/// A processor that shows a texture of 4 x 4.
struct presenting_processor {
  explicit presenting_processor(std::uint32_t format) {
    const byte_vector texels = counting(find_format(format)->bytes_per_block * 16);
    stream_builder stream;
    stream.create_texture(1, {.format = format, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET})
        .upload(1, 0, texels)
        .targets({1})
        .present();
    fake_memory memory;
    const auto report = processor.execute({{}, {}, stream.bytes(), nullptr}, memory);
    REQUIRE(report.why.code == error_code::none);
  }
  ~presenting_processor() { processor.reset(); }

  null_backend inner;
  failing_backend<null_backend> backend{inner};
  command_processor<failing_backend<null_backend>> processor{backend};
};

}  // namespace

TEST_CASE("a presented texture is read as RGBA8", "[device][presented_image]") {
  presenting_processor p{AEROGPU_FORMAT_B8G8R8X8_UNORM};
  REQUIRE(has_presented_image(p.processor));
  rgba8_image image;
  REQUIRE(read_presented_image(p.processor, 64, image));
  CHECK(image.width() == 4);
  CHECK(image.height() == 4);
  const byte_vector texels = counting(64);
  for (std::size_t i = 0; i < 64; i += 4) {
    CHECK(image.pixels()[i] == texels[i + 2]);
    CHECK(image.pixels()[i + 1] == texels[i + 1]);
    CHECK(image.pixels()[i + 2] == texels[i]);
    CHECK(image.pixels()[i + 3] == std::byte{0xFF});
  }
}

TEST_CASE("a presented image above the limit, or that cannot be read, leaves none",
          "[device][presented_image]") {
  presenting_processor p{AEROGPU_FORMAT_B8G8R8A8_UNORM};
  rgba8_image image;
  CHECK(read_presented_image(p.processor, 63, image).why().code == error_code::out_of_memory);
  CHECK(image.empty());
  REQUIRE(read_presented_image(p.processor, 64, image));
  p.backend.plan({.at_call = 1, .code = error_code::internal});
  CHECK(read_presented_image(p.processor, 64, image).why().code == error_code::internal);
  CHECK(image.empty());
}

TEST_CASE("without a present, and with a format that no display has, there is no image",
          "[device][presented_image]") {
  null_backend backend;
  command_processor<null_backend> idle{backend};
  CHECK_FALSE(has_presented_image(idle));
  presenting_processor p{AEROGPU_FORMAT_D32_FLOAT};
  CHECK_FALSE(has_presented_image(p.processor));
}

TEST_CASE("an image has the size that it was given, in rows of four bytes a pixel",
          "[device][presented_image]") {
  rgba8_image image;
  CHECK(image.empty());
  CHECK(image.pixels().empty());
  REQUIRE(image.resize(3, 2, 24));
  CHECK_FALSE(image.empty());
  CHECK(image.width() == 3);
  CHECK(image.height() == 2);
  CHECK(image.row_size_bytes() == 12);
  CHECK(image.pixels().size() == 24);
  CHECK(image.row(1).data() == image.pixels().data() + 12);
  CHECK(image.row(1).size() == 12);
  CHECK(std::as_const(image).row(1).data() == image.row(1).data());
  CHECK(std::as_const(image).pixels().size() == 24);
  image.clear();
  CHECK(image.empty());
  CHECK(image.width() == 0);
  CHECK(image.height() == 0);
  REQUIRE(image.resize(0, 5, 24));
  CHECK(image.empty());
  REQUIRE(image.resize(5, 0, 24));
  CHECK(image.empty());
}

TEST_CASE("an image beyond the limit keeps its size, and a smaller one its memory",
          "[device][presented_image]") {
  rgba8_image image;
  REQUIRE(image.resize(3, 2, 24));
  const std::byte* const pixels = image.pixels().data();
  const auto refused = image.resize(7, 1, 27);
  REQUIRE_FALSE(refused);
  CHECK(refused.why().code == error_code::out_of_memory);
  CHECK(refused.why().detail == 7);
  CHECK(refused.why().limit == 6);
  CHECK(image.width() == 3);
  REQUIRE(image.resize(1, 6, 27));
  CHECK(image.pixels().data() == pixels);
  CHECK(image.height() == 6);
  CHECK_FALSE(image.resize(1u << 30, 1u << 30, UINT64_MAX));  // No heap has it.
  CHECK(image.empty());
  REQUIRE(image.resize(1, 1, 4));
  CHECK(image.pixels().size() == 4);
}

}  // namespace aerogpu
