// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"
#include "tests/golden/guests/states.hpp"

namespace aerogpu::golden {
namespace {

using test::signature_entry;

/// A row of a signature in register `number`, all four channels unless `mask` says otherwise.
[[nodiscard]] auto named(std::string_view name, std::uint32_t number, std::uint8_t mask = 0xF,
                         std::uint32_t type = sm4::is_float) -> signature_entry {
  return {name, 0, sm4::sv_none, type, number, mask, mask};
}

/// Shows register 2 of what comes in, as it is declared by `row`.
[[nodiscard]] auto ps_showing(const signature_entry& row, std::string_view mask) -> byte_vector {
  using namespace sm4;
  program code{program_type::pixel, 4};
  code.op(dcl_input_ps, {to(input, {2}, mask)}, linear)
      .op(dcl_output, {to(output, {0})})
      .op(mov, {to(output, {0}), from(input, {2})})
      .op(ret);
  return container({{position_out, row}, {target_out}}, code);
}

/// POSITION, and `value` in the channels of register 2 that `mask` names.
[[nodiscard]] auto vs_writing(std::string_view mask, std::uint8_t bits, std::uint32_t type)
    -> byte_vector {
  using namespace sm4;
  program code{program_type::vertex, 4};
  code.op(dcl_input, {to(input, {0})})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {2}, mask)})
      .op(mov, {to(output, {0}), from(input, {0})})
      .op(mov, {to(output, {2}, mask), number(1, 1, 1, 1)})
      .op(ret);
  return container({{position_in}, {position_out, named("COLOR", 2, bits, type)}}, code);
}

struct link_scene : dxbc_scene {
  void draw_with(const byte_vector& vertex, const byte_vector& pixel) {
    const auto vs = shader(wire_vs, vertex), ps = shader(wire_ps, pixel);
    g.stream().bind_shaders(vs, ps);
    draw(quad(whole(), {0, 1, 0, 1}));
  }
};

TEST_CASE("VK-076 a pixel shader reads a part of what is written", "[golden][dxbc][linking]") {
  link_scene s;
  s.draw_with(sm4::vs_passing(), sm4::ps_color());
  s.expect(green);
}

TEST_CASE("VK-076 registers link, names do not", "[golden][dxbc][linking]") {
  link_scene s;
  s.draw_with(sm4::vs_passing(), ps_showing(named("ELSEWHERE", 2), "xyzw"));
  s.expect(green);
}

TEST_CASE("VK-076 what nothing writes reads zero", "[golden][dxbc][linking]") {
  link_scene s;
  s.g.clear(white);
  s.draw_with(sm4::vs_position_only(), sm4::ps_color());
  s.expect(nothing);
}

TEST_CASE("VK-076 channels that nothing writes read zero", "[golden][dxbc][linking]") {
  link_scene s;
  s.draw_with(vs_writing("xz", 0x5, sm4::is_float), sm4::ps_color());
  s.expect({255, 0, 255, 0});
}

TEST_CASE("VK-076 a vertex shader serves several pixel shaders", "[golden][dxbc][linking]") {
  link_scene s;
  const auto vs = s.shader(wire_vs, vs_writing("x", 0x1, sm4::is_float));
  const auto constant = s.shader(wire_ps, sm4::ps_constant());
  const auto color = s.shader(wire_ps, sm4::ps_color());
  s.g.stream().constants_f(wire_ps, 0, {{0, 0, 1, 1}}).bind_shaders(vs, constant);
  s.draw(s.quad({0, 0, 2, 4}));
  s.g.stream().bind_shaders(vs, color);
  s.draw(s.quad({2, 0, 1, 4}));
  s.g.stream().bind_shaders(vs, constant);
  s.draw(s.quad({3, 0, 1, 4}));
  s.expect(image(4, 4, blue).fill({2, 0, 1, 4}, {255, 0, 0, 0}));
}

TEST_CASE("VK-076 a register of another type is refused", "[golden][dxbc][linking]") {
  link_scene s;
  s.draw_with(vs_writing("xyzw", 0xF, sm4::is_uint), sm4::ps_color());
  const auto why = s.g.failure();
  if (s.g.renders()) CHECK(why == error_code::unsupported);
}

TEST_CASE("VK-076 a target without alpha is written with alpha 1", "[golden][dxbc][linking]") {
  link_scene s;
  s.g.clear(nothing);
  s.draw_with(sm4::vs_passing(), sm4::ps_without_alpha());
  s.expect({64, 128, 191, 255}, rounding);
}

TEST_CASE("VK-068 SM4: depth is drawn without a pixel shader", "[golden][dxbc][linking]") {
  link_scene s;
  const auto depth = s.g.make_target(4, 4, AEROGPU_FORMAT_D32_FLOAT);
  s.g.bind_targets({}, depth);
  s.g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 1);
  const auto vs = s.passing_vs(), ps = s.color_ps();
  s.g.stream().bind_shaders(vs, 0);
  s.draw(s.quad({0, 0, 2, 4}));
  s.g.bind_targets({s.target}, depth);
  s.g.stream().bind_shaders(vs, ps);
  auto behind = s.quad(s.whole(), {0, 1, 0, 1});
  for (dxbc_vertex& v : behind) v.z = 0.75f;
  s.draw(behind);
  s.expect(image(4, 4, black).fill({2, 0, 2, 4}, green));
}

TEST_CASE("SM4: a pixel shader writes depth", "[golden][dxbc][linking]") {
  link_scene s;
  const auto depth = s.g.make_target(4, 4, AEROGPU_FORMAT_D32_FLOAT);
  s.g.bind_targets({s.target}, depth);
  s.g.stream().clear(AEROGPU_CLEAR_DEPTH, {}, 1);
  s.draw_with(sm4::vs_passing(), sm4::ps_depth());
  s.draw_with(sm4::vs_passing(), sm4::ps_color());
  s.expect(white);
}

TEST_CASE("SM4: the alpha test of Direct3D 9 does not apply", "[golden][dxbc][linking]") {
  link_scene s;
  s.g.stream().render_state(rs::alpha_test, 1).render_state(rs::alpha_func, cmp_never);
  s.draw_with(sm4::vs_passing(), sm4::ps_color());
  s.expect(green);
}

TEST_CASE("draws of both families alternate in one submission", "[golden][dxbc][linking]") {
  dxbc_scene s;
  const auto vs = s.passing_vs(), ps = s.shader(wire_ps, sm4::ps_constant());
  const auto buffer = s.g.make_buffer(std::vector<color4>{{0, 0, 1, 1}});
  for (int row = 0; row < 4; ++row) {
    s.g.fill({0, row, 2, 1}, row % 2 == 0 ? red : green);
    s.g.stream().bind_shaders(vs, ps).constant_buffers(wire_ps, 0, {{row < 2 ? buffer : 0}});
    s.draw(s.quad({2, row, 2, 1}));
  }
  // Without a buffer b0 is the registers that the draws of Direct3D 9 set.
  s.expect(image::made_by(4, 4, [](int x, int y) {
    const rgba drawn = y % 2 == 0 ? red : green;
    return x < 2 || y >= 2 ? drawn : blue;
  }));
}

TEST_CASE("shaders of both families do not go together", "[golden][dxbc][linking]") {
  struct row {
    const char* what;
    bool is_vertex_sm4, is_pixel_sm4, has_geometry;
  };
  const auto [what, is_vertex_sm4, is_pixel_sm4, has_geometry] =
      GENERATE(values<row>({{"SM4 behind SM2", false, true, false},
                            {"SM2 behind SM4", true, false, false},
                            {"a geometry shader behind SM2", false, false, true}}));
  INFO(what);
  dxbc_scene s;
  const auto vs = is_vertex_sm4 ? s.passing_vs() : s.g.position_and_attribute_vs();
  const auto ps = is_pixel_sm4 ? s.color_ps() : s.g.constant_color_ps();
  const auto gs = has_geometry ? s.shader(wire_gs, sm4::gs_point_to_quad()) : 0;
  s.g.stream().bind_shaders(vs, ps, 0, gs);
  const auto layout = is_vertex_sm4 ? s.vertex_layout() : s.g.vertex_layout();
  s.g.stream()
      .set_layout(layout)
      .vertex_buffer(0, s.g.make_buffer(byte_vector(400)), 40)
      .topology(AEROGPU_TOPOLOGY_POINTLIST)
      .draw(1);
  const auto why = s.g.failure();
  if (s.g.renders()) CHECK(why == error_code::unsupported);
}

TEST_CASE("stages that the device lacks are refused at the draw", "[golden][dxbc][linking]") {
  dxbc_scene s(4, 4, host_variant::bare_device);
  const auto refuses = [&] {
    const auto why = s.g.failure();
    return !s.g.renders() || why == error_code::unsupported;
  };
  const auto vs = s.passing_vs(), ps = s.color_ps();
  SECTION("geometry shaders") {
    const auto gs = s.shader(wire_gs, sm4::gs_point_to_quad());
    s.g.stream().bind_shaders(vs, ps, 0, gs);
    s.draw({s.at(2, 2)}, AEROGPU_TOPOLOGY_POINTLIST);
    CHECK(refuses());
  }
  SECTION("primitives with adjacency") {
    s.g.stream().bind_shaders(vs, ps);
    s.draw(s.quad(s.whole()), AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ);
    CHECK(refuses());
  }
  SECTION("hull and domain shaders") {
    const auto control = s.shader(wire_vs, sm4::vs_control_point());
    const auto hs = s.shader(wire_hs, sm4::hs_triangle());
    const auto ds = s.shader(wire_ds, sm4::ds_triangle());
    s.g.stream().bind_all_shaders({control, ps, 0, 0}, {0, hs, ds});
    s.draw(s.quad(s.whole()), AEROGPU_TOPOLOGY_PATCHLIST_1 + 2);
    CHECK(refuses());
  }
  SECTION("numbers of vertices") {
    const auto numbered = s.shader(wire_vs, sm4::vs_vertex_id());
    s.g.stream().bind_shaders(numbered, ps);
    s.draw(s.quad(s.whole()));
    CHECK(refuses());
  }
  s.expect(black);
}

}  // namespace
}  // namespace aerogpu::golden
