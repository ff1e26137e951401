// SPDX-License-Identifier: MIT
#include "tests/golden/guests/rasterizer.hpp"
#include "tests/golden/guests/states.hpp"

#include <limits>

namespace aerogpu::golden {
namespace {

/// A render state of this library: 1 = pixel centres at integers, as Direct3D 9 has them.
constexpr std::uint32_t pixel_centers = 2000;

struct viewport_scene {
  guest g;
  std::uint32_t target = g.make_target(32, 32);
  viewport_scene() {
    g.bind_targets({target});
    g.clear(black);
  }
};

/// A picture that shows any distortion: colours follow clip-space coordinates.
[[nodiscard]] auto coordinate_square() -> std::vector<vertex> {
  const std::array<vertex, 4> corners{{{-1, 1, 0.5f, 1, {0, 0, 0.5f, 1}},
                                       {1, 1, 0.5f, 1, {1, 0, 0.5f, 1}},
                                       {-1, -1, 0.5f, 1, {0, 1, 0.5f, 1}},
                                       {1, -1, 0.5f, 1, {1, 1, 0.5f, 1}}}};
  return {corners[0], corners[1], corners[2], corners[2], corners[1], corners[3]};
}

TEST_CASE("VK-027 a viewport maps clip space to its rectangle and clips to the target",
          "[golden][viewport]") {
  const auto view = GENERATE(
      std::array<float, 4>{8, 4, 16, 20}, std::array<float, 4>{0, 0, 32, 32},
      std::array<float, 4>{-8, -12, 24, 32}, std::array<float, 4>{20, 10, 40, 100},
      std::array<float, 4>{3.25f, 5.5f, 17.5f, 11.25f}, std::array<float, 4>{-100, -100, 300, 300});
  viewport_scene s;
  s.g.stream().viewport({view[0], view[1], view[2], view[3], 0, 1});
  s.g.draw(coordinate_square());
  rasterizer oracle(32, 32);
  raster_rules rules;
  rules.viewport = view;
  oracle.draw(coordinate_square(), rules);
  s.g.expect(s.target, oracle.picture(), rounding);
}

TEST_CASE("VK-027 a viewport outside of the target draws nothing and is no error",
          "[golden][viewport]") {
  const auto view = GENERATE(std::array<float, 4>{32, 0, 8, 8}, std::array<float, 4>{0, 40, 8, 8},
                             std::array<float, 4>{-8, 0, 8, 8}, std::array<float, 4>{0, -9, 8, 8});
  viewport_scene s;
  s.g.stream().viewport({view[0], view[1], view[2], view[3], 0, 1});
  s.g.draw(coordinate_square());
  s.g.expect(s.target, black);
}

TEST_CASE("VK-027 an empty, negative or not finite viewport means the whole target",
          "[golden][viewport]") {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto view = GENERATE(
      std::array<float, 6>{0, 0, 0, 0, 0, 1}, std::array<float, 6>{4, 4, 0, 8, 0, 1},
      std::array<float, 6>{4, 4, 8, -8, 0, 1}, std::array<float, 6>{nan, 0, 8, 8, 0, 1},
      std::array<float, 6>{4, 4, 8, 8, nan, 1}, std::array<float, 6>{4, 4, infinity, 8, 0, 1});
  viewport_scene s;
  s.g.stream().viewport({8, 8, 8, 8, 0.5f, 0.75f}).viewport(view);
  s.g.draw(coordinate_square());
  rasterizer oracle(32, 32);
  oracle.draw(coordinate_square());
  s.g.expect(s.target, oracle.picture(), rounding);
}

TEST_CASE("VK-027 the depth range maps, is clamped to 0..1, and is swapped when reversed",
          "[golden][viewport]") {
  const auto [least, most, z, depth] =
      GENERATE(table<float, float, float, float>({{0.25f, 0.75f, 0.0f, 0.25f},
                                                  {0.25f, 0.75f, 1.0f, 0.75f},
                                                  {0.25f, 0.75f, 0.5f, 0.5f},
                                                  {0.75f, 0.25f, 0.0f, 0.25f},
                                                  {-1.0f, 2.0f, 0.25f, 0.25f}}));
  guest g;
  const auto target = g.make_target(8, 8), buffer = g.make_target(8, 8, AEROGPU_FORMAT_D32_FLOAT);
  g.bind_targets({target}, buffer);
  g.stream().clear(3, to_color(black), 1).viewport({0, 0, 8, 8, least, most});
  g.fill_all(red, z);
  g.stream()
      .viewport({0, 0, 8, 8, 0, 1})
      .depth_stencil({1, 0, AEROGPU_COMPARE_GREATER, 0, 0xFF, 0xFF, {}});
  g.fill_all(white, depth - 0.0001f);
  g.expect(target, red);
  g.fill_all(green, depth + 0.0001f);
  g.expect(target, green);
}

TEST_CASE("VK-028 the scissor clips while its test is on", "[golden][viewport]") {
  const auto [given, effective] =
      GENERATE(table<area, area>({{{3, 4, 10, 6}, {3, 4, 10, 6}},
                                  {{-5, -6, 10, 12}, {0, 0, 5, 6}},
                                  {{28, 30, 100, 100}, {28, 30, 4, 2}},
                                  {{20, 20, 0x7FFFFFFF, 0x7FFFFFFF}, {20, 20, 12, 12}},
                                  {{40, 0, 4, 4}, {}},
                                  {{4, 4, 0, 4}, {}},
                                  {{4, 4, 4, -4}, {}},
                                  {{0, 0, 0, 0}, {0, 0, 32, 32}}}));
  const auto uses_packet = GENERATE(true, false);
  viewport_scene s;
  if (uses_packet) {
    auto state = default_rasterizer();
    state.scissor_enable = 1;
    s.g.stream().rasterizer(state);
  } else {
    s.g.stream().render_state(rs::scissor_test, 1);
  }
  s.g.stream().scissor(given.x, given.y, given.width, given.height);
  s.g.fill_all(green);
  s.g.expect(s.target, image(32, 32, black).fill(effective, green));
}

TEST_CASE("VK-028 a disabled scissor is ignored, and an enabled one needs a rectangle",
          "[golden][viewport]") {
  const auto is_enabled = GENERATE(false, true);
  viewport_scene s;
  if (is_enabled) {
    s.g.stream().render_state(rs::scissor_test, 1);
  } else {
    s.g.stream().scissor(4, 4, 8, 8);
  }
  s.g.fill_all(green);
  s.g.expect(s.target, green);
}

TEST_CASE("VK-028 scissor and viewport clip together", "[golden][viewport]") {
  viewport_scene s;
  s.g.stream()
      .render_state(rs::scissor_test, 1)
      .scissor(0, 0, 12, 32)
      .viewport({8, 8, 16, 16, 0, 1});
  s.g.draw(coordinate_square());
  rasterizer oracle(32, 32);
  raster_rules rules;
  rules.viewport = {8, 8, 16, 16};
  rules.scissor = area{0, 0, 12, 32};
  oracle.draw(coordinate_square(), rules);
  s.g.expect(s.target, oracle.picture(), rounding);
}

TEST_CASE("VK-029 viewport and scissor stay when the target changes, and clip to its size",
          "[golden][viewport]") {
  viewport_scene s;
  const auto small = s.g.make_target(16, 16);
  s.g.stream()
      .viewport({4, 4, 24, 24, 0, 1})
      .render_state(rs::scissor_test, 1)
      .scissor(6, 6, 20, 20);
  s.g.draw(coordinate_square());
  s.g.bind_targets({small});
  s.g.stream().render_state(rs::scissor_test, 0);
  s.g.clear(black);
  s.g.stream().render_state(rs::scissor_test, 1);
  s.g.draw(coordinate_square());
  raster_rules rules;
  rules.viewport = {4, 4, 24, 24};
  rules.scissor = area{6, 6, 20, 20};
  rasterizer large_oracle(32, 32), small_oracle(16, 16);
  large_oracle.draw(coordinate_square(), rules);
  small_oracle.draw(coordinate_square(), rules);
  s.g.expect(s.target, large_oracle.picture(), rounding);
  s.g.expect(small, small_oracle.picture(), rounding);
}

/// A ramp over the whole target that starts at the left and top edges.
[[nodiscard]] auto ramp(const guest& g) -> std::vector<vertex> {
  return g.rectangle({0, 0, 32, 32}, 0.5f, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1});
}

TEST_CASE("VK-081 without the option, pixel centres lie between integers", "[golden][half_pixel]") {
  viewport_scene s;
  s.g.draw(s.g.rectangle({0, 0, 32, 32}, 0.5f, {0, 0, 0, 1}, {1, 0, 0, 1}, {0, 1, 0, 1}));
  s.g.expect(s.target,
             image::made_by(32, 32,
                            [](int x, int y) {
                              return rgba{to_byte((x + 0.5) / 32), to_byte((y + 0.5) / 32), 0, 255};
                            }),
             rounding);
}

TEST_CASE("VK-081 with the option, positions move half a pixel right and down",
          "[golden][half_pixel]") {
  const auto view = GENERATE(std::array<float, 4>{0, 0, 0, 0}, std::array<float, 4>{4, 8, 16, 16},
                             std::array<float, 4>{-16, -16, 64, 64});
  guest g;
  g.stream().render_state(pixel_centers, 1);
  const auto target = g.make_target(32, 32);
  g.bind_targets({target});
  g.clear(black);
  if (view[2] != 0) g.stream().viewport({view[0], view[1], view[2], view[3], 0, 1});
  g.draw(ramp(g));
  rasterizer oracle(32, 32);
  raster_rules rules;
  rules.viewport = view;
  rules.shift_x = rules.shift_y = 0.5f;
  oracle.draw(ramp(g), rules);
  g.expect(target, oracle.picture(), rounding);
}

TEST_CASE("VK-081 with the option, points at integers hit the pixel of that number",
          "[golden][half_pixel]") {
  guest g;
  g.stream().render_state(pixel_centers, 1);
  const auto target = g.make_target(32, 32);
  g.bind_targets({target});
  g.clear(black);
  vertex point = g.at_pixel(2, 3);
  point.attribute = {1, 1, 1, 1};
  g.draw({point}, AEROGPU_TOPOLOGY_POINTLIST);
  image expected(32, 32, black);
  expected.at(2, 3) = white;
  g.expect(target, expected);
}

TEST_CASE("VK-081 with the option, a line has one pixel a step of its longer axis",
          "[golden][half_pixel]") {
  struct line {
    std::array<float, 2> from, to;
  };
  const auto [from, to] =
      GENERATE(line{{2.1f, 2.3f}, {28.2f, 11.4f}}, line{{3.2f, 27.8f}, {29.7f, 3.1f}},
               line{{28.2f, 11.4f}, {2.1f, 2.3f}}, line{{4.4f, 1.7f}, {9.9f, 30.2f}},
               line{{20.3f, 29.6f}, {11.8f, 2.2f}});
  guest g;
  g.stream().render_state(pixel_centers, 1);
  const auto target = g.make_target(32, 32);
  g.bind_targets({target});
  g.clear(black);
  std::vector<vertex> ends{g.at_pixel(from[0], from[1]), g.at_pixel(to[0], to[1])};
  for (vertex& end : ends) end.attribute = {1, 1, 1, 1};
  g.draw(ends, AEROGPU_TOPOLOGY_LINELIST);
  const image seen = g.read(target);
  if (!g.renders()) return;
  const std::size_t axis = std::abs(to[0] - from[0]) > std::abs(to[1] - from[1]) ? 0 : 1;
  const auto [first, last] = std::minmax(from[axis], to[axis]);
  for (int step = static_cast<int>(first) + 2; step < static_cast<int>(last) - 1; ++step) {
    int covered = 0;
    for (int i = 0; i < 32; ++i) {
      covered += (axis == 0 ? seen.at(step, i) : seen.at(i, step)) == white ? 1 : 0;
    }
    INFO("step " << step);
    CHECK(covered == 1);
  }
}

TEST_CASE("VK-081 the option leaves pre-transformed positions alone", "[golden][half_pixel]") {
  guest g;
  g.stream().render_state(pixel_centers, 1);
  const auto target = g.make_target(32, 32);
  g.bind_targets({target});
  g.clear(black);
  const auto vs =
      g.make_shader("vs_2_0\ndcl_positiont v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1");
  const auto ps = g.attribute_color_ps();
  const auto layout = g.make_layout(
      {{0, 0, type_float4, 0, usage_positiont, 0}, {0, 16, type_float4, 0, usage_texcoord, 0}});
  const auto vertices = g.make_buffer(ramp(g));
  g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, vertices, sizeof(vertex))
      .draw(6);
  rasterizer oracle(32, 32);
  oracle.draw(ramp(g));
  g.expect(target, oracle.picture(), rounding);
}

}  // namespace
}  // namespace aerogpu::golden
