// SPDX-License-Identifier: MIT
// How stages meet and what leaves the pixel shader, by the table of shaders.md 6.5.
#include "tests/shaders/shader_suite.hpp"

#include <algorithm>
#include <cmath>

namespace aerogpu::test {
namespace {

constexpr float4 nothing{unwritten_color, unwritten_color, unwritten_color, unwritten_color};

/// Both shaders, linked; attribute 8 (TEXCOORD0) of every corner is `input`, on a target of `size`.
auto linked(std::string_view vertex, std::string_view pixel, float4 input = {},
            std::uint32_t size = 1, d3d9::translate_options options = {}) -> shader_draw {
  options.extra_varyings = translated(vertex, options).extra_varyings;
  const auto ps = translated(pixel, options);
  options.written_varyings = ps.read_varyings;
  const auto vs = translated(vertex, options);
  shader_draw draw;
  draw.vertex = code_of(vs);
  draw.pixel = code_of(ps);
  draw.color_outputs = ps.color_outputs;
  draw.width = draw.height = size;
  std::array<attributes, 3> corners{};
  constexpr std::size_t texcoord_input = 8;
  for (attributes& a : corners) a[texcoord_input] = input;
  draw.vertices = covering_triangle(corners);
  return draw;
}

auto color_of(const shader_draw& draw) -> float4 {
  return device().draw(draw).colors[0][0];
}

struct link_row {
  std::string_view vertex;
  std::string_view pixel;
  float4 input;
  float4 wanted;
};

constexpr std::string_view vs_2 = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n";
constexpr std::string_view vs_3 =
    "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\nmov o0, v0\n";

}  // namespace

TEST_CASE("stages of all versions link by semantic", "[shaders][linkage]") {
  const std::vector<link_row> rows{
      {"mov oT0, v1\nmov oD0, c0\n", "ps_2_0\ndcl t0\nmov oC0, t0\n", {1, 2, 3, 4}, {1, 2, 3, 4}},
      {"dcl_texcoord o3\nmov o3, v1\n",
       "ps_3_0\ndcl_texcoord v7\nmov oC0, v7\n",
       {1, 2, 3, 4},
       {1, 2, 3, 4}},
      {"mov oT0, v1\n", "ps_3_0\ndcl_texcoord v7\nmov oC0, v7\n", {1, 2, 3, 4}, {1, 2, 3, 4}},
      {"dcl_texcoord3 o3\nmov o3, v1\n",
       "ps_2_0\ndcl t3\nmov oC0, t3\n",
       {1, 2, 3, 4},
       {1, 2, 3, 4}},
      {"dcl_texcoord o3\nmov o3, v1\n", "ps_1_4\ntexcrd r0.xyz, t0\n", {1, 2, 3, 4}, {1, 2, 3, 0}},
      // Two semantics in one register keep their components.
      {"dcl_texcoord o1.xy\ndcl_texcoord1 o1.zw\nmov o1, v1\n",
       "ps_3_0\ndcl_texcoord v4.xy\ndcl_texcoord1 v4.zw\nmov oC0, v4\n",
       {1, 2, 3, 4},
       {1, 2, 3, 4}},
      {"dcl_texcoord o1.xy\ndcl_texcoord1 o1.zw\nmov o1, v1\n",
       "ps_3_0\ndcl_texcoord v4\ndcl_texcoord1 v5\nadd oC0, v4, v5.wzyx\n",
       {1, 2, 3, 4},
       {5, 5, 0, 0}},
      {"dcl_normal3 o1\ndcl_tangent o2\nmov o1, v1\nmov o2, v1.wzyx\n",
       "ps_3_0\ndcl_tangent v0\ndcl_normal3 v1\nmad oC0, v0, c0.x, v1\n",
       {1, 2, 3, 4},
       {1, 2, 3, 4}},
      // Colours are held in 0..1 below vs_3_0, and by readers below ps_3_0.
      {"mov oD0, v1\n", "ps_3_0\ndcl_color v0\nmov oC0, v0\n", {2, -1, .5f, 1}, {1, 0, .5f, 1}},
      {"mov oD1, v1\n", "ps_2_0\ndcl v1\nmov oC0, v1\n", {2, -1, .5f, 1}, {1, 0, .5f, 1}},
      {"dcl_color o1\nmov o1, v1\n",
       "ps_3_0\ndcl_color v0\nmov oC0, v0\n",
       {2, -1, .5f, 1},
       {2, -1, .5f, 1}},
      {"dcl_color o1\nmov o1, v1\n", "ps_1_1\nmov r0, v0\n", {2, -1, .5f, 1}, {1, 0, .5f, 1}},
      // So is oFog, before it is interpolated, and no other fog.
      {"mov oFog, v1.y\n", "ps_3_0\ndcl_fog v0\nmov oC0, v0\n", {1, 2, 3, 4}, {1, 0, 0, 0}},
      {"mov oFog, v1.y\n", "ps_3_0\ndcl_fog v0\nmov oC0, v0\n", {1, .5f, 3, 4}, {.5f, 0, 0, 0}},
      {"dcl_fog o1\nmov o1, v1.y\n",
       "ps_3_0\ndcl_fog v0\nmov oC0, v0\n",
       {1, 2, 3, 4},
       {2, 2, 2, 2}},
      // What no one writes is zero, whole or in part.
      {"",
       "ps_3_0\ndcl_color v0\ndcl_texcoord5 v1\ndcl_binormal v2\nadd r0, v0, v1\nadd oC0, r0, v2\n",
       {1, 2, 3, 4},
       {0, 0, 0, 0}},
      {"mov oT0.yw, v1\n", "ps_2_0\ndcl t0\nmov oC0, t0\n", {1, 2, 3, 4}, {0, 2, 0, 4}},
  };
  for (const link_row& row : rows) {
    const bool is_vs_3 = row.vertex.starts_with("dcl");
    const std::string vertex = std::string{is_vs_3 ? vs_3 : vs_2};
    // Declarations go in front of code.
    const std::size_t code = vertex.rfind("mov ");
    const std::string text =
        is_vs_3 ? vertex.substr(0, code) + std::string{row.vertex} + vertex.substr(code)
                : vertex + std::string{row.vertex};
    const float4 got = color_of(linked(text, row.pixel, row.input));
    INFO(text << row.pixel << "gives " << text_of(got) << ", not " << text_of(row.wanted));
    CHECK(is_close(got, row.wanted, 1e-6f));
  }
}

TEST_CASE("what no one writes can be Direct3D's white and 1", "[shaders][linkage]") {
  const auto [declared, wanted] = GENERATE(table<const char*, float>(
      {{"dcl_color", 1}, {"dcl_color1", 0}, {"dcl_fog", 1}, {"dcl_texcoord", 0}}));
  d3d9::translate_options options;
  options.unwritten = d3d9::unwritten_varyings::direct3d9;
  const std::string pixel = "ps_3_0\n" + std::string{declared} + " v0\nmov oC0, v0\n";
  CHECK(color_of(linked(vs_2, pixel, {}, 1, options)) == float4{wanted, wanted, wanted, wanted});
}

TEST_CASE("what oD0 is not given can be Direct3D's 1, to the pixel shaders of every version",
          "[shaders][linkage]") {
  const auto [vertex, wanted] =
      GENERATE(table<const char*, float4>({{"", {1, 1, 1, 1}},
                                           {"mov oD0.xy, v1\n", {.25f, .5f, 1, 1}},
                                           {"mov oD0.w, v1\n", {1, 1, 1, .75f}},
                                           {"mov oD0, v1\n", {.25f, .5f, .125f, .75f}}}));
  const auto pixel = GENERATE("ps_1_1\nmov r0, v0\n", "ps_2_0\ndcl v0\nmov oC0, v0\n",
                              "ps_3_0\ndcl_color v0\nmov oC0, v0\n");
  INFO(vertex << pixel);
  d3d9::translate_options options;
  options.unwritten = d3d9::unwritten_varyings::direct3d9;
  const std::string text = std::string{vs_2} + vertex;
  CHECK(
      is_close(color_of(linked(text, pixel, {.25f, .5f, .125f, .75f}, 1, options)), wanted, 1e-6f));
}

TEST_CASE("flat shading takes colours from the first vertex, and nothing else",
          "[shaders][linkage]") {
  const auto is_flat = GENERATE(false, true);
  d3d9::translate_options options;
  options.is_flat_shaded = is_flat;
  auto draw =
      linked("vs_2_0\nmov oPos, v0\nmov oD0, v1\nmov oT0, v1\n",
             "ps_2_0\ndcl v0\ndcl t0\nmov r0, v0\nmov r0.z, t0.x\nmov oC0, r0\n", {}, 1, options);
  draw.vertices[1][1] = {1, 1, 1, 1};
  const float4 got = color_of(draw);
  CHECK((got[0] == 0) == is_flat);
  CHECK(got[2] > 0.2f);
}

TEST_CASE("point sprites read their place as texture coordinate", "[shaders][linkage]") {
  d3d9::translate_options options;
  options.is_point_sprite = true;
  auto draw = linked("vs_2_0\ndef c0, 4, 7, 7, 7\nmov oPos, v0\nmov oPts, c0.x\nmov oT3, c0\n",
                     "ps_2_0\ndcl t3\nmov oC0, t3\n", {}, 4, options);
  draw.vertices = {attributes{{{0, 0, .5f, 1}}}};
  draw.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  const auto got = device().draw(draw).colors[0];
  CHECK(got[0] == float4{.125f, .125f, 0, 0});
  CHECK(got[7] == float4{.875f, .375f, 0, 0});
}

TEST_CASE("point sizes come from the shader or the state, within their limits",
          "[shaders][linkage]") {
  const auto [text, pushed, low, high, pixels] =
      GENERATE(table<const char*, float, float, float, int>({
          {"vs_2_0\nmov oPos, v0\n", 4, 1, 64, 16},
          {"vs_2_0\nmov oPos, v0\n", 1, 1, 64, 1},
          {"vs_2_0\nmov oPos, v0\n", 1, 4, 64, 16},
          {"vs_2_0\ndef c0, 6, 0, 0, 0\nmov oPos, v0\nmov oPts, c0\n", 1, 1, 64, 36},
          {"vs_2_0\ndef c0, 6, 0, 0, 0\nmov oPos, v0\nmov oPts, c0\n", 1, 1, 4, 16},
          {"vs_3_0\ndef c0, 6, 0, 0, 0\ndcl_position o0\ndcl_psize o1\nmov o0, v0\nmov o1, c0.x\n",
           1, 1, 64, 36},
      }));
  auto draw = linked(text, "ps_2_0\nmov oC0, c0\n", {}, 8);
  // Corners of pixels centre even sizes; one pixel needs its own centre.
  const float centre = pixels == 1 ? .125f : 0;
  draw.vertices = {attributes{{{centre, centre, .5f, 1}}}};
  draw.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  draw.pushed.point_size = pushed;
  draw.pushed.point_size_min = low;
  draw.pushed.point_size_max = high;
  const auto kept = device().draw(draw).is_kept;
  CAPTURE(text, pushed, low, high);
  CHECK(std::ranges::count(kept, 1) == pixels);
}

TEST_CASE("targets that a shader does not write keep what they hold", "[shaders][linkage]") {
  auto draw = linked(vs_2, "ps_2_0\ndef c0, 1, 2, 3, 4\nmov oC0, c0\nmov oC2, c0.wzyx\n");
  CHECK(draw.color_outputs == 5);
  const auto got = device().draw(draw);
  CHECK(got.colors[0][0] == float4{1, 2, 3, 4});
  CHECK(got.colors[1][0] == nothing);
  CHECK(got.colors[2][0] == float4{4, 3, 2, 1});
  CHECK(got.colors[3][0] == nothing);
}

TEST_CASE("depth that a shader writes is held in 0..1", "[shaders][linkage]") {
  const auto [value, wanted] =
      GENERATE(table<const char*, float>({{"0.25", .25f}, {"1.5", 1}, {"-1", 0}}));
  const std::string text =
      "ps_2_0\ndef c0, " + std::string{value} + ", 9, 9, 9\nmov oC0, c0\nmov oDepth, c0.x\n";
  CHECK(device().draw(linked(vs_2, text)).depth[0] == wanted);
}

TEST_CASE("texdepth and texm3x2depth divide, and zero divides to one", "[shaders][linkage]") {
  const auto [text, input, wanted] = GENERATE(table<const char*, float4, float>({
      {"ps_1_4\ntexcrd r5.xyz, t0\nphase\ntexdepth r5\nmov r0, r5\n", {.25f, .5f, 0, 0}, .5f},
      {"ps_1_4\ntexcrd r5.xyz, t0\nphase\ntexdepth r5\nmov r0, r5\n", {.25f, 0, 0, 0}, 1},
      {"ps_1_4\ntexcrd r5.xyz, t0\nphase\ntexdepth r5\nmov r0, r5\n", {3, 2, 0, 0}, 1},
      {"ps_1_3\ntexcoord t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, t0\n",
       {.5f, 1, 0, 0},
       .5f},
      {"ps_1_3\ntexcoord t0\ntexm3x2pad t1, t0\ntexm3x2depth t2, t0\nmov r0, t0\n",
       {.5f, 0, 0, 0},
       1},
  }));
  auto draw = linked(
      "vs_2_0\ndef c0, 1, 0, 0, 0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n"
      "mov oT0, v1\nmov oT1, c0.xyyy\nmov oT2, c0.yxyy\n",
      text, input);
  CAPTURE(text);
  CHECK(device().draw(draw).depth[0] == wanted);
}

TEST_CASE("vPos is the place of the pixel", "[shaders][linkage]") {
  const auto got =
      device().draw(linked(vs_2, "ps_3_0\ndcl vPos.xy\nmov oC0, vPos\n", {}, 4)).colors[0];
  for (std::size_t i = 0; i < got.size(); ++i) {
    CHECK(got[i] == float4{static_cast<float>(i % 4), static_cast<float>(i / 4), 0, 0});
  }
}

TEST_CASE("vFace is positive where a triangle is clockwise", "[shaders][linkage]") {
  auto draw = linked(vs_2, "ps_3_0\ndcl vFace\nmov oC0, vFace\n");
  CHECK(color_of(draw)[0] == 1);
  std::swap(draw.vertices[1], draw.vertices[2]);
  CHECK(color_of(draw)[0] == -1);
}

TEST_CASE("dsx and dsy are differences to the right and downwards", "[shaders][linkage]") {
  const auto got =
      device()
          .draw(linked(vs_2,
                       "ps_3_0\ndcl vPos.xy\ndef c0, 0.125, 0.5, 0, 0\nmul r0, vPos.xyxy, c0.xyxy\n"
                       "dsx r1, r0\ndsy r1.zw, r0\nmov oC0, r1\n",
                       {}, 8))
          .colors[0];
  for (const float4& pixel : got) CHECK(pixel == float4{.125f, 0, 0, .5f});
}

TEST_CASE("the alpha test compares alpha, held in 0..1", "[shaders][linkage]") {
  const auto function = GENERATE(range(0u, 9u));
  const auto [alpha, order] = GENERATE(
      table<const char*, int>({{"0.498", -1}, {"0.5", 0}, {"0.502", 1}, {"7", 1}, {"-7", -1}}));
  constexpr std::array<std::array<bool, 3>, 9> passes{{{true, true, true},
                                                       {false, false, false},
                                                       {true, false, false},
                                                       {false, true, false},
                                                       {true, true, false},
                                                       {false, false, true},
                                                       {true, false, true},
                                                       {false, true, true},
                                                       {true, true, true}}};
  auto draw = linked(vs_2, "ps_2_0\ndef c0, 1, 1, 1, " + std::string{alpha} + "\nmov oC0, c0\n");
  draw.alpha_function = function;
  draw.pushed.alpha_reference = .5f;
  CAPTURE(function, alpha);
  const auto pixels = device().draw(draw);
  CHECK((pixels.is_kept[0] == 1) == passes[function][static_cast<std::size_t>(order + 1)]);
}

TEST_CASE("fog mixes its colour into all but alpha", "[shaders][linkage]") {
  using enum d3d9::fog_mode;
  const auto [mode, factor] = GENERATE(table<d3d9::fog_mode, float>({
      {none, 1},
      {vertex, .25f},
      {linear, .5f},
      {exponential, std::exp(-1.0f)},
      {exponential_squared, std::exp(-1.0f)},
  }));
  const auto pixel = GENERATE("ps_1_1\ndef c0, 1, 0, 0, 0.5\nmov r0, c0\n",
                              "ps_2_0\ndef c0, 1, 0, 0, 0.5\nmov oC0, c0\n",
                              "ps_3_0\ndef c0, 1, 0, 0, 0.5\nmov oC0, c0\n");
  d3d9::translate_options options;
  options.fog = mode;
  auto draw = linked("vs_2_0\ndef c0, 0.25, 0, 0, 0\nmov oPos, v0\nmov oFog, c0.x\n", pixel, {}, 1,
                     options);
  draw.pushed.fog_color = 0xFF0000FF;  // Blue.
  draw.pushed.fog_end = 1;
  draw.pushed.fog_inverse_range = 1;
  draw.pushed.fog_density = 2;  // Of depth 0.5.
  const float f = std::string_view{pixel}.starts_with("ps_3") ? 1 : factor;
  CHECK(is_close(color_of(draw), {f, 0, 1 - f, .5f}, 1e-4f));
}

TEST_CASE("fog can be behind ps_3_0, and take FOG0 as its depth", "[shaders][linkage]") {
  d3d9::translate_options options;
  options.fog = d3d9::fog_mode::linear;
  options.fog_from = d3d9::fog_depth::of_varying;
  options.fogs_model_3 = true;
  auto draw = linked("vs_2_0\ndef c0, 0.25, 0, 0, 0\nmov oPos, v0\nmov oFog, c0.x\n",
                     "ps_3_0\ndef c0, 1, 0, 0, 0.5\nmov oC0, c0\n", {}, 1, options);
  draw.pushed.fog_color = 0xFF0000FF;  // Blue.
  draw.pushed.fog_end = 1;
  draw.pushed.fog_inverse_range = 1;
  CHECK(is_close(color_of(draw), {.75f, 0, .25f, .5f}, 1e-4f));
}

TEST_CASE("user clip planes cut what lies behind them", "[shaders][linkage]") {
  d3d9::translate_options options;
  options.clip_planes = 2;
  auto draw = linked(vs_2, "ps_2_0\nmov oC0, c0\n", {}, 4, options);
  draw.pushed.clip_planes[0] = {1, 0, 0, 0};  // The right half,
  draw.pushed.clip_planes[1] = {0, 1, 0, 0};  // and of that the upper.
  const auto kept = device().draw(draw).is_kept;
  for (std::size_t i = 0; i < kept.size(); ++i) CHECK(kept[i] == (i % 4 >= 2 && i / 4 < 2));
}

TEST_CASE("two shaders with the same position math give the same depth", "[shaders][linkage]") {
  constexpr std::string_view math =
      "def c0, 0.3333333, 0.1, 0.7, 0.01\nmul r0, v0, c0.w\nmad r1, v0, c0.x, r0\n"
      "mov r1.xyw, v0\n";
  const std::string alone = "vs_2_0\n" + std::string{math} + "mov oPos, r1\n";
  const std::string busy = "vs_2_0\n" + std::string{math} +
                           "mov oPos, r1\nmad r2, r1, c0, r0\nmul r3, r2, r1\nmov oT0, r3\n"
                           "mov oD0, r2\n";
  const auto one = device().draw(linked(alone, "ps_2_0\nmov oC0, c0\n", {}, 4));
  const auto other = device().draw(linked(busy, "ps_2_0\ndcl t0\nmov oC0, t0\n", {}, 4));
  CHECK(one.depth == other.depth);
  CHECK(one.depth[0] > 0);
}

TEST_CASE("each stage has its own constants", "[shaders][linkage]") {
  auto draw =
      linked("vs_2_0\nmov oPos, v0\nmov r0, c4\nif b1\nadd r0, r0, c5\nendif\nmov oT0, r0\n",
             "ps_2_x\ndcl t0\nmov r0, t0\nif b1\nadd r0, r0, c5\nendif\nmov oC0, r0\n");
  d3d9::constant_block of_vertex{}, of_pixel{};
  of_vertex.floats[4] = {1, 2, 3, 4};
  of_vertex.floats[5] = {100, 100, 100, 100};
  of_pixel.floats[5] = {10, 10, 10, 10};
  of_pixel.bools = 1u << 1;
  draw.vertex.constants = bytes_of_block(of_vertex);
  draw.pixel.constants = bytes_of_block(of_pixel);
  CHECK(color_of(draw) == float4{11, 12, 13, 14});
}

}  // namespace aerogpu::test
