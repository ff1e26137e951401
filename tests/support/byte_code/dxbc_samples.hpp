// SPDX-License-Identifier: MIT
/// \file Direct3D 10 and 11 shaders for the tests that render: small, real, one purpose each.
#pragma once

#include "tests/support/byte_code/dxbc_assembler.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::test::sm4 {

// System values and components of signature entries.
inline constexpr std::uint32_t sv_none = 0, sv_position = 1, sv_vertex_id = 6, sv_primitive_id = 7,
                               sv_instance_id = 8, sv_triangle_edge = 13, sv_triangle_inside = 14;
inline constexpr std::uint32_t is_uint = 1, is_int = 2, is_float = 3;
inline constexpr std::uint32_t no_register = 0xFFFFFFFF;
// Words of declarations that name a system value of the tokens' own list.
inline constexpr std::uint32_t name_position = 1, name_vertex_id = 6, name_primitive_id = 7,
                               name_instance_id = 8, name_triangle_u = 17, name_triangle_v = 18,
                               name_triangle_w = 19, name_triangle_inside = 20;
inline constexpr std::uint32_t linear = 2, constant = 1;    // Interpolation.
inline constexpr std::uint32_t buffer = 1, texture_2d = 3;  // Dimensions.
inline constexpr std::uint32_t returns_float = 0x5555, returns_uint = 0x4444;

inline constexpr signature_entry position_in{"POSITION", 0, sv_none, is_float, 0, 0xF, 0xF};
inline constexpr signature_entry position_out{"SV_Position", 0, sv_position, is_float, 0, 0xF, 0};
inline constexpr signature_entry position_read{"SV_Position", 0, sv_position, is_float, 0, 0xF, 0};
inline constexpr signature_entry target_out{"SV_Target", 0, sv_none, is_float, 0, 0xF, 0};

[[nodiscard]] constexpr auto texcoord(std::uint32_t register_number, std::uint8_t mask = 0x3)
    -> signature_entry {
  return {"TEXCOORD", 0, sv_none, is_float, register_number, mask, mask};
}
[[nodiscard]] constexpr auto color(std::uint32_t register_number, std::uint8_t mask = 0xF)
    -> signature_entry {
  return {"COLOR", 0, sv_none, is_float, register_number, mask, mask};
}

/// POSITION v0, TEXCOORD v1.xy and COLOR v2 go through to o0, o1.xy and o2.
[[nodiscard]] inline auto vs_passing() -> byte_vector {
  program code{program_type::vertex, 4};
  code.op(dcl_input, {to(input, {0})})
      .op(dcl_input, {to(input, {1}, "xy")})
      .op(dcl_input, {to(input, {2})})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {1}, "xy")})
      .op(dcl_output, {to(output, {2})})
      .op(mov, {to(output, {0}), from(input, {0})})
      .op(mov, {to(output, {1}, "xy"), from(input, {1}, "xyxx")})
      .op(mov, {to(output, {2}), from(input, {2})})
      .op(ret);
  return container({{position_in, texcoord(1), color(2)}, {position_out, texcoord(1), color(2)}},
                   code);
}

/// POSITION only.
[[nodiscard]] inline auto vs_position_only() -> byte_vector {
  program code{program_type::vertex, 4};
  code.op(dcl_input, {to(input, {0})})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(mov, {to(output, {0}), from(input, {0})})
      .op(ret);
  return container({{position_in}, {position_out}}, code);
}

/// POSITION as a control point, which no rasterizer sees.
[[nodiscard]] inline auto vs_control_point() -> byte_vector {
  program code{program_type::vertex, 4};
  code.op(dcl_input, {to(input, {0})})
      .op(dcl_output, {to(output, {0})})
      .op(mov, {to(output, {0}), from(input, {0})})
      .op(ret);
  const signature_entry point{"POSITION", 0, sv_none, is_float, 0, 0xF, 0};
  return container({{position_in}, {point}}, code);
}

/// COLOR of register 2, that `vs_passing` writes and `vs_position_only` does not.
[[nodiscard]] inline auto ps_color() -> byte_vector {
  program code{program_type::pixel, 4};
  code.op(dcl_input_ps, {to(input, {2})}, linear)
      .op(dcl_output, {to(output, {0})})
      .op(mov, {to(output, {0}), from(input, {2})})
      .op(ret);
  return container({{position_out, color(2)}, {target_out}}, code);
}

/// b#[0] as colour. `size` is the declared count of registers, `element` the one that is read.
[[nodiscard]] inline auto ps_constant(std::uint32_t slot = 0, std::uint32_t element = 0,
                                      std::uint32_t size = 1) -> byte_vector {
  program code{program_type::pixel, 4};
  code.op(dcl_constant_buffer, {from(constants, {slot, size})})
      .op(dcl_output, {to(output, {0})})
      .op(mov, {to(output, {0}), from(constants, {slot, element})})
      .op(ret);
  return container({{position_out}, {target_out}}, code);
}

/// Samples t# with s# at TEXCOORD in register 1.
[[nodiscard]] inline auto ps_textured(std::uint32_t texture = 0, std::uint32_t state = 0)
    -> byte_vector {
  program code{program_type::pixel, 4};
  code.op(dcl_sampler, {plain(sampler, {state})})
      .op(dcl_resource, {plain(resource, {texture}), word(returns_float)}, texture_2d)
      .op(dcl_input_ps, {to(input, {1}, "xy")}, linear)
      .op(dcl_output, {to(output, {0})})
      .op(sample, {to(output, {0}), from(input, {1}, "xyxx"), from(resource, {texture}),
                   plain(sampler, {state})})
      .op(ret);
  return container({{position_out, texcoord(1)}, {target_out}}, code);
}

/// t127 with s15, times cb13[0]: the last register of each file.
[[nodiscard]] inline auto ps_last_registers() -> byte_vector {
  program code{program_type::pixel, 4};
  code.op(dcl_constant_buffer, {from(constants, {13, 1})})
      .op(dcl_sampler, {plain(sampler, {15})})
      .op(dcl_resource, {plain(resource, {127}), word(returns_float)}, texture_2d)
      .op(dcl_input_ps, {to(input, {1}, "xy")}, linear)
      .op(dcl_output, {to(output, {0})})
      .op(dcl_temps, {word(1)})
      .op(sample,
          {to(temp, {0}), from(input, {1}, "xyxx"), from(resource, {127}), plain(sampler, {15})})
      .op(mul, {to(output, {0}), from(temp, {0}), from(constants, {13, 0})})
      .op(ret);
  return container({{position_out, texcoord(1)}, {target_out}}, code);
}

/// Compares t0 with TEXCOORD.z through the comparison sampler s0.
[[nodiscard]] inline auto ps_shadow() -> byte_vector {
  program code{program_type::pixel, 4};
  code.op(dcl_sampler, {plain(sampler, {0})}, 1)
      .op(dcl_resource, {plain(resource, {0}), word(returns_float)}, texture_2d)
      .op(dcl_input_ps, {to(input, {1}, "xyz")}, linear)
      .op(dcl_output, {to(output, {0})})
      .op(dcl_temps, {word(1)})
      .op(sample_c_lz, {to(temp, {0}, "x"), from(input, {1}, "xyxx"), from(resource, {0}, "xxxx"),
                        plain(sampler, {0}), from(input, {1}, "z")})
      .op(mov, {to(output, {0}), from(temp, {0}, "xxxx")})
      .op(ret);
  return container({{position_out, texcoord(1, 0x7)}, {target_out}}, code);
}

/// (0.25, 0.5, 0.75) into a target whose signature has no alpha.
[[nodiscard]] inline auto ps_without_alpha() -> byte_vector {
  program code{program_type::pixel, 4};
  code.op(dcl_output, {to(output, {0}, "xyz")})
      .op(mov, {to(output, {0}, "xyz"), number(0.25f, 0.5f, 0.75f, 0.0f)})
      .op(ret);
  return container({{position_out}, {{"SV_Target", 0, sv_none, is_float, 0, 0x7, 0x8}}}, code);
}

/// SV_Depth 0.25 and white.
[[nodiscard]] inline auto ps_depth() -> byte_vector {
  program code{program_type::pixel, 4};
  code.op(dcl_output, {to(output, {0})})
      .op(dcl_output, {scalar(output_depth)})
      .op(mov, {to(output, {0}), number(1, 1, 1, 1)})
      .op(mov, {scalar(output_depth), number(0.25f)})
      .op(ret);
  return container(
      {{position_out}, {target_out, {"SV_Depth", 0, sv_none, is_float, no_register, 0x1, 0xE}}},
      code);
}

/// What is written in other words before it is compiled: forms that compilers have two of, and
/// results that Vulkan leaves undefined. Reads t0 with s0.
[[nodiscard]] inline auto ps_rewritten() -> byte_vector {
  constexpr std::uint32_t ftou = 28, lod = 108, sample_pos = 110, sample_info = 111,
                          gather4_po = 127, firstbit_hi = 135;
  constexpr auto rasterizer = static_cast<file>(14), coverage = static_cast<file>(15);
  const auto place = from(input, {1}, "xyxx");
  program code{program_type::pixel, 5};
  code.op(dcl_sampler, {plain(sampler, {0})})
      .op(dcl_resource, {plain(resource, {0}), word(returns_float)}, texture_2d)
      .op(dcl_input_ps, {to(input, {1}, "xy")}, linear)
      .op(dcl_output, {to(output, {0})})
      .op(dcl_output, {plain(coverage)})
      .op(dcl_temps, {word(1)})
      .op(ftou, {to(temp, {0}, "xy"), place})
      .op(firstbit_hi, {to(temp, {0}, "xy"), from(temp, {0}, "yxyx")})
      .op(gather4_po,
          {to(temp, {0}), place, from(temp, {0}), from(resource, {0}), from(sampler, {0}, "y")})
      .op(lod, {to(temp, {0}, "x"), place, from(resource, {0}, "x"), plain(sampler, {0})})
      .op(sample_info, {to(temp, {0}, "z"), from(rasterizer, {}, "x")})
      .op(sample_pos, {to(temp, {0}, "w"), from(rasterizer, {}, "xxxx"), bits(0), word(0)})
      .op(mov, {to(output, {0}), from(temp, {0})})
      .op(mov, {scalar(coverage), bits(1)})
      .op(ret);
  return container({{position_out, texcoord(1)},
                    {target_out, {"SV_Coverage", 0, sv_none, is_uint, no_register, 0x1, 0xE}}},
                   code);
}

/// SV_PrimitiveID / 4 as red, opaque.
[[nodiscard]] inline auto ps_primitive_id() -> byte_vector {
  program code{program_type::pixel, 4};
  code.op(dcl_input_ps_sgv, {to(input, {1}, "x"), word(name_primitive_id)}, constant)
      .op(dcl_output, {to(output, {0})})
      .op(dcl_temps, {word(1)})
      .op(utof, {to(temp, {0}, "x"), from(input, {1}, "x")})
      .op(mul, {to(output, {0}, "x"), from(temp, {0}, "x"), number(0.25f)})
      .op(mov, {to(output, {0}, "yzw"), number(0, 0, 0, 1)})
      .op(ret);
  return container(
      {{position_out, {"SV_PrimitiveID", 0, sv_primitive_id, is_uint, 1, 0x1, 0x1}}, {target_out}},
      code);
}

namespace parts {

/// POSITION passes; a number of the vertex, times a quarter, is red.
[[nodiscard]] inline auto vs_number(const signature_entry& number_in, std::uint32_t name)
    -> byte_vector {
  program code{program_type::vertex, 4};
  code.op(dcl_input, {to(input, {0})})
      .op(dcl_input_sgv, {to(input, {1}, "x"), word(name)})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {2})})
      .op(dcl_temps, {word(1)})
      .op(mov, {to(output, {0}), from(input, {0})})
      .op(utof, {to(temp, {0}, "x"), from(input, {1}, "x")})
      .op(mul, {to(output, {2}, "x"), from(temp, {0}, "x"), number(0.25f)})
      .op(mov, {to(output, {2}, "yzw"), number(0, 0, 0, 1)})
      .op(ret);
  return container({{position_in, number_in}, {position_out, color(2)}}, code);
}

}  // namespace parts

/// SV_VertexID / 4 as red of COLOR in register 2.
[[nodiscard]] inline auto vs_vertex_id() -> byte_vector {
  return parts::vs_number({"SV_VertexID", 0, sv_vertex_id, is_uint, 1, 0x1, 0x1}, name_vertex_id);
}

/// SV_InstanceID / 4 as red of COLOR in register 2.
[[nodiscard]] inline auto vs_instance_id() -> byte_vector {
  return parts::vs_number({"SV_InstanceID", 0, sv_instance_id, is_uint, 1, 0x1, 0x1},
                          name_instance_id);
}

/// BLENDINDICES v1 is four integers; each / 4 is a component of COLOR in register 2.
[[nodiscard]] inline auto vs_blend_indices(bool is_signed = false) -> byte_vector {
  program code{program_type::vertex, 4};
  code.op(dcl_input, {to(input, {0})})
      .op(dcl_input, {to(input, {1})})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {2})})
      .op(dcl_temps, {word(1)})
      .op(mov, {to(output, {0}), from(input, {0})})
      .op(is_signed ? itof : utof, {to(temp, {0}), from(input, {1})})
      .op(mul, {to(output, {2}), from(temp, {0}), number(0.25f, 0.25f, 0.25f, 0.25f)})
      .op(ret);
  const std::uint32_t type = is_signed ? is_int : is_uint;
  return container(
      {{position_in, {"BLENDINDICES", 0, sv_none, type, 1, 0xF, 0xF}}, {position_out, color(2)}},
      code);
}

/// A point becomes a triangle strip of four corners, half a unit around it.
[[nodiscard]] inline auto gs_point_to_quad() -> byte_vector {
  program code{program_type::geometry, 4};
  code.op(dcl_input_siv, {to(input, {1, 0}), word(name_position)})
      .op(dcl_input, {to(input, {1, 2})})
      .op(dcl_input_primitive, {}, 1)
      .op(dcl_output_topology, {}, 5)
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_output, {to(output, {2})})
      .op(dcl_max_output_vertices, {word(4)});
  constexpr std::array<std::array<float, 2>, 4> corners{
      {{-0.5f, 0.5f}, {0.5f, 0.5f}, {-0.5f, -0.5f}, {0.5f, -0.5f}}};
  for (const auto& [x, y] : corners) {
    code.op(add, {to(output, {0}), from(input, {0, 0}), number(x, y, 0, 0)})
        .op(mov, {to(output, {2}), from(input, {0, 2})})
        .op(emit);
  }
  code.op(cut).op(ret);
  return container({{position_read, color(2)}, {position_out, color(2)}}, code);
}

/// How a control point names its place.
inline constexpr signature_entry control_point{"POSITION", 0, sv_none, is_float, 0, 0xF, 0xF};

/// Triangles pass through; each edge and the inside gets the factor. Without a control point phase
/// the points go through by themselves.
[[nodiscard]] inline auto hs_triangle(float factor = 1,
                                      const signature_entry& point = control_point,
                                      bool has_phase = true) -> byte_vector {
  program code{program_type::hull, 5};
  code.op(hs_decls)
      .op(dcl_input_control_points, {}, 3)
      .op(dcl_output_control_points, {}, 3)
      .op(dcl_tess_domain, {}, 2)
      .op(dcl_tess_partitioning, {}, 1)
      .op(dcl_tess_output_primitive, {}, 3);
  if (has_phase) {
    code.op(hs_control_point_phase)
        .op(dcl_input, {scalar(output_control_point_id)})
        .op(dcl_input, {to(input, {3, 0})})
        .op(dcl_output, {to(output, {0})})
        .op(dcl_temps, {word(1)})
        .op(mov, {to(temp, {0}, "x"), scalar(output_control_point_id)})
        .op(mov, {to(output, {0}),
                  {2u | 1u << 2 | 0xE4u << 4 | input << 12 | 2u << 20 | 2u << 22,
                   2u | 2u << 2 | temp << 12 | 1u << 20, 0, 0}})
        .op(ret);
  }
  code.op(hs_fork_phase);
  constexpr std::array names{name_triangle_u, name_triangle_v, name_triangle_w,
                             name_triangle_inside};
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    code.op(dcl_output_siv, {to(output, {i}, "x"), word(names[i])});
  }
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    code.op(mov, {to(output, {i}, "x"), number(factor)});
  }
  code.op(ret);
  return container({{point},
                    {point},
                    {{"SV_TessFactor", 0, sv_triangle_edge, is_float, 0, 0x1, 0xE},
                     {"SV_TessFactor", 1, sv_triangle_edge, is_float, 1, 0x1, 0xE},
                     {"SV_TessFactor", 2, sv_triangle_edge, is_float, 2, 0x1, 0xE},
                     {"SV_InsideTessFactor", 0, sv_triangle_inside, is_float, 3, 0x1, 0xE}}},
                   code);
}

/// The place within the triangle, of three control points.
[[nodiscard]] inline auto ds_triangle(const signature_entry& point = control_point) -> byte_vector {
  program code{program_type::domain, 5};
  code.op(dcl_input_control_points, {}, 3)
      .op(dcl_tess_domain, {}, 2)
      .op(dcl_input, {to(domain_point, {}, "xyz")})
      .op(dcl_input, {to(input_control_point, {3, 0})})
      .op(dcl_output_siv, {to(output, {0}), word(name_position)})
      .op(dcl_temps, {word(1)})
      .op(mul, {to(temp, {0}), from(domain_point, {}, "xxxx"), from(input_control_point, {0, 0})})
      .op(mad, {to(temp, {0}), from(domain_point, {}, "yyyy"), from(input_control_point, {1, 0}),
                from(temp, {0})})
      .op(mad, {to(output, {0}), from(domain_point, {}, "zzzz"), from(input_control_point, {2, 0}),
                from(temp, {0})})
      .op(ret);
  return container({{point},
                    {position_out},
                    {{"SV_TessFactor", 0, sv_triangle_edge, is_float, 0, 0x1, 0},
                     {"SV_TessFactor", 1, sv_triangle_edge, is_float, 1, 0x1, 0},
                     {"SV_TessFactor", 2, sv_triangle_edge, is_float, 2, 0x1, 0},
                     {"SV_InsideTessFactor", 0, sv_triangle_inside, is_float, 3, 0x1, 0}}},
                   code);
}

/// Raw u0[i] = t0[i] + 1, a word for each thread; groups of four.
[[nodiscard]] inline auto cs_raw() -> byte_vector {
  program code{program_type::compute, 5};
  code.op(dcl_resource_raw, {plain(resource, {0})})
      .op(dcl_uav_raw, {plain(uav, {0})})
      .op(dcl_input, {to(thread_id, {}, "x")})
      .op(dcl_temps, {word(1)})
      .op(dcl_thread_group, {word(4), word(1), word(1)})
      .op(ishl, {to(temp, {0}, "x"), from(thread_id, {}, "x"), bits(2)})
      .op(ld_raw, {to(temp, {0}, "y"), from(temp, {0}, "x"), from(resource, {0}, "xxxx")})
      .op(iadd, {to(temp, {0}, "y"), from(temp, {0}, "y"), bits(1)})
      .op(store_raw, {to(uav, {0}, "x"), from(temp, {0}, "x"), from(temp, {0}, "y")})
      .op(ret);
  return container({{}, {}}, code);
}

/// Structured u1[i] = t1[i] of 16 bytes, doubled; groups of four.
[[nodiscard]] inline auto cs_structured() -> byte_vector {
  program code{program_type::compute, 5};
  code.op(dcl_resource_structured, {plain(resource, {1}), word(16)})
      .op(dcl_uav_structured, {plain(uav, {1}), word(16)})
      .op(dcl_input, {to(thread_id, {}, "x")})
      .op(dcl_temps, {word(1)})
      .op(dcl_thread_group, {word(4), word(1), word(1)})
      .op(ld_structured, {to(temp, {0}), from(thread_id, {}, "x"), bits(0), from(resource, {1})})
      .op(add, {to(temp, {0}), from(temp, {0}), from(temp, {0})})
      .op(store_structured, {to(uav, {1}), from(thread_id, {}, "x"), bits(0), from(temp, {0})})
      .op(ret);
  return container({{}, {}}, code);
}

/// Counts its threads in the first word of u0.
[[nodiscard]] inline auto cs_atomic() -> byte_vector {
  program code{program_type::compute, 5};
  code.op(dcl_uav_raw, {plain(uav, {0})})
      .op(dcl_temps, {word(1)})
      .op(dcl_thread_group, {word(4), word(1), word(1)})
      .op(imm_atomic_iadd, {to(temp, {0}, "x"), plain(uav, {0}), bits(0), bits(1)})
      .op(ret);
  return container({{}, {}}, code);
}

/// Shares 64 bytes of g0 and 128 of g1 in each group.
[[nodiscard]] inline auto cs_shared() -> byte_vector {
  constexpr std::uint32_t dcl_shared_raw = 159, dcl_shared_structured = 160;
  constexpr file group_shared{31};
  program code{program_type::compute, 5};
  code.op(dcl_shared_raw, {plain(group_shared, {0}), word(64)})
      .op(dcl_shared_structured, {plain(group_shared, {1}), word(16), word(8)})
      .op(dcl_thread_group, {word(4), word(1), word(1)})
      .op(ret);
  return container({{}, {}}, code);
}

struct sample_shader {
  const char* name;
  byte_vector bytes;
};

/// All of them.
[[nodiscard]] inline auto samples() -> std::vector<sample_shader> {
  return {{"vs_passing", vs_passing()},
          {"vs_position_only", vs_position_only()},
          {"vs_control_point", vs_control_point()},
          {"vs_vertex_id", vs_vertex_id()},
          {"vs_instance_id", vs_instance_id()},
          {"vs_blend_indices", vs_blend_indices()},
          {"ps_color", ps_color()},
          {"ps_constant", ps_constant()},
          {"ps_textured", ps_textured()},
          {"ps_last_registers", ps_last_registers()},
          {"ps_shadow", ps_shadow()},
          {"ps_without_alpha", ps_without_alpha()},
          {"ps_depth", ps_depth()},
          {"ps_rewritten", ps_rewritten()},
          {"ps_primitive_id", ps_primitive_id()},
          {"gs_point_to_quad", gs_point_to_quad()},
          {"hs_triangle", hs_triangle()},
          {"ds_triangle", ds_triangle()},
          {"cs_raw", cs_raw()},
          {"cs_structured", cs_structured()},
          {"cs_atomic", cs_atomic()}};
}

}  // namespace aerogpu::test::sm4
