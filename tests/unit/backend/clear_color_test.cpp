// SPDX-License-Identifier: MIT
#include "aerogpu/backend/clear_color.hpp"

#include "tests/catch.hpp"

#include <bit>
#include <limits>

namespace aerogpu {
namespace {

const float nan = std::numeric_limits<float>::quiet_NaN();

auto pack(std::uint32_t format, const vec4f& rgba, bool srgb_write = false) -> std::uint32_t {
  return pack_clear_color(static_cast<aerogpu_format>(format), rgba, srgb_write).bits;
}

}  // namespace

TEST_CASE("each colour format packs a clear colour", "[clear_color]") {
  const auto [format, bits, size] = GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>({
      {1, 0x99FF3366, 4},  // B8G8R8A8: bytes B G R A
      {2, 0xFFFF3366, 4},
      {3, 0x996633FF, 4},
      {4, 0xFF6633FF, 4},
      {5, 31u << 11 | 13u << 5 | 12u, 2},  // round(0.2 * 63), round(0.4 * 31)
      {6, 1u << 15 | 31u << 10 | 6u << 5 | 12u, 2},
      {7, 0x99FF7CAA, 4},  // 0.2 encodes to 124, 0.4 to 170
      {8, 0xFFFF7CAA, 4},
      {9, 0x99AA7CFF, 4},
      {10, 0xFFAA7CFF, 4},
  }));
  CAPTURE(format);
  const auto texel =
      pack_clear_color(static_cast<aerogpu_format>(format), {1, 0.2f, 0.4f, 0.6f}, false);
  CHECK(texel.bits == bits);
  CHECK(texel.size_bytes == size);
}

TEST_CASE("formats that are no colour target pack nothing", "[clear_color]") {
  const std::uint32_t format = GENERATE(0u, 11u, 32u, 33u, 64u, 71u, 127u);
  CHECK(pack_clear_color(static_cast<aerogpu_format>(format), {1, 1, 1, 1}, true) ==
        packed_texel{});
  CHECK_FALSE(is_color_format(static_cast<aerogpu_format>(format)));
}

TEST_CASE("clear colours are clamped, and NaN is 0", "[clear_color]") {
  CHECK(pack(3, {-1, 2, nan, std::numeric_limits<float>::infinity()}) == 0xFF00FF00);
  CHECK(pack(5, {nan, -0.0f, 9, 0}) == 31);
}

TEST_CASE("one bit of alpha is set from a half up", "[clear_color]") {
  CHECK(pack(6, {0, 0, 0, 0.5f}) == 0x8000);
  CHECK(pack(6, {0, 0, 0, 0.49f}) == 0);
}

TEST_CASE("every 8-bit value survives a clear", "[clear_color]") {
  for (std::uint32_t v = 0; v < 256; ++v) {
    const float f = static_cast<float>(v) / 255.0f;
    REQUIRE(pack(3, {f, f, f, f}) == v * 0x01010101u);
  }
}

TEST_CASE("SRGBWRITEENABLE encodes on 8-bit formats only, and never alpha", "[clear_color]") {
  CHECK(pack(3, {0.2f, 0.2f, 0.2f, 0.2f}, true) == 0x337C7C7C);
  CHECK(pack(9, {0.2f, 0.2f, 0.2f, 0.2f}, true) == 0x337C7C7C);
  CHECK(pack(5, {0.2f, 0.2f, 0.2f, 1}, true) == pack(5, {0.2f, 0.2f, 0.2f, 1}, false));
  CHECK(pack(3, {0.003f, 0, 1, 1}, true) == 0xFFFF000A);  // the linear part: 12.92 * 0.003
}

TEST_CASE("depth and stencil pack into their bits", "[clear_color]") {
  CHECK(pack_clear_depth_stencil(AEROGPU_FORMAT_D24_UNORM_S8_UINT, 1, 0x1AB) ==
        packed_texel{0xABFFFFFF, 4});
  CHECK(pack_clear_depth_stencil(AEROGPU_FORMAT_D24_UNORM_S8_UINT, 0.5f, 0) ==
        packed_texel{0x00800000, 4});
  CHECK(pack_clear_depth_stencil(AEROGPU_FORMAT_D24_UNORM_S8_UINT, 7, 0x100) ==
        packed_texel{0x00FFFFFF, 4});
  CHECK(pack_clear_depth_stencil(AEROGPU_FORMAT_D32_FLOAT, 0.25f, 9) ==
        packed_texel{0x3E800000, 4});
  CHECK(pack_clear_depth_stencil(AEROGPU_FORMAT_D32_FLOAT, nan, 0) == packed_texel{0, 4});
  CHECK(pack_clear_depth_stencil(AEROGPU_FORMAT_B5G6R5_UNORM, 1, 1) == packed_texel{});
}

TEST_CASE("depth and stencil clear apart", "[clear_color]") {
  CHECK(depth_stencil_clear_mask(AEROGPU_FORMAT_D24_UNORM_S8_UINT, true, false) == 0x00FFFFFF);
  CHECK(depth_stencil_clear_mask(AEROGPU_FORMAT_D24_UNORM_S8_UINT, false, true) == 0xFF000000);
  CHECK(depth_stencil_clear_mask(AEROGPU_FORMAT_D24_UNORM_S8_UINT, true, true) == 0xFFFFFFFF);
  CHECK(depth_stencil_clear_mask(AEROGPU_FORMAT_D32_FLOAT, true, true) == 0xFFFFFFFF);
  CHECK(depth_stencil_clear_mask(AEROGPU_FORMAT_D32_FLOAT, false, true) == 0);
}

TEST_CASE("a clear to minus zero stores zero", "[clear_color]") {
  CHECK(std::bit_cast<std::uint32_t>(saturate(-0.0f)) == 0);
  CHECK(pack_clear_depth_stencil(AEROGPU_FORMAT_D32_FLOAT, -0.0f, 0).bits == 0);
}

}  // namespace aerogpu
