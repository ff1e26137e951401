// SPDX-License-Identifier: MIT
#include "tests/golden/guests/dxbc_guest.hpp"

namespace aerogpu::golden {
namespace {

using signature_entries = std::vector<test::signature_entry>;

constexpr std::uint32_t constant_row = 4;

/// The factors of a triangle, and what stands behind them.
[[nodiscard]] auto patch_constants(const signature_entries& more) -> signature_entries {
  using namespace sm4;
  signature_entries all{{"SV_TessFactor", 0, sv_triangle_edge, is_float, 0, 0x1, 0},
                        {"SV_TessFactor", 1, sv_triangle_edge, is_float, 1, 0x1, 0},
                        {"SV_TessFactor", 2, sv_triangle_edge, is_float, 2, 0x1, 0},
                        {"SV_InsideTessFactor", 0, sv_triangle_inside, is_float, 3, 0x1, 0}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

[[nodiscard]] auto tint(std::uint32_t type, std::uint8_t used) -> test::signature_entry {
  return {"TINT", 0, sm4::sv_none, type, constant_row, 0xF, used};
}

/// Points of three rows, of which the first goes through, and green for each patch.
[[nodiscard]] auto hs_tinting() -> byte_vector {
  using namespace sm4;
  program code{program_type::hull, 5};
  code.op(hs_decls)
      .op(dcl_input_control_points, {}, 3)
      .op(dcl_output_control_points, {}, 3)
      .op(dcl_tess_domain, {}, 2)
      .op(dcl_tess_partitioning, {}, 1)
      .op(dcl_tess_output_primitive, {}, 3)
      .op(hs_control_point_phase)
      .op(dcl_input, {scalar(output_control_point_id)})
      .op(dcl_input, {to(input, {3, 0})})
      .op(dcl_output, {to(output, {0})})
      .op(dcl_output, {to(output, {2})})
      .op(dcl_output, {to(output, {5})})
      .op(dcl_temps, {word(1)})
      .op(mov, {to(temp, {0}, "x"), scalar(output_control_point_id)})
      .op(mov, {to(output, {0}),
                {2u | 1u << 2 | 0xE4u << 4 | input << 12 | 2u << 20 | 2u << 22,
                 2u | 2u << 2 | temp << 12 | 1u << 20, 0, 0}})
      .op(mov, {to(output, {2}), number(1, 0, 0, 1)})
      .op(mov, {to(output, {5}), number(1, 0, 0, 1)})
      .op(ret)
      .op(hs_fork_phase)
      .op(dcl_output, {to(output, {constant_row})});
  constexpr std::array names{name_triangle_u, name_triangle_v, name_triangle_w,
                             name_triangle_inside};
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    code.op(dcl_output_siv, {to(output, {i}, "x"), word(names[i])});
  }
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    code.op(mov, {to(output, {i}, "x"), number(1)});
  }
  code.op(mov, {to(output, {constant_row}), number(0, 1, 0, 1)}).op(ret);
  return container({{control_point},
                    {control_point, color(2), texcoord(5, 0xF)},
                    patch_constants({tint(is_float, 0)})},
                   code);
}

/// The place within the triangle; the patch's constant is COLOR.
[[nodiscard]] auto ds_tinted(const signature_entries& points, std::uint32_t type = sm4::is_float)
    -> byte_vector {
  using namespace sm4;
  program code{program_type::domain, 5};
  code.op(dcl_input_control_points, {}, 3)
      .op(dcl_tess_domain, {}, 2)
      .op(dcl_input, {to(domain_point, {}, "xyz")})
      .op(dcl_input, {to(input_control_point, {3, 0})})
      .op(dcl_input, {to(patch_constant, {constant_row})})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {2})})
      .op(dcl_temps, {word(1)})
      .op(mul, {to(temp, {0}), from(domain_point, {}, "xxxx"), from(input_control_point, {0, 0})})
      .op(mad, {to(temp, {0}), from(domain_point, {}, "yyyy"), from(input_control_point, {1, 0}),
                from(temp, {0})})
      .op(mad, {to(output, {0}), from(domain_point, {}, "zzzz"), from(input_control_point, {2, 0}),
                from(temp, {0})})
      .op(mov, {to(output, {2}), from(patch_constant, {constant_row})})
      .op(ret);
  return container({points, {position_out, color(2)}, patch_constants({tint(type, 0xF)})}, code);
}

/// Draws a patch of two triangles.
void draw_patches(dxbc_scene& s, const byte_vector& hull, const byte_vector& domain) {
  constexpr std::uint32_t three_control_points = AEROGPU_TOPOLOGY_PATCHLIST_1 + 2;
  const auto vs = s.shader(wire_vs, sm4::vs_control_point()), ps = s.color_ps();
  const auto hs = s.shader(wire_hs, hull), ds = s.shader(wire_ds, domain);
  s.g.stream().bind_all_shaders({vs, ps, 0, 0}, {0, hs, ds});
  s.draw(s.quad({1, 2, 5, 4}), three_control_points);
}

TEST_CASE("VK-074 constants of a patch arrive, however many rows of its points are named",
          "[golden][dxbc][tessellation]") {
  const auto second = sm4::color(2), third = sm4::texcoord(5, 0xF), unread = sm4::texcoord(7, 0xF);
  const auto points =
      GENERATE_COPY(values<signature_entries>({{sm4::control_point},
                                               {sm4::control_point, second},
                                               {sm4::control_point, second, third},
                                               {sm4::control_point, second, third, unread}}));
  INFO(points.size() << " rows");
  dxbc_scene s(8, 8);
  draw_patches(s, hs_tinting(), ds_tinted(points));
  s.expect(image(8, 8, black).fill({1, 2, 5, 4}, green));
}

TEST_CASE("VK-074 constants of a patch that no hull shader writes so are refused",
          "[golden][dxbc][tessellation]") {
  const bool is_missing = GENERATE(true, false);
  INFO("missing " << is_missing);
  dxbc_scene s(8, 8);
  draw_patches(s, is_missing ? sm4::hs_triangle() : hs_tinting(),
               ds_tinted({sm4::control_point}, is_missing ? sm4::is_float : sm4::is_uint));
  const auto why = s.g.failure();
  if (s.g.renders()) CHECK(why == error_code::unsupported);
}

}  // namespace
}  // namespace aerogpu::golden
