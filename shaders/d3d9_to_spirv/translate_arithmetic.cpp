// SPDX-License-Identifier: MIT
// Arithmetic instructions, one row each (shaders.md 1.9 and 1.10).
#include "d3d9_to_spirv/shader_context.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::d3d9 {

namespace {

using evaluator = value (*)(shader_context&, const instruction&);

constexpr float lit_limit = 127.9961f;  ///< Of the exponent.

// Swizzles of the cross product.
constexpr std::uint8_t yzxw = 0xC9;
constexpr std::uint8_t zxyw = 0xD2;

auto source(shader_context& to, const instruction& in, std::size_t i) -> value {
  return read_source(to, in.sources[i]);
}

auto scalar(shader_context& to, const instruction& in, std::size_t i) -> value {
  return read_scalar(to, in.sources[i]);
}

/// Which holds ? 1 : 0.
auto as_number(shader_context& to, truth which) -> value {
  return to.math.select(which, to.math.constant(1), to.math.constant(0));
}

auto exponential(shader_context& to, value v) -> value {
  return to.math.glsl(GLSLstd450Exp2, {v});
}

auto mad(shader_context& to, const instruction& in) -> value {
  const value p = to.math.product(source(to, in, 0), source(to, in, 1));
  return to.math.add(p, source(to, in, 2));
}

auto lit(shader_context& to, const instruction& in) -> value {
  shader_math& m = to.math;
  const value s = source(to, in, 0);
  const value zero = m.constant(0, 1);
  const value x = m.component(s, 0);
  const value y = m.component(s, 1);
  const value power = m.clamp(m.component(s, 3), -lit_limit, lit_limit);
  const truth is_lit =
      m.both(m.compare(comparison::gt, x, zero), m.compare(comparison::gt, y, zero));
  const value specular = m.select(is_lit, m.power(y, power), zero);
  const value one = m.constant(1, 1);
  return m.compose({one, m.glsl(GLSLstd450NMax, {x, zero}), specular, one});
}

auto dst(shader_context& to, const instruction& in) -> value {
  shader_math& m = to.math;
  const value a = source(to, in, 0);
  const value b = source(to, in, 1);
  const value y = m.product(m.component(a, 1), m.component(b, 1));
  return m.compose({m.constant(1, 1), y, m.component(a, 2), m.component(b, 3)});
}

auto lrp(shader_context& to, const instruction& in) -> value {
  const value a = source(to, in, 0);
  const value c = source(to, in, 2);
  const value difference = to.math.subtract(source(to, in, 1), c);
  return to.math.add(to.math.product(a, difference), c);
}

auto crs(shader_context& to, const instruction& in) -> value {
  shader_math& m = to.math;
  const value a = source(to, in, 0);
  const value b = source(to, in, 1);
  const value first = m.product(m.swizzle(a, yzxw), m.swizzle(b, zxyw));
  return m.subtract(first, m.product(m.swizzle(a, zxyw), m.swizzle(b, yzxw)));
}

auto sgn(shader_context& to, const instruction& in) -> value {
  shader_math& m = to.math;
  const value s = source(to, in, 0);
  const value zero = m.constant(0);
  const value positive = as_number(to, m.compare(comparison::gt, s, zero));
  return m.select(m.compare(comparison::lt, s, zero), m.constant(-1), positive);
}

auto nrm(shader_context& to, const instruction& in) -> value {
  const value s = source(to, in, 0);
  const value scale = to.math.reciprocal_root(to.math.dot(s, s, 3));
  return to.math.product(s, to.math.splat(scale));
}

auto sincos(shader_context& to, const instruction& in) -> value {
  const value angle = scalar(to, in, 0);
  const value zero = to.math.constant(0, 1);
  return to.math.compose(
      {to.math.glsl(GLSLstd450Cos, {angle}), to.math.glsl(GLSLstd450Sin, {angle}), zero, zero});
}

auto expp(shader_context& to, const instruction& in) -> value {
  shader_math& m = to.math;
  const value s = scalar(to, in, 0);
  if (to.major() >= 2) return m.splat(exponential(to, s));
  const value whole = m.glsl(GLSLstd450Floor, {s});
  return m.compose(
      {exponential(to, whole), m.subtract(s, whole), exponential(to, s), m.constant(1, 1)});
}

/// In ps_1_0 - 1_3 a cnd issued together with another instruction copies, unless it writes .a.
auto cnd(shader_context& to, const instruction& in) -> value {
  constexpr std::uint8_t alpha = 0x8;
  if (to.is_ps_below_1_4() && in.is_coissued && in.destination.write_mask != alpha) {
    return source(to, in, 1);
  }
  const truth which = to.math.compare(comparison::gt, source(to, in, 0), to.math.constant(0.5f));
  return to.math.select(which, source(to, in, 1), source(to, in, 2));
}

auto cmp(shader_context& to, const instruction& in) -> value {
  const truth which = to.math.compare(comparison::ge, source(to, in, 0), to.math.constant(0));
  return to.math.select(which, source(to, in, 1), source(to, in, 2));
}

auto dp2add(shader_context& to, const instruction& in) -> value {
  const value d = to.math.dot(source(to, in, 0), source(to, in, 1), 2);
  return to.math.splat(to.math.add(d, scalar(to, in, 2)));
}

/// Row k of a matrix is the register k behind the source's.
template <std::uint32_t Columns>
auto times_matrix(shader_context& to, const instruction& in) -> value {
  const value a = source(to, in, 0);
  const value zero = to.math.constant(0, 1);
  std::array<value, 4> results{zero, zero, zero, zero};
  const unsigned rows = to.shader.row_of(in).second_source_rows();
  for (std::uint32_t k = 0; k < rows; ++k) {
    source_operand row = in.sources[1];
    row.reg.number = static_cast<std::uint16_t>(row.reg.number + k);
    results[k] = to.math.dot(a, read_source(to, row), Columns);
  }
  return to.math.compose({results[0], results[1], results[2], results[3]});
}

struct arithmetic_row {
  opcode op;
  evaluator evaluate;
  std::uint8_t can_write = full_mask;  ///< Components that the instruction has a value for.
};

template <spv::Op Op>
auto one_operation(shader_context& to, const instruction& in) -> value {
  const value a = source(to, in, 0);
  return {to.module.emit(Op, to.math.float_type(4), {a.id}), 4};
}

template <GLSLstd450 Op>
auto one_function(shader_context& to, const instruction& in) -> value {
  if (in.source_count == 1) return to.math.glsl(Op, {source(to, in, 0)});
  const value a = source(to, in, 0);
  return to.math.glsl(Op, {a, source(to, in, 1)});
}

template <comparison How>
auto set_on(shader_context& to, const instruction& in) -> value {
  const value a = source(to, in, 0);
  return as_number(to, to.math.compare(How, a, source(to, in, 1)));
}

template <std::uint32_t Count>
auto dot(shader_context& to, const instruction& in) -> value {
  const value a = source(to, in, 0);
  return to.math.splat(to.math.dot(a, source(to, in, 1), Count));
}

template <auto Member>
auto of_scalar(shader_context& to, const instruction& in) -> value {
  return to.math.splat((to.math.*Member)(scalar(to, in, 0)));
}

template <auto Member>
auto of_two(shader_context& to, const instruction& in) -> value {
  const value a = source(to, in, 0);
  return (to.math.*Member)(a, source(to, in, 1));
}

auto copy(shader_context& to, const instruction& in) -> value {
  return source(to, in, 0);
}

constexpr std::array arithmetic_rows{
    arithmetic_row{opcode::mov, copy},
    arithmetic_row{opcode::add, of_two<&shader_math::add>},
    arithmetic_row{opcode::sub, of_two<&shader_math::subtract>},
    arithmetic_row{opcode::mad, mad},
    arithmetic_row{opcode::mul, of_two<&shader_math::product>},
    arithmetic_row{opcode::rcp, of_scalar<&shader_math::reciprocal>},
    arithmetic_row{opcode::rsq, of_scalar<&shader_math::reciprocal_root>},
    arithmetic_row{opcode::dp3, dot<3>},
    arithmetic_row{opcode::dp4, dot<4>},
    arithmetic_row{opcode::min, one_function<GLSLstd450NMin>},
    arithmetic_row{opcode::max, one_function<GLSLstd450NMax>},
    arithmetic_row{opcode::slt, set_on<comparison::lt>},
    arithmetic_row{opcode::sge, set_on<comparison::ge>},
    arithmetic_row{opcode::exp,
                   [](shader_context& to, const instruction& in) {
                     return to.math.splat(exponential(to, scalar(to, in, 0)));
                   }},
    arithmetic_row{opcode::log, of_scalar<&shader_math::logarithm>},
    arithmetic_row{opcode::lit, lit},
    arithmetic_row{opcode::dst, dst},
    arithmetic_row{opcode::lrp, lrp},
    arithmetic_row{opcode::frc,
                   [](shader_context& to, const instruction& in) {
                     return to.math.fraction(source(to, in, 0));
                   }},
    arithmetic_row{opcode::m4x4, times_matrix<4>},
    arithmetic_row{opcode::m4x3, times_matrix<4>, 0x7},
    arithmetic_row{opcode::m3x4, times_matrix<3>},
    arithmetic_row{opcode::m3x3, times_matrix<3>, 0x7},
    arithmetic_row{opcode::m3x2, times_matrix<3>, 0x3},
    arithmetic_row{opcode::pow,
                   [](shader_context& to, const instruction& in) {
                     const value base = scalar(to, in, 0);
                     return to.math.splat(to.math.power(base, scalar(to, in, 1)));
                   }},
    arithmetic_row{opcode::crs, crs, 0x7},
    arithmetic_row{opcode::sgn, sgn},
    arithmetic_row{opcode::abs, one_function<GLSLstd450FAbs>},
    arithmetic_row{opcode::nrm, nrm},
    arithmetic_row{opcode::sincos, sincos, 0x3},
    arithmetic_row{opcode::mova, copy},
    arithmetic_row{opcode::expp, expp},
    arithmetic_row{opcode::logp, of_scalar<&shader_math::logarithm>},
    arithmetic_row{opcode::cnd, cnd},
    arithmetic_row{opcode::cmp, cmp},
    arithmetic_row{opcode::bem, copy, 0x3},  // The bump matrix is zero: shaders.md 1.13.
    arithmetic_row{opcode::dp2add, dp2add},
    arithmetic_row{opcode::dsx, one_operation<spv::Op::OpDPdx>},
    arithmetic_row{opcode::dsy, one_operation<spv::Op::OpDPdy>},
};

/// opcode -> 1 + row; 0 = no arithmetic instruction.
constexpr auto arithmetic_index = [] {
  std::array<std::uint8_t, d3d9_opcode_limit> index{};
  for (std::size_t i = 0; i < arithmetic_rows.size(); ++i) {
    index[static_cast<std::size_t>(arithmetic_rows[i].op)] = static_cast<std::uint8_t>(i + 1);
  }
  return index;
}();

constexpr auto row_of(opcode op) noexcept -> const arithmetic_row* {
  const auto number = static_cast<std::size_t>(op);
  if (number >= arithmetic_index.size() || arithmetic_index[number] == 0) return nullptr;
  return &arithmetic_rows[arithmetic_index[number] - 1u];
}
static_assert(std::ranges::all_of(d3d9_opcode_rows,
                                  [](const d3d9_opcode_row& row) {
                                    return row.kind != opcode_class::arithmetic ||
                                           row.opcode == opcode::setp ||
                                           row_of(row.opcode) != nullptr;
                                  }),
              "each arithmetic instruction has its row, but for setp, which writes no number");

void emit_setp(shader_context& to, const instruction& in) {
  const value a = source(to, in, 0);
  const auto how = static_cast<comparison>(in.control & 7);
  const truth t = to.math.compare(how, a, source(to, in, 1));
  const write_filter filter = filter_of(to, in);
  if (filter.mask != 0) to.registers.store_predicate(t, filter);
}

}  // namespace

auto evaluate_arithmetic(shader_context& to, const instruction& in) -> value {
  const arithmetic_row* row = row_of(in.op);
  return row == nullptr ? to.math.constant(0) : row->evaluate(to, in);
}

void emit_arithmetic(shader_context& to, std::span<const instruction> group) {
  if (group[0].op == opcode::setp) return emit_setp(to, group[0]);
  std::array<value, 2> values;
  for (std::size_t i = 0; i < group.size(); ++i) values[i] = evaluate_arithmetic(to, group[i]);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const arithmetic_row* row = row_of(group[i].op);
    if (row != nullptr) write_destination(to, group[i], values[i], row->can_write);
  }
}

}  // namespace aerogpu::d3d9
