// SPDX-License-Identifier: MIT
// Appends Direct3D 9 arithmetic to a SPIR-V function.
#include "d3d9_to_spirv/shader_math.hpp"

#include <bit>
#include <limits>
#include <utility>

namespace aerogpu::d3d9 {

namespace {

constexpr float largest = std::numeric_limits<float>::max();

constexpr auto word(spirv_id id) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(id);
}

constexpr std::array comparison_ops{
    spv::Op::OpNop,
    spv::Op::OpFOrdGreaterThan,
    spv::Op::OpFOrdEqual,
    spv::Op::OpFOrdGreaterThanEqual,
    spv::Op::OpFOrdLessThan,
    spv::Op::OpFUnordNotEqual,
    spv::Op::OpFOrdLessThanEqual,
    spv::Op::OpNop,
};

// The bodies of helper functions, whose operands are `in`.

auto product_of(shader_math& m, const value* in) -> value {
  const value a = in[0];
  const value b = in[1];
  const value plain = m.multiply(a, b);
  const value zero = m.constant(0, a.width);
  const truth a_is_zero = m.compare(comparison::eq, a, zero);
  const truth is_zero =
      a.id == b.id ? a_is_zero : m.either(a_is_zero, m.compare(comparison::eq, b, zero));
  return m.select(is_zero, zero, plain);
}

template <std::uint32_t Count>
auto dot_of(shader_math& m, const value* in) -> value {
  const value products = m.product(in[0], in[1]);
  value sum = m.component(products, 0);
  for (std::uint32_t i = 1; i < Count; ++i) sum = m.add(sum, m.component(products, i));
  return sum;
}

auto reciprocal_of(shader_math& m, const value* in) -> value {
  return m.finite(m.divide(m.constant(1, in->width), *in));
}

auto reciprocal_root_of(shader_math& m, const value* in) -> value {
  const value size = m.glsl(GLSLstd450FAbs, {*in});
  const truth is_zero = m.compare(comparison::eq, size, m.constant(0, in->width));
  return m.select(is_zero, m.constant(largest, in->width),
                  m.finite(m.glsl(GLSLstd450InverseSqrt, {size})));
}

auto logarithm_of(shader_math& m, const value* in) -> value {
  const value size = m.glsl(GLSLstd450FAbs, {*in});
  const truth is_zero = m.compare(comparison::eq, size, m.constant(0, in->width));
  return m.select(is_zero, m.constant(-largest, in->width),
                  m.finite(m.glsl(GLSLstd450Log2, {size})));
}

auto power_of(shader_math& m, const value* in) -> value {
  const value base = in[0];
  const value exponent = in[1];
  const value zero = m.constant(0, base.width);
  const value size = m.glsl(GLSLstd450FAbs, {base});
  const value of_zero =
      m.select(m.compare(comparison::lt, exponent, zero), m.constant(largest, base.width), zero);
  const value any = m.select(m.compare(comparison::eq, size, zero), of_zero,
                             m.finite(m.glsl(GLSLstd450Pow, {size, exponent})));
  return m.select(m.compare(comparison::eq, exponent, zero), m.constant(1, base.width), any);
}

auto fraction_of(shader_math& m, const value* in) -> value {
  const value part = m.subtract(*in, m.glsl(GLSLstd450Floor, {*in}));
  const value below_one = m.constant(std::bit_cast<float>(0x3F7FFFFFu), in->width);
  return m.select(m.compare(comparison::gt, part, below_one), below_one, part);
}

struct helper_row {
  const char* name;
  value (*body)(shader_math&, const value* in);
  bool is_sum = false;  ///< Of components: the result is one float.
};

constexpr std::array helper_rows{
    helper_row{"product", product_of},       helper_row{"dot2", dot_of<2>, true},
    helper_row{"dot3", dot_of<3>, true},     helper_row{"dot4", dot_of<4>, true},
    helper_row{"reciprocal", reciprocal_of}, helper_row{"reciprocal_root", reciprocal_root_of},
    helper_row{"logarithm", logarithm_of},   helper_row{"power", power_of},
    helper_row{"fraction", fraction_of},
};
static_assert(helper_rows.size() == helper_count);

}  // namespace

auto shader_math::constant(float number, std::uint32_t width) -> value {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  recent_constant& recent = recent_[((bits >> 22) + 5 * width) % recent_.size()];
  if (recent.bits == bits && recent.made.width == width) return recent.made;
  const spirv_id scalar = module_.constant_float(number);
  recent = {bits, {scalar, 1}};
  if (width == 1) return recent.made;
  const std::array parts{scalar, scalar, scalar, scalar};
  recent.made = {module_.constant_composite(float_type(width), {parts.data(), width}), width};
  return recent.made;
}

auto shader_math::constant_bits(std::span<const std::uint32_t, 4> bits) -> value {
  std::array<spirv_id, 4> parts;
  for (std::size_t i = 0; i < 4; ++i) parts[i] = module_.constant(bits[i], module_.type_float());
  return {module_.constant_composite(float_type(4), parts), 4};
}

auto shader_math::truth_constant(bool holds, std::uint32_t width) -> truth {
  const spirv_id scalar = module_.constant_bool(holds);
  if (width == 1) return {scalar, 1};
  const std::array parts{scalar, scalar, scalar, scalar};
  return {module_.constant_composite(bool_type(width), {parts.data(), width}), width};
}

auto shader_math::component(value v, std::uint32_t index) -> value {
  if (v.width == 1) return v;
  return {module_.extract(float_type(1), v.id, index), 1};
}

auto shader_math::component(truth t, std::uint32_t index) -> truth {
  if (t.width == 1) return t;
  return {module_.extract(bool_type(1), t.id, index), 1};
}

auto shader_math::splat(value scalar, std::uint32_t width) -> value {
  if (width == 1) return scalar;
  const std::array parts{word(scalar.id), word(scalar.id), word(scalar.id), word(scalar.id)};
  return {
      module_.emit_words(spv::Op::OpCompositeConstruct, float_type(width), {parts.data(), width}),
      width};
}

auto shader_math::splat(truth scalar, std::uint32_t width) -> truth {
  if (width == 1) return scalar;
  const std::array parts{word(scalar.id), word(scalar.id), word(scalar.id), word(scalar.id)};
  return {
      module_.emit_words(spv::Op::OpCompositeConstruct, bool_type(width), {parts.data(), width}),
      width};
}

auto shader_math::compose(std::initializer_list<value> scalars) -> value {
  std::array<std::uint32_t, 4> parts{};
  std::uint32_t width = 0;
  for (const value v : scalars) parts[width++] = word(v.id);
  return {
      module_.emit_words(spv::Op::OpCompositeConstruct, float_type(width), {parts.data(), width}),
      width};
}

auto shader_math::swizzle(value v, std::uint8_t components, std::uint32_t width) -> value {
  if (width == 1) return component(v, swizzle_component(components, 0));
  if (v.width == width && components == identity_swizzle) return v;
  std::array<std::uint32_t, 6> words{word(v.id), word(v.id)};
  for (std::uint32_t i = 0; i < width; ++i) words[2 + i] = swizzle_component(components, i);
  return {
      module_.emit_words(spv::Op::OpVectorShuffle, float_type(width), {words.data(), 2 + width}),
      width};
}

auto shader_math::swizzle(truth t, std::uint8_t components) -> truth {
  if (components == identity_swizzle) return t;
  std::array<std::uint32_t, 6> words{word(t.id), word(t.id)};
  for (std::uint32_t i = 0; i < 4; ++i) words[2 + i] = swizzle_component(components, i);
  return {module_.emit_words(spv::Op::OpVectorShuffle, bool_type(4), words), 4};
}

auto shader_math::merge(value into, value with, std::uint8_t mask) -> value {
  if (mask == full_mask) return with;
  std::array<std::uint32_t, 6> words{word(into.id), word(with.id)};
  for (std::uint32_t i = 0; i < 4; ++i) words[2 + i] = i + ((mask >> i & 1u) != 0 ? 4 : 0);
  return {module_.emit_words(spv::Op::OpVectorShuffle, float_type(4), words), 4};
}

auto shader_math::ordered(spv::Op op, value a, value b) -> value {
  const spirv_id id = module_.emit(op, float_type(a.width), {a.id, b.id});
  module_.decorate(id, spv::Decoration::NoContraction);
  return {id, a.width};
}

auto shader_math::add(value a, value b) -> value {
  return ordered(spv::Op::OpFAdd, a, b);
}
auto shader_math::subtract(value a, value b) -> value {
  return ordered(spv::Op::OpFSub, a, b);
}
auto shader_math::multiply(value a, value b) -> value {
  return ordered(spv::Op::OpFMul, a, b);
}
auto shader_math::divide(value a, value b) -> value {
  return ordered(spv::Op::OpFDiv, a, b);
}

auto shader_math::negate(value v) -> value {
  return {module_.emit(spv::Op::OpFNegate, float_type(v.width), {v.id}), v.width};
}

auto shader_math::glsl(GLSLstd450 op, std::initializer_list<value> operands) -> value {
  const std::uint32_t width = operands.begin()->width;
  std::array<spirv_id, 3> ids{};
  std::size_t count = 0;
  for (const value v : operands) ids[count++] = v.id;
  return {module_.glsl(op, float_type(width), {ids.data(), count}), width};
}

auto shader_math::select(truth which, value yes, value no) -> value {
  return {module_.emit(spv::Op::OpSelect, float_type(yes.width), {which.id, yes.id, no.id}),
          yes.width};
}

auto shader_math::compare(comparison how, value a, value b) -> truth {
  const spv::Op op = comparison_ops[static_cast<std::size_t>(how)];
  if (op == spv::Op::OpNop) return truth_constant(how == comparison::always, a.width);
  return {module_.emit(op, bool_type(a.width), {a.id, b.id}), a.width};
}

auto shader_math::both(truth a, truth b) -> truth {
  return {module_.emit(spv::Op::OpLogicalAnd, bool_type(a.width), {a.id, b.id}), a.width};
}

auto shader_math::either(truth a, truth b) -> truth {
  return {module_.emit(spv::Op::OpLogicalOr, bool_type(a.width), {a.id, b.id}), a.width};
}

auto shader_math::invert(truth t) -> truth {
  return {module_.emit(spv::Op::OpLogicalNot, bool_type(t.width), {t.id}), t.width};
}

auto shader_math::product(value a, value b) -> value {
  if (rules_ == float_rules::fast) return multiply(a, b);
  return apply(helper_function::product, {a, b});
}

auto shader_math::dot(value a, value b, std::uint32_t count) -> value {
  constexpr std::array dots{helper_function::dot2, helper_function::dot3, helper_function::dot4};
  return apply(dots[count - 2], {a, b});
}

auto shader_math::clamp(value v, float low, float high) -> value {
  return glsl(GLSLstd450NClamp, {v, constant(low, v.width), constant(high, v.width)});
}

auto shader_math::saturate(value v) -> value {
  return clamp(v, 0, 1);
}

auto shader_math::finite(value v) -> value {
  const truth is_nan{module_.emit(spv::Op::OpIsNan, bool_type(v.width), {v.id}), v.width};
  return select(is_nan, v, clamp(v, -largest, largest));
}

auto shader_math::reciprocal(value v) -> value {
  return apply(helper_function::reciprocal, {v});
}
auto shader_math::reciprocal_root(value v) -> value {
  return apply(helper_function::reciprocal_root, {v});
}
auto shader_math::logarithm(value v) -> value {
  return apply(helper_function::logarithm, {v});
}
auto shader_math::power(value base, value exponent) -> value {
  return apply(helper_function::power, {base, exponent});
}
auto shader_math::fraction(value v) -> value {
  return apply(helper_function::fraction, {v});
}

/// The first use stands in its place, where it is shorter than a function; all later ones call.
auto shader_math::apply(helper_function which, std::initializer_list<value> operands) -> value {
  const helper_row& row = helper_rows[static_cast<std::size_t>(which)];
  const std::uint32_t width = operands.begin()->width;
  known_helper& known = helpers_[static_cast<std::size_t>(which)][width];
  if (is_in_helper_ || !std::exchange(known.is_used, true))
    return row.body(*this, operands.begin());
  if (known.function == spirv_id{}) known.function = function_of(which, width, operands.size());
  std::array<std::uint32_t, 3> words{word(known.function)};
  std::size_t count = 1;
  for (const value v : operands) words[count++] = word(v.id);
  const std::uint32_t result = row.is_sum ? 1 : width;
  return {module_.emit_words(spv::Op::OpFunctionCall, float_type(result), {words.data(), count}),
          result};
}

auto shader_math::function_of(helper_function which, std::uint32_t width, std::size_t operands)
    -> spirv_id {
  const helper_row& row = helper_rows[static_cast<std::size_t>(which)];
  std::array<spirv_id, 2> ids{};
  const spirv_id function = module_.begin_helper(float_type(row.is_sum ? 1 : width),
                                                 float_type(width), {ids.data(), operands});
  const std::array<value, 2> parameters{value{ids[0], width}, value{ids[1], width}};
  is_in_helper_ = true;
  module_.end_helper(row.body(*this, parameters.data()).id);
  is_in_helper_ = false;
  if (wants_names_) module_.name(function, row.name);
  return function;
}

}  // namespace aerogpu::d3d9
