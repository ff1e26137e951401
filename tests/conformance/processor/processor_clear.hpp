// SPDX-License-Identifier: MIT
/// \file CP-121: CLEAR, where a backend says that it clears (host.md 2.13, 3.14).
#pragma once

#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace aerogpu::conformance {

namespace clear_case {

inline constexpr std::uint32_t format = AEROGPU_FORMAT_R8G8B8A8_UNORM;
inline constexpr texture_spec target{
    .format = format, .width = 4, .height = 4, .usage = AEROGPU_RESOURCE_USAGE_RENDER_TARGET};
inline constexpr std::array<float, 4> colour{1, 0.6f, 0, 1};

/// Texels of the target, of which those of the rectangle are `inside`, and all others zero.
[[nodiscard]] inline auto texels(std::initializer_list<unsigned> inside, std::uint32_t left = 0,
                                 std::uint32_t top = 0, std::uint32_t right = 4,
                                 std::uint32_t bottom = 4) -> byte_vector {
  const byte_vector texel = bytes_from(inside);
  byte_vector all(64);
  for (std::uint32_t y = top; y < bottom; ++y) {
    for (std::uint32_t x = left; x < right; ++x)
      copy_bytes(std::span{all}.subspan(16 * y + 4 * x, 4), texel);
  }
  return all;
}

}  // namespace clear_case

TEMPLATE_LIST_TEST_CASE("CP-121 CLEAR fills every colour target", "[conformance][processor]",
                        backends) {
  using namespace clear_case;
  if constexpr (!clears<TestType>()) return;
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, target)
                       .create_texture(2, target)
                       .create_texture(3, target)
                       .targets({1, 0, 2})
                       .clear(AEROGPU_CLEAR_COLOR, colour)) == error_code::none);
  CHECK(host.texture(1, target) == texels({0xFF, 0x99, 0, 0xFF}));
  CHECK(host.texture(2, target) == texels({0xFF, 0x99, 0, 0xFF}));
  CHECK(host.texture(3, target) == filled(64, 0));
}

TEMPLATE_LIST_TEST_CASE("CP-121 CLEAR obeys the scissor of render state 174 alone",
                        "[conformance][processor]", backends) {
  using namespace clear_case;
  if constexpr (!clears<TestType>()) return;
  processor_host<TestType> host;
  const bool is_on = GENERATE(true, false);
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, target)
                       .targets({1})
                       .scissor(1, 2, 2, 9)
                       .render_state(d3drs_scissortestenable, is_on ? 1 : 0)
                       .clear(AEROGPU_CLEAR_COLOR, colour)) == error_code::none);
  CHECK(host.texture(1, target) ==
        (is_on ? texels({0xFF, 0x99, 0, 0xFF}, 1, 2, 3, 4) : texels({0xFF, 0x99, 0, 0xFF})));
}

TEMPLATE_LIST_TEST_CASE("CP-121 CLEAR encodes its colour for SRGBWRITEENABLE and sRGB targets",
                        "[conformance][processor]", backends) {
  using namespace clear_case;
  if constexpr (!clears<TestType>()) return;
  processor_host<TestType> host;
  auto srgb = target;
  srgb.format = AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB;
  REQUIRE(host.run(stream_builder{}
                       .create_texture(1, target)
                       .create_texture(2, srgb)
                       .targets({2})
                       .clear(AEROGPU_CLEAR_COLOR, colour)
                       .targets({1})
                       .render_state(d3drs_srgbwriteenable, 1)
                       .clear(AEROGPU_CLEAR_COLOR, colour)) == error_code::none);
  CHECK(host.texture(1, target) == texels({0xFF, 0xCB, 0, 0xFF}));
  CHECK(host.texture(2, srgb) == texels({0xFF, 0xCB, 0, 0xFF}));
}

}  // namespace aerogpu::conformance
