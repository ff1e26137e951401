// SPDX-License-Identifier: MIT
#include "aerogpu/processor/resources/resource_rules.hpp"

#include "tests/catch.hpp"

#include <cstdint>

using namespace aerogpu;

namespace {

constexpr std::uint32_t usage_texture = AEROGPU_RESOURCE_USAGE_TEXTURE;

/// 16 x 8 texels, 5 levels, 3 layers.
auto shape_of(std::uint32_t format = AEROGPU_FORMAT_B8G8R8A8_UNORM) -> texture_shape {
  return {.format = format,
          .width = 16,
          .height = 8,
          .mip_levels = 5,
          .array_layers = 3,
          .row_pitch_bytes = 0};
}

void check_refused(const error& why, error_code code, std::uint64_t detail, std::uint64_t limit) {
  INFO(why.what);
  CHECK(why.code == code);
  CHECK(why.detail == detail);
  CHECK(why.limit == limit);
}

}  // namespace

TEST_CASE("a buffer has a positive multiple of 4 bytes", "[resource_rules]") {
  CHECK(check_buffer_size(4));
  CHECK(check_buffer_size(UINT64_MAX - 3));
  for (const std::uint64_t size : {0ull, 1ull, 2ull, 5ull, 6ull, 7ull}) {
    check_refused(check_buffer_size(size).why(), error_code::invalid_parameter, size, 4);
  }
}

TEST_CASE("a block-compressed texture is no target and no scanout", "[resource_rules]") {
  const std::uint32_t outputs[] = {AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                                   AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL,
                                   AEROGPU_RESOURCE_USAGE_SCANOUT};
  for (const std::uint32_t output : outputs) {
    check_refused(
        plan_layout(shape_of(AEROGPU_FORMAT_BC1_RGBA_UNORM), usage_texture | output).why(),
        error_code::invalid_parameter, output, 0);
    CHECK(plan_layout(shape_of(), usage_texture | output));
  }
  CHECK(plan_layout(shape_of(AEROGPU_FORMAT_BC1_RGBA_UNORM), usage_texture));
}

TEST_CASE("a layout's own errors come first, but for its size", "[resource_rules]") {
  texture_shape shape = shape_of(11);
  CHECK(plan_layout(shape, 0).why().code == error_code::unsupported_format);
  shape = shape_of(AEROGPU_FORMAT_BC7_RGBA_UNORM);
  shape.width = shape.height = shape.array_layers = 0xFFFFFFFF;
  shape.mip_levels = 1;
  CHECK(plan_layout(shape, AEROGPU_RESOURCE_USAGE_SCANOUT).why().code ==
        error_code::invalid_parameter);
  CHECK(plan_layout(shape, 0).why().code == error_code::size_overflow);
}

TEST_CASE("a texture keeps to the host's limits to the last texel and layer", "[resource_rules]") {
  const limits most{.texture_dimension = 16, .array_layers = 3};
  texture_shape shape = shape_of();
  shape.height = 16;
  CHECK(check_api_limits(shape, most));
  shape.width = 17;
  check_refused(check_api_limits(shape, most).why(), error_code::unsupported, 17, 16);
  shape.width = 16;
  shape.height = 18;
  check_refused(check_api_limits(shape, most).why(), error_code::unsupported, 18, 16);
  shape.height = 16;
  shape.array_layers = 4;
  check_refused(check_api_limits(shape, most).why(), error_code::unsupported, 4, 3);
}

TEST_CASE("a view lies in its texture and has a format of its family", "[resource_rules]") {
  const auto texture = plan_layout(shape_of(), usage_texture);
  REQUIRE(texture);
  const auto check = [&](const view_shape& view) { return check_view(view, *texture); };
  constexpr std::uint32_t format = AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB;
  constexpr auto invalid = error_code::invalid_parameter;
  CHECK(check({format, 0, 5, 0, 3}));
  CHECK(check({format, 4, 1, 2, 1}));
  check_refused(check({format, 2, 0, 0, 3}).why(), invalid, 2, 5);
  check_refused(check({format, 1, 5, 0, 3}).why(), invalid, 6, 5);
  check_refused(check({format, 5, 1, 0, 3}).why(), invalid, 6, 5);
  check_refused(check({format, 1, 0xFFFFFFFF, 0, 3}).why(), invalid, 0x100000000, 5);
  check_refused(check({format, 0, 5, 1, 0}).why(), invalid, 1, 3);
  check_refused(check({format, 0, 5, 1, 3}).why(), invalid, 4, 3);
  check_refused(check({format, 0, 5, 0xFFFFFFFF, 2}).why(), invalid, 0x100000001, 3);
  check_refused(check({AEROGPU_FORMAT_R8G8B8A8_UNORM, 0, 1, 0, 1}).why(),
                error_code::unsupported_format, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                AEROGPU_FORMAT_B8G8R8A8_UNORM);
  check_refused(check({0, 0, 1, 0, 1}).why(), error_code::unsupported_format, 0,
                AEROGPU_FORMAT_B8G8R8A8_UNORM);
}

TEST_CASE("a backend is told a texture and a view member by member", "[resource_rules]") {
  const auto layout = plan_layout(shape_of(), usage_texture);
  REQUIRE(layout);
  const texture_desc texture = desc_of(resource_handle{7}, usage_texture, *layout);
  CHECK(texture.name == resource_handle{7});
  CHECK(texture.usage_flags == usage_texture);
  CHECK(texture.format == AEROGPU_FORMAT_B8G8R8A8_UNORM);
  CHECK(texture.width == 16);
  CHECK(texture.height == 8);
  CHECK(texture.mip_levels == 5);
  CHECK(texture.array_layers == 3);
  const texture_view_desc view = desc_of(resource_handle{8}, {2, 1, 2, 3, 4});
  CHECK(view.name == resource_handle{8});
  CHECK(view.format == AEROGPU_FORMAT_B8G8R8X8_UNORM);
  CHECK(view.base_mip_level == 1);
  CHECK(view.mip_level_count == 2);
  CHECK(view.base_array_layer == 3);
  CHECK(view.array_layer_count == 4);
}
