// SPDX-License-Identifier: MIT
/// \file CP-060..067: COPY_TEXTURE2D.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <cstdint>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("CP-060 COPY_TEXTURE2D of zero width or height does nothing",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}
                     .copy_texture({98}, {99}, 0, 4)
                     .copy_texture({98}, {99}, 4, 0, 0xFFFFFFFF)
                     .copy_texture({0}, {0}, 0, 0)) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-061 COPY_TEXTURE2D wants one format on both sides",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto [from, to] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {AEROGPU_FORMAT_B8G8R8A8_UNORM, AEROGPU_FORMAT_R8G8B8A8_UNORM},
      {AEROGPU_FORMAT_B8G8R8A8_UNORM, AEROGPU_FORMAT_B8G8R8X8_UNORM},
      {AEROGPU_FORMAT_B8G8R8A8_UNORM, AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB},
      {AEROGPU_FORMAT_BC1_RGBA_UNORM_SRGB, AEROGPU_FORMAT_BC1_RGBA_UNORM},
      {AEROGPU_FORMAT_B5G6R5_UNORM, AEROGPU_FORMAT_B5G5R5A1_UNORM},
  }));
  REQUIRE(
      host.run(
          stream_builder{}.create_texture(1, {.format = from}).create_texture(2, {.format = to})) ==
      error_code::none);
  CHECK(host.run(stream_builder{}.copy_texture({2}, {1}, 4, 4)) == error_code::invalid_parameter);
  CHECK(host.run(stream_builder{}.copy_texture({1}, {2}, 4, 4)) == error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE("CP-062 COPY_TEXTURE2D checks handles, subresources and rectangles",
                        "[conformance][processor]", backends) {
  struct row {
    copy_side to, from;
    std::uint32_t width, height, flags;
    error_code expected;
  };
  constexpr std::uint32_t write_back = AEROGPU_COPY_FLAG_WRITEBACK_DST;
  // Textures 1 and 2: 8x4, two mips, two layers. 3 is a buffer, 4 a texture of another format.
  const auto c = GENERATE(values<row>({
      {{2}, {1}, 8, 4, 2, error_code::invalid_parameter},
      {{99}, {1}, 8, 4, 0, error_code::unknown_handle},
      {{2}, {99}, 8, 4, 0, error_code::unknown_handle},
      {{3}, {1}, 8, 4, 0, error_code::wrong_kind},
      {{2}, {3}, 8, 4, 0, error_code::wrong_kind},
      {{2, 2}, {1}, 1, 1, 0, error_code::invalid_parameter},
      {{2}, {1, 2}, 1, 1, 0, error_code::invalid_parameter},
      {{2, 0xFFFFFFFF}, {1}, 1, 1, 0, error_code::invalid_parameter},
      {{2, 0, 2}, {1}, 1, 1, 0, error_code::invalid_parameter},
      {{2}, {1, 0, 2}, 1, 1, 0, error_code::invalid_parameter},
      {{2}, {1, 0, 0xFFFFFFFF}, 1, 1, 0, error_code::invalid_parameter},
      {{2}, {1}, 9, 4, 0, error_code::resource_out_of_bounds},
      {{2}, {1}, 8, 5, 0, error_code::resource_out_of_bounds},
      {{2, 0, 0, 1, 0}, {1}, 8, 4, 0, error_code::resource_out_of_bounds},
      {{2}, {1, 0, 0, 0, 1}, 8, 4, 0, error_code::resource_out_of_bounds},
      {{2, 1}, {1}, 5, 2, 0, error_code::resource_out_of_bounds},
      {{2}, {1, 1}, 4, 3, 0, error_code::resource_out_of_bounds},
      {{2}, {1, 0, 0, 0xFFFFFFFF, 0}, 2, 1, 0, error_code::resource_out_of_bounds},
      {{2, 0, 0, 0, 0xFFFFFFFE}, {1}, 1, 4, 0, error_code::resource_out_of_bounds},
      {{2}, {1}, 0xFFFFFFFF, 0xFFFFFFFF, 0, error_code::resource_out_of_bounds},
      // Of two faults it is the first one in the order of the checks.
      {{99}, {1}, 8, 4, 2, error_code::invalid_parameter},
      {{99}, {1}, 9, 4, write_back, error_code::unknown_handle},
      {{3}, {1, 2}, 8, 4, 0, error_code::wrong_kind},
      {{4}, {1}, 9, 4, 0, error_code::invalid_parameter},
      {{2, 2}, {1}, 9, 4, 0, error_code::invalid_parameter},
      {{1}, {1}, 9, 4, 0, error_code::resource_out_of_bounds},
      {{2}, {1}, 9, 4, write_back, error_code::resource_out_of_bounds},
      {{1}, {1}, 8, 4, write_back, error_code::invalid_parameter},
      {{2, 1, 1, 0, 0}, {1, 1, 1, 0, 0}, 4, 2, 0, error_code::none},
      {{2, 0, 1, 7, 3}, {1, 1, 0, 3, 1}, 1, 1, 0, error_code::none},
  }));
  processor_host<TestType> host;
  const texture_spec spec{.width = 8, .height = 4, .mips = 2, .layers = 2};
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, spec)
                       .create_texture(2, spec)
                       .create_buffer(3, 16)
                       .create_texture(4, {.format = AEROGPU_FORMAT_B8G8R8X8_UNORM,
                                           .width = 8,
                                           .height = 4})) == error_code::none);
  CHECK(host.run(stream_builder{}.copy_texture(c.to, c.from, c.width, c.height, c.flags)) ==
        c.expected);
}

TEMPLATE_LIST_TEST_CASE("CP-063 COPY_TEXTURE2D moves a rectangle between mips and between layers",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  // 4x4 and 2x2: 64 + 16 bytes in each of two layers.
  const texture_spec spec{.mips = 2, .layers = 2};
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, spec)
                       .upload(1, 0, counting(160))
                       .create_texture(2, spec)
                       .copy_texture({2, 0, 1, 1, 2}, {1, 1, 0, 0, 0}, 2, 2)
                       .copy_texture({2, 1, 0, 1, 0}, {1, 0, 1, 3, 2}, 1, 2)) == error_code::none);
  byte_vector mip0 = filled(64, 0), mip1 = filled(16, 0);
  overwrite(mip0, 2 * 16 + 4, counting(8, 1 + 64));
  overwrite(mip0, 3 * 16 + 4, counting(8, 1 + 72));
  overwrite(mip1, 4, counting(4, 1 + 80 + 2 * 16 + 12));
  overwrite(mip1, 12, counting(4, 1 + 80 + 3 * 16 + 12));
  CHECK(host.texture(2, spec, 0, 1) == mip0);
  CHECK(host.texture(2, spec, 1, 0) == mip1);
  CHECK(host.texture(2, spec, 0, 0) == filled(64, 0));
  CHECK(host.texture(2, spec, 1, 1) == filled(16, 0));
}

TEMPLATE_LIST_TEST_CASE("CP-064 COPY_TEXTURE2D inside one texture needs two subresources",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const texture_spec spec{.mips = 2, .layers = 2};
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec).upload(1, 0, counting(64))) ==
          error_code::none);
  // Disjoint rectangles of one subresource, too.
  CHECK(host.run(stream_builder{}.copy_texture({1, 0, 0, 2, 2}, {1}, 2, 2)) ==
        error_code::invalid_parameter);
  CHECK(host.run(stream_builder{}.copy_texture({1, 1, 1}, {1, 1, 1}, 2, 2)) ==
        error_code::invalid_parameter);
  CHECK(host.run(stream_builder{}.copy_texture({1, 0, 1}, {1}, 4, 4)) == error_code::none);
  CHECK(host.run(stream_builder{}.copy_texture({1, 1, 0}, {1}, 2, 2)) == error_code::none);
  CHECK(host.texture(1, spec, 0, 1) == counting(64));
  byte_vector corner = counting(8);
  const byte_vector second = counting(8, 17);
  corner.insert(corner.end(), second.begin(), second.end());
  CHECK(host.texture(1, spec, 1, 0) == corner);
}

TEMPLATE_LIST_TEST_CASE("CP-064 an alias is the same texture", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_texture(1, {}).export_surface(1, 7).import_surface(
              2, 7)) == error_code::none);
  CHECK(host.run(stream_builder{}.copy_texture({2, 0, 0, 2, 2}, {1}, 2, 2)) ==
        error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE("CP-065 COPY_TEXTURE2D cuts blocks only where both textures end",
                        "[conformance][processor]", backends) {
  struct row {
    copy_side to, from;
    std::uint32_t width, height;
    error_code expected;
  };
  // Texture 1 is 10x10, texture 2 is 12x12: three blocks each way.
  const auto c = GENERATE(values<row>({
      {{1, 0, 0, 1, 0}, {2}, 4, 4, error_code::invalid_parameter},
      {{1, 0, 0, 0, 2}, {2}, 4, 4, error_code::invalid_parameter},
      {{1}, {2, 0, 0, 3, 0}, 4, 4, error_code::invalid_parameter},
      {{1}, {2, 0, 0, 0, 1}, 4, 4, error_code::invalid_parameter},
      {{1}, {2}, 6, 4, error_code::invalid_parameter},
      {{1}, {2}, 4, 5, error_code::invalid_parameter},
      {{1, 0, 0, 1, 0}, {2}, 10, 4, error_code::resource_out_of_bounds},  // Checked before blocks.
      {{1}, {2}, 8, 8, error_code::none},
      {{1, 0, 0, 8, 0}, {1, 0, 1, 8, 0}, 2, 4, error_code::none},
      {{1, 0, 0, 0, 8}, {1, 0, 1, 0, 8}, 10, 2, error_code::none},
      {{1, 0, 0, 0, 0}, {1, 0, 1, 0, 0}, 10, 10, error_code::none},
      {{1, 0, 0, 8, 0}, {2, 0, 0, 8, 0}, 2, 4, error_code::invalid_parameter},
      {{2, 0, 0, 8, 0}, {1, 0, 0, 8, 0}, 2, 4, error_code::invalid_parameter},
      {{2, 0, 0, 0, 8}, {1, 0, 0, 0, 8}, 4, 2, error_code::invalid_parameter},
  }));
  const auto format = GENERATE(AEROGPU_FORMAT_BC1_RGBA_UNORM, AEROGPU_FORMAT_BC7_RGBA_UNORM);
  processor_host<TestType> host;
  REQUIRE(
      host.run(stream_builder{}
                   .create_texture(1, {.format = format, .width = 10, .height = 10, .layers = 2})
                   .create_texture(2, {.format = format, .width = 12, .height = 12})) ==
      error_code::none);
  CHECK(host.run(stream_builder{}.copy_texture(c.to, c.from, c.width, c.height)) == c.expected);
}

TEMPLATE_LIST_TEST_CASE("CP-065 COPY_TEXTURE2D moves whole blocks, down to a mip of one texel",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  // 8x8: four blocks of 8, then one block for each of 4x4, 2x2 and 1x1.
  const texture_spec spec{
      .format = AEROGPU_FORMAT_BC1_RGBA_UNORM, .width = 8, .height = 8, .mips = 4};
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, spec)
                       .upload(1, 0, counting(56))
                       .create_texture(2, spec)
                       .copy_texture({2, 0, 0, 4, 4}, {1, 0, 0, 0, 4}, 4, 4)
                       .copy_texture({2, 2}, {1, 2}, 2, 2)
                       .copy_texture({2, 3}, {1, 3}, 1, 1)) == error_code::none);
  byte_vector mip0 = filled(32, 0);
  overwrite(mip0, 24, counting(8, 17));
  CHECK(host.texture(2, spec, 0) == mip0);
  CHECK(host.texture(2, spec, 1) == filled(8, 0));
  CHECK(host.texture(2, spec, 2) == counting(8, 41));
  CHECK(host.texture(2, spec, 3) == counting(8, 49));
}

TEMPLATE_LIST_TEST_CASE("CP-066 a texture write-back stores the rows of the rectangle and no more",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  // 4x4 in rows of 20, then 2x2 in rows of 8: 96 bytes in each of two layers, from offset 32 on.
  const texture_spec spec{.mips = 2, .layers = 2, .pitch = 20, .memory = {1, 32}};
  host.give(1, gpa{0x10000}, 224);
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, {.mips = 2, .layers = 2})
                       .upload(1, 0, counting(160))
                       .create_texture(2, spec)) == error_code::none);
  byte_vector expected = filled(224, 0xEE);
  const auto [to, at, rows, pitch] =
      GENERATE(table<copy_side, std::size_t, std::size_t, std::size_t>({
          {{2, 0, 0, 1, 1}, 32 + 20 + 4, 2, 20},
          {{2, 0, 1, 2, 2}, 32 + 96 + 40 + 8, 2, 20},
          {{2, 1, 0, 0, 0}, 32 + 80, 2, 8},
          {{2, 1, 1, 0, 0}, 32 + 96 + 80, 2, 8},
      }));
  REQUIRE(host.run(stream_builder{}.copy_texture({2}, {1}, 4, 4)) == error_code::none);
  host.poke(gpa{0x10000}, expected);
  REQUIRE(host.run(stream_builder{}.copy_texture(
              to, {1, 0, 0, 1, 1}, 2, 2, AEROGPU_COPY_FLAG_WRITEBACK_DST)) == error_code::none);
  host.finish();
  CHECK(host.rig().memory().writes(gpa{0x10000}, 224) == 16);
  for (std::size_t row = 0; row < rows; ++row) {
    overwrite(expected, at + row * pitch,
              counting(8, static_cast<unsigned>(1 + (row + 1) * 16 + 4)));
  }
  if (host.rig().memory().mood() == memory_mood::calm) {
    CHECK(host.peek(gpa{0x10000}, 224) == expected);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    CHECK(host.peek(advance(gpa{0x10000}, at + row * pitch), 8) ==
          part_of(expected, at + row * pitch, 8));
  }
}

TEMPLATE_LIST_TEST_CASE("CP-066 a block-compressed write-back stores rows of blocks",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const texture_spec spec{.format = AEROGPU_FORMAT_BC2_RGBA_UNORM,
                          .width = 8,
                          .height = 8,
                          .pitch = 48,
                          .memory = {1, 0}};
  host.give(1, gpa{0x10000}, 96);
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, {.format = spec.format, .width = 8, .height = 8})
                       .upload(1, 0, counting(64))
                       .create_texture(2, spec)
                       .copy_texture({2}, {1}, 8, 8)) == error_code::none);
  host.poke(gpa{0x10000}, filled(96, 0xEE));
  REQUIRE(host.run(stream_builder{}.copy_texture({2, 0, 0, 4, 0}, {1, 0, 0, 0, 0}, 4, 8,
                                                 AEROGPU_COPY_FLAG_WRITEBACK_DST)) ==
          error_code::none);
  byte_vector expected = filled(96, 0xEE);
  overwrite(expected, 16, counting(16, 1));
  overwrite(expected, 64, counting(16, 33));
  CHECK(host.peek(gpa{0x10000}, 96) == expected);
}

TEMPLATE_LIST_TEST_CASE(
    "CP-067 a write-back of X8 stores alpha 0xFF, and of 16-bit texels all bits",
    "[conformance][processor]", backends) {
  const auto [format, texels, expected] = GENERATE(table<std::uint32_t, byte_vector, byte_vector>({
      {AEROGPU_FORMAT_B8G8R8X8_UNORM, counting(8), bytes_from({1, 2, 3, 0xFF, 5, 6, 7, 0xFF})},
      {AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB, filled(8, 0),
       bytes_from({0, 0, 0, 0xFF, 0, 0, 0, 0xFF})},
      {AEROGPU_FORMAT_B5G6R5_UNORM, bytes_from({0x1F, 0xF8, 0xE0, 0x07}),
       bytes_from({0x1F, 0xF8, 0xE0, 0x07})},
      {AEROGPU_FORMAT_B5G5R5A1_UNORM, bytes_from({0x1F, 0x80, 0xFF, 0x7F}),
       bytes_from({0x1F, 0x80, 0xFF, 0x7F})},
      {AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, counting(8), counting(8)},
  }));
  processor_host<TestType> host;
  const auto pitch = static_cast<std::uint32_t>(texels.size());
  const texture_spec spec{
      .format = format, .width = 2, .height = 1, .pitch = pitch, .memory = {1, 0}};
  host.give(1, gpa{0x10000}, texels.size());
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, {.format = format, .width = 2, .height = 1})
                       .upload(1, 0, texels)
                       .create_texture(2, spec)
                       .copy_texture({2}, {1}, 2, 1, AEROGPU_COPY_FLAG_WRITEBACK_DST)) ==
          error_code::none);
  CHECK(host.peek(gpa{0x10000}, texels.size()) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-067 a write-back of a depth format is Unsupported",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto format = GENERATE(AEROGPU_FORMAT_D24_UNORM_S8_UINT, AEROGPU_FORMAT_D32_FLOAT);
  host.give(1, gpa{0x10000}, 64);
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, {.format = format})
                       .create_texture(2, {.format = format, .pitch = 16, .memory = {1, 0}})) ==
          error_code::none);
  CHECK(host.run(stream_builder{}.copy_texture({2}, {1}, 4, 4, AEROGPU_COPY_FLAG_WRITEBACK_DST)) ==
        error_code::unsupported);
  CHECK(host.run(stream_builder{}.copy_texture({2}, {1}, 4, 4)) == error_code::none);
  // Depth is copied by whole subresources.
  CHECK(host.run(stream_builder{}.copy_texture({2}, {1}, 2, 4)) == error_code::invalid_parameter);
}

}  // namespace aerogpu::conformance
