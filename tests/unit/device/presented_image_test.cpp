// SPDX-License-Identifier: MIT
#include "aerogpu/device/presented_image.hpp"

#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/failing_backend.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/stream_builder.hpp"

#include <cstdint>

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

}  // namespace aerogpu
