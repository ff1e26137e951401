// SPDX-License-Identifier: MIT
#include "tests/golden/guests/states.hpp"

namespace aerogpu::golden {
namespace {

TEST_CASE("VK-079 two contexts that draw in turns leak no state", "[golden][contexts]") {
  guest g;
  const auto first = g.make_target(16, 16), second = g.make_target(16, 16);
  const auto red_texture = g.make_texture(image(1, 1, red));
  static_cast<void>(g.textured_ps());
  static_cast<void>(g.constant_color_ps());
  static_cast<void>(g.position_and_attribute_vs());
  static_cast<void>(g.vertex_layout());
  g.submit();

  // Context 1 gets all kinds of state that would show.
  g.bind_targets({first});
  g.clear(blue);
  g.stream()
      .viewport({4, 4, 8, 8, 0, 1})
      .render_state(rs::scissor_test, 1)
      .scissor(4, 4, 4, 8)
      .blend(blend_with(AEROGPU_BLEND_ONE, AEROGPU_BLEND_ONE))
      .render_state(rs::color_write, 5)
      .render_state(rs::cull, 1)
      .sampler_state(AEROGPU_SHADER_STAGE_PIXEL, 0, ss::address_u, 4)
      .set_texture(wire_ps, 0, red_texture)
      .constants_f(wire_ps, 0, {to_color(white)});
  g.submit(1);
  // Context 2 has the state of the beginning.
  g.bind_targets({second});
  g.clear(black);
  g.draw_textured({0, 0, 16, 8});  // Nothing bound: white.
  g.submit(2);
  g.bind_targets({first});
  g.draw_textured({0, 0, 16, 16});
  g.submit(1);
  g.bind_targets({second});
  g.fill({0, 8, 16, 8}, green);
  g.submit(2);

  g.expect(second, image(16, 16, white).fill({0, 8, 16, 8}, green));
  // Blended red over blue, in the left half of the viewport.
  g.expect(first, image(16, 16, blue).fill({4, 4, 4, 8}, {255, 0, 255, 255}));
}

TEST_CASE("VK-079 constants are of one context", "[golden][contexts]") {
  guest g;
  const auto target = g.make_target(8, 8);
  const auto vs = g.position_and_attribute_vs(), ps = g.constant_color_ps();
  const auto layout = g.vertex_layout();
  g.submit();
  g.bind_targets({target});
  const auto left = g.make_buffer(g.rectangle({0, 0, 4, 8}, 0.5f, {}, {}, {}));
  const auto right = g.make_buffer(g.rectangle({4, 0, 4, 8}, 0.5f, {}, {}, {}));
  const auto set_up = [&](std::uint32_t buffer, rgba color) {
    g.stream()
        .targets({target})
        .bind_shaders(vs, ps)
        .set_layout(layout)
        .vertex_buffer(0, buffer, sizeof(vertex))
        .constants_f(wire_ps, 0, {to_color(color)});
  };
  set_up(left, red);
  g.submit(1);
  set_up(right, green);
  g.submit(2);
  g.stream().draw(6);
  g.submit(1);
  g.stream().draw(6);
  g.submit(2);
  g.expect(target, image(8, 8, red).fill({4, 0, 4, 8}, green));
}

TEST_CASE("VK-045 each context has constants of its own, zero at first", "[golden][contexts]") {
  guest g;
  const auto target = g.make_target(8, 8);
  g.bind_targets({target});
  g.fill_all(red);
  g.submit(1);
  g.expect(target, red);
  const auto vertices = g.make_buffer(g.rectangle({0, 0, 8, 8}, 0.5f, {}, {}, {}));
  g.stream()
      .targets({target})
      .bind_shaders(g.position_and_attribute_vs(), g.constant_color_ps())
      .set_layout(g.vertex_layout())
      .vertex_buffer(0, vertices, sizeof(vertex))
      .draw(6);
  g.submit(2);
  g.expect(target, nothing);
}

TEST_CASE("VK-079 a failed submission leaves the work before its error, and the next one draws",
          "[golden][contexts]") {
  guest g;
  const auto target = g.make_target(8, 8);
  static_cast<void>(g.constant_color_ps());
  static_cast<void>(g.position_and_attribute_vs());
  static_cast<void>(g.vertex_layout());
  g.submit();
  g.bind_targets({target});
  g.clear(red);
  g.fill({0, 0, 4, 8}, green);
  g.stream().bind_shaders(0, 0).draw(3);
  CHECK(g.failure() == error_code::missing_binding);
  g.fill({4, 0, 4, 8}, blue);
  g.expect(target, image(8, 8, green).fill({4, 0, 4, 8}, blue));
}

}  // namespace
}  // namespace aerogpu::golden
