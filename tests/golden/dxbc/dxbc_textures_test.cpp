// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

#include <algorithm>

namespace aerogpu::golden {
namespace {

constexpr std::uint32_t filter_nearest = AEROGPU_SAMPLER_FILTER_NEAREST;
constexpr std::uint32_t filter_linear = AEROGPU_SAMPLER_FILTER_LINEAR;
constexpr std::uint32_t mode_clamp = AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE;
constexpr std::uint32_t mode_repeat = AEROGPU_SAMPLER_ADDRESS_REPEAT;
constexpr std::uint32_t mode_mirror = AEROGPU_SAMPLER_ADDRESS_MIRROR_REPEAT;

/// Samples t0 of any shape at (0, 0, 0, 0).
[[nodiscard]] auto ps_shape(std::uint32_t dimension) -> byte_vector {
  using namespace sm4;
  program code{program_type::pixel, 4, 1};
  code.op(dcl_sampler, {plain(sampler, {0})})
      .op(dcl_resource, {plain(resource, {0}), word(returns_float)}, dimension)
      .op(dcl_output, {to(output, {0})})
      .op(sample, {to(output, {0}), number(0, 0, 0, 0), from(resource, {0}), plain(sampler, {0})})
      .op(ret);
  return container({{position_out}, {target_out}}, code);
}

/// Loads sample 0 of texel (0, 0) of t0, which is multisampled.
[[nodiscard]] auto ps_multisampled(std::uint32_t dimension) -> byte_vector {
  using namespace sm4;
  program code{program_type::pixel, 4, 1};
  code.op(dcl_resource, {plain(resource, {0}), word(returns_float)}, dimension | 4u << 5)
      .op(dcl_output, {to(output, {0})})
      .op(ld_multisampled, {to(output, {0}), bits(0, 0, 0, 0), from(resource, {0}), bits(0)})
      .op(ret);
  return container({{position_out}, {target_out}}, code);
}

struct texture_scene : dxbc_scene {
  explicit texture_scene(int width = 4, int height = 4) : dxbc_scene(width, height) {}

  void bind(std::uint32_t texture, std::uint32_t filter, std::uint32_t u, std::uint32_t v) {
    const auto made = g.new_handle();
    g.stream()
        .create_sampler(made, filter, u, v, mode_clamp)
        .samplers(wire_ps, 0, {made})
        .set_texture(wire_ps, 0, texture);
  }
  /// The whole target, from coordinates (left, top) to (right, bottom).
  void show(float left, float right, float top = 0, float bottom = 1) {
    const auto vs = passing_vs(), ps = shader(wire_ps, sm4::ps_textured());
    auto vertices = quad(whole());
    for (dxbc_vertex& v : vertices) {
      v.u = left + v.u * (right - left);
      v.v = top + v.v * (bottom - top);
    }
    g.stream().bind_shaders(vs, ps);
    draw(vertices);
  }
};

TEST_CASE("VK-050 each address mode of sampler objects, beyond both ends",
          "[golden][dxbc][textures]") {
  const auto mode = GENERATE(mode_clamp, mode_repeat, mode_mirror);
  constexpr std::array<rgba, 4> colors{red, green, blue, white};
  texture_scene s(24, 2);
  const auto texture = s.g.make_texture(
      image::made_by(4, 1, [&](int x, int) { return colors[static_cast<std::size_t>(x)]; }));
  s.bind(texture, filter_nearest, mode, mode_clamp);
  s.show(-2.5f, 3.5f);
  s.expect(image::made_by(24, 2, [&](int x, int) {
    const int texel = x - 10;
    const int wrapped = (texel + 12) % 4, period = (texel + 16) % 8;
    const int mirrored = period < 4 ? period : 7 - period;
    const int chosen = mode == mode_repeat   ? wrapped
                       : mode == mode_mirror ? mirrored
                                             : std::clamp(texel, 0, 3);
    return colors[static_cast<std::size_t>(chosen)];
  }));
}

TEST_CASE("VK-050 both axes of a sampler object have modes of their own",
          "[golden][dxbc][textures]") {
  texture_scene s(4, 4);
  const image texels = image::made_by(2, 2, [](int x, int y) {
    return rgba{static_cast<std::uint8_t>(x * 255), static_cast<std::uint8_t>(y * 255), 0, 255};
  });
  s.bind(s.g.make_texture(texels), filter_nearest, mode_clamp, mode_repeat);
  s.show(0, 2, 0, 2);
  s.expect(image::made_by(4, 4, [&](int x, int y) { return texels.at(std::min(x, 1), y % 2); }));
}

TEST_CASE("VK-050 linear filtering blends neighbours", "[golden][dxbc][textures]") {
  texture_scene s(4, 2);
  const auto texture = s.g.make_texture(image(2, 1, red).fill({1, 0, 1, 1}, green));
  s.bind(texture, filter_linear, mode_clamp, mode_clamp);
  s.show(0, 1);
  s.expect(image::made_by(4, 2,
                          [](int x, int) {
                            constexpr std::array<std::uint8_t, 4> greens{0, 64, 191, 255};
                            const std::uint8_t value = greens[static_cast<std::size_t>(x)];
                            return rgba{static_cast<std::uint8_t>(255 - value), value, 0, 255};
                          }),
           rounding);
}

TEST_CASE("VK-050 no sampler object: nearest texel, clamped to the edge",
          "[golden][dxbc][textures]") {
  texture_scene s(4, 2);
  const auto texture = s.g.make_texture(image(2, 1, red).fill({1, 0, 1, 1}, green));
  s.bind(texture, filter_linear, mode_repeat, mode_repeat);
  s.g.stream().samplers(wire_ps, 0, {0});
  s.show(0, 2);
  s.expect(image(4, 2, green).fill({0, 0, 1, 2}, red));
}

TEST_CASE("VK-050 a replaced sampler object holds for the next draw", "[golden][dxbc][textures]") {
  texture_scene s(4, 2);
  const auto texture = s.g.make_texture(image(2, 1, red).fill({1, 0, 1, 1}, green));
  s.bind(texture, filter_nearest, mode_clamp, mode_clamp);
  s.show(1, 2);
  s.expect(green);
  const auto other = s.g.new_handle();
  s.g.stream().create_sampler(other, filter_nearest, mode_repeat).samplers(wire_ps, 0, {other});
  s.show(1, 2);
  s.expect(image(4, 2, green).fill({0, 0, 2, 2}, red));
}

TEST_CASE("VK-054 SM4: an unbound texture is black and opaque", "[golden][dxbc][textures]") {
  texture_scene s;
  s.g.clear(white);
  s.show(0, 1);
  s.expect(black);
}

TEST_CASE("VK-054 SM4: a destroyed texture is black and opaque", "[golden][dxbc][textures]") {
  texture_scene s;
  const auto texture = s.g.make_texture(image(1, 1, red));
  s.bind(texture, filter_nearest, mode_clamp, mode_clamp);
  s.show(0, 1);
  s.expect(red);
  s.g.stream().destroy(texture);
  s.show(0, 1);
  s.expect(black);
}

TEST_CASE("VK-054 SM4: nothing is bound to any shape of texture", "[golden][dxbc][textures]") {
  const auto dimension = GENERATE(2u, 3u, 5u, 6u, 7u, 8u, 10u);
  INFO("dimension " << dimension);
  texture_scene s;
  s.g.clear(white);
  s.draw_whole(s.shader(wire_ps, ps_shape(dimension)));
  s.expect(black);
}

TEST_CASE("VK-054 SM4: nothing is bound to a multisampled texture", "[golden][dxbc][textures]") {
  const auto dimension = GENERATE(4u, 9u);
  INFO("dimension " << dimension);
  texture_scene s;
  s.g.clear(white);
  s.draw_whole(s.shader(wire_ps, ps_multisampled(dimension)));
  s.expect(black);
}

TEST_CASE("VK-054 SM4: a texture of another shape than the program reads",
          "[golden][dxbc][textures]") {
  constexpr std::uint32_t flat = 3, volume = 5, cube = 6, array = 8;
  struct row {
    std::uint32_t dimension, layers;
    rgba expected;
  };
  const auto [dimension, layers, expected] = GENERATE(values<row>({{flat, 1, red},
                                                                   {flat, 6, black},
                                                                   {volume, 1, black},
                                                                   {cube, 1, black},
                                                                   {cube, 6, red},
                                                                   {array, 1, red},
                                                                   {array, 6, red}}));
  INFO("dimension " << dimension << ", layers " << layers);
  texture_scene s;
  byte_vector bytes;
  for (std::uint32_t i = 0; i < layers * 4; ++i) {
    for (const int channel : {255, 0, 0, 255}) bytes.push_back(static_cast<std::byte>(channel));
  }
  const auto texture = s.g.make_texture(
      {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 2, .height = 2, .layers = layers}, bytes);
  s.g.stream().set_texture(wire_ps, 0, texture);
  s.draw_whole(s.shader(wire_ps, ps_shape(dimension)));
  s.expect(expected);
}

TEST_CASE("VK-054 SM4: a buffer in the slot of a texture is no texture",
          "[golden][dxbc][textures]") {
  texture_scene s;
  s.g.stream().resource_buffers(wire_ps, 0, {{s.g.make_buffer(byte_vector(64))}});
  s.g.clear(white);
  s.show(0, 1);
  s.expect(black);
}

TEST_CASE("SM4 reads X8 textures with alpha 1", "[golden][dxbc][textures]") {
  texture_scene s;
  const auto texture =
      s.g.make_texture({.format = AEROGPU_FORMAT_B8G8R8X8_UNORM, .width = 1, .height = 1},
                       {std::byte{255}, std::byte{0}, std::byte{0}, std::byte{0}});
  s.bind(texture, filter_linear, mode_clamp, mode_clamp);
  s.show(0, 1);
  s.expect(blue);
}

TEST_CASE("SM4 shows single mips and layers through views", "[golden][dxbc][textures]") {
  texture_scene s;
  byte_vector bytes;
  constexpr std::array<std::uint8_t, 5> reds{10, 10, 10, 10, 20};
  for (int layer = 0; layer < 2; ++layer) {
    for (const std::uint8_t value : reds) {
      const auto shown = static_cast<std::uint8_t>(value + layer * 100);
      for (const std::uint8_t channel :
           {shown, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{255}}) {
        bytes.push_back(std::byte{channel});
      }
    }
  }
  const auto texture = s.g.make_texture(
      {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 2, .height = 2, .mips = 2, .layers = 2},
      bytes);
  const auto mip = GENERATE(0u, 1u), layer = GENERATE(0u, 1u);
  const auto view = s.g.new_handle();
  s.g.stream().create_view(
      view, texture,
      {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .base_mip = mip, .base_layer = layer});
  s.bind(view, filter_nearest, mode_clamp, mode_clamp);
  s.show(0, 1);
  s.expect({static_cast<std::uint8_t>(10 + mip * 10 + layer * 100), 0, 0, 255});
  s.g.stream().destroy_view(view);
}

/// White where `reference` is not above what t0 holds in its middle.
[[nodiscard]] auto ps_comparing(float reference) -> byte_vector {
  using namespace sm4;
  program code{program_type::pixel, 4};
  code.op(dcl_sampler, {plain(sampler, {0})}, 1)
      .op(dcl_resource, {plain(resource, {0}), word(returns_float)}, texture_2d)
      .op(dcl_output, {to(output, {0})})
      .op(dcl_temps, {word(1)})
      .op(sample_c_lz, {to(temp, {0}, "x"), number(0.5f, 0.5f, 0, 0), from(resource, {0}, "xxxx"),
                        plain(sampler, {0}), number(reference)})
      .op(mov, {to(output, {0}), from(temp, {0}, "xxxx")})
      .op(ret);
  return container({{position_out}, {target_out}}, code);
}

TEST_CASE("SM4 compares with a depth texture", "[golden][dxbc][textures]") {
  texture_scene s(2, 2);
  const auto depth = s.g.make_target(2, 2, AEROGPU_FORMAT_D32_FLOAT);
  s.g.bind_targets({s.target}, depth);
  s.g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 0.5f);
  s.g.bind_targets({s.target});
  const auto reference = GENERATE(0.25f, 0.75f);
  s.g.stream().set_texture(wire_ps, 0, depth);
  s.draw_whole(s.shader(wire_ps, ps_comparing(reference)));
  s.expect(reference < 0.5f ? white : nothing);
}

TEST_CASE("VK-054 SM4: comparing with no texture, or with colours, compares with zero",
          "[golden][dxbc][textures]") {
  const bool has_colors = GENERATE(false, true);
  const auto reference = GENERATE(0.0f, 0.25f);
  texture_scene s(2, 2);
  if (has_colors) s.g.stream().set_texture(wire_ps, 0, s.g.make_texture(image(1, 1, white)));
  s.draw_whole(s.shader(wire_ps, ps_comparing(reference)));
  s.expect(reference == 0 ? white : nothing);
}

TEST_CASE("VK-086 SM4: the target in a slot reads as unbound, and as itself later",
          "[golden][dxbc][textures]") {
  texture_scene s;
  s.g.clear(red);
  s.bind(s.target, filter_nearest, mode_clamp, mode_clamp);
  s.show(0, 1);
  s.expect(black);
  const auto other = s.g.make_target(4, 4);
  s.g.clear(green);
  s.g.bind_targets({other});
  s.show(0, 1);
  s.g.expect(other, green);
}

/// What `resinfo` says of a level of t0, less its second half, as a colour.
[[nodiscard]] auto ps_reciprocals(std::uint32_t dimension, std::uint32_t level,
                                  std::string_view swizzle) -> byte_vector {
  using namespace sm4;
  constexpr std::uint32_t resinfo = 61, as_reciprocals = 1;
  program code{program_type::pixel, 5};
  code.op(dcl_resource, {plain(resource, {0}), word(returns_float)}, dimension)
      .op(dcl_output, {to(output, {0})})
      .op(resinfo, {to(output, {0}), bits(level), from(resource, {0}, swizzle)}, as_reciprocals)
      .op(ret);
  return container({{position_out}, {target_out}}, code);
}

TEST_CASE("sizes of a texture are told as reciprocals, and the count of its levels is not",
          "[golden][dxbc][textures]") {
  dxbc_scene s;
  s.g.stream().set_texture(wire_ps, 0, s.g.make_texture(image(4, 2, green)));
  // A quarter and a half; one level, which is all of a channel.
  s.draw_whole(s.shader(wire_ps, ps_reciprocals(sm4::texture_2d, 0, "xyzw")));
  s.expect({64, 128, 0, 255}, rounding);
  s.draw_whole(s.shader(wire_ps, ps_reciprocals(sm4::texture_2d, 0, "wzyx")));
  s.expect({255, 0, 128, 64}, rounding);
}

}  // namespace
}  // namespace aerogpu::golden
