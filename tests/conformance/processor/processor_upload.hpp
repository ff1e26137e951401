// SPDX-License-Identifier: MIT
/// \file CP-044..051: UPLOAD_RESOURCE.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <cstdint>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("CP-044 UPLOAD of nothing does not even look at the handle",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}.upload(99, 3, {}).upload(0, UINT64_MAX, {})) == error_code::none);
  CHECK(host.run(stream_builder{}.upload(99, 0, counting(4))) == error_code::unknown_handle);
  CHECK(host.run(stream_builder{}.upload(99, 3, counting(3))) == error_code::unknown_handle);
}

TEMPLATE_LIST_TEST_CASE("CP-045 UPLOAD to a buffer keeps to multiples of 4 inside it",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16).upload(1, 0, counting(16))) ==
          error_code::none);
  const auto [offset, size, expected] = GENERATE(table<std::uint64_t, std::size_t, error_code>({
      {2, 4, error_code::invalid_parameter},
      {0, 3, error_code::invalid_parameter},
      {12, 3, error_code::invalid_parameter},
      {12, 8, error_code::resource_out_of_bounds},
      {16, 4, error_code::resource_out_of_bounds},
      {20, 4, error_code::resource_out_of_bounds},
      {0xFFFFFFFFFFFFFFFC, 4, error_code::size_overflow},
      {0xFFFFFFFFFFFFFFF8, 4, error_code::resource_out_of_bounds},
      {0xFFFFFFFFFFFFFFFD, 7, error_code::size_overflow},  // Bounds come before multiples of 4.
      {13, 8, error_code::resource_out_of_bounds},
      {12, 7, error_code::resource_out_of_bounds},
  }));
  CHECK(host.run(stream_builder{}.upload(1, offset, filled(size, 0xEE))) == expected);
  CHECK(host.buffer(1, 16) == counting(16));
}

TEMPLATE_LIST_TEST_CASE("CP-045 UPLOAD to a texture stays inside it", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_texture(1, {})) == error_code::none);
  CHECK(host.run(stream_builder{}.upload(1, 1, counting(64))) ==
        error_code::resource_out_of_bounds);
  CHECK(host.run(stream_builder{}.upload(1, UINT64_MAX, counting(4))) == error_code::size_overflow);
  CHECK(host.texture(1, {}) == filled(64, 0));
}

TEMPLATE_LIST_TEST_CASE("CP-046 UPLOAD takes any byte range of a texture",
                        "[conformance][processor]", backends) {
  // 3x2: 24 bytes, then 1x1: 4; a layer is 28 bytes, two are 56.
  const texture_spec spec{.width = 3, .height = 2, .mips = 2, .layers = 2};
  const auto [what, offset, size] = GENERATE(table<const char*, std::size_t, std::size_t>({
      {"part of a row", 4, 4},
      {"part of a texel", 5, 2},
      {"across rows", 8, 8},
      {"across rows with a whole one between", 2, 21},
      {"across mips", 20, 8},
      {"across layers", 26, 4},
      {"one mip", 24, 4},
      {"from the middle to the end", 10, 46},
      {"everything", 0, 56},
  }));
  CAPTURE(what);
  processor_host<TestType> host;
  byte_vector expected = counting(56);
  overwrite(expected, offset, counting(size, 100));
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, spec)
                       .upload(1, 0, counting(56))
                       .upload(1, offset, counting(size, 100))) == error_code::none);
  for (const unsigned layer : {0u, 1u}) {
    CHECK(host.texture(1, spec, 0, layer) == part_of(expected, layer * 28, 24));
    CHECK(host.texture(1, spec, 1, layer) == part_of(expected, layer * 28 + 24, 4));
  }
}

TEMPLATE_LIST_TEST_CASE("CP-047 UPLOAD offsets run over the padding of mip 0, whose bytes are lost",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  // Two rows of 8 bytes in a pitch of 12, then 1x1 at 24.
  const texture_spec spec{.width = 2, .height = 2, .mips = 2, .pitch = 12};
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec).upload(1, 0, counting(28))) ==
          error_code::none);
  byte_vector expected = counting(8);
  const byte_vector second = counting(8, 13);
  expected.insert(expected.end(), second.begin(), second.end());
  CHECK(host.texture(1, spec, 0) == expected);
  CHECK(host.texture(1, spec, 1) == counting(4, 25));
  // Padding alone, and padding with the texel behind it.
  REQUIRE(host.run(stream_builder{}.upload(1, 8, filled(4, 0xEE)).upload(1, 10, filled(4, 0x77))) ==
          error_code::none);
  overwrite(expected, 8, filled(2, 0x77));
  CHECK(host.texture(1, spec, 0) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-048 UPLOAD to an X8 texture stores alpha 0xFF",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto format =
      GENERATE(AEROGPU_FORMAT_B8G8R8X8_UNORM, AEROGPU_FORMAT_R8G8B8X8_UNORM,
               AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB, AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB);
  const texture_spec spec{.format = format, .width = 2, .height = 1};
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec).upload(1, 0, counting(8))) ==
          error_code::none);
  CHECK(host.texture(1, spec) == bytes_from({1, 2, 3, 0xFF, 5, 6, 7, 0xFF}));
  REQUIRE(host.run(stream_builder{}.upload(1, 2, filled(4, 0x11))) == error_code::none);
  CHECK(host.texture(1, spec) == bytes_from({1, 2, 0x11, 0xFF, 0x11, 0x11, 7, 0xFF}));
}

TEMPLATE_LIST_TEST_CASE("CP-049 UPLOAD to 565 and 1555 keeps every bit", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  const auto format = GENERATE(AEROGPU_FORMAT_B5G6R5_UNORM, AEROGPU_FORMAT_B5G5R5A1_UNORM);
  const texture_spec spec{.format = format, .width = 16, .height = 16};
  // Every byte value in both bytes: all 5-bit channels, both alphas.
  byte_vector texels;
  for (unsigned i = 0; i < 256; ++i) {
    texels.push_back(static_cast<std::byte>(i));
    texels.push_back(static_cast<std::byte>(255 - i * 7));
  }
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec).upload(1, 0, texels)) ==
          error_code::none);
  CHECK(host.texture(1, spec) == texels);
}

TEMPLATE_LIST_TEST_CASE("CP-050 UPLOAD to a backed resource leaves guest memory alone",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 96);
  host.poke(gpa{0x10000}, counting(96));
  const texture_spec spec{.pitch = 16, .memory = {1, 32}};
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 32, {1, 0})
                       .create_texture(2, spec)
                       .upload(1, 8, filled(8, 0xEE))
                       .upload(2, 16, filled(16, 0xDD))) == error_code::none);
  // The part that was not uploaded is what guest memory held.
  byte_vector buffer = counting(32), texture = counting(64, 33);
  overwrite(buffer, 8, filled(8, 0xEE));
  overwrite(texture, 16, filled(16, 0xDD));
  CHECK(host.buffer(1, 32) == buffer);
  CHECK(host.texture(2, spec) == texture);
  if (host.rig().memory().mood() == memory_mood::calm) {
    CHECK(host.peek(gpa{0x10000}, 96) == counting(96));
  }
  CHECK(host.rig().memory().writes(gpa{0x10000}, 96) == 0);
}

TEMPLATE_LIST_TEST_CASE("CP-050 UPLOAD of everything supersedes what was dirty",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  // 4x4, then 2x2: 64 + 16 bytes in each of two layers.
  const texture_spec spec{.mips = 2, .layers = 2, .pitch = 16, .memory = {1, 32}};
  host.give(1, gpa{0x10000}, 192);
  host.poke(gpa{0x10000}, counting(192));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 32, {1, 0}).create_texture(2, spec)) ==
          error_code::none);
  REQUIRE(host.run_without_table(
              stream_builder{}.upload(1, 0, filled(32, 0xEE)).upload(2, 0, filled(160, 0xDD))) ==
          error_code::none);
  CHECK(host.buffer(1, 32) == filled(32, 0xEE));
  for (const std::uint32_t layer : {0u, 1u}) {
    CHECK(host.texture(2, spec, 0, layer) == filled(64, 0xDD));
    CHECK(host.texture(2, spec, 1, layer) == filled(16, 0xDD));
  }
}

TEMPLATE_LIST_TEST_CASE(
    "CP-050 UPLOAD that cuts its first or last dirty subresource reads it first",
    "[conformance][processor]", backends) {
  // 4x4, then 2x2 behind it.
  const auto [offset, size] = GENERATE(table<std::size_t, std::size_t>({{0, 72}, {16, 64}}));
  const texture_spec spec{.mips = 2, .pitch = 16, .memory = {1, 0}};
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 80);
  host.poke(gpa{0x10000}, counting(80));
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec)) == error_code::none);
  const auto upload = stream_builder{}.upload(1, offset, filled(size, 0xEE));
  CHECK(host.run_without_table(upload) == error_code::missing_alloc_table);
  REQUIRE(host.run(upload) == error_code::none);
  byte_vector expected = counting(80);
  overwrite(expected, offset, filled(size, 0xEE));
  CHECK(host.texture(1, spec, 0) == part_of(expected, 0, 64));
  CHECK(host.texture(1, spec, 1) == part_of(expected, 64, 16));
}

TEMPLATE_LIST_TEST_CASE("CP-051 UPLOAD to a block-compressed texture cuts no block",
                        "[conformance][processor]", backends) {
  // Two rows of two blocks of 8 bytes.
  const texture_spec spec{.format = AEROGPU_FORMAT_BC1_RGBA_UNORM, .width = 8, .height = 8};
  const auto [offset, size, expected] = GENERATE(table<std::uint64_t, std::size_t, error_code>({
      {4, 8, error_code::invalid_parameter},
      {0, 4, error_code::invalid_parameter},
      {8, 12, error_code::invalid_parameter},
      {1, 7, error_code::invalid_parameter},
      {28, 8, error_code::resource_out_of_bounds},  // Bounds come before blocks.
      {0xFFFFFFFFFFFFFFFF, 8, error_code::size_overflow},
      {0, 8, error_code::none},
      {8, 16, error_code::none},
      {24, 8, error_code::none},
      {0, 32, error_code::none},
  }));
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_texture(1, spec).upload(1, 0, counting(32))) ==
          error_code::none);
  CHECK(host.run(stream_builder{}.upload(1, offset, filled(size, 0xEE))) == expected);
  byte_vector content = counting(32);
  if (expected == error_code::none) {
    overwrite(content, static_cast<std::size_t>(offset), filled(size, 0xEE));
  }
  CHECK(host.texture(1, spec) == content);
}

}  // namespace aerogpu::conformance
