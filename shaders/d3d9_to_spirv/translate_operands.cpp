// SPDX-License-Identifier: MIT
// Reads sources and writes destinations (shaders.md 1.4 and 1.5).
#include "d3d9_to_spirv/register_rules.hpp"
#include "d3d9_to_spirv/shader_context.hpp"

#include <array>

namespace aerogpu::d3d9 {

namespace {

/// x and y over component `by`, on the raw register: _dz and _dw of ps_1_4.
auto divide_xy(shader_context& to, value v, std::uint32_t by) -> value {
  const value divided = to.math.divide(v, to.math.splat(to.math.component(v, by)));
  return to.math.merge(v, divided, 0x3);
}

/// The register as its modifier finds it before the swizzle.
auto load_source(shader_context& to, const source_operand& from) -> value {
  const value v = to.registers.load(from.reg);
  if (from.modifier == source_modifier::divide_z) return divide_xy(to, v, 2);
  return from.modifier == source_modifier::divide_w ? divide_xy(to, v, 3) : v;
}

auto modify(shader_context& to, value v, source_modifier modifier) -> value {
  shader_math& m = to.math;
  switch (modifier) {
    case source_modifier::negate: return m.negate(v);
    case source_modifier::bias: return m.subtract(v, m.constant(0.5f, v.width));
    case source_modifier::bias_negate: return m.negate(m.subtract(v, m.constant(0.5f, v.width)));
    case source_modifier::sign: return m.subtract(m.add(v, v), m.constant(1, v.width));
    case source_modifier::sign_negate:
      return m.negate(m.subtract(m.add(v, v), m.constant(1, v.width)));
    case source_modifier::complement: return m.subtract(m.constant(1, v.width), v);
    case source_modifier::x2: return m.add(v, v);
    case source_modifier::x2_negate: return m.negate(m.add(v, v));
    case source_modifier::absolute: return m.glsl(GLSLstd450FAbs, {v});
    case source_modifier::absolute_negate: return m.negate(m.glsl(GLSLstd450FAbs, {v}));
    case source_modifier::none:
    case source_modifier::divide_z:
    case source_modifier::divide_w:
    case source_modifier::logical_not: break;
  }
  return v;
}

}  // namespace

auto read_source(shader_context& to, const source_operand& from) -> value {
  return modify(to, to.math.swizzle(load_source(to, from), from.swizzle), from.modifier);
}

auto read_scalar(shader_context& to, const source_operand& from) -> value {
  return modify(to, to.math.swizzle(load_source(to, from), from.swizzle, 1), from.modifier);
}

auto read_condition(shader_context& to, const source_operand& from) -> truth {
  const truth plain =
      from.reg.type == register_type::constant_bool
          ? to.registers.bool_constant(from.reg.number)
          : to.math.component(to.registers.predicate(), swizzle_component(from.swizzle, 0));
  return from.modifier == source_modifier::logical_not ? to.math.invert(plain) : plain;
}

auto filter_of(shader_context& to, const instruction& in) -> write_filter {
  write_filter filter{in.destination.write_mask, {{}, 0}};
  const register_ref& reg = in.destination.reg;
  if (is_scalar(reg.type, reg.number)) filter.mask = full_mask;
  if (!in.is_predicated) return filter;
  filter.where = to.math.swizzle(to.registers.predicate(), in.predicate.swizzle);
  if (in.predicate.modifier == source_modifier::logical_not)
    filter.where = to.math.invert(filter.where);
  return filter;
}

void write_destination(shader_context& to, const instruction& in, value v, std::uint8_t can_write) {
  constexpr std::array scales{0.125f, 0.25f, 0.5f, 1.0f, 2.0f, 4.0f, 8.0f};
  const destination_operand& d = in.destination;
  if (d.shift != 0) {
    v = to.math.multiply(v, to.math.constant(scales[static_cast<std::size_t>(d.shift + 3)]));
  }
  if (d.saturate) v = to.math.saturate(v);
  write_filter filter = filter_of(to, in);
  const bool is_whole = is_scalar(d.reg.type, d.reg.number);
  if (!is_whole) filter.mask &= can_write;
  if (filter.mask != 0) to.registers.store(d.reg, v, filter);
}

}  // namespace aerogpu::d3d9
