// SPDX-License-Identifier: MIT
// Texture instructions of ps_1_0 - 1_3, whose destination names the stage (shaders.md 1.13).
#include "d3d9_to_spirv/shader_context.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::d3d9 {

namespace {

using evaluator = value (*)(shader_context&, const instruction&);

// Swizzles that address by parts of a texel.
constexpr std::uint8_t alpha_red = 0x03;
constexpr std::uint8_t green_blue = 0x09;

auto stage_of(const instruction& in) noexcept -> std::uint32_t {
  return in.destination.reg.number;
}

/// What stage `number` interpolates.
auto coordinates(shader_context& to, std::uint32_t number) -> value {
  return to.registers.load(register_file::texture_coordinates, number);
}

auto texture(shader_context& to, const instruction& in) -> value {
  return sample(to, stage_of(in), coordinates(to, stage_of(in)));
}

auto texcoord(shader_context& to, const instruction& in) -> value {
  const value v = to.math.saturate(coordinates(to, stage_of(in)));
  return to.math.merge(v, to.math.constant(1), 0x8);
}

template <std::uint8_t Swizzle>
auto by_texel(shader_context& to, const instruction& in) -> value {
  const value texel = read_source(to, in.sources[0]);
  return sample(to, stage_of(in), to.math.swizzle(texel, Swizzle));
}

/// One row of a matrix times the texel.
auto row_product(shader_context& to, const instruction& in) -> value {
  const value texel = read_source(to, in.sources[0]);
  return to.math.dot(coordinates(to, stage_of(in)), texel, 3);
}

/// The products of `count` rows, of which this instruction has the last.
auto all_products(shader_context& to, const instruction& in, std::uint32_t count) -> value {
  const value zero = to.math.constant(0, 1);
  std::array<value, 3> rows{zero, zero, zero};
  for (std::uint32_t i = 0; i + 1 < count; ++i) {
    const std::uint32_t stage = stage_of(in) - (count - 1) + i;
    rows[i] = to.math.component(to.registers.load(register_file::matrix_rows, stage), 0);
  }
  rows[count - 1] = row_product(to, in);
  return to.math.compose({rows[0], rows[1], rows[2], to.math.constant(1, 1)});
}

template <std::uint32_t Rows>
auto by_matrix(shader_context& to, const instruction& in) -> value {
  return sample(to, stage_of(in), all_products(to, in, Rows));
}

/// 2 (N.E) / (N.N) N - E
auto reflect(shader_context& to, value normal, value eye) -> value {
  shader_math& m = to.math;
  const value twice = m.dot(normal, eye, 3);
  const value scale = m.divide(m.add(twice, twice), m.dot(normal, normal, 3));
  return m.subtract(m.product(normal, m.splat(scale)), eye);
}

auto by_reflection(shader_context& to, const instruction& in) -> value {
  const value normal = all_products(to, in, 3);
  return sample(to, stage_of(in), reflect(to, normal, read_source(to, in.sources[1])));
}

/// The eye comes with the three coordinates.
auto by_varying_reflection(shader_context& to, const instruction& in) -> value {
  shader_math& m = to.math;
  const std::uint32_t stage = stage_of(in);
  const value normal = all_products(to, in, 3);
  const value eye = m.compose({m.component(coordinates(to, stage - 2), 3),
                               m.component(coordinates(to, stage - 1), 3),
                               m.component(coordinates(to, stage), 3), m.constant(1, 1)});
  return sample(to, stage, reflect(to, normal, eye));
}

auto by_product(shader_context& to, const instruction& in) -> value {
  const value zero = to.math.constant(0, 1);
  return sample(to, stage_of(in), to.math.compose({row_product(to, in), zero, zero, zero}));
}

struct addressing_row {
  opcode op;
  evaluator evaluate;
};

constexpr std::array addressing_rows{
    addressing_row{opcode::tex, texture},
    addressing_row{opcode::texcoord, texcoord},
    // Bump matrices are zero and luminance is one: shaders.md 1.13.
    addressing_row{opcode::texbem, texture},
    addressing_row{opcode::texbeml, texture},
    addressing_row{opcode::texreg2ar, by_texel<alpha_red>},
    addressing_row{opcode::texreg2gb, by_texel<green_blue>},
    addressing_row{opcode::texreg2rgb, by_texel<identity_swizzle>},
    addressing_row{opcode::texm3x2tex, by_matrix<2>},
    addressing_row{opcode::texm3x3tex, by_matrix<3>},
    addressing_row{opcode::texm3x3spec, by_reflection},
    addressing_row{opcode::texm3x3vspec, by_varying_reflection},
    addressing_row{opcode::texm3x3, [](shader_context& to,
                                       const instruction& in) { return all_products(to, in, 3); }},
    addressing_row{opcode::texdp3tex, by_product},
    addressing_row{opcode::texdp3,
                   [](shader_context& to, const instruction& in) {
                     return to.math.splat(row_product(to, in));
                   }},
};

/// depth = z / w of the two rows.
void emit_matrix_depth(shader_context& to, const instruction& in) {
  shader_math& m = to.math;
  const value rows = all_products(to, in, 2);
  const value w = m.component(rows, 1);
  const truth is_zero = m.compare(comparison::eq, w, m.constant(0, 1));
  const value depth = m.select(is_zero, m.constant(1, 1), m.divide(m.component(rows, 0), w));
  to.registers.store(file_of(register_type::depth_out), 0, m.splat(depth));
}

}  // namespace

void emit_texture_addressing(shader_context& to, const instruction& in) {
  if (in.op == opcode::texm3x2depth) return emit_matrix_depth(to, in);
  if (in.op == opcode::texm3x2pad || in.op == opcode::texm3x3pad) {
    const value product = to.math.splat(row_product(to, in));
    return to.registers.store(register_file::matrix_rows, stage_of(in), product);
  }
  const auto row = std::ranges::find(addressing_rows, in.op, &addressing_row::op);
  if (row != addressing_rows.end()) write_destination(to, in, row->evaluate(to, in));
}

}  // namespace aerogpu::d3d9
