// SPDX-License-Identifier: MIT
/// \file CP-112: texture views.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/draw_scene.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <cstdint>

namespace aerogpu::conformance {

namespace view_case {

inline constexpr std::uint32_t texture = 1, view = 2, buffer = 3, unused = 20, unknown = 99;

/// 8x8, four mips, three layers.
inline constexpr texture_spec spec{
    .width = 8,
    .height = 8,
    .mips = 4,
    .layers = 3,
    .usage = AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET};

[[nodiscard]] inline auto base_objects() -> stream_builder {
  return stream_builder{}.create_texture(texture, spec).create_buffer(buffer, 16);
}

}  // namespace view_case

TEMPLATE_LIST_TEST_CASE("CP-112 a view is a range of mips and layers inside its texture",
                        "[conformance][processor]", backends) {
  using namespace view_case;
  const auto [range, expected] = GENERATE(table<view_spec, error_code>({
      {view_spec{}, error_code::none},
      {{.mips = 4, .layers = 3}, error_code::none},
      {{.base_mip = 3, .base_layer = 2}, error_code::none},
      {{.mips = 0}, error_code::invalid_parameter},
      {{.layers = 0}, error_code::invalid_parameter},
      {{.mips = 5}, error_code::invalid_parameter},
      {{.layers = 4}, error_code::invalid_parameter},
      {{.base_mip = 4}, error_code::invalid_parameter},
      {{.base_layer = 3}, error_code::invalid_parameter},
      {{.base_mip = 1, .mips = 4}, error_code::invalid_parameter},
      {{.base_mip = 0xFFFFFFFF, .mips = 1}, error_code::invalid_parameter},
      {{.base_mip = 1, .mips = 0xFFFFFFFF}, error_code::invalid_parameter},
      {{.base_layer = 0xFFFFFFFF, .layers = 2}, error_code::invalid_parameter},
  }));
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()) == error_code::none);
  CHECK(host.run(stream_builder{}.create_view(view, texture, range)) == expected);
  CHECK(host.is_live(view) == (expected == error_code::none));
}

TEMPLATE_LIST_TEST_CASE("CP-112 a view's format differs in sRGB-ness or X8 only",
                        "[conformance][processor]", backends) {
  using namespace view_case;
  const auto [of, as, expected] = GENERATE(table<std::uint32_t, std::uint32_t, error_code>({
      {1, 1, error_code::none},
      {1, 2, error_code::none},
      {1, 7, error_code::none},
      {1, 8, error_code::none},
      {8, 1, error_code::none},
      {3, 10, error_code::none},
      {64, 65, error_code::none},
      {71, 70, error_code::none},
      {1, 3, error_code::unsupported_format},
      {1, 5, error_code::unsupported_format},
      {1, 33, error_code::unsupported_format},
      {5, 6, error_code::unsupported_format},
      {64, 66, error_code::unsupported_format},
      {33, 32, error_code::unsupported_format},
      {1, 0, error_code::unsupported_format},
      {1, 72, error_code::unsupported_format},
  }));
  processor_host<TestType> host;
  REQUIRE(host.run(stream_builder{}.create_texture(texture, {.format = of})) == error_code::none);
  CHECK(host.run(stream_builder{}.create_view(view, texture, {.format = as})) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-112 a view needs a free handle and a live texture",
                        "[conformance][processor]", backends) {
  using namespace view_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()
                       .create_view(view, texture, {})
                       .export_surface(texture, 7)
                       .import_surface(10, 7)) == error_code::none);
  const auto create = [&](std::uint32_t handle, std::uint32_t of) {
    return host.run(stream_builder{}.create_view(handle, of, {}));
  };
  CHECK(create(0, texture) == error_code::invalid_handle);
  CHECK(create(view, texture) == error_code::handle_in_use);
  CHECK(create(texture, texture) == error_code::handle_in_use);
  CHECK(create(buffer, texture) == error_code::handle_in_use);
  CHECK(create(10, texture) == error_code::handle_in_use);
  CHECK(create(20, 99) == error_code::unknown_handle);
  CHECK(create(20, buffer) == error_code::wrong_kind);
  CHECK(create(20, view) == error_code::wrong_kind);
  CHECK(create(20, 10) == error_code::none);
  CHECK(host.run(stream_builder{}.create_texture(view, spec)) == error_code::handle_in_use);
  CHECK(host.run(stream_builder{}.create_buffer(view, 16)) == error_code::handle_in_use);
  CHECK(host.run(stream_builder{}.import_surface(view, 7)) == error_code::handle_in_use);
}

TEMPLATE_LIST_TEST_CASE("CP-112 of two faults CREATE_TEXTURE_VIEW tells the one checked first",
                        "[conformance][processor]", backends) {
  using namespace view_case;
  const auto [handle, of, range, expected] =
      GENERATE(table<std::uint32_t, std::uint32_t, view_spec, error_code>({
          {0, unknown, {}, error_code::invalid_handle},
          {view, unknown, {}, error_code::handle_in_use},
          {texture, buffer, {}, error_code::handle_in_use},
          {view, texture, {.mips = 0}, error_code::handle_in_use},
          {unused, unknown, {.mips = 0}, error_code::unknown_handle},
          {unused, buffer, {.format = 0}, error_code::wrong_kind},
          {unused, texture, {.format = 0, .mips = 5}, error_code::invalid_parameter},
          {unused, texture, {.format = 33, .base_layer = 3}, error_code::invalid_parameter},
      }));
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects().create_view(view, texture, {})) == error_code::none);
  CHECK(host.run(stream_builder{}.create_view(handle, of, range)) == expected);
}

TEMPLATE_LIST_TEST_CASE("CP-112 destroying a view is idempotent and asks for a view",
                        "[conformance][processor]", backends) {
  using namespace view_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()
                       .create_view(view, texture, {})
                       .destroy_view(texture)
                       .destroy_view(buffer)) == error_code::none);
  CHECK(host.is_live(texture));
  CHECK(host.is_live(buffer));
  CHECK(host.run(stream_builder{}.destroy_view(view).destroy_view(view)) == error_code::none);
  CHECK_FALSE(host.is_live(view));
  CHECK(host.run(stream_builder{}.create_view(view, texture, {}).destroy(view)) ==
        error_code::none);
  CHECK_FALSE(host.is_live(view));
  CHECK(host.counts().views == 0);
}

TEMPLATE_LIST_TEST_CASE("CP-112 a view serves neither transfers nor sharing",
                        "[conformance][processor]", backends) {
  using namespace view_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects().create_view(view, texture, {}).create_texture(4, spec)) ==
          error_code::none);
  const auto refused = [&](const stream_builder& stream) {
    return host.run(stream) == error_code::wrong_kind;
  };
  CHECK(refused(stream_builder{}.upload(view, 0, counting(4))));
  CHECK(refused(stream_builder{}.dirty(view, 0, 4)));
  CHECK(refused(stream_builder{}.copy_texture({view}, {4}, 1, 1)));
  CHECK(refused(stream_builder{}.copy_texture({4}, {view}, 1, 1)));
  CHECK(refused(stream_builder{}.copy_buffer(view, 0, buffer, 0, 4)));
  CHECK(refused(stream_builder{}.export_surface(view, 9)));
}

TEMPLATE_LIST_TEST_CASE("CP-112 a view holds the content after its texture's last handle went",
                        "[conformance][processor]", backends) {
  using namespace view_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()
                       .create_view(view, texture, {})
                       .export_surface(texture, 7)
                       .destroy(texture)) == error_code::none);
  CHECK(host.counts().textures == 1);
  CHECK_FALSE(host.is_live(texture));
  CHECK(host.run(stream_builder{}.import_surface(9, 7)) == error_code::unknown_share_token);
  CHECK(host.run(stream_builder{}.create_buffer(texture, 16)) == error_code::none);
  CHECK(host.run(stream_builder{}.destroy_view(view)) == error_code::none);
  CHECK(host.counts().textures == 0);
}

TEMPLATE_LIST_TEST_CASE("CP-112 a view of one subresource is a target, and one of many is not",
                        "[conformance][processor]", backends) {
  using namespace view_case;
  processor_host<TestType> host;
  REQUIRE(host.run(draw_scene()
                       .create_texture(texture, spec)
                       .create_view(view, texture,
                                    {.format = AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB,
                                     .base_mip = 2,
                                     .base_layer = 1})
                       .create_view(30, texture, {.mips = 2})
                       .create_view(31, texture, {.layers = 2})) == error_code::none);
  int seen = 0;
  CHECK(run_seeing_draws(host, bound_scene().targets({view}).draw(3), [&](const auto& call) {
          ++seen;
          const auto& target = call.state.targets.colors[0];
          CHECK(target.view != nullptr);
          CHECK(target.format == AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB);
          CHECK(target.where.mip_level == 2);
          CHECK(target.where.array_layer == 1);
          CHECK(target.width == 2);
          CHECK(target.height == 2);
        }) == error_code::none);
  CHECK(seen == 1);
  CHECK(host.run(stream_builder{}.targets({30}).draw(3)) == error_code::invalid_parameter);
  CHECK(host.run(stream_builder{}.targets({31}).draw(3)) == error_code::invalid_parameter);
}

TEMPLATE_LIST_TEST_CASE("CP-112 a clear through a view reaches its subresource alone",
                        "[conformance][processor]", backends) {
  using namespace view_case;
  processor_host<TestType> host;
  REQUIRE(host.run(base_objects()
                       .create_view(view, texture, {.base_mip = 3, .base_layer = 1})
                       .targets({view})
                       .clear(AEROGPU_CLEAR_COLOR, {1, 0, 0, 1})) == error_code::none);
  for (const std::uint32_t layer : {0u, 1u, 2u}) {
    for (const std::uint32_t mip : {2u, 3u}) {
      const bool is_cleared = layer == 1 && mip == 3;
      CHECK(host.texture(texture, spec, mip, layer) ==
            (is_cleared ? bytes_from({0, 0, 0xFF, 0xFF}) : filled(mip == 2 ? 16 : 4, 0)));
    }
  }
}

}  // namespace aerogpu::conformance
