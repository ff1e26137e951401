// SPDX-License-Identifier: MIT
// What texture instructions read, by the table of shaders.md 6.4.
#include "tests/shaders/shader_suite.hpp"

#include <algorithm>

namespace aerogpu::test {
namespace {

constexpr std::uint32_t texcoord = 2;  ///< Location of TEXCOORD0.

/// A texel says where it is: x, y, level, and 100 more for each layer or slice.
auto marked_texture(VkImageViewType type, VkExtent3D size, std::uint32_t levels) -> shader_texture {
  shader_texture made;
  made.type = type;
  made.size = size;
  for (std::uint32_t level = 0; level < levels; ++level) {
    const std::uint32_t layers =
        type == VK_IMAGE_VIEW_TYPE_CUBE ? 6 : std::max(size.depth >> level, 1u);
    std::vector<float4> texels;
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
      for (std::uint32_t y = 0; y < std::max(size.height >> level, 1u); ++y) {
        for (std::uint32_t x = 0; x < std::max(size.width >> level, 1u); ++x) {
          texels.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(level),
                            static_cast<float>(100 * layer)});
        }
      }
    }
    made.levels.push_back(std::move(texels));
  }
  return made;
}

auto flat_texture() -> shader_texture {
  return marked_texture(VK_IMAGE_VIEW_TYPE_2D, {4, 4, 1}, 3);
}

auto depth_texture(float stored) -> shader_texture {
  shader_texture made;
  made.levels = {{{stored, 0, 0, 0}}};
  made.compares = true;
  return made;
}

/// The colour of one pixel whose TEXCOORDs are `coordinates`.
auto sampled(std::string_view text, const std::vector<float4>& coordinates,
             const shader_texture& texture, const d3d9::translate_options& options = {}) -> float4 {
  varyings in{};
  std::ranges::copy(coordinates, in.begin() + texcoord);
  const auto made = translated(text, options);
  std::vector<shader_texture> textures;
  for (std::uint32_t i = 0; i < 16; ++i) {
    if ((made.samplers >> i & 1u) == 0) continue;
    textures.push_back(texture);
    textures.back().binding = i;
  }
  d3d9::constant_block block{};
  block.floats[0] = {0, 0, 1, 0};
  const auto pixels =
      device().run_pixel(code_of(made, block), std::vector{in}, made.color_outputs, textures);
  return pixels.colors[0][0];
}

struct texture_row {
  std::string_view text;
  std::vector<float4> coordinates;
  float4 wanted;
};

const std::vector<texture_row>& texture_rows() {
  constexpr float u1 = .375f, v2 = .625f;  // Texel (1, 2).
  static const std::vector<texture_row> all{
      {"ps_2_0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", {{u1, v2, 0, 0}}, {1, 2, 0, 0}},
      {"ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexld oC0, v0.yxzw, s0.yxwz\n",
       {{v2, u1, 0, 0}},
       {2, 1, 0, 0}},
      {"ps_2_0\ndcl_2d s3\ntexldp r0, t0, s3\nmov oC0, r0\n", {{3, 5, 77, 8}}, {1, 2, 0, 0}},
      {"ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldl oC0, v0, s0\n", {{u1, v2, 0, 1}}, {0, 1, 1, 0}},
      {"ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldl oC0, v0, s0\n", {{u1, v2, 0, 2}}, {0, 0, 2, 0}},
      {"ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldl oC0, v0, s0\n", {{u1, v2, 0, -3}}, {1, 2, 0, 0}},
      {"ps_2_x\ndcl t0\ndcl t1\ndcl t2\ndcl_2d s0\ntexldd r0, t0, s0, t1, t2\nmov oC0, r0\n",
       {{u1, v2, 0, 0}, {.5f, 0, 0, 0}, {0, .5f, 0, 0}},
       {0, 1, 1, 0}},
      {"ps_2_x\ndcl t0\ndcl t1\ndcl t2\ndcl_2d s0\ntexldd r0, t0, s0, t1, t2\nmov oC0, r0\n",
       {{u1, v2, 0, 0}, {.25f, 0, 0, 0}, {0, .25f, 0, 0}},
       {1, 2, 0, 0}},
      {"ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nsetp_gt p0, v0, c0.x\nmov r0, c0.z\n"
       "(p0) texld r0, v0, s0\nmov oC0, r0\n",
       {{u1, v2, -1, 1}},
       {1, 2, 1, 0}},
      {"ps_1_1\ntex t0\nmov r0, t0\n", {{u1, v2, 0, 0}}, {1, 2, 0, 0}},
      {"ps_1_1\ntex t2\nmov r0, t2\n", {{}, {}, {u1, v2, 0, 0}}, {1, 2, 0, 0}},
      {"ps_1_1\ntexcoord t0\nmov r0, t0\n", {{2, -1, .5f, 9}}, {1, 0, .5f, 1}},
      {"ps_1_1\ntexcoord t0\ntexbem t1, t0\nmov r0, t1\n",
       {{1, 1, 1, 1}, {u1, v2, 0, 0}},
       {1, 2, 0, 0}},
      {"ps_1_1\ntexcoord t0\ntexbeml t1, t0\nmov r0, t1\n",
       {{1, 1, 1, 1}, {u1, v2, 0, 0}},
       {1, 2, 0, 0}},
      // t0 = (u1, v2, 0, 1): alpha and red, then green and blue, then red, green and blue.
      {"ps_1_1\ntexcoord t0\ntexreg2ar t1, t0\nmov r0, t1\n", {{u1, v2, 0, 0}}, {3, 1, 0, 0}},
      {"ps_1_1\ntexcoord t0\ntexreg2gb t1, t0\nmov r0, t1\n", {{u1, v2, 0, 0}}, {2, 0, 0, 0}},
      {"ps_1_2\ntexcoord t0\ntexreg2rgb t1, t0\nmov r0, t1\n", {{u1, v2, 0, 0}}, {1, 2, 0, 0}},
      {"ps_1_2\ntexcoord t0\ntexdp3 t1, t0\nmov r0, t1\n",
       {{.5f, .25f, 1, 0}, {1, 2, 3, 0}},
       {4, 4, 4, 4}},
      {"ps_1_2\ntexcoord t0\ntexdp3tex t1, t0\nmov r0, t1\n",
       {{.5f, .25f, 0, 0}, {.5f, .5f, 0, 0}},
       {1, 0, 0, 0}},
      {"ps_1_1\ntexcoord t0\ntexm3x2pad t1, t0\ntexm3x2tex t2, t0\nmov r0, t2\n",
       {{u1, v2, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}},
       {1, 2, 0, 0}},
      {"ps_1_2\ntexcoord t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\ntexm3x3 t3, t0\nmov r0, t3\n",
       {{.25f, .5f, 1, 0}, {1, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 3, 0}},
       {.25f, 1, 3, 1}},
      {"ps_1_4\ntexld r0, t0_dw.xyw\n", {{3, 5, 0, 8}}, {1, 2, 0, 0}},
      {"ps_1_4\ntexcrd r1.xyz, t0\nphase\ntexld r0, r1_dz\n", {{3, 5, 8, 0}}, {1, 2, 0, 0}},
  };
  return all;
}

}  // namespace

TEST_CASE("each lookup reads the texel that Direct3D names", "[shaders][texture]") {
  for (const texture_row& row : texture_rows()) {
    const float4 got = sampled(row.text, row.coordinates, flat_texture());
    INFO(row.text << "gives " << text_of(got) << ", not " << text_of(row.wanted));
    CHECK(got == row.wanted);
  }
}

TEST_CASE("every texel can be reached", "[shaders][texture]") {
  const auto code = code_of(translated("ps_2_0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n"));
  std::vector<varyings> in(16);
  for (std::uint32_t i = 0; i < in.size(); ++i) {
    in[i][texcoord] = {(static_cast<float>(i % 4) + .5f) / 4, (static_cast<float>(i / 4) + .5f) / 4,
                       0, 0};
  }
  const auto got = device().run_pixel(code, in, 1, std::vector{flat_texture()}).colors[0];
  for (std::uint32_t i = 0; i < in.size(); ++i) {
    CHECK(got[i] == float4{static_cast<float>(i % 4), static_cast<float>(i / 4), 0, 0});
  }
}

TEST_CASE("the six directions of a cube are its faces in order", "[shaders][texture]") {
  const auto [direction, face] = GENERATE(table<float4, float>({{{1, 0, 0, 0}, 0},
                                                                {{-1, 0, 0, 0}, 100},
                                                                {{0, 1, 0, 0}, 200},
                                                                {{0, -1, 0, 0}, 300},
                                                                {{0, 0, 1, 0}, 400},
                                                                {{0, 0, -1, 0}, 500}}));
  const auto cube = marked_texture(VK_IMAGE_VIEW_TYPE_CUBE, {1, 1, 1}, 1);
  CHECK(sampled("ps_2_0\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0\n", {direction}, cube)[3] ==
        face);
  const float4 scaled{direction[0] * 4, direction[1] * 4, direction[2] * 4, 4};
  CHECK(sampled("ps_2_0\ndcl_cube s0\ntexldp r0, t0, s0\nmov oC0, r0\n", {scaled}, cube)[3] ==
        face);
  d3d9::translate_options options;
  options.undeclared_samplers[0] = d3d9::sampler_dimension::cube;
  CHECK(sampled("ps_1_1\ntex t0\nmov r0, t0\n", {direction}, cube, options)[3] == face);
}

TEST_CASE("a reflected eye chooses the face", "[shaders][texture]") {
  // Rows that turn t0 = (0, 0, 1) into the normal (0, 0, 1).
  const auto eye = GENERATE(values<std::pair<float4, float>>(
      {{{0, 0, 1, 0}, 400}, {{1, 0, 0, 0}, 100}, {{1, 0, .5f, 0}, 100}, {{0, 1, .5f, 0}, 300}}));
  const auto& [e, face] = eye;
  const auto cube = marked_texture(VK_IMAGE_VIEW_TYPE_CUBE, {1, 1, 1}, 1);
  d3d9::translate_options options;
  options.undeclared_samplers.fill(d3d9::sampler_dimension::cube);
  const std::string pads = "texcoord t0\ntexm3x3pad t1, t0\ntexm3x3pad t2, t0\n";
  const std::vector<float4> coordinates{
      {0, 0, 1, 0}, {1, 0, 0, e[0]}, {0, 1, 0, e[1]}, {0, 0, 1, e[2]}};
  CHECK(sampled("ps_1_1\n" + pads + "texm3x3vspec t3, t0\nmov r0, t3\n", coordinates, cube,
                options)[3] == face);
  const std::string defined = "def c7, " + std::to_string(e[0]) + ", " + std::to_string(e[1]) +
                              ", " + std::to_string(e[2]) + ", 0\n";
  CHECK(sampled("ps_1_1\n" + defined + pads + "texm3x3spec t3, t0, c7\nmov r0, t3\n", coordinates,
                cube, options)[3] == face);
  CHECK(sampled("ps_1_1\n" + pads + "texm3x3tex t3, t0\nmov r0, t3\n", coordinates, cube,
                options)[3] == 400);
}

TEST_CASE("a volume is addressed by three coordinates", "[shaders][texture]") {
  const auto volume = marked_texture(VK_IMAGE_VIEW_TYPE_3D, {2, 2, 2}, 1);
  CHECK(sampled("ps_2_0\ndcl_volume s0\ntexld r0, t0, s0\nmov oC0, r0\n", {{.25f, .75f, .75f, 0}},
                volume) == float4{0, 1, 0, 100});
}

TEST_CASE("a 1D sampler reads the first row", "[shaders][texture]") {
  CHECK(sampled("ps_2_0\ndcl_1d s0\ntexld r0, t0, s0\nmov oC0, r0\n", {{.375f, .9f, 0, 0}},
                flat_texture()) == float4{1, 0, 0, 0});
}

TEST_CASE("biases of the lookup and of the sampler add to the level", "[shaders][texture]") {
  const auto [text, of_lookup, of_sampler, level] =
      GENERATE(table<const char*, float, float, float>({{"texld oC0, v0, s0", 0, 0, 0},
                                                        {"texld oC0, v0, s0", 0, 1, 1},
                                                        {"texldb oC0, v0, s0", 1, 0, 1},
                                                        {"texldb oC0, v0, s0", 1, 1, 2},
                                                        {"texldb oC0, v0, s0", -1, 1, 0},
                                                        {"texldb oC0, v0, s0", -1, 2, 1},
                                                        {"texldl oC0, v0, s0", 1, 1, 2}}));
  CAPTURE(text, of_lookup, of_sampler);
  // A texel for each pixel.
  std::array<attributes, 3> corners{};
  corners[0][texcoord + 1] = {0, 1, 0, of_lookup};
  corners[1][texcoord + 1] = {0, -1, 0, of_lookup};
  corners[2][texcoord + 1] = {2, 1, 0, of_lookup};
  shader_draw draw;
  draw.vertex = device().feeding_vertex_shader();
  draw.pixel =
      code_of(translated("ps_3_0\ndcl_texcoord v0\ndcl_2d s0\n" + std::string{text} + "\n"));
  draw.vertices = covering_triangle(corners);
  draw.width = draw.height = 4;
  draw.textures = {flat_texture()};
  draw.textures[0].level_bias = of_sampler;
  const shader_pixels pixels = device().draw(draw);
  for (const float4& texel : pixels.colors[0]) CHECK(texel[2] == level);
}

TEST_CASE("a depth texture is compared with z, held in 0..1", "[shaders][texture]") {
  const auto [text, z, w, passes] = GENERATE(table<const char*, float, float, float>({
      {"ps_2_0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", .4f, 1, 1},
      {"ps_2_0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", .5f, 1, 1},
      {"ps_2_0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n", .6f, 1, 0},
      {"ps_2_0\ndcl_2d s0\ntexldp r0, t0, s0\nmov oC0, r0\n", .8f, 2, 1},
      {"ps_2_0\ndcl_2d s0\ntexldp r0, t0, s0\nmov oC0, r0\n", 1.2f, 2, 0},
      {"ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldl oC0, v0, s0\n", .4f, 0, 1},
      {"ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexldl oC0, v0, s0\n", .6f, 0, 0},
      {"ps_2_x\ndcl t0\ndcl_2d s0\ntexldd r0, t0, s0, c0.x, c0.x\nmov oC0, r0\n", .6f, 0, 0},
      {"ps_1_1\ntex t0\nmov r0, t0\n", .4f, 1, 1},
      {"ps_1_1\ntex t0\nmov r0, t0\n", .6f, 1, 0},
      {"ps_1_4\ntexld r0, t0\n", .6f, 1, 0},
  }));
  d3d9::translate_options options;
  options.depth_samplers = 1;
  CAPTURE(text, z, w);
  CHECK(sampled(text, {{0, 0, z, w}}, depth_texture(.5f), options) ==
        float4{passes, passes, passes, passes});
  const float beyond = w == 2 ? 8.0f : 4.0f;
  CHECK(sampled(text, {{0, 0, beyond, w}}, depth_texture(1), options)[0] == 1);
}

TEST_CASE("a vertex shader reads the level it names", "[shaders][texture]") {
  const auto code = code_of(translated(
      "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\ndcl_texcoord o1\ndcl_2d s1\n"
      "mov o0, v0\ntexldl r0, v1, s1\nmov o1, r0\n"));
  attributes in{};
  constexpr std::uint32_t texcoord_input = 8;
  in[texcoord_input] = {.375f, .625f, 0, 1};
  auto texture = flat_texture();
  texture.binding = d3d9::vertex_sampler_binding + 1;
  const auto got = device().run_vertex(code, std::vector{in}, 1u << texcoord, std::vector{texture});
  CHECK(got[0][texcoord] == float4{0, 1, 1, 0});
}

TEST_CASE("texkill looks at what its version says, and keeps zero and NaN", "[shaders][texture]") {
  const auto [text, value, is_kept] = GENERATE(table<const char*, float4, bool>({
      {"ps_1_1\ntexkill t0\nmov r0, c0\n", {0, 0, 0, -1}, true},
      {"ps_1_1\ntexkill t0\nmov r0, c0\n", {0, 0, -1, 0}, false},
      {"ps_1_4\ntexcrd r1.xyz, t0\nphase\ntexkill r1\nmov r0, c0\n", {0, -1, 0, 0}, false},
      {"ps_2_0\ntexkill t0\nmov oC0, c0\n", {0, 0, 0, -1}, false},
      {"ps_2_0\ntexkill t0\nmov oC0, c0\n", {-0.f, 1, nan, inf}, true},
      {"ps_2_0\ntexkill t0.xy\nmov oC0, c0\n", {0, 0, -1, -1}, true},
      {"ps_2_0\ntexkill t0.xy\nmov oC0, c0\n", {0, -1, 0, 0}, false},
      {"ps_3_0\ndcl_texcoord v0\nmov r0, v0\nsetp_lt p0, r0, c0.y\n(!p0) texkill r0\nmov oC0, c0\n",
       {-1, -1, -1, -1},
       true},
  }));
  varyings in{};
  in[texcoord] = value;
  CAPTURE(text);
  const auto pixels = device().run_pixel(code_of(translated(text)), std::vector{in});
  CHECK((pixels.is_kept[0] == 1) == is_kept);
  CHECK(pixels.colors[0][0] ==
        (is_kept ? float4{0, 0, 0, 0}
                 : float4{unwritten_color, unwritten_color, unwritten_color, unwritten_color}));
}

TEST_CASE("pixels that were given up still lend their neighbours derivatives",
          "[shaders][texture]") {
  shader_draw draw;
  draw.vertex = device().feeding_vertex_shader();
  draw.width = draw.height = 4;
  // One texel of level 1 for each pixel; the left column of each quad is given up first.
  draw.pixel = code_of(translated(
      "ps_3_0\ndcl vPos.xy\ndcl_texcoord v0\ndcl_2d s0\ndef c1, 0.5, -0.5, 0, 2\n"
      "mul r1, vPos.x, c1.x\nfrc r1, r1\nadd r1, r1, c1.y\ntexkill r1\ntexld oC0, v0, s0\n"));
  std::array<attributes, 3> corners{};
  corners[0][texcoord + 1] = {0, 2, 0, 0};
  corners[1][texcoord + 1] = {0, -2, 0, 0};
  corners[2][texcoord + 1] = {4, 2, 0, 0};
  draw.vertices = covering_triangle(corners);
  draw.textures = {flat_texture()};
  const auto pixels = device().draw(draw);
  for (std::size_t i = 0; i < 16; ++i) {
    CAPTURE(i);
    CHECK(pixels.is_kept[i] == i % 2);
    if (i % 2 == 1) CHECK(pixels.colors[0][i][2] == 1);
  }
}

}  // namespace aerogpu::test
