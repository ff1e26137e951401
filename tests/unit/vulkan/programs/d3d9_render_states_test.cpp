// SPDX-License-Identifier: MIT
// What render states ask of the shaders of a draw, and the numbers that go with them.
#include "vulkan/programs/d3d9_render_states.hpp"

#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "tests/catch.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <utility>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

using state_values = std::initializer_list<std::pair<std::uint32_t, std::uint32_t>>;
constexpr std::uint32_t linear = 3;

auto bits(float value) -> std::uint32_t {
  return std::bit_cast<std::uint32_t>(value);
}

auto with(state_values values) -> d3d9_state {
  d3d9_state state;
  for (const auto& [id, value] : values) state.render_states[id] = value;
  return state;
}

struct asked {
  bool can_clip = true;
  bool draws_points = false;
  bool applies_fog = false;
};

auto options_of(state_values values, asked what = {}) -> d3d9::translate_options {
  const d3d9_state state = with(values);
  d3d9::translate_options options;
  apply_vertex_states(state, what.can_clip, what.draws_points, what.applies_fog, options);
  apply_pixel_states(state, what.draws_points, what.applies_fog, options);
  return options;
}

auto numbers_of(state_values values, float most_point_size = 64) -> d3d9::push_constants {
  return make_push_constants(with(values), {}, most_point_size);
}

}  // namespace

TEST_CASE("d3d9_render_states: states at zero ask nothing of a shader",
          "[vulkan][d3d9_render_states]") {
  CHECK(options_of({}, {.draws_points = true}) == d3d9::translate_options{});
}

TEST_CASE("d3d9_render_states: points alone have a size", "[vulkan][d3d9_render_states]") {
  CHECK(options_of({}, {.draws_points = true}).draws_points);
  CHECK_FALSE(options_of({}).draws_points);
}

TEST_CASE("d3d9_render_states: six clip planes count, on a device that can clip",
          "[vulkan][d3d9_render_states]") {
  CHECK(options_of({{d3drs_clipplaneenable, 0b10'0101}}).clip_planes == 3);
  CHECK(options_of({{d3drs_clipplaneenable, 0xFFFF'FFFF}}).clip_planes == 6);
  CHECK(options_of({{d3drs_clipplaneenable, 0b1}}, {.can_clip = false}).clip_planes == 0);
}

TEST_CASE("d3d9_render_states: planes that are enabled stand one behind another",
          "[vulkan][d3d9_render_states]") {
  constexpr std::uint32_t plane_2 = aerogpurs_clip_plane + 4 * 2;
  const auto made = numbers_of({{d3drs_clipplaneenable, 0b10'0100},
                                {aerogpurs_clip_plane, bits(9)},
                                {plane_2, bits(1)},
                                {plane_2 + 3, bits(2)},
                                {aerogpurs_clip_plane + 4 * 5 + 1, bits(3)}});
  CHECK(made.clip_planes[0] == std::array<float, 4>{1, 0, 0, 2});
  CHECK(made.clip_planes[1] == std::array<float, 4>{0, 3, 0, 0});
  CHECK(made.clip_planes[2] == std::array<float, 4>{});
}

TEST_CASE("d3d9_render_states: what is not written is Direct3D 9's for state 2002 or a host's fog",
          "[vulkan][d3d9_render_states]") {
  using d3d9::unwritten_varyings;
  CHECK(options_of({{aerogpurs_unwritten_varyings, 1}}).unwritten == unwritten_varyings::direct3d9);
  CHECK(options_of({{aerogpurs_unwritten_varyings, 2}}).unwritten == unwritten_varyings::zero);
  CHECK(options_of({}, {.applies_fog = true}).unwritten == unwritten_varyings::direct3d9);
}

TEST_CASE("d3d9_render_states: sprites are points only, and 1 alone is flat",
          "[vulkan][d3d9_render_states]") {
  CHECK_FALSE(options_of({{d3drs_pointspriteenable, 1}}).is_point_sprite);
  CHECK(options_of({{d3drs_pointspriteenable, 1}}, {.draws_points = true}).is_point_sprite);
  CHECK_FALSE(options_of({}, {.draws_points = true}).is_point_sprite);
  CHECK(options_of({{d3drs_shademode, 1}}).is_flat_shaded);
  CHECK_FALSE(options_of({{d3drs_shademode, 2}}).is_flat_shaded);
}

TEST_CASE("d3d9_render_states: fog is for those who ask, and a host leaves ps_3_0 alone",
          "[vulkan][d3d9_render_states]") {
  using d3d9::fog_mode;
  CHECK(options_of({{d3drs_fogenable, 1}, {d3drs_fogtablemode, linear}}).fog == fog_mode::none);
  const auto by_host =
      options_of({{d3drs_fogenable, 1}, {d3drs_fogtablemode, linear}}, {.applies_fog = true});
  CHECK(by_host.fog == fog_mode::linear);
  CHECK_FALSE(by_host.fogs_model_3);
  const auto by_guest =
      options_of({{d3drs_fogenable, 1}, {d3drs_fogtablemode, linear}, {aerogpurs_fog, 1}});
  CHECK(by_guest.fog == fog_mode::linear);
  CHECK(by_guest.fogs_model_3);
  CHECK(options_of({{d3drs_fogtablemode, linear}, {aerogpurs_fog, 1}}).fog == fog_mode::none);
}

TEST_CASE("d3d9_render_states: a table mode that nobody knows is the vertex shader's fog",
          "[vulkan][d3d9_render_states]") {
  using d3d9::fog_mode;
  const auto mode_of = [](std::uint32_t table) {
    return options_of({{d3drs_fogenable, 1}, {d3drs_fogtablemode, table}, {aerogpurs_fog, 1}}).fog;
  };
  CHECK(mode_of(0) == fog_mode::vertex);
  CHECK(mode_of(1) == fog_mode::exponential);
  CHECK(mode_of(2) == fog_mode::exponential_squared);
  CHECK(mode_of(3) == fog_mode::linear);
  CHECK(mode_of(4) == fog_mode::vertex);
}

TEST_CASE("d3d9_render_states: state 2003 says what a table's fog counts as depth",
          "[vulkan][d3d9_render_states]") {
  using d3d9::fog_depth;
  const auto depth_of = [](std::uint32_t wanted, std::uint32_t table) {
    return options_of({{d3drs_fogenable, 1}, {d3drs_fogtablemode, table}, {aerogpurs_fog, wanted}})
        .fog_from;
  };
  CHECK(depth_of(1, linear) == fog_depth::of_position);
  CHECK(depth_of(2, linear) == fog_depth::of_varying);
  CHECK(depth_of(3, linear) == fog_depth::of_w);
  CHECK(depth_of(4, linear) == fog_depth::of_fragment);
  CHECK(depth_of(5, linear) == fog_depth::of_position);
  CHECK(depth_of(3, 0) == fog_depth::of_position);  // One module less.
}

TEST_CASE("d3d9_render_states: fog between two equal depths divides by nothing",
          "[vulkan][d3d9_render_states]") {
  CHECK(numbers_of({{d3drs_fogstart, bits(2)}, {d3drs_fogend, bits(6)}}).fog_inverse_range ==
        0.25f);
  const auto empty = numbers_of({{d3drs_fogstart, bits(6)}, {d3drs_fogend, bits(6)}});
  CHECK(empty.fog_inverse_range == 0);
  CHECK(empty.fog_end == 6);
}

TEST_CASE("d3d9_render_states: sizes of points are within 1 and the device's, whatever is written",
          "[vulkan][d3d9_render_states]") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto sizes = [](float size, float least, float most) {
    const auto made = numbers_of({{d3drs_pointsize, bits(size)},
                                  {d3drs_pointsize_min, bits(least)},
                                  {d3drs_pointsize_max, bits(most)}});
    return std::array{made.point_size, made.point_size_min, made.point_size_max};
  };
  CHECK(sizes(4, 2, 8) == std::array{4.0f, 2.0f, 8.0f});
  CHECK(sizes(1, 2, 8) == std::array{2.0f, 2.0f, 8.0f});
  CHECK(sizes(9, 2, 8) == std::array{8.0f, 2.0f, 8.0f});
  CHECK(sizes(100, 0, 100) == std::array{64.0f, 1.0f, 64.0f});
  CHECK(sizes(4, 8, 2) == std::array{2.0f, 2.0f, 2.0f});
  CHECK(sizes(nan, nan, 8) == std::array{1.0f, 1.0f, 8.0f});
  CHECK(sizes(4, 2, nan) == std::array{1.0f, 1.0f, 1.0f});
}

TEST_CASE("d3d9_render_states: the alpha test compares with a 255th of its reference",
          "[vulkan][d3d9_render_states]") {
  alpha_test_state test;
  test.reference = 255;
  CHECK(make_push_constants({}, test, 1).alpha_reference == 1);
  test.reference = 51;
  CHECK(make_push_constants({}, test, 1).alpha_reference == 51.0f / 255.0f);
}
