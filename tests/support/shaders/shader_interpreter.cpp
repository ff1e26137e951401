// SPDX-License-Identifier: MIT
// Walks a program: operands, flow control and texture instructions.
#include "tests/support/shaders/shader_interpreter.hpp"

#include "d3d9_to_spirv/register_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace aerogpu::test {

namespace {

using d3d9::instruction;
using d3d9::opcode;
using d3d9::register_ref;
using d3d9::register_type;
using d3d9::source_modifier;
using d3d9::source_operand;

constexpr int loop_rounds_in_all = 65536;

auto modified(float v, source_modifier how) -> float {
  switch (how) {
    case source_modifier::negate: return -v;
    case source_modifier::bias: return v - 0.5f;
    case source_modifier::bias_negate: return -(v - 0.5f);
    case source_modifier::sign: return 2 * v - 1;
    case source_modifier::sign_negate: return -(2 * v - 1);
    case source_modifier::complement: return 1 - v;
    case source_modifier::x2: return 2 * v;
    case source_modifier::x2_negate: return -(2 * v);
    case source_modifier::absolute: return std::fabs(v);
    case source_modifier::absolute_negate: return -std::fabs(v);
    default: return v;
  }
}

auto opens(opcode op) -> bool {
  return op == opcode::if_ || op == opcode::ifc || op == opcode::rep || op == opcode::loop;
}

auto closes(opcode op) -> bool {
  return op == opcode::endif || op == opcode::endrep || op == opcode::endloop;
}

class machine {
 public:
  machine(const d3d9::program& shader, const interpreter_inputs& in)
      : shader_(shader), in_(in), constants_(in.constants), t_(in.t) {
    for (const d3d9::definition& d : shader.definitions) define(d);
    if (is_ps_before_1_4()) t_ = {};
  }

  auto run() -> interpreter_outputs {
    const d3d9::routine& main = shader_.routines[0];
    run_block(main.begin, main.end);
    finish();
    return out_;
  }

 private:
  enum class left_by : std::uint8_t { end, break_out };

  [[nodiscard]] auto is_pixel() const -> bool { return shader_.version.is_pixel; }
  [[nodiscard]] auto is_ps_1() const -> bool { return is_pixel() && shader_.version.major == 1; }
  [[nodiscard]] auto is_ps_before_1_4() const -> bool {
    return is_ps_1() && shader_.version.minor < 4;
  }

  void define(const d3d9::definition& d);
  void finish();
  auto run_block(std::uint32_t at, std::uint32_t end) -> left_by;
  auto run_loop(const instruction& in, std::uint32_t begin, std::uint32_t end) -> void;
  [[nodiscard]] auto end_of_block(std::uint32_t at) const -> std::uint32_t;
  [[nodiscard]] auto else_of_block(std::uint32_t at, std::uint32_t end) const -> std::uint32_t;
  [[nodiscard]] auto condition(const instruction& in) -> bool;
  [[nodiscard]] auto truth(const source_operand& from) const -> bool;
  void call(std::uint32_t label);
  auto run_plain(std::uint32_t at, std::uint32_t end) -> std::uint32_t;

  [[nodiscard]] auto index_of(const register_ref& reg) const -> std::int64_t;
  [[nodiscard]] auto raw(const register_ref& reg) const -> float4;
  [[nodiscard]] auto constant(const register_ref& reg) const -> float4;
  [[nodiscard]] auto read(const source_operand& from) const -> float4;
  [[nodiscard]] auto register_at(const register_ref& reg) -> float4*;
  void write(const instruction& in, const float4& value, std::uint8_t can_write = 0xF);
  [[nodiscard]] auto writes(const instruction& in, std::uint32_t component) const -> bool;

  [[nodiscard]] auto evaluate(const instruction& in) const -> arithmetic_result;
  void set_predicate(const instruction& in);
  void store_address(const instruction& in, const float4& value);
  void run_texture(const instruction& in);
  void kill(const instruction& in);
  [[nodiscard]] auto sample_sm2(const instruction& in) const -> float4;
  [[nodiscard]] auto address_texture(const instruction& in) -> float4;
  [[nodiscard]] auto rows_of(const instruction& in, std::uint32_t count) const -> float4;
  void write_depth_ratio(float numerator, float denominator);

  const d3d9::program& shader_;
  const interpreter_inputs& in_;
  d3d9::constant_block constants_;
  std::vector<std::array<std::uint32_t, 5>> far_definitions_;
  std::array<float4, 32> r_{};
  std::array<float4, 8> t_;
  std::array<float, 8> matrix_rows_{};
  std::array<std::int32_t, 4> a0_{};
  std::int32_t loop_counter_ = 0;
  std::array<bool, 4> p0_{};
  int rounds_left_ = loop_rounds_in_all;
  interpreter_outputs out_;
};

void machine::define(const d3d9::definition& d) {
  if (d.type == register_type::constant_bool) {
    constants_.bools &= ~(1u << d.number);
    constants_.bools |= (d.words[0] != 0 ? 1u : 0u) << d.number;
  } else if (d.type == register_type::constant_int) {
    constants_.ints[d.number] = std::bit_cast<std::array<std::int32_t, 4>>(d.words);
  } else if (d.number < constants_.floats.size()) {
    constants_.floats[d.number] = std::bit_cast<float4>(d.words);
  } else {
    far_definitions_.push_back({d.number, d.words[0], d.words[1], d.words[2], d.words[3]});
  }
}

void machine::finish() {
  if (is_ps_1()) out_.colors[0] = r_[0];
  for (float4& color : out_.attributes) std::ranges::transform(color, color.begin(), saturated);
  out_.rast[1][0] = saturated(out_.rast[1][0]);  // oFog, that of vs_3_0 being an o register.
  out_.depth = saturated(out_.depth);
}

auto machine::end_of_block(std::uint32_t at) const -> std::uint32_t {
  for (std::uint32_t depth = 0;; ++at) {
    const opcode op = shader_.instructions[at].op;
    if (opens(op)) ++depth;
    if (closes(op) && --depth == 0) return at;
  }
}

/// Where the else of the `if` at `at` is, or its end.
auto machine::else_of_block(std::uint32_t at, std::uint32_t end) const -> std::uint32_t {
  std::uint32_t depth = 0;
  for (std::uint32_t i = at + 1; i < end; ++i) {
    const opcode op = shader_.instructions[i].op;
    if (op == opcode::else_ && depth == 0) return i;
    depth += opens(op) ? 1u : 0u;
    depth -= closes(op) ? 1u : 0u;
  }
  return end;
}

auto machine::run_block(std::uint32_t at, std::uint32_t end) -> left_by {
  while (at < end) {
    const instruction& in = shader_.instructions[at];
    switch (in.op) {
      case opcode::if_:
      case opcode::ifc: {
        const std::uint32_t last = end_of_block(at);
        const std::uint32_t other = else_of_block(at, last);
        const left_by how = condition(in)  ? run_block(at + 1, other)
                            : other < last ? run_block(other + 1, last)
                                           : left_by::end;
        if (how == left_by::break_out) return how;
        at = last + 1;
        break;
      }
      case opcode::rep:
      case opcode::loop: {
        const std::uint32_t last = end_of_block(at);
        run_loop(in, at + 1, last);
        at = last + 1;
        break;
      }
      case opcode::break_: return left_by::break_out;
      case opcode::breakc:
      case opcode::breakp:
        if (condition(in)) return left_by::break_out;
        ++at;
        break;
      case opcode::call:
      case opcode::callnz:
        if (in.op == opcode::call || truth(in.sources[1])) call(in.sources[0].reg.number);
        ++at;
        break;
      default: at = run_plain(at, end);
    }
  }
  return left_by::end;
}

void machine::run_loop(const instruction& in, std::uint32_t begin, std::uint32_t end) {
  const bool counts = in.op == opcode::loop;
  const auto numbers = constants_.ints[in.sources[counts ? 1 : 0].reg.number];
  const std::int32_t outer = loop_counter_;
  if (counts) loop_counter_ = std::clamp(numbers[1], 0, 255);
  for (std::int32_t i = std::clamp(numbers[0], 0, 255); i > 0 && rounds_left_ > 0; --i) {
    if (run_block(begin, end) == left_by::break_out) break;
    --rounds_left_;
    if (counts) loop_counter_ += std::clamp(numbers[2], -128, 127);
  }
  if (counts) loop_counter_ = outer;
}

auto machine::truth(const source_operand& from) const -> bool {
  const bool is_bool = from.reg.type == register_type::constant_bool;
  const bool plain = is_bool ? (constants_.bools >> from.reg.number & 1u) != 0
                             : p0_[d3d9::swizzle_component(from.swizzle, 0)];
  return plain != (from.modifier == source_modifier::logical_not);
}

auto machine::condition(const instruction& in) -> bool {
  if (in.op == opcode::if_ || in.op == opcode::breakp) return truth(in.sources[0]);
  return holds(static_cast<d3d9::comparison>(in.control), read(in.sources[0])[0],
               read(in.sources[1])[0]);
}

void machine::call(std::uint32_t label) {
  const auto body =
      std::ranges::find_if(shader_.routines.begin() + 1, shader_.routines.end(),
                           [label](const d3d9::routine& r) { return r.label == label; });
  run_block(body->begin, body->end);
}

/// Instructions that were issued together read before any of them writes.
auto machine::run_plain(std::uint32_t at, std::uint32_t end) -> std::uint32_t {
  const instruction& in = shader_.instructions[at];
  const auto kind = shader_.row_of(in).kind;
  if (kind == d3d9::opcode_class::texture) run_texture(in);
  if (kind != d3d9::opcode_class::arithmetic) return at + 1;
  if (in.op == opcode::setp) {
    set_predicate(in);
    return at + 1;
  }
  std::uint32_t last = at + 1;
  std::vector<arithmetic_result> made{evaluate(in)};
  while (last < end && shader_.instructions[last].is_coissued) {
    made.push_back(evaluate(shader_.instructions[last++]));
  }
  for (std::uint32_t i = at; i < last; ++i) {
    write(shader_.instructions[i], made[i - at].value, made[i - at].mask);
  }
  return last;
}

auto machine::index_of(const register_ref& reg) const -> std::int64_t {
  if (!reg.is_relative) return reg.number;
  return std::int64_t{reg.number} + (reg.index_is_loop ? loop_counter_ : a0_[reg.index_component]);
}

auto machine::constant(const register_ref& reg) const -> float4 {
  const std::int64_t index = index_of(reg);
  const auto count = static_cast<std::int64_t>(constants_.floats.size());
  float4 v{};
  if (index >= 0 && index < count) v = constants_.floats[static_cast<std::size_t>(index)];
  for (const auto& far : far_definitions_) {
    if (reg.is_relative || far[0] != reg.number) continue;
    for (std::size_t i = 0; i < 4; ++i) v[i] = std::bit_cast<float>(far[1 + i]);
  }
  if (is_ps_1()) {
    for (float& part : v) part = std::fmin(std::fmax(part, -1.0f), 1.0f);
  }
  return v;
}

auto machine::raw(const register_ref& reg) const -> float4 {
  const std::int64_t index = index_of(reg);
  switch (reg.type) {
    case register_type::temp: return r_[reg.number];
    case register_type::input:
      return index >= 0 && index < 16 ? in_.v[static_cast<std::size_t>(index)] : float4{};
    case register_type::constant: return constant(reg);
    case register_type::address_or_texture: return t_[reg.number];
    case register_type::misc: return in_.misc[reg.number];
    default: return {};
  }
}

auto machine::read(const source_operand& from) const -> float4 {
  float4 v = raw(from.reg);
  const bool by_z = from.modifier == source_modifier::divide_z;
  if (by_z || from.modifier == source_modifier::divide_w) {
    const float divisor = v[by_z ? 2 : 3];
    v[0] /= divisor;
    v[1] /= divisor;
  }
  float4 out;
  for (std::uint32_t i = 0; i < 4; ++i) {
    out[i] = modified(v[d3d9::swizzle_component(from.swizzle, i)], from.modifier);
  }
  return out;
}

auto machine::register_at(const register_ref& reg) -> float4* {
  switch (reg.type) {
    case register_type::temp: return &r_[reg.number];
    case register_type::address_or_texture: return &t_[reg.number];
    case register_type::rast_out: return &out_.rast[reg.number];
    case register_type::attribute_out: return &out_.attributes[reg.number];
    case register_type::texcoord_out_or_output: {
      const std::int64_t index = index_of(reg);
      return index >= 0 && index < 12 ? &out_.o[static_cast<std::size_t>(index)] : nullptr;
    }
    case register_type::color_out: return &out_.colors[reg.number];
    default: return nullptr;
  }
}

auto machine::writes(const instruction& in, std::uint32_t component) const -> bool {
  const register_ref& reg = in.destination.reg;
  const bool is_masked = !d3d9::is_scalar(reg.type, reg.number);
  if (is_masked && (in.destination.write_mask >> component & 1u) == 0) return false;
  if (!in.is_predicated) return true;
  const bool plain = p0_[d3d9::swizzle_component(in.predicate.swizzle, component)];
  return plain != (in.predicate.modifier == source_modifier::logical_not);
}

void machine::write(const instruction& in, const float4& value, std::uint8_t can_write) {
  const register_ref& reg = in.destination.reg;
  const bool is_address = reg.type == register_type::address_or_texture && !is_pixel();
  if (is_address) return store_address(in, value);
  float4* to = register_at(reg);
  for (std::uint32_t i = 0; i < 4; ++i) {
    float v = std::ldexp(value[i], in.destination.shift);
    if (in.destination.saturate) v = saturated(v);
    if (reg.type == register_type::depth_out) {
      if (i == 0 && writes(in, 0)) out_.depth = v;
    } else if (to != nullptr && writes(in, i) && (can_write >> i & 1u) != 0) {
      (*to)[i] = v;
    }
  }
}

void machine::store_address(const instruction& in, const float4& value) {
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (!writes(in, i)) continue;
    const float whole =
        shader_.version.major == 1 ? std::floor(value[i]) : std::nearbyint(value[i]);
    a0_[i] = static_cast<std::int32_t>(std::fmin(std::fmax(whole, -2147483648.0f), 2147483520.0f));
  }
}

auto machine::evaluate(const instruction& in) const -> arithmetic_result {
  std::array<float4, 5> sources{};
  for (std::size_t i = 0; i < in.source_count; ++i) sources[i] = read(in.sources[i]);
  for (unsigned row = 0; row < shader_.row_of(in).second_source_rows(); ++row) {
    source_operand from = in.sources[1];
    from.reg.number = static_cast<std::uint16_t>(from.reg.number + row);
    sources[1 + row] = read(from);
  }
  if (in.op == opcode::dsx || in.op == opcode::dsy) return {};
  return compute(in, shader_.version, sources);
}

void machine::set_predicate(const instruction& in) {
  const float4 a = read(in.sources[0]), b = read(in.sources[1]);
  std::array<bool, 4> next = p0_;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (!writes(in, i)) continue;
    next[i] = holds(static_cast<d3d9::comparison>(in.control), a[i], b[i]);
  }
  p0_ = next;
}

void machine::kill(const instruction& in) {
  const register_ref& reg = in.destination.reg;
  const bool is_coordinate = is_ps_before_1_4() && reg.type == register_type::address_or_texture;
  const float4 v = is_coordinate ? in_.t[reg.number] : raw(reg);
  instruction tested = in;
  if (is_ps_1()) tested.destination.write_mask = 0x7;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (writes(tested, i) && v[i] < 0) out_.is_killed = true;
  }
}

auto machine::sample_sm2(const instruction& in) const -> float4 {
  float4 coordinate = read(in.sources[0]);
  if (in.op == opcode::tex && (in.control & d3d9::texture_control_project) != 0) {
    for (std::size_t i = 0; i < 3; ++i) coordinate[i] /= coordinate[3];
  }
  const float4 texel = in_.read_texel(in.sources[1].reg.number, coordinate);
  float4 out;
  for (std::uint32_t i = 0; i < 4; ++i) {
    out[i] = texel[d3d9::swizzle_component(in.sources[1].swizzle, i)];
  }
  return out;
}

/// The products of `count` rows, of which this instruction has the last; w is 1.
auto machine::rows_of(const instruction& in, std::uint32_t count) const -> float4 {
  const std::uint32_t stage = in.destination.reg.number;
  float4 rows{0, 0, 0, 1};
  for (std::uint32_t i = 0; i + 1 < count; ++i) rows[i] = matrix_rows_[stage + 1 + i - count];
  rows[count - 1] = legacy_dot(in_.t[stage], read(in.sources[0]), 3);
  return rows;
}

void machine::write_depth_ratio(float numerator, float denominator) {
  out_.depth = denominator == 0 ? 1 : numerator / denominator;
}

/// What an instruction of ps_1_0 - 1_3 that names a stage puts there.
auto machine::address_texture(const instruction& in) -> float4 {
  const std::uint32_t stage = in.destination.reg.number;
  const float4& own = in_.t[stage];
  const auto by = [&](const float4& coordinate) { return in_.read_texel(stage, coordinate); };
  const auto reflected = [&](const float4& eye) {
    const float4 n = rows_of(in, 3);
    const float twice = legacy_dot(n, eye, 3);
    const float scale = (twice + twice) / legacy_dot(n, n, 3);
    float4 r{};
    for (std::size_t i = 0; i < 3; ++i) r[i] = legacy_product(n[i], scale) - eye[i];
    return r;
  };
  const float4 from = in.source_count != 0 ? read(in.sources[0]) : float4{};
  const float dot = legacy_dot(own, from, 3);
  switch (in.op) {
    case opcode::texcoord: return {saturated(own[0]), saturated(own[1]), saturated(own[2]), 1};
    case opcode::texreg2ar: return by({from[3], from[0], 0, 0});
    case opcode::texreg2gb: return by({from[1], from[2], 0, 0});
    case opcode::texreg2rgb: return by(from);
    case opcode::texdp3tex: return by({dot, 0, 0, 0});
    case opcode::texdp3: return {dot, dot, dot, dot};
    case opcode::texm3x2tex: return by(rows_of(in, 2));
    case opcode::texm3x3tex: return by(rows_of(in, 3));
    case opcode::texm3x3: return rows_of(in, 3);
    case opcode::texm3x3spec: return by(reflected(read(in.sources[1])));
    case opcode::texm3x3vspec:
      return by(reflected({in_.t[stage - 2][3], in_.t[stage - 1][3], own[3], 1}));
    default: return by(own);  // tex, and texbem and texbeml with their zero matrix.
  }
}

void machine::run_texture(const instruction& in) {
  const std::uint32_t number = in.destination.reg.number;
  switch (in.op) {
    case opcode::texkill: return kill(in);
    case opcode::texdepth: return write_depth_ratio(r_[number][0], r_[number][1]);
    case opcode::texm3x2pad:
    case opcode::texm3x3pad:
      matrix_rows_[number] = legacy_dot(in_.t[number], read(in.sources[0]), 3);
      return;
    case opcode::texm3x2depth: {
      const float4 rows = rows_of(in, 2);
      return write_depth_ratio(rows[0], rows[1]);
    }
    default: break;
  }
  if (is_ps_before_1_4()) return write(in, address_texture(in));
  if (shader_.version.major >= 2) return write(in, sample_sm2(in));
  const float4 coordinate = read(in.sources[0]);
  write(in, in.op == opcode::tex ? in_.read_texel(number, coordinate) : coordinate);
}

}  // namespace

auto interpret(const d3d9::program& shader, const interpreter_inputs& inputs)
    -> interpreter_outputs {
  return machine{shader, inputs}.run();
}

}  // namespace aerogpu::test
