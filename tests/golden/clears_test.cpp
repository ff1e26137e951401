// SPDX-License-Identifier: MIT
#include "tests/golden/guests/states.hpp"

namespace aerogpu::golden {
namespace {

constexpr area scissored{3, 2, 6, 5};
constexpr rgba teal{32, 64, 128, 192};

/// A picture of `outside` with a rectangle of `inside`.
[[nodiscard]] auto framed(const area& where, rgba inside, rgba outside) -> image {
  return image(16, 16, outside).fill(where, inside);
}

void set_scissor(guest& g, const area& where) {
  g.stream().render_state(rs::scissor_test, 1).scissor(where.x, where.y, where.width, where.height);
}

TEST_CASE("VK-001 clearing an 8-bit target stores the colour exactly", "[golden][clear]") {
  const auto [format, bytes] = GENERATE(table<std::uint32_t, byte_vector>(
      {{AEROGPU_FORMAT_B8G8R8A8_UNORM, test::bytes_from({128, 64, 32, 192})},
       {AEROGPU_FORMAT_B8G8R8X8_UNORM, test::bytes_from({128, 64, 32, 255})},
       {AEROGPU_FORMAT_R8G8B8A8_UNORM, test::bytes_from({32, 64, 128, 192})},
       {AEROGPU_FORMAT_R8G8B8X8_UNORM, test::bytes_from({32, 64, 128, 255})}}));
  guest g;
  const auto target = g.make_target(7, 5, format);
  g.bind_targets({target});
  g.clear(teal);
  const byte_vector texels = g.read_bytes(target);
  REQUIRE(texels.size() == 7 * 5 * 4);
  if (!g.renders()) return;
  CHECK(test::part_of(texels, 0, 4) == bytes);
  CHECK(test::part_of(texels, texels.size() - 4, 4) == bytes);
  g.expect(target, to_image(bytes, format, 1, 1).at(0, 0));
}

TEST_CASE("VK-001 clear colours outside of 0..1 are clamped", "[golden][clear]") {
  guest g;
  const auto target = g.make_target(4, 4);
  g.bind_targets({target});
  g.stream().clear(AEROGPU_CLEAR_COLOR, {-1.0f, 2.0f, 1.0f, 7.5f});
  g.expect(target, {0, 255, 255, 255});
}

TEST_CASE("VK-002 X8 and 565 targets store opaque alpha on clear", "[golden][clear]") {
  const auto format = GENERATE(AEROGPU_FORMAT_B8G8R8X8_UNORM, AEROGPU_FORMAT_R8G8B8X8_UNORM,
                               AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB, AEROGPU_FORMAT_B5G6R5_UNORM);
  guest g;
  const auto target = g.make_target(4, 4, format);
  const auto copy = g.make_target(4, 4);
  g.bind_targets({target});
  g.clear({255, 0, 255, 0});
  g.expect(target, {255, 0, 255, 255});
  g.bind_targets({copy});
  g.stream().set_texture(wire_ps, 0, target);
  g.draw_textured({0, 0, 4, 4});
  g.expect(copy, {255, 0, 255, 255});
}

TEST_CASE("VK-002 a 1555 target stores alpha from one half on", "[golden][clear]") {
  const auto [alpha, stored] =
      GENERATE(table<float, std::uint8_t>({{0.0f, 0}, {0.45f, 0}, {0.55f, 255}, {1.0f, 255}}));
  guest g;
  const auto target = g.make_target(4, 4, AEROGPU_FORMAT_B5G5R5A1_UNORM);
  g.bind_targets({target});
  g.stream().clear(AEROGPU_CLEAR_COLOR, {1, 0, 1, alpha});
  g.expect(target, {255, 0, 255, stored});
}

TEST_CASE("VK-002 sRGB targets encode the clear colour and leave alpha", "[golden][clear]") {
  const auto format =
      GENERATE(AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB);
  guest g;
  const auto target = g.make_target(4, 4, format);
  g.bind_targets({target});
  g.clear(teal);
  g.expect(target, encoded(teal), rounding);
}

TEST_CASE("VK-003 a clear reaches every target and skips gaps", "[golden][clear]") {
  const auto has_leading_gap = GENERATE(false, true);
  guest g;
  const auto first = g.make_target(8, 8), second = g.make_target(8, 8), third = g.make_target(8, 8);
  g.bind_targets({first, second, third});
  g.clear(blue);
  g.bind_targets(has_leading_gap ? std::vector{0u, second, 0u, third}
                                 : std::vector{first, 0u, third});
  g.clear(red);
  g.expect(first, has_leading_gap ? blue : red);
  g.expect(second, has_leading_gap ? red : blue);
  g.expect(third, red);
}

TEST_CASE("VK-004 the scissor test of state 174 limits a clear of every target",
          "[golden][clear]") {
  guest g;
  const auto first = g.make_target(16, 16), second = g.make_target(16, 16);
  g.bind_targets({first, second});
  g.clear(blue);
  set_scissor(g, scissored);
  g.clear(red);
  g.expect(first, framed(scissored, red, blue));
  g.expect(second, framed(scissored, red, blue));
}

TEST_CASE("VK-004 a scissored clear with a negative origin is cut, an empty one does nothing",
          "[golden][clear]") {
  const auto [given, effective] = GENERATE(table<area, area>({{{-4, -3, 10, 8}, {0, 0, 6, 5}},
                                                              {{12, 14, 100, 100}, {12, 14, 4, 2}},
                                                              {{5, 5, 0, 4}, {}},
                                                              {{5, 5, 4, -1}, {}},
                                                              {{20, 0, 4, 4}, {}},
                                                              {{0, 0, 0, 0}, {0, 0, 16, 16}}}));
  guest g;
  const auto target = g.make_target(16, 16);
  g.bind_targets({target});
  g.clear(blue);
  set_scissor(g, given);
  g.clear(red);
  g.expect(target, framed(effective, red, blue));
}

TEST_CASE("VK-004 a scissored clear of depth and stencil reaches only the rectangle",
          "[golden][clear]") {
  const auto [format, flags] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{AEROGPU_FORMAT_D32_FLOAT, AEROGPU_CLEAR_DEPTH},
       {AEROGPU_FORMAT_D24_UNORM_S8_UINT, AEROGPU_CLEAR_DEPTH},
       {AEROGPU_FORMAT_D24_UNORM_S8_UINT, AEROGPU_CLEAR_STENCIL},
       {AEROGPU_FORMAT_D24_UNORM_S8_UINT, AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL}}));
  guest g;
  const auto target = g.make_target(16, 16), depth = g.make_target(16, 16, format);
  g.bind_targets({target}, depth);
  g.clear(black);
  g.stream().clear(AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL, {}, 1, 9);
  set_scissor(g, scissored);
  g.stream().clear(flags, {}, 0.25f, 7).render_state(rs::scissor_test, 0);
  g.stream().render_state(rs::z_write, 0);

  const bool has_depth = (flags & AEROGPU_CLEAR_DEPTH) != 0;
  g.fill_all(green, 0.5f);  // Behind the cleared rectangle, in front of the rest.
  image expected = framed(scissored, has_depth ? black : green, green);
  g.expect(target, expected);
  if (format == AEROGPU_FORMAT_D32_FLOAT) return;

  test_stencil_equals(g, 7);
  g.stream().render_state(rs::z_enable, 0);
  g.fill_all(red);
  if ((flags & AEROGPU_CLEAR_STENCIL) != 0) expected.fill(scissored, red);
  g.expect(target, expected);
}

TEST_CASE("VK-005 the scissor test of the rasterizer packet does not limit a clear",
          "[golden][clear]") {
  guest g;
  const auto target = g.make_target(16, 16);
  g.bind_targets({target});
  g.clear(blue);
  auto state = default_rasterizer();
  state.scissor_enable = 1;
  g.stream().rasterizer(state).scissor(3, 2, 6, 5);
  g.clear(red);
  g.expect(target, red);
}

TEST_CASE("VK-006 a clear with sRGB write on encodes, scissored or not", "[golden][clear]") {
  const auto is_scissored = GENERATE(false, true);
  guest g;
  const auto target = g.make_target(16, 16);
  g.bind_targets({target});
  g.clear(blue);
  g.stream().render_state(rs::srgb_write, 1);
  if (is_scissored) set_scissor(g, scissored);
  g.clear(teal);
  g.expect(target,
           is_scissored ? framed(scissored, encoded(teal), blue) : image(16, 16, encoded(teal)),
           rounding);
}

TEST_CASE("VK-007 the low 8 bits of a stencil clear are stored", "[golden][clear]") {
  const auto [value, stored] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{0x1FF, 0xFF}, {0x100, 0}, {0x2A, 0x2A}}));
  guest g;
  const auto target = g.make_target(8, 8);
  const auto depth = g.make_target(8, 8, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.clear(black);
  g.stream().clear(AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL, {}, 1, value);
  test_stencil_equals(g, stored);
  g.fill_all(green);
  g.expect(target, green);
}

TEST_CASE("VK-007 clearing depth keeps stencil, and clearing stencil keeps depth",
          "[golden][clear]") {
  guest g;
  const auto target = g.make_target(8, 8);
  const auto depth = g.make_target(8, 8, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.clear(black);
  g.stream().clear(AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL, {}, 0, 5);
  g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 1, 77);
  test_stencil_equals(g, 5);
  g.fill_all(green);
  g.expect(target, green);
  g.stream().clear(AEROGPU_CLEAR_STENCIL, {}, 0, 6);
  test_stencil_equals(g, 6);
  g.fill_all(red, 0.4f);
  g.expect(target, red);
}

TEST_CASE("VK-007 the clear depth is clamped to 0..1", "[golden][clear]") {
  guest g;
  const auto target = g.make_target(8, 8);
  const auto depth = g.make_target(8, 8, AEROGPU_FORMAT_D32_FLOAT);
  g.bind_targets({target}, depth);
  g.clear(black);
  g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 3.0f).render_state(rs::z_func, cmp_equal);
  g.fill_all(green, 1.0f);
  g.expect(target, green);
  g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, -3.0f);
  g.fill_all(red, 0.0f);
  g.expect(target, red);
}

TEST_CASE("VK-008 a clear with nothing bound is no error", "[golden][clear]") {
  guest g;
  g.stream().targets({}).clear(7, {1, 1, 1, 1});
  CHECK(g.failure() == error_code::none);
  const auto target = g.make_target(4, 4);
  g.bind_targets({target});
  g.clear(blue);
  // Depth without a depth buffer, and no part at all.
  g.stream().clear(AEROGPU_CLEAR_DEPTH | AEROGPU_CLEAR_STENCIL).clear(0, {1, 1, 1, 1});
  g.expect(target, blue);
}

TEST_CASE("VK-009 a clear ignores write masks, viewport and sample mask", "[golden][clear]") {
  guest g;
  const auto target = g.make_target(16, 16);
  const auto depth = g.make_target(16, 16, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.clear(blue);
  g.stream().clear(AEROGPU_CLEAR_STENCIL, {}, 1, 0xFF);
  auto blend = default_blend();
  blend.color_write_mask = 0;
  blend.sample_mask = 0;
  g.stream()
      .blend(blend)
      .viewport({4, 4, 2, 2, 0.25f, 0.5f})
      .depth_stencil({1, 0, AEROGPU_COMPARE_NEVER, 1, 0, 0, {}})
      .clear(7, to_color(red), 0.75f, 3);
  g.expect(target, red);
  g.stream().blend(default_blend()).viewport({}).depth_stencil(default_depth());
  test_stencil_equals(g, 3);
  g.fill_all(green, 0.7f);
  g.expect(target, green);
}

}  // namespace
}  // namespace aerogpu::golden
