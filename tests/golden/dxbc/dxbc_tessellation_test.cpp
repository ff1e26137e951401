// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

namespace aerogpu::golden {
namespace {

constexpr std::uint32_t three_points = AEROGPU_TOPOLOGY_PATCHLIST_1 + 2;
constexpr color4 patch_green{0, 1, 0, 1};

/// `sm4::hs_triangle` and `sm4::ds_triangle` between position and a colour from b0.
struct patch_scene : dxbc_scene {
  explicit patch_scene(int width = 8, int height = 8, float factor = 1)
      : dxbc_scene(width, height) {
    vs = shader(wire_vs, sm4::vs_control_point());
    ps = shader(wire_ps, sm4::ps_constant());
    hs = shader(wire_hs, sm4::hs_triangle(factor));
    ds = shader(wire_ds, sm4::ds_triangle());
    g.stream().constants_f(wire_ps, 0, {patch_green});
  }
  void bind(std::uint32_t gs = 0) { g.stream().bind_all_shaders({vs, ps, 0, 0}, {gs, hs, ds}); }

  std::uint32_t vs = 0, ps = 0, hs = 0, ds = 0;
};

TEST_CASE("VK-074 patches of three points fill their triangles", "[golden][dxbc][tessellation]") {
  const float factor = GENERATE(1.0f, 2.0f, 5.0f);
  patch_scene s(8, 8, factor);
  s.bind();
  // Culling is on: the tessellator keeps the winding of the patch.
  s.draw(s.quad({1, 2, 5, 4}), three_points);
  s.expect(image(8, 8, black).fill({1, 2, 5, 4}, green));
}

TEST_CASE("VK-074 control points may be positions", "[golden][dxbc][tessellation]") {
  constexpr test::signature_entry position{"SV_Position", 0,  sm4::sv_position, sm4::is_float, 0,
                                           0xF,           0xF};
  patch_scene s;
  s.vs = s.shader(wire_vs, sm4::vs_position_only());
  const bool has_phase = GENERATE(true, false);
  INFO("control point phase: " << has_phase);
  s.hs = s.shader(wire_hs, sm4::hs_triangle(2, position, has_phase));
  s.ds = s.shader(wire_ds, sm4::ds_triangle(position));
  s.bind();
  s.draw(s.quad({1, 2, 5, 4}), three_points);
  s.expect(image(8, 8, black).fill({1, 2, 5, 4}, green));
}

TEST_CASE("VK-074 control points go through a hull shader without a phase for them",
          "[golden][dxbc][tessellation]") {
  patch_scene s;
  s.hs = s.shader(wire_hs, sm4::hs_triangle(2, sm4::control_point, false));
  s.bind();
  s.draw(s.quad({1, 2, 5, 4}), three_points);
  s.expect(image(8, 8, black).fill({1, 2, 5, 4}, green));
}

TEST_CASE("a geometry shader that reads a position as a plain register is refused",
          "[golden][dxbc][tessellation]") {
  using namespace sm4;
  program code{program_type::geometry, 4};
  code.op(dcl_input, {to(input, {3, 0})})
      .op(dcl_input_primitive, {}, 3)
      .op(dcl_output_topology, {}, 5)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_max_output_vertices, {word(3)})
      .op(mov, {to(output, {0}), from(input, {0, 0})})
      .op(emit)
      .op(ret);
  dxbc_scene s;
  const auto vs = s.passing_vs(), ps = s.color_ps();
  const auto geometry = s.shader(wire_gs, container({{position_read}, {position_out}}, code));
  s.g.stream().bind_shaders(vs, ps, 0, geometry);
  s.draw(s.quad(s.whole()));
  const auto why = s.g.failure();
  if (s.g.renders()) CHECK(why == error_code::unsupported);
}

TEST_CASE("VK-074 a patch that turns its back is culled", "[golden][dxbc][tessellation]") {
  patch_scene s;
  s.bind();
  auto corners = s.quad(s.whole());
  std::swap(corners[1], corners[2]);
  corners.resize(3);
  s.draw(corners, three_points);
  s.expect(black);
}

TEST_CASE("VK-074 a factor of zero drops the patch", "[golden][dxbc][tessellation]") {
  patch_scene s(8, 8, 0);
  s.bind();
  s.draw(s.quad(s.whole()), three_points);
  s.expect(black);
}

TEST_CASE("VK-074 indexed patches with instances", "[golden][dxbc][tessellation]") {
  patch_scene s(8, 8);
  s.bind();
  s.set_vertices(s.quad({0, 0, 4, 4}), three_points);
  s.g.stream()
      .index_buffer(s.g.make_buffer(std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 0}))
      .draw_indexed(7, 2);
  s.expect(image(8, 8, black).fill({0, 0, 4, 4}, green));
}

TEST_CASE("VK-074 a geometry shader behind the tessellator", "[golden][dxbc][tessellation]") {
  using namespace sm4;
  // Triangles pass, but one channel of their place is mirrored.
  program code{program_type::geometry, 4};
  code.op(dcl_input_siv, {to(input, {3, 0}), word(name_position)})
      .op(dcl_input_primitive, {}, 3)
      .op(dcl_output_topology, {}, 5)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_max_output_vertices, {word(3)});
  for (std::uint32_t i = 0; i < 3; ++i) {
    code.op(mul, {to(output, {0}), from(input, {i, 0}), number(-1, 1, 1, 1)}).op(emit);
  }
  code.op(ret);
  patch_scene s;
  const auto gs = s.shader(wire_gs, container({{position_read}, {position_out}}, code));
  s.bind(gs);
  s.g.stream().rasterizer({AEROGPU_FILL_SOLID, AEROGPU_CULL_NONE, 0, 0, 0, 0});
  s.draw(s.quad({0, 0, 4, 8}), three_points);
  s.expect(image(8, 8, black).fill({4, 0, 4, 8}, green));
}

TEST_CASE("VK-074 tables of hull and domain shaders", "[golden][dxbc][tessellation]") {
  using namespace sm4;
  // The domain shader adds b1[0] to the place.
  program code{program_type::domain, 5};
  code.op(dcl_input_control_points, {}, 3)
      .op(dcl_tess_domain, {}, 2)
      .op(dcl_constant_buffer, {from(constants, {1, 1})})
      .op(dcl_input, {to(domain_point, {}, "xyz")})
      .op(dcl_input, {to(input_control_point, {3, 0})})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_temps, {word(1)})
      .op(mul, {to(temp, {0}), from(domain_point, {}, "xxxx"), from(input_control_point, {0, 0})})
      .op(mad, {to(temp, {0}), from(domain_point, {}, "yyyy"), from(input_control_point, {1, 0}),
                from(temp, {0})})
      .op(mad, {to(temp, {0}), from(domain_point, {}, "zzzz"), from(input_control_point, {2, 0}),
                from(temp, {0})})
      .op(add, {to(output, {0}), from(temp, {0}), from(constants, {1, 0})})
      .op(ret);
  const test::signature_entry point{"POSITION", 0, sv_none, is_float, 0, 0xF, 0xF};
  patch_scene s;
  s.ds = s.shader(wire_ds,
                  container({{point},
                             {position_out},
                             {{"SV_TessFactor", 0, sv_triangle_edge, is_float, 0, 0x1, 0},
                              {"SV_TessFactor", 1, sv_triangle_edge, is_float, 1, 0x1, 0},
                              {"SV_TessFactor", 2, sv_triangle_edge, is_float, 2, 0x1, 0},
                              {"SV_InsideTessFactor", 0, sv_triangle_inside, is_float, 3, 0x1, 0}}},
                            code));
  s.bind();
  const auto moved = s.g.make_buffer(std::vector<color4>{{0, 0, 0, 0}, {1, 0, 0, 0}});
  const auto wrong = s.g.make_buffer(std::vector<color4>{{5, 5, 5, 5}});
  s.g.stream()
      .constant_buffers(wire_ds, 1, {{moved, 16}})
      .constant_buffers(wire_hs, 1, {{wrong}})
      .constant_buffers(wire_gs, 1, {{wrong}})
      .constant_buffers(wire_cs, 1, {{wrong}});
  s.draw(s.quad({0, 0, 4, 8}), three_points);
  s.expect(image(8, 8, black).fill({4, 0, 4, 8}, green));
}

TEST_CASE("VK-074 patches of another size than the hull shader takes",
          "[golden][dxbc][tessellation]") {
  patch_scene s;
  s.bind();
  s.draw(s.quad(s.whole()), three_points + 1);
  CHECK(s.g.failure() == error_code::invalid_parameter);
}

TEST_CASE("VK-074 patches without hull and domain shaders", "[golden][dxbc][tessellation]") {
  patch_scene s;
  s.g.stream().bind_all_shaders({s.vs, s.ps, 0, 0}, {0, 0, 0});
  s.draw(s.quad(s.whole()), three_points);
  CHECK(s.g.failure() == error_code::missing_binding);
}

TEST_CASE("hull and domain shaders stay out of draws without patches",
          "[golden][dxbc][tessellation]") {
  patch_scene s;
  s.vs = s.passing_vs();
  s.bind();
  s.draw(s.quad({0, 0, 4, 8}));
  s.expect(image(8, 8, black).fill({0, 0, 4, 8}, green));
}

}  // namespace
}  // namespace aerogpu::golden
