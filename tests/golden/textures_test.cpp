// SPDX-License-Identifier: MIT
#include "tests/golden/guests/states.hpp"

namespace aerogpu::golden {
namespace {

/// A picture whose texels all differ.
[[nodiscard]] auto distinct(int width, int height, int seed = 0) -> image {
  return image::made_by(width, height, [&](int x, int y) {
    return rgba{static_cast<std::uint8_t>(x * 37 + seed), static_cast<std::uint8_t>(y * 53 + 7),
                static_cast<std::uint8_t>((x ^ y) * 29 + seed * 3), 255};
  });
}
[[nodiscard]] auto bytes_of_image(const image& content) -> byte_vector {
  return {content.bytes().begin(), content.bytes().end()};
}
/// Draws `texture` over a new target of its size, a texel for a pixel.
[[nodiscard]] auto draw_whole(guest& g, std::uint32_t texture, int width, int height)
    -> std::uint32_t {
  const auto target = g.make_target(width, height);
  g.bind_targets({target});
  g.clear({1, 2, 3, 4});
  g.stream().set_texture(wire_ps, 0, texture);
  g.draw_textured({0, 0, width, height});
  return target;
}

TEST_CASE("VK-052 slots are apart for each stage, and follow the numbers of registers",
          "[golden][textures]") {
  guest g;
  const auto target = g.make_target(8, 8);
  g.bind_targets({target});
  const auto red_texture = g.make_texture(image(1, 1, {255, 0, 0, 0}));
  const auto green_texture = g.make_texture(image(1, 1, {0, 255, 0, 0}));
  const auto blue_texture = g.make_texture(image(1, 1, {0, 0, 255, 255}));
  const auto vs = g.make_shader(
      "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1\ndcl_2d s2\nmov o0, v0\n"
      "mov r0, v0\ntexldl r1, r0, s2\nmov o1, r1");
  const auto ps = g.make_shader(
      "ps_3_0\ndcl_texcoord v0\ndcl_2d s2\ndcl_2d s15\ntexld r0, v0, s2\ntexld r1, v0, s15\n"
      "add r0, r0, r1\nadd r0, r0, v0\nmov oC0, r0");
  const auto layout = g.vertex_layout();
  const auto vertices = g.make_buffer(g.rectangle({0, 0, 8, 8}, 0, {}, {}, {}));
  g.stream()
      .set_texture(wire_vs, 2, red_texture)
      .set_texture(wire_ps, 2, green_texture)
      .set_texture(wire_ps, 15, blue_texture)
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, vertices, sizeof(vertex))
      .draw(6);
  g.expect(target, white);
}

TEST_CASE("VK-053 vertex shaders fetch texels", "[golden][textures]") {
  guest g;
  const auto target = g.make_target(8, 4);
  g.bind_targets({target});
  g.clear(black);
  // Texel x says where point x goes: red is 2 * x + 1 of 16.
  const auto texture = g.make_texture(image::made_by(4, 1, [](int x, int) {
    return rgba{static_cast<std::uint8_t>(51 * x), 0, 0, 255};
  }));
  const auto vs = g.make_shader(
      "vs_3_0\ndef c0, 1.5, -0.875, 0.25, 0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\n"
      "dcl_texcoord o1\ndcl_2d s0\ntexldl r0, v1, s0\nmov r1, v0\n"
      "mad r1.x, r0.x, c0.x, c0.y\nmov o0, r1\nmov o1, r0");
  const auto ps = g.make_shader("ps_3_0\ndef c0, 1, 1, 1, 1\nmov oC0, c0");
  const auto layout = g.vertex_layout();
  std::vector<vertex> points;
  for (int i = 0; i < 4; ++i) {
    points.push_back(g.at_pixel(0, 1.5f));
    points.back().attribute = {(static_cast<float>(i) + 0.5f) / 4, 0.5f, 0, 0};
  }
  const auto vertices = g.make_buffer(points);
  g.stream()
      .set_texture(wire_vs, 0, texture)
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, vertices, sizeof(vertex))
      .topology(AEROGPU_TOPOLOGY_POINTLIST)
      .draw(4);
  // x = 1.5 * i / 5 - 0.875 in clip space: pixels 0.5, 1.7, 2.9, 4.1.
  image expected(8, 4, black);
  for (const int x : {0, 1, 2, 4}) expected.at(x, 1) = white;
  g.expect(target, expected);
}

TEST_CASE("VK-054 a sampler without a live texture of its kind sees white", "[golden][textures]") {
  const auto how = GENERATE(0, 1, 2, 3);  // Never set; unbound; destroyed; 2D at a cube sampler.
  guest g;
  const auto target = g.make_target(4, 4);
  g.bind_targets({target});
  g.clear(black);
  const auto texture = g.make_texture(image(2, 2, red));
  if (how != 0) g.stream().set_texture(wire_ps, 0, texture);
  if (how == 1) g.stream().set_texture(wire_ps, 0, 0);
  if (how == 2) g.stream().destroy(texture);
  const auto ps = how == 3 ? g.make_shader(
                                 "ps_2_0\ndcl t0.xyz\ndcl_cube s0\ntexld r0, t0, s0\n"
                                 "mov oC0, r0")
                           : g.textured_ps();
  g.draw_with(ps, g.rectangle({0, 0, 4, 4}, 0.5f, {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}));
  g.expect(target, white);
}

TEST_CASE("VK-054 with state 2001 a sampler without a texture sees opaque black",
          "[golden][textures]") {
  guest g;
  const auto target = g.make_target(4, 4);
  g.bind_targets({target});
  g.clear(white);
  g.stream().render_state(2001, 1);
  g.draw_with(g.textured_ps(),
              g.rectangle({0, 0, 4, 4}, 0.5f, {0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}));
  g.expect(target, black);
}

TEST_CASE("VK-054 a flat sampler sees white, and compares nothing, where a depth cube is bound",
          "[golden][textures]") {
  guest g;
  const auto target = g.make_target(8, 8);
  const auto cube = g.new_handle();
  g.stream().create_texture(
      cube, {.format = AEROGPU_FORMAT_D24_UNORM_S8_UINT,
             .width = 8,
             .height = 8,
             .layers = 6,
             .usage = AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL | AEROGPU_RESOURCE_USAGE_TEXTURE});
  g.bind_targets({target});
  g.clear(black);
  g.stream().set_texture(wire_ps, 0, cube);
  const auto ps = g.make_shader("ps_2_0\ndcl t0.xyz\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0");
  g.draw_with(ps, g.rectangle({0, 0, 8, 8}, 0.5f, {0, 0, 2, 1}, {1, 0, 2, 1}, {0, 1, 2, 1}));
  g.expect(target, white);
}

TEST_CASE("VK-054 a volume sampler sees white, whatever is bound", "[golden][textures]") {
  guest g;
  const auto target = g.make_target(4, 4);
  g.bind_targets({target});
  const auto cube = g.make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .layers = 6},
                                   test::filled(4 * 4 * 4 * 6, 0x33));
  const auto ps = g.make_shader("ps_2_0\ndcl t0.xyz\ndcl_volume s0\ntexld r0, t0, s0\nmov oC0, r0");
  g.stream().set_texture(wire_ps, 0, cube);
  g.draw_with(ps, g.rectangle({0, 0, 4, 4}, 0.5f, {}, {}, {}));
  g.expect(target, white);
}

TEST_CASE("VK-055 sRGB textures are linear in the shader", "[golden][textures]") {
  const auto format =
      GENERATE(AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB,
               AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB, AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB);
  guest g;
  byte_vector texels = bytes_of_image(image::made_by(16, 16, [](int x, int y) {
    const auto value = static_cast<std::uint8_t>(y * 16 + x);
    return rgba{value, static_cast<std::uint8_t>(255 - value), 0, value};
  }));
  const auto texture = g.make_texture(
      {.format = static_cast<std::uint32_t>(format), .width = 16, .height = 16}, texels);
  const auto target = draw_whole(g, texture, 16, 16);
  const bool is_x8 =
      format == AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB || format == AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB;
  const image stored = to_image(texels, format, 16, 16);
  g.expect(target,
           image::made_by(16, 16,
                          [&](int x, int y) {
                            rgba expected = decoded(stored.at(x, y));
                            if (is_x8) expected.a = 255;
                            return expected;
                          }),
           rounding);
}

TEST_CASE("VK-055 drawing an sRGB texture on an sRGB target gives its bytes again",
          "[golden][textures]") {
  guest g;
  const image content = distinct(8, 8);
  const auto texture =
      g.make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, .width = 8, .height = 8},
                     bytes_of_image(content));
  const auto target = g.make_target(8, 8, AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB);
  g.bind_targets({target});
  g.stream().set_texture(wire_ps, 0, texture);
  g.draw_textured({0, 0, 8, 8});
  g.expect(target, content, rounding);
}

TEST_CASE("VK-055 blending on an sRGB target is linear", "[golden][textures]") {
  guest g;
  const auto target = g.make_target(4, 4, AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB);
  g.bind_targets({target});
  g.stream().clear(AEROGPU_CLEAR_COLOR, {0.2f, 0.2f, 0.2f, 1});
  g.stream().blend(blend_with(AEROGPU_BLEND_ONE, AEROGPU_BLEND_ONE));
  g.fill_all(color4{0.3f, 0.1f, 0, 0});
  const auto sum = [](double linear) { return to_byte(srgb_encoded(linear)); };
  g.expect(target, {sum(0.5), sum(0.3), sum(0.2), 255}, rounding);
}

TEST_CASE("VK-056 SRGBTEXTURE decodes a slot, and nothing twice", "[golden][textures]") {
  const auto format = GENERATE(AEROGPU_FORMAT_R8G8B8A8_UNORM, AEROGPU_FORMAT_B8G8R8X8_UNORM,
                               AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB);
  guest g;
  const image content = distinct(8, 8);
  byte_vector texels = bytes_of_image(content);
  const auto texture = g.make_texture(
      {.format = static_cast<std::uint32_t>(format), .width = 8, .height = 8}, texels);
  g.stream().sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, ss::srgb_texture, 1);
  const auto target = draw_whole(g, texture, 8, 8);
  const image stored = to_image(texels, format, 8, 8);
  const auto expected =
      image::made_by(8, 8, [&](int x, int y) { return decoded(stored.at(x, y)); });
  g.expect(target, expected, rounding);
  // Other slots, and this one afterwards, do not.
  g.stream().sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, ss::srgb_texture, 0);
  g.stream().sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 1, ss::srgb_texture, 1);
  const auto plain = draw_whole(g, texture, 8, 8);
  g.expect(plain, format == AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB ? expected : stored, rounding);
}

TEST_CASE("VK-056 SRGBWRITEENABLE encodes on 8-bit targets, and nothing twice",
          "[golden][textures]") {
  const auto format = GENERATE(AEROGPU_FORMAT_R8G8B8A8_UNORM, AEROGPU_FORMAT_B8G8R8X8_UNORM,
                               AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB);
  guest g;
  const auto target = g.make_target(4, 4, format);
  g.bind_targets({target});
  g.clear(black);
  g.stream().render_state(rs::srgb_write, 1);
  g.fill_all(color4{0.5f, 0.1f, 0.9f, 1});
  const auto stored = [](double linear) { return to_byte(srgb_encoded(linear)); };
  g.expect(target, {stored(0.5), stored(0.1), stored(0.9), 255}, rounding);
}

TEST_CASE("VK-059 the faces of a cube are +X, -X, +Y, -Y, +Z, -Z, with their mips",
          "[golden][textures]") {
  const auto level = GENERATE(0u, 1u);
  guest g;
  // Each face of each level has a colour of its own.
  const auto color = [](std::uint32_t face, std::uint32_t mip) {
    return rgba{static_cast<std::uint8_t>(40 * face + 10), static_cast<std::uint8_t>(mip * 200),
                128, 255};
  };
  byte_vector texels;
  for (std::uint32_t face = 0; face < 6; ++face) {
    for (std::uint32_t mip = 0; mip < 2; ++mip) {
      const byte_vector part = bytes_of_image(image(4 >> mip, 4 >> mip, color(face, mip)));
      texels.insert(texels.end(), part.begin(), part.end());
    }
  }
  const auto cube =
      g.make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .mips = 2, .layers = 6}, texels);
  const auto target = g.make_target(6, 1);
  g.bind_targets({target});
  const auto ps = g.make_shader("ps_2_0\ndcl t0.xyz\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0");
  g.stream()
      .sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, ss::max_mip_level, level)
      .set_texture(wire_ps, 0, cube);
  const std::array<color4, 6> directions{{{1, 0.2f, 0.3f, 0},
                                          {-1, 0.2f, 0.3f, 0},
                                          {0.2f, 1, 0.3f, 0},
                                          {0.2f, -1, 0.3f, 0},
                                          {0.2f, 0.3f, 1, 0},
                                          {0.2f, 0.3f, -1, 0}}};
  image expected(6, 1);
  for (int face = 0; face < 6; ++face) {
    const color4& to = directions[static_cast<std::size_t>(face)];
    g.draw_with(ps, g.rectangle({face, 0, 1, 1}, 0.5f, to, to, to));
    expected.at(face, 0) = color(static_cast<std::uint32_t>(face), level);
  }
  g.expect(target, expected);
}

TEST_CASE("VK-059 texels of a cube face lie as Direct3D says", "[golden][textures]") {
  guest g;
  byte_vector texels;
  for (int face = 0; face < 6; ++face) {
    const byte_vector part = bytes_of_image(distinct(4, 4, face * 31));
    texels.insert(texels.end(), part.begin(), part.end());
  }
  const auto cube = g.make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .layers = 6}, texels);
  const auto ps = g.make_shader("ps_2_0\ndcl t0.xyz\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0");
  g.stream().set_texture(wire_ps, 0, cube);
  // Directions of the face's corners: top left, top right, bottom left.
  const std::array<std::array<color4, 3>, 6> corners{{
      {{{1, 1, 1, 0}, {1, 1, -1, 0}, {1, -1, 1, 0}}},
      {{{-1, 1, -1, 0}, {-1, 1, 1, 0}, {-1, -1, -1, 0}}},
      {{{-1, 1, -1, 0}, {1, 1, -1, 0}, {-1, 1, 1, 0}}},
      {{{-1, -1, 1, 0}, {1, -1, 1, 0}, {-1, -1, -1, 0}}},
      {{{-1, 1, 1, 0}, {1, 1, 1, 0}, {-1, -1, 1, 0}}},
      {{{1, 1, -1, 0}, {-1, 1, -1, 0}, {1, -1, -1, 0}}},
  }};
  for (int face = 0; face < 6; ++face) {
    const auto target = g.make_target(4, 4);
    g.bind_targets({target});
    const auto& c = corners[static_cast<std::size_t>(face)];
    g.draw_with(ps, g.rectangle({0, 0, 4, 4}, 0.5f, c[0], c[1], c[2]));
    g.expect(target, distinct(4, 4, face * 31));
  }
}

TEST_CASE("VK-060 each mip level and layer holds its own texels", "[golden][textures]") {
  guest g;
  byte_vector texels;
  int seed = 0;
  for (int layer = 0; layer < 3; ++layer) {
    for (int mip = 0; mip < 3; ++mip) {
      const byte_vector part = bytes_of_image(distinct(8 >> mip, 4 >> mip, seed++ * 17));
      texels.insert(texels.end(), part.begin(), part.end());
    }
  }
  const texture_spec spec{
      .format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 8, .height = 4, .mips = 3, .layers = 3};
  const auto texture = g.make_texture(spec, texels);
  seed = 0;
  for (std::uint32_t layer = 0; layer < 3; ++layer) {
    for (std::uint32_t mip = 0; mip < 3; ++mip, ++seed) {
      const int width = 8 >> mip, height = 4 >> mip;
      const auto view = g.new_handle();
      g.stream().create_view(view, texture,
                             {.format = spec.format, .base_mip = mip, .base_layer = layer});
      const auto target = draw_whole(g, view, width, height);
      g.expect(target, distinct(width, height, seed * 17));
      if (g.renders()) check_image(g.read(texture, mip, layer), distinct(width, height, seed * 17));
    }
  }
}

TEST_CASE("VK-062 a handle that is used again never shows the old texture", "[golden][textures]") {
  const auto format = GENERATE(AEROGPU_FORMAT_R8G8B8A8_UNORM, AEROGPU_FORMAT_B8G8R8A8_UNORM);
  guest g;
  const auto handle = g.make_texture(image(4, 4, red));
  const auto before = draw_whole(g, handle, 4, 4);
  g.stream().destroy(handle).create_texture(
      handle, {.format = static_cast<std::uint32_t>(format), .width = 2, .height = 2});
  // Destroying unbound slot 0: a handle that lives again is not the one that was set.
  const auto draw = [&] {
    const auto target = g.make_target(4, 4);
    g.bind_targets({target});
    g.clear(red);
    g.draw_textured({0, 0, 4, 4});
    return target;
  };
  const auto unbound = draw();
  g.stream().set_texture(wire_ps, 0, handle);
  const auto zero = draw();
  g.stream().upload(handle, 0, test::filled(16, 0x66));
  const auto filled = draw();
  g.expect(before, red);
  g.expect(unbound, white);
  g.expect(zero, nothing);
  g.expect(filled, {0x66, 0x66, 0x66, 0x66});
}

TEST_CASE("VK-086 a texture that is drawn to reads as unbound, and as itself afterwards",
          "[golden][textures]") {
  guest g;
  const auto rendered = g.make_target(8, 8), target = g.make_target(8, 8);
  g.bind_targets({rendered});
  g.clear(red);
  g.stream().set_texture(wire_ps, 0, rendered);
  g.draw_textured({0, 0, 4, 8});  // White, not red.
  g.bind_targets({target});
  g.draw_textured({0, 0, 8, 8});  // The slot was not set again.
  const image expected = image(8, 8, red).fill({0, 0, 4, 8}, white);
  g.expect(rendered, expected);
  g.expect(target, expected);
}

TEST_CASE("VK-086 what one pass renders is what the next one samples", "[golden][textures]") {
  guest g;
  const std::array<std::uint32_t, 2> targets{g.make_target(8, 8), g.make_target(8, 8)};
  g.bind_targets({targets[0]});
  g.clear({16, 16, 16, 255});
  g.stream().blend(blend_with(AEROGPU_BLEND_ONE, AEROGPU_BLEND_ONE));
  for (std::size_t pass = 1; pass <= 4; ++pass) {
    // Each pass adds the other picture to its own.
    g.bind_targets({targets[pass % 2]});
    g.stream().set_texture(wire_ps, 0, targets[(pass + 1) % 2]);
    if (pass == 1) g.clear({0, 0, 0, 255});
    g.draw_textured({0, 0, 8, 8});
  }
  // 16, then 16, 32, 48, 80.
  g.expect(targets[0], {80, 80, 80, 255});
  g.expect(targets[1], {48, 48, 48, 255});
}

TEST_CASE("VK-086 a depth buffer that is sampled compares", "[golden][textures]") {
  guest g;
  const auto target = g.make_target(8, 8);
  const auto depth = g.make_target(8, 8, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.stream().clear(3, to_color(black), 0.75f);
  g.fill({0, 0, 4, 8}, red, 0.25f);
  g.bind_targets({target});
  g.stream().set_texture(wire_ps, 0, depth);
  // Reference 0.5 in z: lit where it is at most what is stored.
  const auto ps = g.make_shader("ps_2_0\ndcl t0.xyz\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0");
  g.draw_with(ps,
              g.rectangle({0, 0, 8, 8}, 0.5f, {0, 0, 0.5f, 1}, {1, 0, 0.5f, 1}, {0, 1, 0.5f, 1}));
  g.stream().set_texture(wire_ps, 0, 0);
  const image seen = g.read(target);
  if (!g.renders()) return;
  CHECK(seen.at(1, 4).r == 0);
  CHECK(seen.at(6, 4).r == 255);
}

}  // namespace
}  // namespace aerogpu::golden
