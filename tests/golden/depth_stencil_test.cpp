// SPDX-License-Identifier: MIT
#include "tests/golden/guests/rasterizer.hpp"
#include "tests/golden/guests/states.hpp"

namespace aerogpu::golden {
namespace {

constexpr area left{0, 0, 8, 16}, right{8, 0, 8, 16};

/// Colour and depth targets of 16x16, cleared to black, 1 and stencil 0.
struct depth_scene {
  guest g;
  std::uint32_t target = g.make_target(16, 16);
  std::uint32_t depth;
  explicit depth_scene(std::uint32_t format = AEROGPU_FORMAT_D24_UNORM_S8_UINT)
      : depth(g.make_target(16, 16, format)) {
    g.bind_targets({target}, depth);
    g.stream().clear(7, to_color(black), 1, 0);
  }
  /// Whether the depth stored everywhere is about `z`.
  void expect_depth(float z) {
    g.stream().depth_stencil({1, 0, AEROGPU_COMPARE_LESS, 0, 0xFF, 0xFF, {}});
    g.clear(black);
    g.fill_all(green, z - 0.001f);
    g.expect(target, green);
    g.fill_all(red, z + 0.001f);
    g.expect(target, green);
  }
};

TEST_CASE("VK-012 by default what is as near or nearer wins", "[golden][depth]") {
  const auto format = GENERATE(AEROGPU_FORMAT_D24_UNORM_S8_UINT, AEROGPU_FORMAT_D32_FLOAT);
  depth_scene s{format};
  s.g.fill_all(red, 0.5f);
  s.g.fill_all(green, 0.5f);
  s.g.expect(s.target, green);
  s.g.fill_all(blue, 0.6f);
  s.g.expect(s.target, green);
  s.g.fill_all(white, 0.4f);
  s.g.expect(s.target, white);
  s.g.fill_all(red, 0.5f);
  s.g.expect(s.target, white);
}

TEST_CASE("VK-012 planes that cross are seen where they are nearer", "[golden][depth]") {
  depth_scene s;
  std::vector<vertex> first{
      {-1, 1, 0, 1, {1, 0, 0, 1}}, {1, 1, 0.9f, 1, {1, 0, 0, 1}}, {-1, -1, 0.2f, 1, {1, 0, 0, 1}}};
  std::vector<vertex> second{{-0.9f, 0.8f, 0.6f, 1, {0, 1, 0, 1}},
                             {0.95f, 0.9f, 0.1f, 1, {0, 1, 0, 1}},
                             {0.1f, -0.9f, 0.5f, 1, {0, 1, 0, 1}}};
  s.g.draw(first);
  s.g.draw(second);
  rasterizer oracle(16, 16);
  raster_rules rules;
  rules.depth_test = [](float fragment, float stored) { return fragment <= stored; };
  oracle.draw(first, rules);
  oracle.draw(second, rules);
  s.g.expect(s.target, oracle.picture(), {1, 2});
}

TEST_CASE("VK-012 every comparison, by packet and by render state", "[golden][depth]") {
  const auto [number, below, equal, above] =
      GENERATE(table<std::uint32_t, bool, bool, bool>({{0, false, false, false},
                                                       {1, true, false, false},
                                                       {2, false, true, false},
                                                       {3, true, true, false},
                                                       {4, false, false, true},
                                                       {5, true, false, true},
                                                       {6, false, true, true},
                                                       {7, true, true, true},
                                                       {99, true, true, true}}));
  const auto uses_packet = GENERATE(true, false);
  if (!uses_packet && number == 99) return;
  depth_scene s;
  s.g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 0.5f);
  if (uses_packet) {
    s.g.stream().depth_stencil({1, 0, number, 0, 0xFF, 0xFF, {}});
  } else {
    s.g.stream().render_state(rs::z_func, number + 1).render_state(rs::z_write, 0);
  }
  s.g.fill({0, 0, 4, 16}, green, 0.25f);
  s.g.fill({4, 0, 4, 16}, green, 0.5f);
  s.g.fill({8, 0, 4, 16}, green, 0.75f);
  image expected(16, 16, black);
  if (below) expected.fill({0, 0, 4, 16}, green);
  if (equal) expected.fill({4, 0, 4, 16}, green);
  if (above) expected.fill({8, 0, 4, 16}, green);
  s.g.expect(s.target, expected);
}

TEST_CASE("VK-012 depth is written only when both test and write are on", "[golden][depth]") {
  const auto [test, write, stored] = GENERATE(
      table<std::uint32_t, std::uint32_t, float>({{1, 1, 0.25f}, {1, 0, 0.75f}, {0, 1, 0.75f}}));
  const auto uses_packet = GENERATE(true, false);
  depth_scene s;
  s.g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 0.75f);
  if (uses_packet) {
    s.g.stream().depth_stencil({test, write, AEROGPU_COMPARE_LESS, 0, 0xFF, 0xFF, {}});
  } else {
    s.g.stream().render_state(rs::z_enable, test).render_state(rs::z_write, write);
  }
  s.g.fill_all(red, 0.25f);
  s.g.expect(s.target, red);
  s.expect_depth(stored);
}

TEST_CASE("VK-012 without the test everything passes", "[golden][depth]") {
  depth_scene s;
  s.g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 0.1f).render_state(rs::z_enable, 0);
  s.g.fill_all(green, 0.9f);
  s.g.expect(s.target, green);
}

TEST_CASE("VK-013 depth clip drops what lies before 0 and behind 1", "[golden][depth]") {
  depth_scene s;
  s.g.stream().depth_stencil({0, 0, AEROGPU_COMPARE_ALWAYS, 0, 0xFF, 0xFF, {}});
  s.g.fill({0, 0, 4, 16}, green, -0.01f);
  s.g.fill({4, 0, 4, 16}, green, 0.0f);
  s.g.fill({8, 0, 4, 16}, green, 1.0f);
  s.g.fill({12, 0, 4, 16}, green, 1.01f);
  s.g.expect(s.target, image(16, 16, black).fill({4, 0, 8, 16}, green));
}

TEST_CASE("VK-013 with depth clip off, depth is clamped instead", "[golden][depth]") {
  depth_scene s{AEROGPU_FORMAT_D32_FLOAT};
  auto state = default_rasterizer();
  state.flags = AEROGPU_RASTERIZER_FLAG_DEPTH_CLIP_DISABLE;
  s.g.stream().rasterizer(state).depth_stencil({1, 1, AEROGPU_COMPARE_ALWAYS, 0, 0xFF, 0xFF, {}});
  s.g.fill(left, green, -0.5f);
  s.g.fill(right, green, 1.5f);
  s.g.expect(s.target, green);
  s.g.stream().depth_stencil({1, 0, AEROGPU_COMPARE_EQUAL, 0, 0xFF, 0xFF, {}});
  s.g.fill(left, blue, 0.0f);
  s.g.fill(right, blue, 1.0f);
  s.g.expect(s.target, blue);
}

TEST_CASE("VK-014 a positive depth bias moves away from the viewer", "[golden][depth]") {
  const auto [bias, is_seen] =
      GENERATE(table<std::int32_t, bool>({{0, true}, {1000, false}, {-1000, true}}));
  CAPTURE(bias);
  depth_scene s;
  s.g.fill_all(red, 0.5f);
  auto state = default_rasterizer();
  state.depth_bias = bias;
  s.g.stream().rasterizer(state).depth_stencil(
      {1, 1, AEROGPU_COMPARE_LESS_EQUAL, 0, 0xFF, 0xFF, {}});
  s.g.fill_all(green, 0.5f);
  s.g.expect(s.target, is_seen ? green : red);
  if (!is_seen) return;
  // What is stored moved by steps of 2^-24 to 2^-23: Vulkan's resolvable difference of 24 bits.
  s.g.stream().rasterizer(default_rasterizer());
  s.g.stream().depth_stencil({1, 0, AEROGPU_COMPARE_LESS, 0, 0xFF, 0xFF, {}});
  const auto at_step = [&](std::int32_t step) {
    return 0.5f + static_cast<float>(step) / 16777216.0f;
  };
  s.g.fill_all(white, at_step(bias + 8));
  s.g.expect(s.target, green);
  s.g.fill_all(blue, at_step(2 * bias - 8));
  s.g.expect(s.target, blue);
}

TEST_CASE("VK-015 the stencil that one draw writes masks the next", "[golden][stencil]") {
  depth_scene s;
  s.g.stream()
      .render_state(rs::z_enable, 0)
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_func, cmp_always)
      .render_state(rs::stencil_ref, 3)
      .render_state(rs::stencil_pass, op_replace);
  s.g.fill({4, 4, 8, 8}, red);
  test_stencil_equals(s.g, 3);
  s.g.fill_all(green);
  s.g.expect(s.target, image(16, 16, black).fill({4, 4, 8, 8}, green));
}

TEST_CASE("VK-015 every stencil operation, at the ends of its range", "[golden][stencil]") {
  const auto [operation, before, after] =
      GENERATE(table<std::uint32_t, std::uint32_t, std::uint32_t>({{op_keep, 7, 7},
                                                                   {0, 7, 7},
                                                                   {op_zero, 7, 0},
                                                                   {op_replace, 7, 0x55},
                                                                   {op_incr_sat, 254, 255},
                                                                   {op_incr_sat, 255, 255},
                                                                   {op_decr_sat, 1, 0},
                                                                   {op_decr_sat, 0, 0},
                                                                   {op_invert, 0x0F, 0xF0},
                                                                   {op_incr, 255, 0},
                                                                   {op_incr, 7, 8},
                                                                   {op_decr, 0, 255},
                                                                   {op_decr, 7, 6}}));
  // Which test decides that the operation runs.
  const auto state = GENERATE(rs::stencil_pass, rs::stencil_fail, rs::stencil_z_fail);
  depth_scene s;
  s.g.stream()
      .clear(AEROGPU_CLEAR_STENCIL, {}, 1, before)
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_ref, 0x55)
      .render_state(rs::stencil_func, state == rs::stencil_fail ? cmp_never : cmp_always)
      .render_state(rs::z_func, state == rs::stencil_z_fail ? cmp_never : cmp_always)
      .render_state(state, operation);
  s.g.fill_all(red);
  s.g.stream().render_state(rs::z_func, cmp_always);
  test_stencil_equals(s.g, after);
  s.g.fill_all(green);
  s.g.expect(s.target, green);
}

TEST_CASE("VK-015 every stencil comparison puts the reference on the left", "[golden][stencil]") {
  const auto [function, below, equal, above] =
      GENERATE(table<std::uint32_t, bool, bool, bool>({{cmp_never, false, false, false},
                                                       {cmp_less, true, false, false},
                                                       {cmp_equal, false, true, false},
                                                       {cmp_less_equal, true, true, false},
                                                       {cmp_greater, false, false, true},
                                                       {cmp_not_equal, true, false, true},
                                                       {cmp_greater_equal, false, true, true},
                                                       {cmp_always, true, true, true},
                                                       {0, true, true, true}}));
  depth_scene s;
  s.g.stream()
      .clear(AEROGPU_CLEAR_STENCIL, {}, 1, 0x80)
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_func, function);
  image expected(16, 16, black);
  const std::array<std::pair<std::uint32_t, bool>, 3> references{
      {{0x7F, below}, {0x80, equal}, {0x81, above}}};
  int x = 0;
  for (const auto& [reference, is_seen] : references) {
    s.g.stream().render_state(rs::stencil_ref, reference);
    s.g.fill({x, 0, 4, 16}, green);
    if (is_seen) expected.fill({x, 0, 4, 16}, green);
    x += 4;
  }
  s.g.expect(s.target, expected);
}

TEST_CASE("VK-015 the read mask hides bits and the write mask keeps them", "[golden][stencil]") {
  depth_scene s;
  s.g.stream()
      .clear(AEROGPU_CLEAR_STENCIL, {}, 1, 0xA5)
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_pass, op_replace)
      .render_state(rs::stencil_ref, 0x5A)
      .render_state(rs::stencil_write_mask, 0x0F);
  s.g.fill_all(red);
  test_stencil_equals(s.g, 0xAA);
  s.g.fill_all(green, 0.4f);
  s.g.expect(s.target, green);
  test_stencil_equals(s.g, 0x0A);
  s.g.stream().render_state(rs::stencil_mask, 0x0F);
  s.g.fill_all(blue, 0.3f);
  s.g.expect(s.target, blue);
  s.g.stream().render_state(rs::stencil_mask, 0xFF);
  s.g.fill_all(red, 0.2f);
  s.g.expect(s.target, blue);
}

TEST_CASE("VK-015 the packet's masks count too", "[golden][stencil]") {
  depth_scene s;
  s.g.stream()
      .clear(AEROGPU_CLEAR_STENCIL, {}, 1, 0xFF)
      .depth_stencil({0, 0, AEROGPU_COMPARE_ALWAYS, 1, 0xFF, 0x0F, {}})
      .render_state(rs::stencil_pass, op_zero);
  s.g.fill_all(red);
  test_stencil_equals(s.g, 0xF0);
  s.g.fill_all(green);
  s.g.expect(s.target, green);
}

TEST_CASE("VK-015 a depth buffer without stencil passes every stencil test", "[golden][stencil]") {
  depth_scene s{AEROGPU_FORMAT_D32_FLOAT};
  s.g.stream()
      .clear(AEROGPU_CLEAR_STENCIL, {}, 1, 7)
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_func, cmp_never);
  s.g.fill_all(green);
  s.g.expect(s.target, green);
}

TEST_CASE("VK-016 two-sided stencil has other operations for counter-clockwise faces",
          "[golden][stencil]") {
  const auto is_front_ccw = GENERATE(false, true);
  const auto is_two_sided = GENERATE(true, false);
  depth_scene s;
  s.g.stream()
      .clear(AEROGPU_CLEAR_STENCIL, {}, 1, 10)
      .render_state(rs::cull, 1)
      .render_state(rs::front_ccw, is_front_ccw ? 1 : 0)
      .render_state(rs::z_enable, 0)
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_pass, op_incr)
      .render_state(rs::two_sided_stencil, is_two_sided ? 1 : 0)
      .render_state(rs::ccw_func, cmp_always)
      .render_state(rs::ccw_pass, op_decr);
  std::vector<vertex> clockwise = s.g.rectangle(left, 0.5f, {}, {}, {});
  std::vector<vertex> other = s.g.rectangle(right, 0.5f, {}, {}, {});
  s.g.draw(clockwise);
  s.g.draw({other.rbegin(), other.rend()});
  s.g.clear(black);
  test_stencil_equals(s.g, 11);
  s.g.fill(left, green);
  test_stencil_equals(s.g, is_two_sided ? 9 : 11);
  s.g.fill(right, green);
  s.g.expect(s.target, green);
}

TEST_CASE("VK-016 two-sided stencil has another comparison for counter-clockwise faces",
          "[golden][stencil]") {
  depth_scene s;
  s.g.stream()
      .render_state(rs::cull, 1)
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_func, cmp_always)
      .render_state(rs::two_sided_stencil, 1)
      .render_state(rs::ccw_func, cmp_never)
      .render_state(rs::ccw_fail, op_replace)
      .render_state(rs::stencil_ref, 8);
  const std::vector<vertex> other =
      s.g.rectangle(right, 0.5f, to_color(red), to_color(red), to_color(red));
  s.g.fill(left, green);
  s.g.draw({other.rbegin(), other.rend()});
  s.g.expect(s.target, image(16, 16, black).fill(left, green));
  test_stencil_equals(s.g, 8);
  s.g.fill_all(blue, 0.25f);
  s.g.expect(s.target, image(16, 16, green).fill(right, blue));
}

TEST_CASE("VK-017 the depth-stencil packet resets operations and comparison, not the reference",
          "[golden][stencil]") {
  depth_scene s;
  s.g.stream()
      .clear(AEROGPU_CLEAR_STENCIL, {}, 1, 4)
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_func, cmp_never)
      .render_state(rs::stencil_fail, op_zero)
      .render_state(rs::stencil_pass, op_zero)
      .render_state(rs::stencil_ref, 4)
      .render_state(rs::two_sided_stencil, 1)
      .depth_stencil({0, 0, AEROGPU_COMPARE_ALWAYS, 1, 0xFF, 0xFF, {}});
  s.g.fill_all(red);  // Passes, keeps.
  s.g.expect(s.target, red);
  s.g.stream().render_state(rs::stencil_func, cmp_equal);
  s.g.fill_all(green);
  s.g.expect(s.target, green);
}

TEST_CASE("VK-030 a depth buffer larger than the colour target works", "[golden][depth]") {
  guest g;
  const auto target = g.make_target(16, 16);
  const auto depth = g.make_target(40, 32, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.clear(black);
  g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 1);
  g.fill({2, 2, 12, 12}, green, 0.5f);
  g.fill_all(red, 0.6f);
  g.expect(target, image(16, 16, red).fill({2, 2, 12, 12}, green));
}

TEST_CASE("VK-030 the render area is the smallest of all targets", "[golden][depth]") {
  guest g;
  const auto small = g.make_target(8, 4), large = g.make_target(16, 16);
  g.bind_targets({large});
  g.clear(black);
  g.bind_targets({small, large});
  g.stream().viewport({0, 0, 16, 16, 0, 1});
  g.fill_all(green);
  g.expect(small, green);
  // The pixel shader writes target 0 alone; the second keeps what it held.
  g.expect(large, black);
}

TEST_CASE("VK-068 depth alone is drawn, with and without a pixel shader", "[golden][depth]") {
  const auto has_pixel_shader = GENERATE(false, true);
  const auto colors =
      GENERATE(std::vector<std::uint32_t>{}, std::vector<std::uint32_t>{0, 0});  // None; gaps.
  depth_scene s;
  s.g.bind_targets(colors, s.depth);
  s.g.draw_with(has_pixel_shader ? s.g.attribute_color_ps() : 0,
                s.g.rectangle(left, 0.25f, {}, {}, {}));
  s.g.bind_targets({s.target}, s.depth);
  s.g.fill_all(green, 0.5f);
  s.g.expect(s.target, image(16, 16, black).fill(right, green));
}

TEST_CASE("VK-068 depth is drawn on after the last colour target was destroyed",
          "[golden][depth]") {
  depth_scene s;
  const auto gone = s.g.make_target(16, 16);
  s.g.bind_targets({gone}, s.depth);
  s.g.fill(left, red, 0.25f);
  s.g.bind_targets({}, s.depth);
  s.g.stream().destroy(gone);
  s.g.fill({8, 0, 4, 16}, red, 0.25f);
  s.g.bind_targets({s.target}, s.depth);
  s.g.fill_all(green, 0.5f);
  s.g.expect(s.target, image(16, 16, black).fill({12, 0, 4, 16}, green));
}

TEST_CASE("VK-068 a draw with neither colour nor depth fails", "[golden][depth]") {
  depth_scene s;
  s.g.submit();
  s.g.bind_targets({});
  s.g.fill({0, 0, 4, 4}, red);
  CHECK(s.g.failure() == error_code::missing_binding);
}

}  // namespace
}  // namespace aerogpu::golden
