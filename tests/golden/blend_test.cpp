// SPDX-License-Identifier: MIT
#include "tests/golden/guests/states.hpp"

#include <algorithm>
#include <functional>

namespace aerogpu::golden {
namespace {

constexpr rgba source{200, 100, 40, 128}, destination{60, 180, 120, 96};

/// What a blend gives, in 0..1, by a function of one channel of source and destination.
template <class Mix>
[[nodiscard]] auto blended(Mix&& mix) -> rgba {
  const color4 s = to_color(source), d = to_color(destination);
  color4 out{};
  for (std::size_t i = 0; i < 4; ++i) out[i] = std::clamp(mix(s[i], d[i]), 0.0f, 1.0f);
  return to_rgba(out);
}

struct blend_scene {
  guest g;
  std::uint32_t target;
  explicit blend_scene(std::uint32_t format = AEROGPU_FORMAT_R8G8B8A8_UNORM)
      : target(g.make_target(8, 8, format)) {
    g.bind_targets({target});
    g.clear(destination);
  }
  void expect(const rgba& color, const tolerance& allowed = rounding) {
    g.fill_all(source);
    g.expect(target, color, allowed);
  }
};

constexpr float source_alpha = 128 / 255.0f, destination_alpha = 96 / 255.0f;
constexpr std::array<float, 4> constant{0.25f, 0.5f, 0.75f, 0.125f};

TEST_CASE("VK-018 source over destination by alpha, by packet and by render states",
          "[golden][blend]") {
  const auto uses_packet = GENERATE(true, false);
  blend_scene s;
  if (uses_packet) {
    s.g.stream().blend(blend_with(AEROGPU_BLEND_SRC_ALPHA, AEROGPU_BLEND_INV_SRC_ALPHA));
  } else {
    s.g.stream()
        .render_state(rs::alpha_blend, 1)
        .render_state(rs::src_blend, blend_src_alpha)
        .render_state(rs::dest_blend, blend_inv_src_alpha);
  }
  s.expect(blended([](float a, float b) { return a * source_alpha + b * (1 - source_alpha); }));
}

TEST_CASE("VK-018 every factor of the packet, for source and destination", "[golden][blend]") {
  const auto factor = GENERATE(range(0u, 8u));
  const auto is_source = GENERATE(true, false);
  blend_scene s;
  auto state =
      is_source ? blend_with(factor, AEROGPU_BLEND_ZERO) : blend_with(AEROGPU_BLEND_ZERO, factor);
  for (std::size_t i = 0; i < 4; ++i) state.blend_constant_rgba_f32[i] = as_bits(constant[i]);
  s.g.stream().blend(state);
  const color4 from = to_color(is_source ? source : destination);
  color4 out{};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::array<float, 8> factors{0,
                                       1,
                                       source_alpha,
                                       1 - source_alpha,
                                       destination_alpha,
                                       1 - destination_alpha,
                                       constant[i],
                                       1 - constant[i]};
    out[i] = from[i] * factors[factor];
  }
  s.expect(to_rgba(out));
}

TEST_CASE("VK-018 unknown factors and operations fall back", "[golden][blend]") {
  blend_scene s;
  s.g.stream().blend(blend_with(99, 99, 99));  // ONE, ZERO, ADD.
  s.expect(source);
}

TEST_CASE("VK-018 render states have the colour factors that the packet lacks", "[golden][blend]") {
  // The destination factor is ZERO; each channel of the source is multiplied.
  const auto factor = GENERATE(blend_src_color, blend_inv_src_color, blend_dest_color,
                               blend_inv_dest_color, blend_src_alpha_sat);
  blend_scene s;
  s.g.stream()
      .render_state(rs::alpha_blend, 1)
      .render_state(rs::src_blend, factor)
      .render_state(rs::dest_blend, blend_zero);
  const color4 a = to_color(source), b = to_color(destination);
  color4 out{};
  for (std::size_t i = 0; i < 4; ++i) {
    const float saturated = i == 3 ? 1.0f : std::min(source_alpha, 1 - destination_alpha);
    const float weight = factor == blend_src_color        ? a[i]
                         : factor == blend_inv_src_color  ? 1 - a[i]
                         : factor == blend_dest_color     ? b[i]
                         : factor == blend_inv_dest_color ? 1 - b[i]
                                                          : saturated;
    out[i] = a[i] * weight;
  }
  s.expect(to_rgba(out));
}

TEST_CASE("VK-018 BOTHSRCALPHA and BOTHINVSRCALPHA set both factors", "[golden][blend]") {
  const auto [value, is_inverse] = GENERATE(table<std::uint32_t, bool>(
      {{blend_both_src_alpha, false}, {blend_both_inv_src_alpha, true}}));
  blend_scene s;
  s.g.stream()
      .render_state(rs::alpha_blend, 1)
      .render_state(rs::dest_blend, blend_zero)
      .render_state(rs::src_blend, value);
  const float weight = is_inverse ? 1 - source_alpha : source_alpha;
  s.expect(blended([&](float a, float b) { return a * weight + b * (1 - weight); }));
}

TEST_CASE("VK-019 every operation, by packet and by render state", "[golden][blend]") {
  const auto operation = GENERATE(range(0u, 5u));
  const auto uses_packet = GENERATE(true, false);
  blend_scene s;
  if (uses_packet) {
    s.g.stream().blend(blend_with(AEROGPU_BLEND_ONE, AEROGPU_BLEND_ONE, operation));
  } else {
    s.g.stream()
        .render_state(rs::alpha_blend, 1)
        .render_state(rs::dest_blend, blend_one)
        .render_state(rs::blend_op, operation + 1);
  }
  s.expect(blended([&](float a, float b) {
    const std::array<float, 5> results{a + b, a - b, b - a, std::min(a, b), std::max(a, b)};
    return results[operation];
  }));
}

TEST_CASE("VK-019 alpha has factors and an operation of its own", "[golden][blend]") {
  const auto uses_packet = GENERATE(true, false);
  blend_scene s;
  if (uses_packet) {
    auto state = blend_with(AEROGPU_BLEND_SRC_ALPHA, AEROGPU_BLEND_INV_SRC_ALPHA);
    state.src_factor_alpha = AEROGPU_BLEND_ONE;
    state.dst_factor_alpha = AEROGPU_BLEND_ONE;
    state.blend_op_alpha = AEROGPU_BLEND_OP_SUBTRACT;
    s.g.stream().blend(state);
  } else {
    s.g.stream()
        .render_state(rs::alpha_blend, 1)
        .render_state(rs::src_blend, blend_src_alpha)
        .render_state(rs::dest_blend, blend_inv_src_alpha)
        .render_state(rs::separate_alpha, 1)
        .render_state(rs::src_blend_alpha, blend_one)
        .render_state(rs::dest_blend_alpha, blend_one)
        .render_state(rs::blend_op_alpha, 2);
  }
  rgba expected =
      blended([](float a, float b) { return a * source_alpha + b * (1 - source_alpha); });
  expected.a = 32;  // 128 - 96.
  s.expect(expected);
}

TEST_CASE("VK-019 without separate alpha, the alpha states wait", "[golden][blend]") {
  blend_scene s;
  s.g.stream()
      .render_state(rs::alpha_blend, 1)
      .render_state(rs::src_blend_alpha, blend_zero)
      .render_state(rs::dest_blend_alpha, blend_zero)
      .render_state(rs::src_blend, blend_one)
      .render_state(rs::dest_blend, blend_one);
  s.expect(blended([](float a, float b) { return a + b; }));
}

TEST_CASE("VK-020 the blend constant, by packet and by BLENDFACTOR", "[golden][blend]") {
  const auto uses_packet = GENERATE(true, false);
  blend_scene s;
  const rgba factor{64, 128, 192, 32};
  if (uses_packet) {
    auto state = blend_with(AEROGPU_BLEND_CONSTANT, AEROGPU_BLEND_INV_CONSTANT);
    for (std::size_t i = 0; i < 4; ++i) {
      state.blend_constant_rgba_f32[i] = as_bits(to_color(factor)[i]);
    }
    s.g.stream().blend(state);
  } else {
    s.g.stream()
        .render_state(rs::alpha_blend, 1)
        .render_state(rs::src_blend, blend_constant)
        .render_state(rs::dest_blend, blend_inv_constant)
        .render_state(rs::blend_factor, 0x204080C0);
  }
  const color4 f = to_color(factor), a = to_color(source), b = to_color(destination);
  color4 out{};
  for (std::size_t i = 0; i < 4; ++i) out[i] = a[i] * f[i] + b[i] * (1 - f[i]);
  s.expect(to_rgba(out));
}

TEST_CASE("VK-021 the 28-byte blend packet blends alpha like colour", "[golden][blend]") {
  blend_scene s;
  struct legacy {
    std::uint32_t enable = 1, source_factor = AEROGPU_BLEND_SRC_ALPHA,
                  destination_factor = AEROGPU_BLEND_INV_SRC_ALPHA,
                  operation = AEROGPU_BLEND_OP_ADD, write_mask = 0xF;
  };
  s.g.stream().raw(AEROGPU_CMD_SET_BLEND_STATE, bytes_of(legacy{}));
  s.expect(blended([](float a, float b) { return a * source_alpha + b * (1 - source_alpha); }));
}

TEST_CASE("VK-022 the write mask keeps channels", "[golden][blend]") {
  const auto mask = GENERATE(range(0u, 16u));
  const auto uses_packet = GENERATE(true, false);
  blend_scene s;
  if (uses_packet) {
    auto state = default_blend();
    state.color_write_mask = static_cast<std::uint8_t>(mask);
    s.g.stream().blend(state);
  } else {
    s.g.stream().render_state(rs::color_write, mask);
  }
  rgba expected = destination;
  if ((mask & 1) != 0) expected.r = source.r;
  if ((mask & 2) != 0) expected.g = source.g;
  if ((mask & 4) != 0) expected.b = source.b;
  if ((mask & 8) != 0) expected.a = source.a;
  s.expect(expected, exact);
}

/// A pixel shader that writes red, green, blue and white to targets 0 to 3.
constexpr std::string_view four_outputs =
    "ps_2_0\ndef c4, 1, 0, 0, 1\ndef c5, 0, 1, 0, 1\ndef c6, 0, 0, 1, 1\ndef c7, 1, 1, 1, 1\n"
    "mov oC0, c4\nmov oC1, c5\nmov oC2, c6\nmov oC3, c7";

TEST_CASE("VK-022 COLORWRITEENABLE1 masks target 1 alone, and the packet sets all",
          "[golden][blend]") {
  guest g;
  const std::vector<std::uint32_t> targets{g.make_target(4, 4), g.make_target(4, 4),
                                           g.make_target(4, 4), g.make_target(4, 4)};
  g.bind_targets(targets);
  const auto ps = g.make_shader(four_outputs);
  const auto whole = g.rectangle({0, 0, 4, 4}, 0.5f, {}, {}, {});
  g.clear(nothing);
  g.stream().render_state(rs::color_write_1, 8);
  g.draw_with(ps, whole);
  g.expect(targets[0], red);
  g.expect(targets[1], {0, 0, 0, 255});
  g.expect(targets[2], blue);
  g.expect(targets[3], white);

  g.clear(nothing);
  auto state = default_blend();
  state.color_write_mask = 6;
  g.stream().blend(state);
  g.draw_with(ps, whole);
  g.expect(targets[0], nothing);
  g.expect(targets[1], {0, 255, 0, 0});
  g.expect(targets[2], {0, 0, 255, 0});
  g.expect(targets[3], {0, 255, 255, 0});
}

TEST_CASE("a texture in several target slots is drawn through the first", "[golden][blend]") {
  // A smaller target beside them: llvmpipe then makes what it draws with once more for each slot.
  guest g;
  const auto twice = g.make_target(8, 8), small = g.make_target(4, 4);
  const std::uint32_t scissor_alone = GENERATE(0u, 1u);
  g.bind_targets({twice});
  g.clear(black);
  g.bind_targets({twice, twice, small, twice});
  g.stream().scissor(0, 0, 2, 2).render_state(rs::scissor_test, scissor_alone);
  g.clear(white);  // Of the scissor rectangle alone, if it is on.
  g.stream().render_state(rs::scissor_test, 0);
  const auto whole = g.rectangle({0, 0, 8, 8}, 0.5f, {}, {}, {});
  g.draw_with(g.make_shader(four_outputs), whole);
  const image cleared =
      scissor_alone == 0 ? image(8, 8, white) : image(8, 8, black).fill({0, 0, 2, 2}, white);
  g.expect(twice, image(cleared).fill({0, 0, 4, 4}, red));
  g.expect(small, blue);
}

TEST_CASE("VK-069 targets keep their numbers over gaps", "[golden][blend]") {
  const auto has_leading_gap = GENERATE(false, true);
  guest g;
  const auto first = g.make_target(4, 4), second = g.make_target(4, 4);
  g.bind_targets({first, second});
  g.clear(black);
  g.bind_targets(has_leading_gap ? std::vector{0u, first, 0u, second}
                                 : std::vector{first, 0u, second, 0u});
  g.draw_with(g.make_shader(four_outputs),
              {{-1, 1, 0.5f, 1, {}}, {3, 1, 0.5f, 1, {}}, {-1, -3, 0.5f, 1, {}}});
  g.expect(first, has_leading_gap ? green : red);
  g.expect(second, has_leading_gap ? white : blue);
}

TEST_CASE("VK-069 targets of one draw may have different depths of bits", "[golden][blend]") {
  const auto variant = GENERATE(host_variant::plain, host_variant::expanded_formats);
  guest g{variant};
  const std::vector<std::uint32_t> targets{g.make_target(4, 4, AEROGPU_FORMAT_B5G6R5_UNORM),
                                           g.make_target(4, 4),
                                           g.make_target(4, 4, AEROGPU_FORMAT_B5G5R5A1_UNORM),
                                           g.make_target(4, 4, AEROGPU_FORMAT_R8G8B8A8_UNORM)};
  g.bind_targets(targets);
  g.clear(black);
  // Half of what the shader writes, over black.
  auto state = blend_with(AEROGPU_BLEND_CONSTANT, AEROGPU_BLEND_INV_CONSTANT);
  for (std::uint32_t& channel : state.blend_constant_rgba_f32) channel = as_bits(0.5f);
  g.stream().blend(state);
  g.draw_with(g.make_shader(four_outputs), g.rectangle({0, 0, 4, 4}, 0.5f, {}, {}, {}));
  const tolerance step{9, 0};  // Of 5 bits.
  g.expect(targets[0], image(4, 4, {128, 0, 0, 255}), step);
  g.expect(targets[1], image(4, 4, {0, 128, 0, 255}), rounding);
  g.expect(targets[2], image(4, 4, {0, 0, 128, 255}), step);
  g.expect(targets[3], image(4, 4, {128, 128, 128, 255}), rounding);
}

TEST_CASE("VK-069 masks go with the number of the target", "[golden][blend]") {
  guest g;
  const auto first = g.make_target(4, 4), second = g.make_target(4, 4);
  g.bind_targets({first, second});
  g.clear(black);
  g.bind_targets({first, 0, 0, second});
  g.stream().render_state(rs::color_write, 1).render_state(192, 4);
  g.draw_with(g.make_shader(four_outputs),
              {{-1, 1, 0.5f, 1, {}}, {3, 1, 0.5f, 1, {}}, {-1, -3, 0.5f, 1, {}}});
  g.expect(first, red);
  g.expect(second, blue);
}

TEST_CASE("VK-069 a target that the pixel shader does not write keeps what it held",
          "[golden][blend]") {
  guest g;
  const auto first = g.make_target(4, 4), second = g.make_target(4, 4);
  g.bind_targets({first, second});
  g.clear(blue);
  g.fill_all(red);
  g.expect(first, red);
  g.expect(second, blue);
}

TEST_CASE("VK-023 an X8 target keeps alpha 255 through draws and blending", "[golden][blend]") {
  const auto format = GENERATE(AEROGPU_FORMAT_B8G8R8X8_UNORM, AEROGPU_FORMAT_R8G8B8X8_UNORM);
  blend_scene s{format};
  s.g.stream().blend(blend_with(AEROGPU_BLEND_SRC_ALPHA, AEROGPU_BLEND_INV_SRC_ALPHA));
  rgba expected =
      blended([](float a, float b) { return a * source_alpha + b * (1 - source_alpha); });
  expected.a = 255;
  s.expect(expected);
  // Destination alpha reads as one.
  s.g.clear(destination);
  s.g.stream().blend(blend_with(AEROGPU_BLEND_DEST_ALPHA, AEROGPU_BLEND_INV_DEST_ALPHA));
  s.expect({source.r, source.g, source.b, 255}, exact);
}

TEST_CASE("VK-024 only bit 0 of the sample mask counts", "[golden][blend]") {
  const auto [mask, is_drawn] = GENERATE(
      table<std::uint32_t, bool>({{0xFFFFFFFE, false}, {0, false}, {1, true}, {0xFFFFFFFD, true}}));
  guest g;
  const auto target = g.make_target(8, 8);
  const auto depth = g.make_target(8, 8, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.stream().clear(7, to_color(black), 1, 0);
  auto state = default_blend();
  state.sample_mask = mask;
  g.stream().blend(state).render_state(rs::stencil, 1).render_state(rs::stencil_pass, op_incr);
  g.fill_all(red, 0.25f);
  g.expect(target, is_drawn ? red : black);
  g.stream().blend(default_blend());
  test_stencil_equals(g, is_drawn ? 1 : 0);
  g.fill_all(green, is_drawn ? 0.2f : 0.9f);
  g.expect(target, green);
}

TEST_CASE("VK-025 every alpha test around its reference", "[golden][blend]") {
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
  guest g;
  const auto target = g.make_target(12, 4);
  g.bind_targets({target});
  g.clear(black);
  g.stream()
      .render_state(rs::alpha_test, 1)
      .render_state(rs::alpha_func, function)
      .render_state(rs::alpha_ref, 0xFFFFFF80);  // The low 8 bits count.
  // Alphas come out of a texture, as bytes.
  const auto texture = g.make_texture(image::made_by(3, 1, [](int x, int) {
    return rgba{0, 255, 0, static_cast<std::uint8_t>(127 + x)};
  }));
  g.stream().set_texture(wire_ps, 0, texture);
  g.draw_textured({0, 0, 12, 4});
  image expected(12, 4, black);
  if (below) expected.fill({0, 0, 4, 4}, {0, 255, 0, 127});
  if (equal) expected.fill({4, 0, 4, 4}, {0, 255, 0, 128});
  if (above) expected.fill({8, 0, 4, 4}, {0, 255, 0, 129});
  g.expect(target, expected);
}

TEST_CASE("VK-025 references 0 and 255, with alphas outside of 0..1", "[golden][blend]") {
  const auto [reference, function, alpha, is_drawn] =
      GENERATE(table<std::uint32_t, std::uint32_t, float, bool>({{0, cmp_equal, -3.0f, true},
                                                                 {0, cmp_less, -3.0f, false},
                                                                 {0, cmp_greater, 0.0f, false},
                                                                 {255, cmp_equal, 1.0f, true},
                                                                 {255, cmp_equal, 9.0f, true},
                                                                 {255, cmp_greater, 9.0f, false},
                                                                 {255, cmp_less, 0.99f, true}}));
  blend_scene s;
  s.g.clear(black);
  s.g.stream()
      .render_state(rs::alpha_test, 1)
      .render_state(rs::alpha_func, function)
      .render_state(rs::alpha_ref, reference)
      .render_state(rs::color_write, 7);
  s.g.fill_all(color4{0, 1, 0, alpha});
  s.g.expect(s.target, is_drawn ? green : black);
}

TEST_CASE("VK-025 discarded pixels write no depth and no stencil", "[golden][blend]") {
  guest g;
  const auto target = g.make_target(8, 8);
  const auto depth = g.make_target(8, 8, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.stream().clear(7, to_color(black), 1, 0);
  g.stream()
      .render_state(rs::alpha_test, 1)
      .render_state(rs::alpha_func, cmp_greater)
      .render_state(rs::alpha_ref, 100)
      .render_state(rs::stencil, 1)
      .render_state(rs::stencil_pass, op_incr);
  g.fill({0, 0, 4, 8}, rgba{255, 0, 0, 100}, 0.1f);
  g.fill({4, 0, 4, 8}, rgba{255, 0, 0, 101}, 0.1f);
  g.stream().render_state(rs::alpha_test, 0);
  test_stencil_equals(g, 0);
  g.fill_all(green, 0.5f);
  g.expect(target, image(8, 8, green).fill({4, 0, 4, 8}, {255, 0, 0, 101}));
}

TEST_CASE("VK-025 the alpha test counts without a colour target too", "[golden][blend]") {
  guest g;
  const auto target = g.make_target(8, 8);
  const auto depth = g.make_target(8, 8, AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  g.bind_targets({target}, depth);
  g.stream().clear(7, to_color(black), 1, 0);
  g.bind_targets({}, depth);
  g.stream()
      .render_state(rs::alpha_test, 1)
      .render_state(rs::alpha_func, cmp_greater)
      .render_state(rs::alpha_ref, 100);
  g.fill({0, 0, 4, 8}, rgba{255, 0, 0, 100}, 0.1f);
  g.fill({4, 0, 4, 8}, rgba{255, 0, 0, 101}, 0.1f);
  g.stream().render_state(rs::alpha_test, 0);
  g.bind_targets({target}, depth);
  g.fill_all(green, 0.5f);
  g.expect(target, image(8, 8, black).fill({0, 0, 4, 8}, green));
}

TEST_CASE("VK-026 the last writer of a state wins, be it packet or render state",
          "[golden][blend]") {
  const auto order = GENERATE(0, 1, 2);
  blend_scene s;
  const auto additive = blend_with(AEROGPU_BLEND_ONE, AEROGPU_BLEND_ONE);
  s.g.stream().render_state(rs::dest_blend, blend_one);
  if (order == 0) s.g.stream().blend(additive).render_state(rs::alpha_blend, 0);
  if (order == 1) s.g.stream().render_state(rs::alpha_blend, 0).blend(additive);
  // The same value again, after a packet changed what it stood for.
  if (order == 2) {
    s.g.stream().render_state(rs::alpha_blend, 0).blend(additive).render_state(rs::alpha_blend, 0);
  }
  s.expect(order == 1 ? blended([](float a, float b) { return a + b; }) : source);
}

TEST_CASE("VK-026 the same holds for culling and depth", "[golden][blend]") {
  guest g;
  const auto target = g.make_target(8, 8), depth = g.make_target(8, 8, AEROGPU_FORMAT_D32_FLOAT);
  g.bind_targets({target}, depth);
  g.stream().clear(3, to_color(black), 0.5f);
  auto culling = default_rasterizer();
  culling.cull_mode = AEROGPU_CULL_FRONT;
  g.stream().render_state(rs::cull, 1).rasterizer(culling).render_state(rs::cull, 1);
  g.stream()
      .render_state(rs::z_func, cmp_always)
      .depth_stencil({1, 1, AEROGPU_COMPARE_NEVER, 0, 0xFF, 0xFF, {}})
      .render_state(rs::z_func, cmp_always);
  g.fill_all(green, 0.75f);
  g.expect(target, green);
  g.stream().depth_stencil({1, 1, AEROGPU_COMPARE_NEVER, 0, 0xFF, 0xFF, {}});
  g.fill_all(red, 0.25f);
  g.expect(target, green);
}

}  // namespace
}  // namespace aerogpu::golden
