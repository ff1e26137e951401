// SPDX-License-Identifier: MIT
#include "tests/golden/guests/states.hpp"

#include <limits>

namespace aerogpu::golden {
namespace {

constexpr area whole{0, 0, 8, 8};

struct constant_scene {
  guest g;
  std::uint32_t target = g.make_target(8, 8);
  explicit constant_scene(host_variant variant = host_variant::plain) : g(variant) {
    g.bind_targets({target});
    g.clear(black);
  }
  /// Draws the whole target with shaders of the test.
  void draw(std::string_view vs_text, std::string_view ps_text) {
    const auto vs = g.make_shader(vs_text), ps = g.make_shader(ps_text);
    const auto layout = g.vertex_layout();
    const auto vertices = g.make_buffer(g.rectangle(whole, 0.5f, {}, {}, {}));
    g.stream()
        .bind_shaders(vs, ps)
        .set_layout(layout)
        .vertex_buffer(0, vertices, sizeof(vertex))
        .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
        .draw(6);
  }
};

constexpr std::string_view plain_vs = "vs_2_0\ndcl_position v0\nmov oPos, v0";
constexpr std::string_view plain_ps = "ps_2_0\ndcl t0\nmov oC0, t0";

TEST_CASE("VK-045 vertex and pixel constants are apart", "[golden][constants]") {
  constant_scene s;
  s.g.stream().constants_f(wire_vs, 3, {to_color({255, 0, 51, 0})});
  s.g.stream().constants_f(wire_ps, 3, {to_color({0, 102, 0, 255})});
  s.draw("vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oT0, c3",
         "ps_2_0\ndcl t0\nadd r0, t0, c3\nmov oC0, r0");
  s.g.expect(s.target, {255, 102, 51, 255}, rounding);
}

TEST_CASE("VK-045 the last registers, and registers that were never set", "[golden][constants]") {
  constant_scene s;
  s.g.stream().constants_f(wire_vs, 255, {to_color(red)});
  s.g.stream().constants_f(wire_ps, 31, {to_color(green)});
  s.draw("vs_2_0\ndcl_position v0\nmov oPos, v0\nadd r0, c255, c254\nmov oT0, r0",
         "ps_2_0\ndcl t0\nadd r0, t0, c31\nadd r0, r0, c30\nmov oC0, r0");
  s.g.expect(s.target, {255, 255, 0, 255});
  s.g.stream().constants_f(wire_ps, 223, {to_color(blue)});
  s.draw(plain_vs, "ps_3_0\nmov oC0, c223");
  s.g.expect(s.target, blue);
}

TEST_CASE("VK-045 constants change between draws of a submission", "[golden][constants]") {
  guest g;
  const auto target = g.make_target(8, 8);
  g.bind_targets({target});
  g.fill({0, 0, 4, 8}, red);
  g.fill({4, 0, 4, 8}, green);
  g.fill({0, 4, 8, 4}, blue);
  g.expect(target, image(8, 8, green).fill({0, 0, 4, 8}, red).fill({0, 4, 8, 4}, blue));
}

TEST_CASE("VK-045 constants that change while no pixel shader is bound reach the next one",
          "[golden][constants]") {
  constant_scene s;
  const auto depth = s.g.make_target(8, 8, AEROGPU_FORMAT_D32_FLOAT);
  const auto vs = s.g.make_shader(plain_vs), ps = s.g.make_shader("ps_2_0\nmov oC0, c0");
  const auto layout = s.g.vertex_layout();
  const auto vertices = s.g.make_buffer(s.g.rectangle(whole, 0.5f, {}, {}, {}));
  s.g.stream()
      .constants_f(wire_ps, 0, {to_color(red)})
      .bind_shaders(vs, ps)
      .set_layout(layout)
      .vertex_buffer(0, vertices, sizeof(vertex))
      .topology(AEROGPU_TOPOLOGY_TRIANGLELIST)
      .draw(6);
  s.g.bind_targets({}, depth);
  s.g.stream().bind_shaders(vs, 0).constants_f(wire_ps, 0, {to_color(blue)}).draw(6);
  s.g.bind_targets({s.target});
  s.g.stream().bind_shaders(vs, ps).draw(6);
  s.g.expect(s.target, blue);
}

TEST_CASE("VK-045 definitions of a shader hide what the guest set", "[golden][constants]") {
  constant_scene s;
  s.g.stream().constants_f(wire_ps, 0, {to_color(red), to_color(red)});
  s.draw(plain_vs, "ps_2_0\ndef c0, 0, 1, 0, 1\nmov oC0, c0");
  s.g.expect(s.target, green);
  s.draw(plain_vs, "ps_2_0\nmov oC0, c0");  // And are gone with that shader.
  s.g.expect(s.target, red);
}

TEST_CASE("zero times infinity is zero, and as IEEE has it on a host that wants speed",
          "[golden][constants]") {
  const auto [variant, shown] = GENERATE(
      table<host_variant, rgba>({{host_variant::plain, green}, {host_variant::fast_math, red}}));
  constant_scene s{variant};
  constexpr float infinity = std::numeric_limits<float>::infinity();
  s.g.stream().constants_f(wire_ps, 0, {{0, infinity, 0, 0}, to_color(green), to_color(red)});
  s.draw(plain_vs,
         "ps_2_0\nmov r0, c0\nmov r1, c1\nmov r2, c2\n"
         "mul r0, r0.x, r0.y\ncmp r0, r0, r1, r2\nmov oC0, r0");  // What is no number is not >= 0.
  s.g.expect(s.target, shown);
}

TEST_CASE("VK-045 relative addresses reach any vertex constant", "[golden][constants]") {
  constant_scene s;
  s.g.stream().constants_f(wire_vs, 200, {to_color(red), to_color(green), to_color(blue)});
  s.g.stream().constants_f(wire_vs, 0, {{196, 0, 0, 0}});
  s.draw("vs_2_0\ndcl_position v0\nmov oPos, v0\nmova a0.x, c0.x\nmov oT0, c[a0.x + 5]", plain_ps);
  s.g.expect(s.target, green);
}

TEST_CASE("VK-046 integer constants count loops, in each stage its own", "[golden][constants]") {
  constant_scene s;
  s.g.stream().constants_i(wire_vs, 2, {{3, 0, 1, 0}});
  s.g.stream().constants_i(wire_ps, 2, {{5, 0, 1, 0}});
  constexpr std::string_view ps =
      "ps_3_0\ndef c0, 0, 0.1, 0, 1\ndcl_texcoord v0\nmov r0, c0.x\nmov r0.w, c0.w\nrep i2\n"
      "add r0.y, r0.y, c0.y\nendrep\nmov r0.x, v0.x\nmov oC0, r0";
  const auto layout = s.g.vertex_layout();
  const auto vs = s.g.make_shader(
      "vs_3_0\ndef c0, 0.2, 0, 0, 0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1\n"
      "mov o0, v0\nmov r0, c0.y\nrep i2\nadd r0.x, r0.x, c0.x\nendrep\nmov o1, r0");
  const auto ps_handle = s.g.make_shader(ps);
  const auto vertices = s.g.make_buffer(s.g.rectangle(whole, 0.5f, {}, {}, {}));
  s.g.stream()
      .bind_shaders(vs, ps_handle)
      .set_layout(layout)
      .vertex_buffer(0, vertices, sizeof(vertex))
      .draw(6);
  s.g.expect(s.target, to_rgba({0.6f, 0.5f, 0, 1}), rounding);
  s.g.stream().constants_i(wire_vs, 2, {{1, 0, 1, 0}}).draw(6);
  s.g.expect(s.target, to_rgba({0.2f, 0.5f, 0, 1}), rounding);
}

TEST_CASE("VK-046 a loop register starts and steps as its constant says", "[golden][constants]") {
  constant_scene s;
  s.g.stream().constants_f(
      wire_vs, 10, {{0.1f, 0, 0, 0}, {}, {0, 0.2f, 0, 0}, {}, {0, 0, 0.4f, 0}, {}, {9, 9, 9, 9}});
  s.g.stream().constants_i(wire_vs, 0, {{3, 10, 2, 0}});
  s.draw(
      "vs_2_0\ndef c0, 0, 0, 0, 1\ndcl_position v0\nmov oPos, v0\nmov r0, c0\nloop aL, i0\n"
      "add r0, r0, c[aL]\nendloop\nmov oT0, r0",
      plain_ps);
  s.g.expect(s.target, to_rgba({0.1f, 0.2f, 0.4f, 1}), rounding);
}

TEST_CASE("VK-046 bool constants choose branches, in each stage its own, and change between draws",
          "[golden][constants]") {
  const bool is_compact = GENERATE(false, true);
  guest g;
  const auto target = g.make_target(8, 8);
  g.bind_targets({target});
  g.clear(black);
  const auto vs = g.make_shader(
      "vs_3_0\ndef c0, 1, 0, 0, 1\ndef c1, 0, 0, 0, 1\ndcl_position v0\ndcl_position o0\n"
      "dcl_texcoord o1\nmov o0, v0\nmov r0, c1\nif b5\nmov r0, c0\nendif\nmov o1, r0");
  const auto ps = g.make_shader(
      "ps_3_0\ndef c0, 0, 1, 0, 0\ndcl_texcoord v0\nmov r0, v0\nif !b5\nadd r0, r0, c0\nendif\n"
      "mov oC0, r0");
  const auto layout = g.vertex_layout();
  const auto left = g.make_buffer(g.rectangle({0, 0, 4, 8}, 0.5f, {}, {}, {}));
  const auto right = g.make_buffer(g.rectangle({4, 0, 4, 8}, 0.5f, {}, {}, {}));
  const auto bottom = g.make_buffer(g.rectangle({0, 4, 8, 4}, 0.5f, {}, {}, {}));
  const auto draw = [&](test::wire_stage stage, std::uint32_t value, std::uint32_t buffer) {
    if (is_compact) {
      g.stream().compact_constants_b(stage, 5, {value});
    } else {
      g.stream().constants_b(stage, 5, {{value, value, value, value}});
    }
    g.stream().vertex_buffer(0, buffer, sizeof(vertex)).draw(6);
  };
  g.stream().bind_shaders(vs, ps).set_layout(layout);
  draw(wire_vs, 1, left);
  draw(wire_vs, 0, right);
  draw(wire_ps, 1, bottom);
  g.expect(target,
           image(8, 8, green).fill({0, 0, 4, 8}, {255, 255, 0, 255}).fill({0, 4, 8, 4}, black));
}

TEST_CASE("VK-082 a Direct3D 9 shader may have 512 KiB and no more", "[golden][constants]") {
  constant_scene s;
  const auto tokens = [](std::uint32_t size) {
    std::vector<std::uint32_t> words(size / 4, 0);  // What follows the end is ignored.
    words[0] = 0xFFFF0200;
    words[1] = 0x0000FFFF;
    const const_bytes bytes = std::as_bytes(std::span{words});
    return byte_vector{bytes.begin(), bytes.end()};
  };
  s.g.submit();
  s.g.stream().create_shader(s.g.new_handle(), wire_ps, tokens((512u << 10) + 4));
  CHECK(s.g.failure() != error_code::none);
  s.g.stream().create_shader(s.g.new_handle(), wire_ps, tokens(512u << 10));
  CHECK(s.g.failure() == error_code::none);
}

TEST_CASE("VK-082 a shader with an unknown opcode is refused or poisoned, and hurts no other",
          "[golden][constants]") {
  constant_scene s;
  const auto bad = s.g.new_handle();
  s.g.submit();
  const std::vector<std::uint32_t> words{0xFFFF0200, 0x00000070, 0x0000FFFF};
  const const_bytes bytes = std::as_bytes(std::span{words});
  s.g.stream().create_shader(bad, wire_ps, {bytes.begin(), bytes.end()});
  const error_code created = s.g.failure();
  s.g.draw_with(bad, s.g.rectangle(whole, 0.5f, {}, {}, {}));
  const error_code drawn = s.g.failure();
  if (s.g.renders()) CHECK((created != error_code::none || drawn != error_code::none));
  s.g.fill_all(green);
  s.g.expect(s.target, green);
}

}  // namespace
}  // namespace aerogpu::golden
