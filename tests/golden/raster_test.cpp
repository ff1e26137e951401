// SPDX-License-Identifier: MIT
#include "tests/golden/guests/rasterizer.hpp"
#include "tests/golden/guests/states.hpp"

namespace aerogpu::golden {
namespace {

/// A triangle with odd angles and a colour at each corner; clockwise on screen.
[[nodiscard]] auto odd_triangle() -> std::vector<vertex> {
  return {{-0.8f, -0.7f, 0.5f, 1, {1, 0, 0, 1}},
          {-0.15f, 0.93f, 0.5f, 1, {0, 1, 0, 1}},
          {0.77f, -0.31f, 0.5f, 1, {0, 0, 1, 1}}};
}
[[nodiscard]] auto reversed(std::vector<vertex> list) -> std::vector<vertex> {
  return {list.rbegin(), list.rend()};
}
/// Vertices of one colour, in pixels of a 32x32 target.
[[nodiscard]] auto white_at(const guest& g, std::initializer_list<std::array<float, 2>> points)
    -> std::vector<vertex> {
  std::vector<vertex> vertices;
  for (const auto& [x, y] : points) {
    vertices.push_back(g.at_pixel(x, y));
    vertices.back().attribute = {1, 1, 1, 1};
  }
  return vertices;
}
[[nodiscard]] auto drawn(const std::vector<vertex>& list) -> image {
  rasterizer oracle(32, 32);
  oracle.draw(list);
  return oracle.picture();
}

struct scene {
  guest g;
  std::uint32_t target = g.make_target(32, 32);
  scene() {
    g.bind_targets({target});
    g.clear(black);
  }
};

TEST_CASE("VK-010 a triangle covers the pixels of the top-left rule, with its colours between",
          "[golden][raster]") {
  scene s;
  s.g.draw(odd_triangle());
  s.g.expect(s.target, drawn(odd_triangle()), rounding);
}

TEST_CASE("VK-010 attributes are interpolated with perspective", "[golden][raster]") {
  std::vector<vertex> list = odd_triangle();
  list[1] = {-0.15f * 4, 0.93f * 4, 2, 4, {0, 1, 0, 1}};
  list[2] = {0.77f * 2, -0.31f * 2, 1, 2, {0, 0, 1, 1}};
  scene s;
  s.g.draw(list);
  s.g.expect(s.target, drawn(list), rounding);
}

TEST_CASE("VK-010 triangles that share edges leave no gap and cover no pixel twice",
          "[golden][raster]") {
  scene s;
  s.g.stream().blend(blend_with(AEROGPU_BLEND_ONE, AEROGPU_BLEND_ONE)).render_state(rs::cull, 1);
  // A fan around a point between pixels, whose rim is the whole target.
  const vertex middle = s.g.at_pixel(13.37f, 17.71f);
  const std::vector<vertex> rim{s.g.at_pixel(0, 0),   s.g.at_pixel(11, 0),  s.g.at_pixel(32, 0),
                                s.g.at_pixel(32, 20), s.g.at_pixel(32, 32), s.g.at_pixel(7, 32),
                                s.g.at_pixel(0, 32),  s.g.at_pixel(0, 5),   s.g.at_pixel(0, 0)};
  std::vector<vertex> list;
  for (std::size_t i = 0; i + 1 < rim.size(); ++i) {
    list.insert(list.end(), {middle, rim[i], rim[i + 1]});
  }
  for (vertex& v : list) v.attribute = {0.2f, 0.2f, 0.2f, 0.2f};
  s.g.clear({0, 0, 0, 0});
  s.g.draw(list);
  s.g.expect(s.target, {51, 51, 51, 51});
}

TEST_CASE("VK-010 counter-clockwise triangles are culled by default, and y = 1 is the top row",
          "[golden][raster]") {
  scene s;
  s.g.draw(reversed(odd_triangle()));
  s.g.expect(s.target, black);
  s.g.draw({{-1, 1, 0.5f, 1, {1, 1, 1, 1}},
            {1, 1, 0.5f, 1, {1, 1, 1, 1}},
            {-1, -1, 0.5f, 1, {1, 1, 1, 1}}});
  const image seen = s.g.read(s.target);
  if (!s.g.renders()) return;
  CHECK(seen.at(0, 0) == white);
  CHECK(seen.at(30, 0) == white);
  CHECK(seen.at(0, 30) == white);
  CHECK(seen.at(31, 31) == black);
}

TEST_CASE("VK-011 the rasterizer packet culls by facing, and front_ccw turns facing over",
          "[golden][raster]") {
  const auto front_ccw = GENERATE(0u, 1u);
  const auto mode = GENERATE(AEROGPU_CULL_NONE, AEROGPU_CULL_FRONT, AEROGPU_CULL_BACK);
  const auto is_clockwise = GENERATE(false, true);
  scene s;
  auto state = default_rasterizer();
  state.cull_mode = mode;
  state.front_ccw = front_ccw;
  s.g.stream().rasterizer(state);
  const bool is_front = is_clockwise != (front_ccw != 0);
  const bool is_culled = is_front ? mode == AEROGPU_CULL_FRONT : mode == AEROGPU_CULL_BACK;
  s.g.draw(is_clockwise ? odd_triangle() : reversed(odd_triangle()));
  s.g.expect(s.target, is_culled ? image(32, 32, black) : drawn(odd_triangle()), rounding);
}

TEST_CASE("VK-011 an unknown cull mode keeps the mode before", "[golden][raster]") {
  scene s;
  auto state = default_rasterizer();
  state.cull_mode = AEROGPU_CULL_FRONT;
  s.g.stream().rasterizer(state);
  state.cull_mode = 77;
  s.g.stream().rasterizer(state);
  s.g.draw(odd_triangle());
  s.g.expect(s.target, black);
}

TEST_CASE("VK-011 render state 22 culls by winding, whatever front is", "[golden][raster]") {
  const auto is_front_ccw = GENERATE(false, true);
  const auto [value, culls_clockwise, culls_other] = GENERATE(
      table<std::uint32_t, bool, bool>({{1, false, false}, {2, true, false}, {3, false, true}}));
  const auto is_clockwise = GENERATE(false, true);
  scene s;
  s.g.stream().render_state(rs::front_ccw, is_front_ccw ? 1 : 0).render_state(rs::cull, value);
  const bool is_culled = is_clockwise ? culls_clockwise : culls_other;
  s.g.draw(is_clockwise ? odd_triangle() : reversed(odd_triangle()));
  s.g.expect(s.target, is_culled ? image(32, 32, black) : drawn(odd_triangle()), rounding);
}

TEST_CASE("VK-011 wireframe draws edges only", "[golden][raster]") {
  scene s;
  auto state = default_rasterizer();
  state.fill_mode = AEROGPU_FILL_WIREFRAME;
  s.g.stream().rasterizer(state);
  s.g.draw(white_at(s.g, {{4.5f, 4.5f}, {28.5f, 4.5f}, {4.5f, 28.5f}}));
  const image seen = s.g.read(s.target);
  if (!s.g.renders()) return;
  CHECK(seen.at(16, 4) == white);
  CHECK(seen.at(4, 16) == white);
  if (!s.g.features().wireframe) WARN("this device has no wireframe: it fills");
  CHECK(seen.at(10, 10) == (s.g.features().wireframe ? black : white));
}

TEST_CASE("VK-042 a fan is triangles around its first vertex, indexed or not", "[golden][raster]") {
  const auto is_indexed = GENERATE(false, true);
  scene s;
  std::vector<vertex> fan = white_at(s.g, {{16, 16}, {3, 9}, {14, 2}, {29, 6}, {27, 28}, {10, 30}});
  for (std::size_t i = 0; i < fan.size(); ++i) {
    fan[i].attribute = {i % 2 == 0 ? 1.0f : 0.25f, static_cast<float>(i) / 5.0f, 0.5f, 1};
  }
  if (!is_indexed) {
    s.g.draw(fan, AEROGPU_TOPOLOGY_TRIANGLEFAN);
  } else {
    // Vertices in the buffer backwards, with one in front that no index names.
    std::vector<vertex> stored{vertex{}};
    stored.insert(stored.end(), fan.rbegin(), fan.rend());
    const auto indices = s.g.make_buffer(std::vector<std::uint16_t>{9, 6, 5, 4, 3, 2, 1});
    const auto vertices = s.g.make_buffer(stored);
    const auto vs = s.g.position_and_attribute_vs(), ps = s.g.attribute_color_ps();
    const auto layout = s.g.vertex_layout();
    s.g.stream()
        .bind_shaders(vs, ps)
        .set_layout(layout)
        .vertex_buffer(0, vertices, sizeof(vertex))
        .index_buffer(indices, AEROGPU_INDEX_FORMAT_UINT16, 2)
        .topology(AEROGPU_TOPOLOGY_TRIANGLEFAN)
        .draw_indexed(6);
  }
  s.g.expect(s.target, drawn(fan_to_list(fan)), rounding);
}

TEST_CASE("VK-042 a fan of two vertices draws nothing", "[golden][raster]") {
  scene s;
  s.g.draw(white_at(s.g, {{0, 0}, {32, 0}}), AEROGPU_TOPOLOGY_TRIANGLEFAN);
  s.g.expect(s.target, black);
}

TEST_CASE("VK-042 a strip alternates its winding, and a trailing part is dropped",
          "[golden][raster]") {
  scene s;
  std::vector<vertex> strip =
      white_at(s.g, {{2, 28}, {5, 3}, {12, 30}, {17, 6}, {22, 27}, {30, 2}});
  s.g.draw(strip, AEROGPU_TOPOLOGY_TRIANGLESTRIP);
  s.g.expect(s.target, drawn(strip_to_list(strip)), rounding);

  s.g.clear(black);
  strip.resize(2);
  s.g.draw(strip, AEROGPU_TOPOLOGY_TRIANGLESTRIP);
  std::vector<vertex> list = odd_triangle();
  list.push_back(list[0]);
  list.push_back(list[1]);
  s.g.draw(list);
  s.g.expect(s.target, drawn(odd_triangle()), rounding);
}

TEST_CASE("VK-043 points colour the pixel they lie in", "[golden][raster]") {
  scene s;
  s.g.draw(white_at(s.g, {{3.5f, 4.5f}, {10.5f, 4.5f}, {31.5f, 31.5f}, {0.5f, 0.5f}}),
           AEROGPU_TOPOLOGY_POINTLIST);
  image expected(32, 32, black);
  for (const auto& [x, y] : {std::pair{3, 4}, {10, 4}, {31, 31}, {0, 0}}) expected.at(x, y) = white;
  s.g.expect(s.target, expected);
}

TEST_CASE("VK-043 the vertex shader may set the size of points", "[golden][raster]") {
  scene s;
  const auto vs =
      s.g.make_shader("vs_2_0\ndef c9, 4, 0, 0, 0\ndcl_position v0\nmov oPos, v0\nmov oPts, c9.x");
  const auto ps = s.g.constant_color_ps();
  const auto layout = s.g.vertex_layout();
  const auto points = s.g.make_buffer(white_at(s.g, {{10, 12}}));
  s.g.stream()
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .constants_f(wire_ps, 0, {to_color(white)})
      .vertex_buffer(0, points, sizeof(vertex))
      .topology(AEROGPU_TOPOLOGY_POINTLIST)
      .draw(1);
  s.g.expect(s.target, image(32, 32, black).fill({8, 10, 4, 4}, white));
}

TEST_CASE("VK-043 lines and line strips cover the pixels between their ends", "[golden][raster]") {
  const auto is_strip = GENERATE(false, true);
  scene s;
  // Through pixel centres; whether the last pixel belongs to a line is the device's choice, so the
  // ends lie on edges that no rule counts twice.
  const std::vector<vertex> vertices =
      white_at(s.g, {{4, 3.5f}, {20, 3.5f}, {20.5f, 4}, {20.5f, 26}, {2, 28.5f}});
  s.g.draw(vertices, is_strip ? AEROGPU_TOPOLOGY_LINESTRIP : AEROGPU_TOPOLOGY_LINELIST);
  const image seen = s.g.read(s.target);
  if (!s.g.renders()) return;
  for (int x = 5; x < 19; ++x) CHECK(seen.at(x, 3) == white);
  for (int y = 5; y < 25; ++y) CHECK(seen.at(20, y) == white);
  CHECK(seen.at(3, 3) == black);
  CHECK(seen.at(10, 2) == black);
  CHECK(seen.at(10, 4) == black);
  CHECK(seen.at(11, 27) == (is_strip ? white : black));
}

}  // namespace
}  // namespace aerogpu::golden
