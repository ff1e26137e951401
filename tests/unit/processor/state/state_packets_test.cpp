// SPDX-License-Identifier: MIT
#include "aerogpu/processor/state/state_packets.hpp"

#include "aerogpu/backend/render_area.hpp"
#include "tests/catch.hpp"

#include <limits>

namespace aerogpu {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const float not_a_number = std::numeric_limits<float>::quiet_NaN();

auto viewport(float x, float y, float w, float h, float near_depth = 0, float far_depth = 1)
    -> viewport_state {
  return viewport_of({{},
                      as_bits(x),
                      as_bits(y),
                      as_bits(w),
                      as_bits(h),
                      as_bits(near_depth),
                      as_bits(far_depth)});
}

auto scissor(std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h) -> scissor_state {
  return scissor_of({{}, x, y, w, h});
}

}  // namespace

TEST_CASE("each packet factor maps, and unknown ones are ONE and ZERO", "[processor]") {
  aerogpu_blend_state packet{};
  blend_state state;
  using enum blend_factor;
  std::uint32_t value = 0;
  for (const blend_factor factor :
       {zero, one, src_alpha, inv_src_alpha, dest_alpha, inv_dest_alpha, constant, inv_constant}) {
    packet.src_factor = packet.dst_factor = packet.src_factor_alpha = packet.dst_factor_alpha =
        value++;
    set_blend_state(state, packet);
    CHECK(state.color.source == factor);
    CHECK(state.color.destination == factor);
    CHECK(state.alpha.source == factor);
  }
  packet.src_factor = packet.dst_factor = 8;
  packet.src_factor_alpha = packet.dst_factor_alpha = 0xFFFFFFFF;
  packet.blend_op = 5;
  packet.blend_op_alpha = 5;
  set_blend_state(state, packet);
  CHECK(state.color.source == blend_factor::one);
  CHECK(state.color.destination == blend_factor::zero);
  CHECK(state.color.op == AEROGPU_BLEND_OP_ADD);
  CHECK(state.alpha.source == blend_factor::one);
  CHECK(state.alpha.destination == blend_factor::zero);
}

TEST_CASE("unknown alpha values fall back to the colour ones", "[processor]") {
  aerogpu_blend_state packet{};
  packet.src_factor = AEROGPU_BLEND_SRC_ALPHA;
  packet.dst_factor = AEROGPU_BLEND_INV_SRC_ALPHA;
  packet.blend_op = AEROGPU_BLEND_OP_MAX;
  packet.src_factor_alpha = packet.dst_factor_alpha = packet.blend_op_alpha = 99;
  packet.color_write_mask = 0xF6;
  blend_state state;
  set_blend_state(state, packet);
  CHECK(state.alpha.source == blend_factor::src_alpha);
  CHECK(state.alpha.destination == blend_factor::inv_src_alpha);
  CHECK(state.alpha.op == AEROGPU_BLEND_OP_MAX);
  for (const std::uint8_t mask : state.write_masks) CHECK(mask == 6);
}

TEST_CASE("an unknown depth function is ALWAYS", "[processor]") {
  depth_stencil_state state;
  aerogpu_depth_stencil_state packet{};
  packet.depth_func = 8;
  set_depth_stencil_state(state, packet);
  CHECK(state.depth_func == AEROGPU_COMPARE_ALWAYS);
}

TEST_CASE("a viewport that is not finite or has no extent means the whole target", "[processor]") {
  CHECK(viewport(1, 2, 3, 4).is_set);
  CHECK_FALSE(viewport(0, 0, 0, 0).is_set);
  CHECK_FALSE(viewport(0, 0, -1, 4).is_set);
  CHECK_FALSE(viewport(0, 0, 4, -1).is_set);
  CHECK_FALSE(viewport(0, 0, 4, 0).is_set);
  for (const float bad : {infinity, -infinity, not_a_number}) {
    CHECK_FALSE(viewport(bad, 0, 1, 1).is_set);
    CHECK_FALSE(viewport(0, bad, 1, 1).is_set);
    CHECK_FALSE(viewport(0, 0, bad, 1).is_set);
    CHECK_FALSE(viewport(0, 0, 1, bad).is_set);
    CHECK_FALSE(viewport(0, 0, 1, 1, bad, 1).is_set);
    CHECK_FALSE(viewport(0, 0, 1, 1, 0, bad).is_set);
  }
}

TEST_CASE("viewport depth is clamped, and swapped when reversed", "[processor]") {
  const viewport_state v = viewport(-5, -6, 10, 12, 1.5f, -0.5f);
  CHECK(v.x == -5);
  CHECK(v.y == -6);
  CHECK(v.min_depth == 0);
  CHECK(v.max_depth == 1);
  CHECK(viewport(0, 0, 1, 1, 0.75f, 0.25f).min_depth == 0.25f);
  CHECK(viewport(0, 0, 1, 1, 0.75f, 0.25f).max_depth == 0.75f);
}

TEST_CASE("a viewport wholly outside the target draws nothing", "[processor]") {
  constexpr target_extent target{8, 8};
  CHECK_FALSE(misses(viewport(-4, -4, 8, 8), target));
  CHECK_FALSE(misses({}, target));
  CHECK(misses(viewport(8, 0, 8, 8), target));
  CHECK(misses(viewport(0, 9, 8, 8), target));
  CHECK(misses(viewport(-8, 0, 8, 8), target));
  CHECK(misses(viewport(0, -9, 8, 8), target));
}

TEST_CASE("only the all-zero scissor removes the rectangle", "[processor]") {
  CHECK_FALSE(scissor(0, 0, 0, 0).is_set);
  CHECK(scissor(1, 0, 0, 0).is_set);
  CHECK(scissor(0, 0, -1, 4).is_set);
}

TEST_CASE("a scissor is clipped to the target without wrapping", "[processor]") {
  constexpr target_extent target{100, 50};
  constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t high = std::numeric_limits<std::int32_t>::max();
  const auto clip = [&](std::int32_t x, std::int32_t y, std::int32_t w, std::int32_t h) {
    const pixel_rect r = clip_scissor(scissor(x, y, w, h), target);
    return std::array{r.x, r.y, r.width, r.height};
  };
  CHECK(clip(0, 0, 0, 0) == std::array{0u, 0u, 100u, 50u});
  CHECK(clip(10, 20, 30, 40) == std::array{10u, 20u, 30u, 30u});
  CHECK(clip(-10, -10, 20, 20) == std::array{0u, 0u, 10u, 10u});
  CHECK(clip(low, low, high, high) == std::array{0u, 0u, 0u, 0u});
  CHECK(clip(high, high, high, high) == std::array{100u, 50u, 0u, 0u});
  CHECK(clip(90, 40, high, high) == std::array{90u, 40u, 10u, 10u});
  CHECK(is_empty(clip_scissor(scissor(10, 10, 0, 5), target)));
  CHECK(is_empty(clip_scissor(scissor(10, 10, 5, -5), target)));
}

TEST_CASE("a draw area is empty by sample mask, viewport or enabled scissor", "[processor]") {
  constexpr target_extent target{8, 8};
  fixed_function_state state;
  CHECK_FALSE(draws_nothing(state, target));
  SECTION("bit 0 of the sample mask") {
    state.blend.sample_mask = 0xFFFFFFFE;
    CHECK(draws_nothing(state, target));
    state.blend.sample_mask = 1;
    CHECK_FALSE(draws_nothing(state, target));
  }
  SECTION("the scissor counts while its test is on") {
    state.scissor = scissor(8, 8, 1, 1);
    CHECK_FALSE(draws_nothing(state, target));
    state.rasterizer.scissor_enable = true;
    CHECK(draws_nothing(state, target));
    state.scissor = {};
    CHECK_FALSE(draws_nothing(state, target));
  }
  SECTION("the viewport") {
    state.viewport = viewport(8, 8, 1, 1);
    CHECK(draws_nothing(state, target));
  }
}

TEST_CASE("the topologies are 1 to 6, 10 to 13 and 33 to 64", "[processor]") {
  for (std::uint32_t value = 0; value < 70; ++value) {
    CAPTURE(value);
    const bool expected =
        (value >= 1 && value <= 6) || (value >= 10 && value <= 13) || (value >= 33 && value <= 64);
    CHECK(is_topology(value) == expected);
  }
  CHECK_FALSE(is_topology(0xFFFFFFFF));
  CHECK(control_points_of(AEROGPU_TOPOLOGY_PATCHLIST_1) == 1);
  CHECK(control_points_of(AEROGPU_TOPOLOGY_PATCHLIST_32) == 32);
  CHECK(control_points_of(AEROGPU_TOPOLOGY_TRIANGLELIST) == 0);
}

TEST_CASE("a viewport misses a target that it only touches", "[processor]") {
  constexpr target_extent extent{8, 4};
  const auto misses_at = [&](float x, float y, float width, float height) {
    return misses({true, x, y, width, height, 0, 1}, extent);
  };
  CHECK_FALSE(misses_at(7.5f, 3.5f, 1, 1));
  CHECK(misses_at(8, 0, 1, 1));
  CHECK(misses_at(0, 4, 1, 1));
  CHECK_FALSE(misses_at(-1, -1, 1.5f, 1.5f));
  CHECK(misses_at(-1, 0, 1, 1));
  CHECK(misses_at(0, -1, 1, 1));
  CHECK_FALSE(misses({false, 8, 4, 0, 0, 0, 1}, extent));
}

}  // namespace aerogpu
