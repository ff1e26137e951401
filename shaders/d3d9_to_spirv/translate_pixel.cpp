// SPDX-License-Identifier: MIT
// The entry point of pixel shaders: varyings in; fog, alpha test, colours and depth out
// (shaders.md 1.14 and 2.7).
#include "d3d9_to_spirv/shader_context.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::d3d9 {

namespace {

constexpr register_file pixel_inputs = file_of(register_type::input);
constexpr register_file textures = file_of(register_type::address_or_texture);
constexpr register_file misc = file_of(register_type::misc);
constexpr register_file colors = file_of(register_type::color_out);
constexpr register_file depth = file_of(register_type::depth_out);
constexpr std::uint32_t position_register = 0;
constexpr std::uint32_t face_register = 1;
constexpr std::uint32_t input_count = 16;
constexpr std::uint32_t texture_count = 8;
constexpr std::uint32_t color_count = 4;
constexpr std::uint32_t varying_count = fixed_varyings + max_extra_varyings;

/// Builds the entry point.
class pixel_entry {
 public:
  explicit pixel_entry(shader_context& to) noexcept : to_(to), m_(to.module) {}

  void emit(spirv_id body);

 private:
  [[nodiscard]] auto varying(semantic s) -> value;
  [[nodiscard]] auto fragment_coordinate() -> value;
  void load_inputs();
  void load_declared_inputs();
  void load_numbered_inputs();
  void load_misc();
  [[nodiscard]] auto final_color(std::uint32_t number) -> value;
  [[nodiscard]] auto fogged(value color) -> value;
  [[nodiscard]] auto fog_factor() -> value;
  [[nodiscard]] auto fog_distance() -> value;
  [[nodiscard]] auto is_written(std::uint32_t color) const -> bool;
  void test_alpha(value alpha);
  void store_color(std::uint32_t number, value color);
  void hold_first_target();
  void store_depth();

  shader_context& to_;
  spirv_module& m_;
  spirv_id main_{};
  std::array<spirv_id, varying_count> varyings_{};  ///< Variables, by location.
  spirv_id point_coordinate_{}, fragment_coordinate_{};
};

auto is_centroid(const program& shader, semantic s) noexcept -> bool {
  return std::ranges::any_of(shader.declarations, [&](const declaration& d) {
    if (!d.centroid || d.reg.type == register_type::sampler) return false;
    if (shader.version.major >= 3) return s == semantic{d.semantic, d.semantic_index};
    const usage what = d.reg.type == register_type::input ? usage::color : usage::texcoord;
    return s == semantic{what, static_cast<std::uint8_t>(d.reg.number)};
  });
}

/// What the rasteriser delivers for a semantic; zero where no vertex shader can write it.
auto pixel_entry::varying(semantic s) -> value {
  if (to_.options.is_point_sprite && s.what == usage::texcoord) {
    const spirv_id type = to_.math.float_type(2);
    if (point_coordinate_ == spirv_id{}) {
      point_coordinate_ =
          builtin_variable(to_, spv::StorageClass::Input, type, spv::BuiltIn::PointCoord);
    }
    const value at{m_.load(type, point_coordinate_), 2};
    const value zero = to_.math.constant(0, 1);
    return to_.math.compose({to_.math.component(at, 0), to_.math.component(at, 1), zero, zero});
  }
  const std::uint8_t location = location_of(s, to_.options.extra_varyings);
  if (location == no_location) return to_.math.constant(0);
  spirv_id& variable = varyings_[location];
  const spirv_id type = to_.math.float_type(4);
  if (variable == spirv_id{}) {
    variable = interface_variable(to_, spv::StorageClass::Input, type);
    m_.decorate(variable, spv::Decoration::Location, {location});
    to_.out.read_varyings |= varying_mask{1} << location;
    if (to_.options.is_flat_shaded && s.what == usage::color) {
      m_.decorate(variable, spv::Decoration::Flat);
    } else if (is_centroid(to_.shader, s)) {
      m_.decorate(variable, spv::Decoration::Centroid);
    }
  }
  return {m_.load(type, variable), 4};
}

auto pixel_entry::fragment_coordinate() -> value {
  const spirv_id type = to_.math.float_type(4);
  if (fragment_coordinate_ == spirv_id{}) {
    fragment_coordinate_ =
        builtin_variable(to_, spv::StorageClass::Input, type, spv::BuiltIn::FragCoord);
  }
  return {m_.load(type, fragment_coordinate_), 4};
}

/// ps_3_0: one register may hold parts of several semantics.
void pixel_entry::load_declared_inputs() {
  for (const declaration& d : to_.shader.declarations) {
    if (d.reg.type != register_type::input || !to_.registers.is_used(pixel_inputs, d.reg.number)) {
      continue;
    }
    const value v = varying({d.semantic, d.semantic_index});
    const value old = to_.registers.load(pixel_inputs, d.reg.number);
    to_.registers.store(pixel_inputs, d.reg.number, to_.math.merge(old, v, d.write_mask));
  }
}

/// Below ps_3_0 v# is a colour, in 0..1 whoever wrote it, and t# a texture coordinate.
void pixel_entry::load_numbered_inputs() {
  for (std::uint8_t i = 0; i < input_count; ++i) {
    if (!to_.registers.is_used(pixel_inputs, i)) continue;
    to_.registers.store(pixel_inputs, i, to_.math.saturate(varying({usage::color, i})));
  }
  const register_file file = to_.is_ps_below_1_4() ? register_file::texture_coordinates : textures;
  for (std::uint8_t i = 0; i < texture_count; ++i) {
    if (!to_.registers.is_used(file, i)) continue;
    to_.registers.store(file, i, varying({usage::texcoord, i}));
  }
}

void pixel_entry::load_misc() {
  if (to_.registers.is_used(misc, position_register)) {
    const value centre = to_.math.constant(0.5f);
    const value corner = to_.math.subtract(fragment_coordinate(), centre);
    to_.registers.store(misc, position_register, to_.math.merge(to_.math.constant(0), corner, 0x3));
  }
  if (to_.registers.is_used(misc, face_register)) {
    const spirv_id type = m_.type_bool();
    const spirv_id variable =
        builtin_variable(to_, spv::StorageClass::Input, type, spv::BuiltIn::FrontFacing);
    const truth is_front{m_.load(type, variable), 1};
    const value sign = to_.math.select(is_front, to_.math.constant(1, 1), to_.math.constant(-1, 1));
    to_.registers.store(misc, face_register, to_.math.splat(sign));
  }
}

void pixel_entry::load_inputs() {
  if (to_.major() >= 3) {
    load_declared_inputs();
    load_misc();
  } else {
    load_numbered_inputs();
  }
}

auto pixel_entry::is_written(std::uint32_t color) const -> bool {
  if (to_.major() == 1) return color == 0;
  return to_.registers.is_used(colors, color);
}

/// The colour of ps_1_x is r0.
auto pixel_entry::final_color(std::uint32_t number) -> value {
  const value color = to_.major() == 1 ? to_.registers.load(file_of(register_type::temp), 0)
                                       : to_.registers.load(colors, number);
  const bool can_have_fog = number == 0 && (to_.major() < 3 || to_.options.fogs_model_3);
  return can_have_fog && to_.options.fog != fog_mode::none ? fogged(color) : color;
}

/// Of the position: z over 1 / w of the fragment, or w. The fragment's own z is linear on the
/// screen.
auto pixel_entry::fog_distance() -> value {
  if (to_.options.fog_from == fog_depth::of_varying) {
    return to_.math.component(varying({usage::fog, 0}), 0);
  }
  const value at = fragment_coordinate();
  if (to_.options.fog_from == fog_depth::of_fragment) return to_.math.component(at, 2);
  const bool is_w = to_.options.fog_from == fog_depth::of_w;
  const value over = is_w ? to_.math.constant(1, 1) : to_.math.component(at, 2);
  return to_.math.divide(over, to_.math.component(at, 3));
}

auto pixel_entry::fog_factor() -> value {
  shader_math& math = to_.math;
  const auto pushed = [&](std::size_t offset) -> value { return {push_constant(to_, offset), 1}; };
  if (to_.options.fog == fog_mode::vertex) {
    return math.saturate(math.component(varying({usage::fog, 0}), 0));
  }
  const value distance = fog_distance();
  if (to_.options.fog == fog_mode::linear) {
    const value left = math.subtract(pushed(offsetof(push_constants, fog_end)), distance);
    return math.saturate(math.multiply(left, pushed(offsetof(push_constants, fog_inverse_range))));
  }
  const value dense = math.multiply(distance, pushed(offsetof(push_constants, fog_density)));
  const bool squares = to_.options.fog == fog_mode::exponential_squared;
  const value power = squares ? math.multiply(dense, dense) : dense;
  return math.saturate(math.glsl(GLSLstd450Exp, {math.negate(power)}));
}

auto pixel_entry::fogged(value color) -> value {
  constexpr std::uint8_t red_green_blue = 0xC6;  // From B, G, R, A.
  shader_math& math = to_.math;
  const spirv_id packed = push_constant(to_, offsetof(push_constants, fog_color));
  const spirv_id bgra = m_.glsl(GLSLstd450UnpackUnorm4x8, math.float_type(4), std::array{packed});
  const value fog = math.swizzle(value{bgra, 4}, red_green_blue);
  const value factor = math.splat(fog_factor());
  const value mixed = math.add(fog, math.multiply(math.subtract(color, fog), factor));
  return math.merge(color, mixed, 0x7);
}

/// The function minus one has a bit each for less, equal and greater.
void pixel_entry::test_alpha(value alpha) {
  shader_math& math = to_.math;
  const spirv_id uint_type = m_.type_uint();
  const spirv_id bool_type = m_.type_bool();
  const auto number = [&](std::uint32_t n) { return m_.constant_uint(n); };
  const spirv_id function = m_.spec_constant_uint(alpha_always, alpha_function_spec_id);
  if (to_.options.wants_names) m_.name(function, "alpha_function");
  const spirv_id passes =
      m_.emit(spv::Op::OpBitwiseAnd, uint_type,
              {m_.emit(spv::Op::OpISub, uint_type, {function, number(1)}), number(7)});
  const value clamped = math.saturate(alpha);
  const value reference{push_constant(to_, offsetof(push_constants, alpha_reference)), 1};
  constexpr std::array outcomes{comparison::lt, comparison::eq, comparison::gt};
  spirv_id outcome = number(0);
  for (std::uint32_t i = 0; i < outcomes.size(); ++i) {
    const truth holds = math.compare(outcomes[i], clamped, reference);
    outcome = m_.emit(spv::Op::OpSelect, uint_type, {holds.id, number(1u << i), outcome});
  }
  const spirv_id common = m_.emit(spv::Op::OpBitwiseAnd, uint_type, {passes, outcome});
  const truth is_refused{m_.emit(spv::Op::OpIEqual, bool_type, {common, number(0)}), 1};
  const truth is_tested{m_.emit(spv::Op::OpINotEqual, bool_type, {passes, number(7)}), 1};
  const truth fails = math.both(is_tested, is_refused);
  emit_kill_if(to_, fails);
}

void pixel_entry::store_color(std::uint32_t number, value color) {
  const spirv_id variable =
      interface_variable(to_, spv::StorageClass::Output, to_.math.float_type(4));
  m_.decorate(variable, spv::Decoration::Location, {number});
  m_.store(variable, color.id);
  to_.out.color_outputs |= static_cast<std::uint8_t>(1u << number);
}

/// llvmpipe of Mesa 22.3 crashes on colours without a first one; the pipeline masks it.
void pixel_entry::hold_first_target() {
  const std::uint8_t written = to_.out.color_outputs;
  if (written == 0 || (written & 1u) != 0) return;
  store_color(0, to_.math.constant(0));
  to_.out.color_outputs = written;
}

void pixel_entry::store_depth() {
  if (!to_.registers.is_used(depth, 0)) return;
  const value v = to_.math.saturate(to_.math.component(to_.registers.load(depth, 0), 0));
  const spirv_id variable =
      builtin_variable(to_, spv::StorageClass::Output, m_.type_float(), spv::BuiltIn::FragDepth);
  m_.store(variable, v.id);
  m_.execution_mode(main_, spv::ExecutionMode::DepthReplacing);
  to_.out.writes_depth = true;
}

void pixel_entry::emit(spirv_id body) {
  main_ = m_.new_id();
  m_.begin_function(main_, m_.type_void());
  load_inputs();
  m_.call(body, m_.type_void());
  value alpha = to_.math.constant(0, 1);
  for (std::uint32_t i = 0; i < color_count; ++i) {
    if (!is_written(i)) continue;
    const value color = final_color(i);
    if (i == 0) alpha = to_.math.component(color, 3);
    store_color(i, color);
  }
  hold_first_target();
  store_depth();
  test_alpha(alpha);
  m_.end_function();
  m_.execution_mode(main_, spv::ExecutionMode::OriginUpperLeft);
  m_.entry_point(spv::ExecutionModel::Fragment, main_,
                 {to_.interface.begin(), to_.interface.size()});
}

}  // namespace

void emit_pixel_entry(shader_context& to, spirv_id body) {
  pixel_entry{to}.emit(body);
}

}  // namespace aerogpu::d3d9
