// SPDX-License-Identifier: MIT
#include "tests/golden/guests/states.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace aerogpu::golden {
namespace {

constexpr std::uint32_t ps_stage = AEROGPU_SHADER_STAGE_PIXEL;
constexpr std::uint32_t wrap = 1, mirror = 2, clamp_edge = 3, border = 4, mirror_once = 5;
constexpr std::uint32_t point = 1, linear = 2, anisotropic = 3;

/// Four texels in a row.
[[nodiscard]] auto four_texels() -> image {
  constexpr std::array<rgba, 4> colors{red, green, blue, white};
  return image::made_by(4, 1, [&](int x, int) { return colors[static_cast<std::size_t>(x)]; });
}

struct sampler_scene {
  guest g;
  std::uint32_t target = g.make_target(24, 2);
  sampler_scene() {
    g.bind_targets({target});
    g.clear(black);
  }
  void set(std::uint32_t state, std::uint32_t value) {
    g.stream().sampler_state(ps_stage, 0, state, value);
  }
  /// Shows u from -2.5 texture widths to 3.5: texel n of 24 at pixel n.
  void draw_wide(std::uint32_t texture) {
    g.stream().set_texture(wire_ps, 0, texture);
    g.draw_with(g.textured_ps(), g.rectangle({0, 0, 24, 2}, 0.5f, {-2.5f, 0, 0, 1}, {3.5f, 0, 0, 1},
                                             {-2.5f, 1, 0, 1}));
  }
};

[[nodiscard]] auto modulo(int a, int b) -> int {
  return (a % b + b) % b;
}

TEST_CASE("VK-051 each address mode, beyond both ends", "[golden][samplers]") {
  const auto mode = GENERATE(0u, wrap, mirror, clamp_edge, border, mirror_once, 77u);
  sampler_scene s;
  s.set(ss::address_u, mode);
  s.set(ss::border_color, 0xFF000000);
  const image texels = four_texels();
  s.draw_wide(s.g.make_texture(texels));
  s.g.expect(s.target, image::made_by(24, 2, [&](int x, int) {
               const int texel = x - 10;
               const int wrapped = modulo(texel, 4), period = modulo(texel, 8);
               const int mirrored = period < 4 ? period : 7 - period;
               // -1 mirrors to 0; from -4 and 4 on the ends repeat.
               const int once = std::min(texel < 0 ? -1 - texel : texel, 3);
               switch (mode) {
                 case mirror: return texels.at(mirrored, 0);
                 case clamp_edge: return texels.at(std::clamp(texel, 0, 3), 0);
                 case border: return texel < 0 || texel > 3 ? black : texels.at(texel, 0);
                 case mirror_once: return texels.at(once, 0);
                 default: return texels.at(wrapped, 0);
               }
             }));
}

TEST_CASE("VK-051 both axes have modes of their own", "[golden][samplers]") {
  guest g;
  const auto target = g.make_target(8, 8);
  g.bind_targets({target});
  const image texels = image::made_by(2, 2, [](int x, int y) {
    return rgba{static_cast<std::uint8_t>(x * 255), static_cast<std::uint8_t>(y * 255), 0, 255};
  });
  g.stream()
      .set_texture(wire_ps, 0, g.make_texture(texels))
      .sampler_state(ps_stage, 0, ss::address_u, clamp_edge)
      .sampler_state(ps_stage, 0, ss::address_v, wrap);
  g.draw_textured({0, 0, 8, 8}, 4, 4);
  g.expect(target,
           image::made_by(8, 8, [&](int x, int y) { return texels.at(std::min(x, 1), y % 2); }));
}

TEST_CASE("VK-051 border colours: three standard ones and any other", "[golden][samplers]") {
  const auto [argb, border_texel] =
      GENERATE(table<std::uint32_t, rgba>({{0x00000000, {0, 0, 0, 0}},
                                           {0xFF000000, {0, 0, 0, 255}},
                                           {0xFFFFFFFF, {255, 255, 255, 255}},
                                           {0x40FF8020, {255, 128, 32, 64}}}));
  const rgba color = border_texel;  // Bindings cannot be captured.
  sampler_scene s;
  s.set(ss::address_u, border);
  s.set(ss::border_color, argb);
  const image texels = four_texels();
  s.draw_wide(s.g.make_texture(texels));
  s.g.expect(
      s.target,
      image::made_by(24, 2,
                     [&](int x, int) { return x < 10 || x > 13 ? color : texels.at(x - 10, 0); }),
      rounding);
}

TEST_CASE("VK-051 the border colour is as given for every order of channels",
          "[golden][samplers]") {
  const auto format = GENERATE(AEROGPU_FORMAT_B8G8R8A8_UNORM, AEROGPU_FORMAT_B5G6R5_UNORM);
  guest g;
  const auto target = g.make_target(4, 4);
  g.bind_targets({target});
  const auto texture =
      g.make_texture({.format = static_cast<std::uint32_t>(format)},
                     test::filled(format == AEROGPU_FORMAT_B5G6R5_UNORM ? 32 : 64, 0));
  g.stream()
      .set_texture(wire_ps, 0, texture)
      .sampler_state(ps_stage, 0, ss::address_u, border)
      .sampler_state(ps_stage, 0, ss::address_v, border)
      .sampler_state(ps_stage, 0, ss::border_color, 0xFFFF8020);
  g.draw_with(g.textured_ps(),
              g.rectangle({0, 0, 4, 4}, 0.5f, {2, 2, 0, 1}, {3, 2, 0, 1}, {2, 3, 0, 1}));
  g.expect(target, {255, 128, 32, 255}, rounding);
}

TEST_CASE("VK-051 linear magnification mixes neighbours, point does not", "[golden][samplers]") {
  const auto filter = GENERATE(0u, point, linear, anisotropic);
  guest g;
  const auto target = g.make_target(16, 16);
  g.bind_targets({target});
  const image texels = image::made_by(2, 2, [](int x, int) { return x == 0 ? black : white; });
  g.stream()
      .set_texture(wire_ps, 0, g.make_texture(texels))
      .sampler_state(ps_stage, 0, ss::address_u, clamp_edge)
      .sampler_state(ps_stage, 0, ss::mag_filter, filter)
      .sampler_state(ps_stage, 0, ss::max_anisotropy, 99);  // Clamped to what the device has.
  g.draw_textured({0, 0, 16, 16});
  const bool is_smooth = filter >= linear;  // How anisotropic samples weigh is the device's choice.
  g.expect(target,
           image::made_by(16, 16,
                          [&](int x, int) {
                            const double u = (x + 0.5) / 16 * 2;  // In texels.
                            const double weight =
                                is_smooth ? std::clamp(u - 0.5, 0.0, 1.0) : std::floor(u);
                            const std::uint8_t value = to_byte(weight);
                            return rgba{value, value, value, 255};
                          }),
           filter == linear ? tolerance{2, 0}
           : is_smooth      ? tolerance{20, 0}
                            : exact);
}

/// A square texture whose levels have one colour each.
[[nodiscard]] auto make_levels(guest& g, const std::vector<rgba>& colors) -> std::uint32_t {
  byte_vector texels;
  const auto size = 1u << (colors.size() - 1);
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const image level(static_cast<int>(size >> i), static_cast<int>(size >> i), colors[i]);
    texels.insert(texels.end(), level.bytes().begin(), level.bytes().end());
  }
  return g.make_texture({.format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                         .width = size,
                         .height = size,
                         .mips = static_cast<std::uint32_t>(colors.size())},
                        texels);
}

TEST_CASE("VK-051 MAXMIPLEVEL is the finest level, and the mip filter decides about others",
          "[golden][samplers]") {
  // The texture of 8x8 is drawn at a quarter of its size: its level of detail is 2.
  const auto [filter, finest, expected] =
      GENERATE(table<std::uint32_t, std::uint32_t, rgba>({{0, 0, red},
                                                          {0, 1, green},
                                                          {0, 3, white},
                                                          {0, 99, white},
                                                          {point, 0, blue},
                                                          {point, 3, white},
                                                          {point, 1, blue},
                                                          {linear, 0, blue},
                                                          {linear, 3, white}}));
  guest g;
  const auto target = g.make_target(8, 8);
  g.bind_targets({target});
  g.clear(black);
  g.stream()
      .set_texture(wire_ps, 0, make_levels(g, {red, green, blue, white}))
      .sampler_state(ps_stage, 0, ss::mip_filter, filter)
      .sampler_state(ps_stage, 0, ss::max_mip_level, finest);
  g.draw_textured({0, 0, 2, 2});
  g.expect(target, image(8, 8, black).fill({0, 0, 2, 2}, expected), rounding);
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("VK-051 MIPMAPLODBIAS moves between levels, as far as the device can",
          "[golden][samplers]") {
  // The texture of 8x8 is drawn at half of its size: its level of detail is 1.
  const auto [filter, bias, expected] =
      GENERATE(table<std::uint32_t, float, rgba>({{point, -1.0f, red},
                                                  {point, 0.0f, green},
                                                  {point, 1.0f, blue},
                                                  {point, 2.0f, white},
                                                  {point, -infinity, red},
                                                  {point, infinity, white},
                                                  {point, not_a_number, green},
                                                  {linear, 1.0f, blue},
                                                  {0, 2.0f, red}}));
  guest g;
  const auto target = g.make_target(4, 4);
  g.bind_targets({target});
  g.stream()
      .set_texture(wire_ps, 0, make_levels(g, {red, green, blue, white}))
      .sampler_state(ps_stage, 0, ss::mip_filter, filter)
      .sampler_state(ps_stage, 0, ss::lod_bias, as_bits(bias));
  g.draw_textured({0, 0, 4, 4});
  g.expect(target, expected, rounding);
}

TEST_CASE("VK-051 the linear mip filter mixes levels", "[golden][samplers]") {
  guest g;
  const auto target = g.make_target(64, 64);
  g.bind_targets({target});
  // A level of detail between 0 and 1: 8 texels over 5.657 pixels are half way.
  g.stream()
      .set_texture(wire_ps, 0, make_levels(g, {black, white, white, white}))
      .sampler_state(ps_stage, 0, ss::mip_filter, linear);
  const float texture_sizes = 64 / 5.656854f;
  g.draw_textured({0, 0, 64, 64}, texture_sizes, texture_sizes);
  g.expect(target, {128, 128, 128, 255}, {10, 0});
}

TEST_CASE("VK-051 anisotropy keeps what lies across the longer axis", "[golden][samplers]") {
  const auto most = GENERATE(1u, 16u);
  const auto filter = GENERATE(linear, anisotropic);
  guest g;
  const auto target = g.make_target(8, 8);
  g.bind_targets({target});
  constexpr rgba gray{128, 128, 128, 255};
  byte_vector texels;
  for (const int size : {8, 4, 2, 1}) {
    const auto level = image::made_by(size, size, [&](int, int y) {
      const rgba stripe = y < 4 ? black : white;
      return size == 8 ? stripe : gray;
    });
    texels.insert(texels.end(), level.bytes().begin(), level.bytes().end());
  }
  const auto texture = g.make_texture(
      {.format = AEROGPU_FORMAT_R8G8B8A8_UNORM, .width = 8, .height = 8, .mips = 4}, texels);
  g.stream()
      .set_texture(wire_ps, 0, texture)
      .sampler_state(ps_stage, 0, ss::min_filter, filter)
      .sampler_state(ps_stage, 0, ss::mip_filter, point)
      .sampler_state(ps_stage, 0, ss::max_anisotropy, most);
  g.draw_textured({0, 0, 8, 8}, 8, 1);  // A pixel is eight texels wide, and one high.
  const image seen = g.read(target);
  if (!g.renders()) return;
  if (!g.features().anisotropy) WARN("this device has no anisotropy: levels are of the wider axis");
  const bool is_striped = filter == anisotropic && most > 1 && g.features().anisotropy;
  // How anisotropic samples weigh is the device's choice: rows whose neighbours are alike.
  CHECK((is_striped ? seen.at(4, 1).r < 32 : seen.at(4, 1) == gray));
  CHECK((is_striped ? seen.at(4, 5).r > 223 : seen.at(4, 5) == gray));
}

TEST_CASE("VK-051 minification and magnification have filters of their own", "[golden][samplers]") {
  const auto [mag, min] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{point, linear}, {linear, point}}));
  guest g;
  const auto target = g.make_target(8, 1);
  g.bind_targets({target});
  g.clear(blue);
  const auto texture =
      g.make_texture(image::made_by(16, 1, [](int x, int) { return x % 2 == 0 ? black : white; }));
  g.stream()
      .set_texture(wire_ps, 0, texture)
      .sampler_state(ps_stage, 0, ss::mag_filter, mag)
      .sampler_state(ps_stage, 0, ss::min_filter, min);
  // Minified: each pixel centre lies between two texels. Magnified: three quarters into one.
  g.draw_with(g.textured_ps(),
              g.rectangle({0, 0, 4, 1}, 0.5f, {0, 0, 0, 1}, {0.5f, 0, 0, 1}, {0, 0.01f, 0, 1}));
  g.draw_with(g.textured_ps(), g.rectangle({4, 0, 4, 1}, 0.5f, {0.75f / 16, 0, 0, 1},
                                           {0.7501f / 16, 0, 0, 1}, {0.75f / 16, 0.0001f, 0, 1}));
  const image seen = g.read(target);
  if (!g.renders()) return;
  const auto is_gray = [&](int x) { return seen.at(x, 0).r > 32 && seen.at(x, 0).r < 223; };
  CHECK(is_gray(1) == (min == linear));
  CHECK(is_gray(5) == (mag == linear));
}

TEST_CASE("VK-051 states of other slots and of the other stage do not matter",
          "[golden][samplers]") {
  sampler_scene s;
  s.g.stream()
      .sampler_state(AEROGPU_SHADER_STAGE_VERTEX, 0, ss::address_u, clamp_edge)
      .sampler_state(ps_stage, 1, ss::address_u, clamp_edge)
      .sampler_state(ps_stage, 16, ss::address_u, clamp_edge)
      .sampler_state(ps_stage, 0, 12, 1);
  const image texels = four_texels();
  s.draw_wide(s.g.make_texture(texels));
  s.g.expect(s.target,
             image::made_by(24, 2, [&](int x, int) { return texels.at(modulo(x - 10, 4), 0); }));
}

}  // namespace
}  // namespace aerogpu::golden
