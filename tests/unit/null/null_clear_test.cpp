// SPDX-License-Identifier: MIT
// Tests of null/null_clear.hpp.
#include "null/null_clear.hpp"

#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>

using namespace aerogpu;
using test::byte_vector;

namespace {

auto make(aerogpu_format format, std::uint32_t width = 2, std::uint32_t height = 2,
          std::uint32_t mips = 1) -> null_texture {
  auto made = null_texture::create({{}, 0, format, width, height, mips, 1});
  REQUIRE(made);
  return *std::move(made);
}

auto target(null_texture& texture, std::uint32_t mip = 0) -> target_ref<null_backend> {
  return {&texture,
          nullptr,
          texture.desc().format,
          {mip, 0},
          texture.layout().width_of(mip),
          texture.layout().height_of(mip)};
}

auto content(const null_texture& texture, std::uint32_t mip = 0) -> byte_vector {
  byte_vector bytes(texture.size_of({mip, 0}));
  REQUIRE(texture.save({mip, 0}, bytes));
  return bytes;
}

constexpr std::uint32_t all_flags =
    AEROGPU_CLEAR_COLOR | AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL;

struct clear_of {
  target_set<null_backend> targets;
  bool has_scissor = false;
  scissor_state scissor{};
  std::uint32_t flags = all_flags;
  vec4f color{1, 0, 0, 0};
  bool srgb_write = false;
  float depth = 0.5f;
  std::uint8_t stencil = 0x5A;

  void run() const {
    detail::clear_targets<null_backend>(
        {targets, has_scissor, scissor, flags, color, srgb_write, depth, stencil});
  }
};

}  // namespace

TEST_CASE("a clear stores exact texels in every colour format", "[null]") {
  const auto [format, texel] = GENERATE(table<aerogpu_format, byte_vector>({
      {AEROGPU_FORMAT_B8G8R8A8_UNORM, test::bytes_from({0, 0, 0xFF, 0})},
      {AEROGPU_FORMAT_B8G8R8X8_UNORM, test::bytes_from({0, 0, 0xFF, 0xFF})},
      {AEROGPU_FORMAT_R8G8B8A8_UNORM, test::bytes_from({0xFF, 0, 0, 0})},
      {AEROGPU_FORMAT_R8G8B8X8_UNORM, test::bytes_from({0xFF, 0, 0, 0xFF})},
      {AEROGPU_FORMAT_B5G6R5_UNORM, test::bytes_from({0, 0xF8})},
      {AEROGPU_FORMAT_B5G5R5A1_UNORM, test::bytes_from({0, 0x7C})},
      {AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, test::bytes_from({0, 0, 0xFF, 0})},
      {AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB, test::bytes_from({0xFF, 0, 0, 0xFF})},
  }));
  auto texture = make(format);
  clear_of clear;
  clear.targets.colors[0] = target(texture);
  clear.targets.color_count = 1;
  clear.run();
  byte_vector expected;
  for (int i = 0; i < 4; ++i) expected.insert(expected.end(), texel.begin(), texel.end());
  CHECK(content(texture) == expected);
}

TEST_CASE("a clear reaches every target over gaps, each in its own format", "[null]") {
  auto first = make(AEROGPU_FORMAT_B8G8R8A8_UNORM, 1, 1);
  auto third = make(AEROGPU_FORMAT_B5G6R5_UNORM, 1, 1);
  clear_of clear;
  clear.targets.colors[0] = target(first);
  clear.targets.colors[2] = target(third);
  clear.targets.color_count = 3;
  clear.run();
  CHECK(content(first) == test::bytes_from({0, 0, 0xFF, 0}));
  CHECK(content(third) == test::bytes_from({0, 0xF8}));
}

TEST_CASE("a scissored clear stays inside the rectangle of each target", "[null]") {
  auto wide = make(AEROGPU_FORMAT_B5G6R5_UNORM, 4, 1);
  auto small = make(AEROGPU_FORMAT_B5G6R5_UNORM, 1, 1);
  clear_of clear;
  clear.targets.colors[0] = target(wide);
  clear.targets.colors[1] = target(small);
  clear.targets.color_count = 2;
  clear.has_scissor = true;
  clear.scissor = {true, 1, -1, 2, 2};
  clear.run();
  CHECK(content(wide) == test::bytes_from({0, 0, 0, 0xF8, 0, 0xF8, 0, 0}));
  CHECK(content(small) == test::bytes_from({0, 0}));
}

TEST_CASE("a clear reaches one mip level only", "[null]") {
  auto texture = make(AEROGPU_FORMAT_B5G6R5_UNORM, 2, 2, 2);
  clear_of clear;
  clear.targets.colors[0] = target(texture, 1);
  clear.targets.color_count = 1;
  clear.run();
  CHECK(content(texture, 0) == test::filled(8, 0));
  CHECK(content(texture, 1) == test::bytes_from({0, 0xF8}));
}

TEST_CASE("depth and stencil of D24S8 are cleared apart", "[null]") {
  const auto [flags, expected] = GENERATE(table<std::uint32_t, byte_vector>({
      {AEROGPU_CLEAR_DEPTH, test::bytes_from({0x00, 0x00, 0x80, 4})},
      {AEROGPU_CLEAR_STENCIL, test::bytes_from({1, 2, 3, 0x5A})},
      {AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL, test::bytes_from({0x00, 0x00, 0x80, 0x5A})},
      {AEROGPU_CLEAR_COLOR, test::bytes_from({1, 2, 3, 4})},
  }));
  auto texture = make(AEROGPU_FORMAT_D24_UNORM_S8_UINT, 1, 1);
  REQUIRE(texture.load({0, 0}, test::counting(4)));
  clear_of clear;
  clear.targets.depth_stencil = target(texture);
  clear.flags = flags;
  clear.run();
  CHECK(content(texture) == expected);
}

TEST_CASE("D32_FLOAT holds the cleared float and ignores stencil", "[null]") {
  auto texture = make(AEROGPU_FORMAT_D32_FLOAT, 1, 1);
  clear_of clear;
  clear.targets.depth_stencil = target(texture);
  clear.flags = AEROGPU_CLEAR_STENCIL;
  clear.run();
  CHECK(content(texture) == test::filled(4, 0));
  clear.flags = AEROGPU_CLEAR_DEPTH;
  clear.run();
  CHECK(load<float>(content(texture).data()) == 0.5f);
}

TEST_CASE("a clear through a view stores in the view's format", "[null]") {
  auto texture = make(AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
  clear_of clear;
  clear.targets.colors[0] = target(texture);
  clear.targets.colors[0].format = AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB;
  clear.targets.color_count = 1;
  clear.color = {0.5f, 0, 0, 0};
  clear.run();
  CHECK(content(texture) == test::bytes_from({188, 0, 0, 0xFF}));
}
