// SPDX-License-Identifier: MIT
// Arithmetic instructions on the host.
#include "tests/support/shaders/shader_arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace aerogpu::test {

namespace {

using d3d9::opcode;

constexpr float largest_float = std::numeric_limits<float>::max();
constexpr float below_one = 0.99999994f;

auto splatted(float v) -> float4 {
  return {v, v, v, v};
}

template <class Function, class... Sources>
auto each(Function&& f, const Sources&... s) -> float4 {
  return {f(s[0]...), f(s[1]...), f(s[2]...), f(s[3]...)};
}

auto bounded(float v) -> float {
  return std::isnan(v) ? v : std::clamp(v, -largest_float, largest_float);
}

auto root_reciprocal(float v) -> float {
  return v == 0 ? largest_float : bounded(1 / std::sqrt(std::fabs(v)));
}

auto logarithm(float v) -> float {
  return v == 0 ? -largest_float : bounded(std::log2(std::fabs(v)));
}

auto power(float base, float exponent) -> float {
  if (exponent == 0) return 1;
  if (base == 0) return exponent < 0 ? largest_float : 0;
  if (std::isnan(exponent)) return exponent;  // The library has pow(1, NaN) = 1.
  return bounded(std::pow(std::fabs(base), exponent));
}

auto fraction(float v) -> float {
  const float part = v - std::floor(v);
  return part > below_one ? below_one : part;
}

auto sign(float v) -> float {
  return v < 0 ? -1.0f : v > 0 ? 1.0f : 0.0f;
}

auto lit(const float4& s) -> float4 {
  constexpr float limit = 127.9961f;
  const float exponent = std::fmin(std::fmax(s[3], -limit), limit);
  const bool is_lit = s[0] > 0 && s[1] > 0;
  return {1, std::fmax(s[0], 0.0f), is_lit ? power(s[1], exponent) : 0, 1};
}

auto cross(const float4& a, const float4& b) -> float4 {
  float4 v{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    v[i] = legacy_product(a[j], b[k]) - legacy_product(a[k], b[j]);
  }
  return v;
}

auto exponential_parts(float s, bool is_sm1) -> float4 {
  if (!is_sm1) return splatted(std::exp2(s));
  const float whole = std::floor(s);
  return {std::exp2(whole), s - whole, std::exp2(s), 1};
}

/// Before ps_1_4 a co-issued cnd copies unless it writes alpha alone.
auto conditional(const d3d9::instruction& in, d3d9::shader_version version,
                 std::span<const float4> s) -> float4 {
  constexpr std::uint8_t alpha = 8;
  const bool copies = version.minor < 4 && in.is_coissued && in.destination.write_mask != alpha;
  if (copies) return s[1];
  return each([](float a, float b, float c) { return a > 0.5f ? b : c; }, s[0], s[1], s[2]);
}

auto times_matrix(opcode op, std::span<const float4> s) -> arithmetic_result {
  const bool has_w = op == opcode::m4x4 || op == opcode::m4x3;
  const auto rows = find_d3d9_opcode(static_cast<std::uint32_t>(op), 0x0200)->second_source_rows();
  arithmetic_result made{{}, 0};
  for (std::size_t i = 0; i < rows; ++i) {
    made.value[i] = legacy_dot(s[0], s[1 + i], has_w ? 4 : 3);
    made.mask = static_cast<std::uint8_t>(made.mask | 1u << i);
  }
  return made;
}

}  // namespace

auto legacy_product(float a, float b) -> float {
  return a == 0 || b == 0 ? 0 : a * b;
}

auto legacy_dot(const float4& a, const float4& b, std::size_t count) -> float {
  float sum = legacy_product(a[0], b[0]);
  for (std::size_t i = 1; i < count; ++i) sum += legacy_product(a[i], b[i]);
  return sum;
}

auto saturated(float v) -> float {
  return std::fmin(std::fmax(v, 0.0f), 1.0f);
}

auto holds(d3d9::comparison how, float a, float b) -> bool {
  switch (how) {
    case d3d9::comparison::never: return false;
    case d3d9::comparison::gt: return a > b;
    case d3d9::comparison::eq: return a == b;
    case d3d9::comparison::ge: return a >= b;
    case d3d9::comparison::lt: return a < b;
    case d3d9::comparison::ne: return a != b;
    case d3d9::comparison::le: return a <= b;
    case d3d9::comparison::always: return true;
  }
  return false;
}

auto compute(const d3d9::instruction& in, d3d9::shader_version version, std::span<const float4> s)
    -> arithmetic_result {
  const auto minus = [](float a, float b) { return a - b; };
  const auto plus = [](float a, float b) { return a + b; };
  const auto as_number = [](bool b) { return b ? 1.0f : 0.0f; };
  switch (in.op) {
    case opcode::mov:
    case opcode::mova: return {s[0]};
    case opcode::add: return {each(plus, s[0], s[1])};
    case opcode::sub: return {each(minus, s[0], s[1])};
    case opcode::mul: return {each(legacy_product, s[0], s[1])};
    case opcode::mad: return {each(plus, each(legacy_product, s[0], s[1]), s[2])};
    case opcode::lrp:
      return {each(plus, each(legacy_product, s[0], each(minus, s[1], s[2])), s[2])};
    case opcode::rcp: return {splatted(bounded(1 / s[0][0]))};
    case opcode::rsq: return {splatted(root_reciprocal(s[0][0]))};
    case opcode::exp: return {splatted(std::exp2(s[0][0]))};
    case opcode::expp: return {exponential_parts(s[0][0], version.major == 1)};
    case opcode::log:
    case opcode::logp: return {splatted(logarithm(s[0][0]))};
    case opcode::pow: return {splatted(power(s[0][0], s[1][0]))};
    case opcode::dp3: return {splatted(legacy_dot(s[0], s[1], 3))};
    case opcode::dp4: return {splatted(legacy_dot(s[0], s[1], 4))};
    case opcode::dp2add: return {splatted(legacy_dot(s[0], s[1], 2) + s[2][0])};
    case opcode::min: return {each([](float a, float b) { return std::fmin(a, b); }, s[0], s[1])};
    case opcode::max: return {each([](float a, float b) { return std::fmax(a, b); }, s[0], s[1])};
    case opcode::slt: return {each([&](float a, float b) { return as_number(a < b); }, s[0], s[1])};
    case opcode::sge:
      return {each([&](float a, float b) { return as_number(a >= b); }, s[0], s[1])};
    case opcode::lit: return {lit(s[0])};
    case opcode::dst: return {{1, legacy_product(s[0][1], s[1][1]), s[0][2], s[1][3]}};
    case opcode::frc: return {each(fraction, s[0])};
    case opcode::abs: return {each([](float v) { return std::fabs(v); }, s[0])};
    case opcode::sgn: return {each(sign, s[0])};
    case opcode::crs: return {cross(s[0], s[1]), 0x7};
    case opcode::nrm:
      return {each(legacy_product, s[0], splatted(root_reciprocal(legacy_dot(s[0], s[0], 3))))};
    case opcode::sincos: return {{std::cos(s[0][0]), std::sin(s[0][0]), 0, 0}, 0x3};
    case opcode::cnd: return {conditional(in, version, s)};
    case opcode::cmp:
      return {each([](float a, float b, float c) { return a >= 0 ? b : c; }, s[0], s[1], s[2])};
    case opcode::bem: return {s[0], 0x3};  // The bump matrix is zero.
    default: return times_matrix(in.op, s);
  }
}

auto is_close(float a, float b, float tolerance) -> bool {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return std::fabs(a - b) <= tolerance * std::fmax(1.0f, std::fmax(std::fabs(a), std::fabs(b)));
}

auto is_close(const float4& a, const float4& b, float tolerance) -> bool {
  for (std::size_t i = 0; i < 4; ++i) {
    if (!is_close(a[i], b[i], tolerance)) return false;
  }
  return true;
}

auto text_of(const float4& v) -> std::string {
  std::ostringstream out;
  out.precision(9);
  out << v[0] << ' ' << v[1] << ' ' << v[2] << ' ' << v[3];
  return out.str();
}

}  // namespace aerogpu::test
