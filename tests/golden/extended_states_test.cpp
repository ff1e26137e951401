// SPDX-License-Identifier: MIT
/// \file Render states beyond the protocol's reference, and those private to the drivers
/// (docs/extensions.md).
#include "tests/golden/guests/states.hpp"

#include <string>

namespace aerogpu::golden {
namespace {

constexpr std::uint32_t shade_mode = 9, clip_plane_enable = 152, point_size = 154,
                        point_size_min = 155, point_sprite = 156, point_size_max = 166,
                        slope_bias = 175, depth_bias = 195, clip_planes = 2010;

void set_clip_plane(guest& g, std::uint32_t plane, const std::array<float, 4>& equation) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    g.stream().render_state(clip_planes + 4 * plane + i, as_bits(equation[i]));
  }
}

TEST_CASE("user clip planes keep what lies in front of those that are enabled",
          "[golden][extensions]") {
  // Plane 0 keeps the right half, plane 5 the upper half; plane 3 would keep nothing.
  const auto [enabled, kept] =
      GENERATE(table<std::uint32_t, area>({{0, {0, 0, 16, 16}},
                                           {1u << 0, {8, 0, 8, 16}},
                                           {1u << 5, {0, 0, 16, 8}},
                                           {1u << 0 | 1u << 5, {8, 0, 8, 8}},
                                           {1u << 3, {0, 0, 0, 0}},
                                           {1u << 6, {0, 0, 16, 16}}}));
  CAPTURE(enabled);
  guest g;
  const auto target = g.make_target(16, 16);
  g.bind_targets({target});
  g.clear(black);
  set_clip_plane(g, 0, {1, 0, 0, 0});
  set_clip_plane(g, 5, {0, 1, 0, 0});
  set_clip_plane(g, 3, {0, 0, 0, -1});
  g.stream().render_state(clip_plane_enable, enabled);
  g.fill_all(red);
  g.expect(target, image(16, 16, black).fill(kept, red));
}

TEST_CASE("with state 2002 a colour that no vertex shader writes is white, and its rest is",
          "[golden][extensions]") {
  struct row {
    const char* code;
    std::uint32_t state;
    rgba shown;
  };
  const row r = GENERATE(values<row>(
      {{"vs_2_0\ndcl_position v0\nmov oPos, v0", 0, {0, 0, 0, 0}},
       {"vs_2_0\ndcl_position v0\nmov oPos, v0", 1, {255, 255, 255, 255}},
       {"vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0", 1, {255, 255, 255, 255}},
       {"vs_2_0\ndef c0, 0, 1, 0, 0\ndcl_position v0\nmov oPos, v0\nmov oD0.yz, c0",
        0,
        {0, 255, 0, 0}},
       {"vs_2_0\ndef c0, 0, 1, 0, 0\ndcl_position v0\nmov oPos, v0\nmov oD0.yz, c0",
        1,
        {255, 255, 0, 255}},
       {"vs_2_0\ndef c0, 0, 1, 0, 0\ndcl_position v0\nmov oPos, v0\nmov oD0, c0",
        1,
        {0, 255, 0, 0}}}));
  CAPTURE(r.code, r.state);
  guest g;
  const auto target = g.make_target(16, 16);
  g.bind_targets({target});
  g.clear(blue);
  const auto vs = g.make_shader(r.code);
  const auto ps = g.make_shader(r.code[3] == '3' ? "ps_3_0\ndcl_color v0\nmov oC0, v0"
                                                 : "ps_2_0\ndcl v0\nmov oC0, v0");
  const auto layout = g.make_layout({{0, 0, type_float4, 0, usage_position, 0}});
  const auto vertices = g.make_buffer(g.rectangle({0, 0, 16, 16}, 0.5f, {}, {}, {}));
  // The state decides of the next draw, also where nothing else changed.
  for (const std::uint32_t state : {1 - r.state, r.state}) {
    g.stream()
        .render_state(2002, state)
        .bind_shaders(vs, ps)
        .set_layout(layout)
        .vertex_buffer(0, vertices, sizeof(vertex))
        .draw(6);
  }
  g.expect(target, image(16, 16, r.shown));
}

/// A red rectangle at depth 0.5, of w 1.25, and blue fog that ends at 1.
struct fog_scene {
  static constexpr const char *ps_2 = "ps_2_0\ndef c0, 1, 0, 0, 1\nmov oC0, c0",
                              *ps_3 = "ps_3_0\ndef c0, 1, 0, 0, 1\nmov oC0, c0";
  // A factor of 0.25.
  static constexpr const char
      *with_factor =
          "vs_2_0\ndef c0, 0.25, 1.25, 0, 0\ndcl_position v0\nmul oPos, v0, c0.y\n"
          "mov oFog, c0.x",
      *without_factor = "vs_2_0\ndef c0, 0, 1.25, 0, 0\ndcl_position v0\nmul oPos, v0, c0.y",
      *packed_factor =
          "vs_3_0\ndef c0, 0.25, 1.25, 1, 0\ndcl_position v0\ndcl_position o0\n"
          "dcl_texcoord o1.xyz\ndcl_fog o1.w\nmul o0, v0, c0.y\nmov o1, c0.zzzx";
  static constexpr std::uint32_t by_vertex = 0, linear = 3;

  guest g;
  std::uint32_t target = g.make_target(16, 16);

  fog_scene(const char* pixel, std::uint32_t table_mode, host_variant variant = host_variant::plain,
            const char* vertex_code = with_factor)
      : g(variant) {
    constexpr std::uint32_t fog_enable = 28, fog_color = 34, fog_table_mode = 35, fog_end = 37;
    g.bind_targets({target});
    g.clear(blue);
    const auto vs = g.make_shader(vertex_code);
    const auto layout = g.make_layout({{0, 0, type_float4, 0, usage_position, 0}});
    const auto vertices = g.make_buffer(g.rectangle({0, 0, 16, 16}, 0.5f, {}, {}, {}));
    g.stream()
        .render_state(fog_enable, 1)
        .render_state(fog_color, 0xFF0000FF)
        .render_state(fog_table_mode, table_mode)
        .render_state(fog_end, 0x3F800000)
        .bind_shaders(vs, g.make_shader(pixel))
        .set_layout(layout)
        .vertex_buffer(0, vertices, sizeof(vertex));
  }
};

TEST_CASE("with state 2003 fog is behind a draw, by the depth of position or fragment, w or FOG0",
          "[golden][extensions]") {
  constexpr std::uint32_t host_fog = 2003;
  constexpr auto linear = fog_scene::linear, by_vertex = fog_scene::by_vertex;
  constexpr auto *ps_2 = fog_scene::ps_2, *ps_3 = fog_scene::ps_3;
  struct row {
    const char* pixel;
    std::uint32_t table_mode, state;
    rgba shown;
  };
  const row r = GENERATE(values<row>({{ps_2, linear, 0, {255, 0, 0, 255}},
                                      {ps_2, linear, 1, {96, 0, 159, 255}},
                                      {ps_3, linear, 1, {96, 0, 159, 255}},
                                      {ps_2, linear, 2, {191, 0, 64, 255}},
                                      {ps_2, linear, 3, {0, 0, 255, 255}},
                                      {ps_2, linear, 4, {128, 0, 128, 255}},
                                      {ps_3, linear, 4, {128, 0, 128, 255}},
                                      {ps_2, by_vertex, 1, {64, 0, 191, 255}}}));
  CAPTURE(r.pixel, r.table_mode, r.state);
  fog_scene s{r.pixel, r.table_mode};
  // The state decides of the next draw, also where nothing else changed.
  for (const std::uint32_t state : {r.state == 0 ? 1u : 0u, r.state}) {
    s.g.stream().render_state(host_fog, state).draw(6);
  }
  s.g.expect(s.target, image(16, 16, r.shown), rounding);
}

TEST_CASE("a host that applies fog does so behind shaders below ps_3_0 that a guest leaves to it",
          "[golden][extensions]") {
  struct row {
    const char* pixel;
    std::uint32_t table_mode;
    const char* vertex_code;
    rgba shown;
  };
  using in = fog_scene;
  const row r = GENERATE(values<row>(
      {{in::ps_2, in::linear, in::with_factor, {96, 0, 159, 255}},
       {in::ps_3, in::linear, in::with_factor, {255, 0, 0, 255}},
       {in::ps_2, in::by_vertex, in::with_factor, {64, 0, 191, 255}},
       {in::ps_2, in::by_vertex, in::without_factor, {255, 0, 0, 255}}}));  // No fog was written.
  CAPTURE(r.pixel, r.table_mode, r.vertex_code);
  fog_scene s{r.pixel, r.table_mode, host_variant::host_fog, r.vertex_code};
  s.g.stream().draw(6);
  s.g.expect(s.target, image(16, 16, r.shown), rounding);
}

TEST_CASE("the factor of fog is the component that dcl_fog names", "[golden][extensions]") {
  constexpr std::uint32_t host_fog = 2003;
  fog_scene s{fog_scene::ps_3, fog_scene::by_vertex, host_variant::plain, fog_scene::packed_factor};
  s.g.stream().render_state(host_fog, 1).draw(6);
  s.g.expect(s.target, image(16, 16, {64, 0, 191, 255}), rounding);
}

/// A scene whose pixel shader shows COLOR0 in red and TEXCOORD0 in green.
struct shade_scene {
  guest g;
  std::uint32_t target = g.make_target(16, 16);

  void draw() {
    const auto vs = g.make_shader(
        "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oD0, v1\nmov oT0, v1");
    const auto ps = g.make_shader(
        "ps_2_0\ndef c0, 1, 0, 0, 1\ndef c1, 0, 1, 0, 0\ndcl v0\ndcl t0\nmul r0, v0, c0\n"
        "mad r0, t0, c1, r0\nmov oC0, r0");
    const auto layout = g.make_layout(
        {{0, 0, type_float4, 0, usage_position, 0}, {0, 16, type_float4, 0, usage_texcoord, 0}});
    const auto vertices =
        g.make_buffer(g.rectangle({0, 0, 16, 16}, 0.5f, {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 0, 0, 1}));
    g.stream()
        .bind_shaders(vs, ps)
        .set_layout(layout)
        .vertex_buffer(0, vertices, sizeof(vertex))
        .draw(3);
  }
};

TEST_CASE("flat shading takes colours of the first vertex, and interpolates coordinates",
          "[golden][extensions]") {
  shade_scene s;
  s.g.bind_targets({s.target});
  s.g.clear(black);
  s.g.stream().render_state(shade_mode, 1);
  s.draw();
  const image flat = s.g.read(s.target);
  s.g.stream().render_state(shade_mode, 2);
  s.g.clear(black);
  s.draw();
  const image smooth = s.g.read(s.target);
  if (!s.g.renders()) return;
  // (4, 4) lies inside of the first triangle of the rectangle, wherever that begins.
  CHECK((flat.at(4, 4).r == 255 || flat.at(4, 4).r == 0));
  CHECK(flat.at(4, 4).r == flat.at(2, 8).r);
  CHECK(smooth.at(4, 4).r != smooth.at(2, 4).r);
  CHECK(flat.at(4, 4).g == smooth.at(4, 4).g);
}

TEST_CASE("points have the size of the states, within their bounds", "[golden][extensions]") {
  const auto [size, least, most, covered] = GENERATE(table<float, float, float, int>(
      {{1, 1, 64, 1}, {5, 1, 64, 5}, {1, 3, 64, 3}, {9, 1, 7, 7}, {-2, 1, 64, 1}}));
  CAPTURE(size, least, most);
  guest g;
  const auto target = g.make_target(16, 16);
  g.bind_targets({target});
  g.clear(black);
  g.stream()
      .render_state(point_size, as_bits(size))
      .render_state(point_size_min, as_bits(least))
      .render_state(point_size_max, as_bits(most));
  vertex point = g.at_pixel(8.5f, 8.5f);
  point.attribute = {1, 1, 1, 1};
  g.draw({point}, AEROGPU_TOPOLOGY_POINTLIST);
  const int half = covered / 2;
  g.expect(target, image(16, 16, black).fill({8 - half, 8 - half, covered, covered}, white));
}

TEST_CASE("points keep their size between triangles of the same shaders", "[golden][extensions]") {
  guest g;
  const auto target = g.make_target(16, 16);
  g.bind_targets({target});
  g.clear(black);
  g.stream().render_state(point_size, as_bits(4.0f));
  constexpr color4 one{1, 1, 1, 1};
  image expected(16, 16, black);
  for (const int y : {2, 10}) {
    g.draw(g.rectangle({2, y, 4, 4}, 0.5f, one, one, one));
    vertex point = g.at_pixel(12, static_cast<float>(y + 2));
    point.attribute = one;
    g.draw({point}, AEROGPU_TOPOLOGY_POINTLIST);
    expected.fill({2, y, 4, 4}, white).fill({10, y, 4, 4}, white);
  }
  g.expect(target, expected);
}

TEST_CASE("point sprites have coordinates of their own", "[golden][extensions]") {
  guest g;
  const auto target = g.make_target(16, 16);
  g.bind_targets({target});
  g.clear(black);
  g.stream().render_state(point_size, as_bits(8.0f)).render_state(point_sprite, 1);
  vertex point = g.at_pixel(8, 8);
  point.attribute = {1, 1, 1, 1};
  const auto ps = g.make_shader("ps_2_0\ndcl t0\nmov oC0, t0");
  g.draw_with(ps, {point}, AEROGPU_TOPOLOGY_POINTLIST);
  image expected(16, 16, black);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      expected.at(4 + x, 4 + y) = {to_byte((x + 0.5) / 8), to_byte((y + 0.5) / 8), 0, 0};
    }
  }
  g.expect(target, expected, {.per_channel = 1});
}

TEST_CASE("DEPTHBIAS moves by a part of the depth range", "[golden][extensions]") {
  const auto [bias, is_seen] =
      GENERATE(table<float, bool>({{0, true}, {0.01f, false}, {-0.01f, true}}));
  CAPTURE(bias);
  guest g;
  const auto target = g.make_target(16, 16);
  const auto depth = g.make_target(16, 16, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.stream().clear(3, to_color(black), 1.0f);
  g.fill_all(red, 0.5f);
  g.stream().render_state(depth_bias, as_bits(bias));
  g.fill_all(green, 0.5f);
  g.expect(target, is_seen ? green : red);
}

TEST_CASE("DEPTHBIAS is as large for depths that are floats, in the farther half of the range",
          "[golden][extensions]") {
  constexpr float bias = 0x1p-10f, at = 0.75f;
  // What a device's own D24 counts as a step is its business: that of lavapipe is 2^-23.
  const auto [variant, format] = GENERATE(table<host_variant, std::uint32_t>(
      {{host_variant::plain, AEROGPU_FORMAT_D32_FLOAT},
       {host_variant::expanded_formats, AEROGPU_FORMAT_D24_UNORM_S8_UINT}}));
  const auto [nearer, is_seen] = GENERATE(table<float, bool>({{0.75f, false}, {1.25f, true}}));
  CAPTURE(format, nearer);
  guest g{variant};
  const auto target = g.make_target(16, 16), depth = g.make_target(16, 16, format);
  g.bind_targets({target}, depth);
  g.stream().clear(3, to_color(black), 1.0f);
  g.fill_all(red, at);
  g.stream().render_state(depth_bias, as_bits(bias));
  g.fill_all(green, at - nearer * bias);
  g.expect(target, is_seen ? green : red);
}

TEST_CASE("SLOPESCALEDEPTHBIAS moves what is seen at an angle, and nothing else",
          "[golden][extensions]") {
  const auto [is_sloped, bias, is_seen] =
      GENERATE(table<bool, float, bool>({{true, 2, false}, {true, -2, true}, {false, 2, true}}));
  CAPTURE(is_sloped, bias);
  guest g;
  const auto target = g.make_target(16, 16);
  const auto depth = g.make_target(16, 16, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.stream().clear(3, to_color(black), 1.0f);
  const auto plane = [&g, slopes = is_sloped](const rgba& color) {
    auto vertices =
        g.rectangle({0, 0, 16, 16}, 0.5f, to_color(color), to_color(color), to_color(color));
    for (vertex& each : vertices) {
      if (slopes) each.z = 0.5f + 0.25f * each.x;
    }
    g.draw(vertices);
  };
  plane(red);
  g.stream().render_state(slope_bias, as_bits(bias));
  plane(green);
  g.expect(target, is_seen ? green : red);
}

}  // namespace
}  // namespace aerogpu::golden
