// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

namespace aerogpu::golden {
namespace {

using words = std::vector<std::uint32_t>;

constexpr color4 dxbc_red{1, 0, 0, 1}, dxbc_green{0, 1, 0, 1}, dxbc_blue{0, 0, 1, 1};

TEST_CASE("VK-047 b0 is the float registers while no buffer is bound there",
          "[golden][dxbc][constants]") {
  dxbc_scene s;
  const auto ps = s.shader(wire_ps, sm4::ps_constant());
  const auto buffer = s.g.make_buffer(std::vector<color4>{dxbc_blue});

  s.g.stream().constants_f(wire_ps, 0, {dxbc_green});
  s.draw_whole(ps);
  s.expect(green);

  s.g.stream().constant_buffers(wire_ps, 0, {{buffer}});
  s.draw_whole(ps);
  s.expect(blue);

  s.g.stream().constant_buffers(wire_ps, 0, {{0}});
  s.draw_whole(ps);
  s.expect(green);

  s.g.stream().constants_f(wire_ps, 0, {dxbc_red});
  s.draw_whole(ps);
  s.expect(red);
}

TEST_CASE("VK-047 the registers of other stages and contexts are others",
          "[golden][dxbc][constants]") {
  dxbc_scene s;
  const auto ps = s.shader(wire_ps, sm4::ps_constant());
  s.g.stream().constants_f(wire_vs, 0, {dxbc_red}).constants_f(wire_cs, 0, {dxbc_red});
  s.draw_whole(ps);
  s.expect(nothing);
}

TEST_CASE("VK-047 registers beyond those written read zero", "[golden][dxbc][constants]") {
  dxbc_scene s;
  const auto ps = s.shader(wire_ps, sm4::ps_constant(0, 4095, 4096));
  s.g.stream().constants_f(wire_ps, 0, {dxbc_red});
  s.draw_whole(ps);
  s.expect(nothing);
  s.g.stream().constants_f(wire_ps, 4095, {dxbc_blue});
  s.draw_whole(ps);
  s.expect(blue);
}

TEST_CASE("VK-048 constant buffer ranges", "[golden][dxbc][constants]") {
  // Registers of 16 bytes, of which the shader declares two and shows the second.
  const std::vector<color4> content{dxbc_red, dxbc_green, dxbc_blue, {1, 1, 0, 1}, {1, 1, 1, 1}};
  struct row {
    const char* what;
    test::range_binding binding;
    rgba expected;
  };
  const auto& [what, binding, expected] = GENERATE(values<row>({
      {"all", {0, 0, 0}, green},
      {"from the second register on", {0, 16, 0}, blue},
      {"size 0 reaches to the end", {0, 32, 0}, rgba{255, 255, 0, 255}},
      {"one register: what is declared beyond it is zero", {0, 0, 16}, nothing},
      {"part of the second register", {0, 0, 20}, nothing},
      {"three channels of the second register", {0, 16, 28}, rgba{0, 0, 255, 0}},
      {"the last register: nothing is behind it", {0, 64, 0}, nothing},
      {"beyond the end", {0, 80, 0}, nothing},
      {"larger than the buffer", {0, 48, 4096}, white},
      {"off by one float: y, z, w and x", {0, 4, 0}, rgba{255, 0, 255, 0}},
  }));
  INFO(what);
  dxbc_scene s;
  const auto ps = s.shader(wire_ps, sm4::ps_constant(2, 1, 2));
  test::range_binding bound = binding;
  bound.buffer = s.g.make_buffer(content);
  s.g.stream().constant_buffers(wire_ps, 2, {bound});
  s.draw_whole(ps);
  s.expect(expected);
}

TEST_CASE("VK-048 a range that is copied is copied again when its buffer changes",
          "[golden][dxbc][constants]") {
  dxbc_scene s(4, 2);
  const auto ps = s.shader(wire_ps, sm4::ps_constant(1));
  const auto vs = s.passing_vs();
  const auto buffer = s.g.make_buffer(std::vector<color4>{dxbc_red, dxbc_red});
  const auto other = s.g.make_buffer(std::vector<color4>{dxbc_green, dxbc_green});
  s.g.stream().bind_shaders(vs, ps).constant_buffers(wire_ps, 1, {{buffer, 4, 16}});
  s.set_vertices(s.quad({0, 0, 2, 2}));
  s.g.stream().draw(6).copy_buffer(buffer, 0, other, 0, 32);
  s.set_vertices(s.quad({2, 0, 2, 2}));
  s.g.stream().draw(6);
  // The registers begin with the second channel.
  s.expect(image(4, 2, {0, 0, 255, 255}).fill({2, 0, 2, 2}, {255, 0, 255, 0}));
}

TEST_CASE("VK-049 the last slots: b13, t127 and s15", "[golden][dxbc][constants]") {
  dxbc_scene s;
  const auto ps = s.shader(wire_ps, sm4::ps_last_registers());
  const auto texture = s.g.make_texture(image(1, 1, {255, 128, 255, 255}));
  const auto buffer = s.g.make_buffer(std::vector<color4>{{1, 1, 0, 1}});
  const auto sampler = s.g.new_handle();
  s.g.stream()
      .create_sampler(sampler)
      .set_texture(wire_ps, 127, texture)
      .samplers(wire_ps, 15, {sampler})
      .constant_buffers(wire_ps, 13, {{buffer}});
  s.draw_whole(ps);
  s.expect({255, 128, 0, 255});
}

}  // namespace
}  // namespace aerogpu::golden
