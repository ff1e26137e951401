// SPDX-License-Identifier: MIT
// The entry point of vertex shaders: attributes in, position and varyings out (shaders.md 1.14).
#include "d3d9_to_spirv/shader_context.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace aerogpu::d3d9 {

namespace {

constexpr register_file vertex_inputs = file_of(register_type::input);
constexpr register_file outputs = file_of(register_type::texcoord_out_or_output);
constexpr register_file rast_outputs = file_of(register_type::rast_out);
constexpr register_file attribute_outputs = file_of(register_type::attribute_out);
constexpr std::uint32_t fog_out = 1;
constexpr std::uint32_t point_size_out = 2;

/// Semantics with a location of their own, in that order (host.md 3.4).
constexpr std::array canonical_inputs{
    semantic{usage::position, 0},     semantic{usage::normal, 0},
    semantic{usage::tangent, 0},      semantic{usage::binormal, 0},
    semantic{usage::blend_weight, 0}, semantic{usage::blend_indices, 0},
    semantic{usage::color, 0},        semantic{usage::color, 1},
    semantic{usage::texcoord, 0},     semantic{usage::texcoord, 1},
    semantic{usage::texcoord, 2},     semantic{usage::texcoord, 3},
    semantic{usage::texcoord, 4},     semantic{usage::texcoord, 5},
    semantic{usage::texcoord, 6},     semantic{usage::texcoord, 7},
};
static_assert(canonical_inputs.size() == vertex_register_count);

using locations = std::array<std::uint8_t, vertex_register_count>;

auto is_input(const declaration& d) noexcept -> bool {
  return d.reg.type == register_type::input;
}

/// Declared registers take their canonical location; all others what is free, in register order.
/// Without declarations that is the register's number.
auto assign_locations(const program& shader) -> locations {
  locations at;
  at.fill(no_location);
  std::array<const declaration*, vertex_register_count> declared{};
  for (const declaration& d : shader.declarations) {
    if (is_input(d)) declared[d.reg.number] = &d;
  }
  std::array<bool, vertex_register_count> is_taken{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (declared[i] == nullptr) continue;
    const semantic s{declared[i]->semantic, declared[i]->semantic_index};
    const auto found = std::ranges::find(canonical_inputs, s) - canonical_inputs.begin();
    const auto location = static_cast<std::size_t>(found);
    if (location == canonical_inputs.size() || is_taken[location]) continue;
    at[i] = static_cast<std::uint8_t>(location);
    is_taken[location] = true;
  }
  for (std::uint8_t& location : at) {
    if (location != no_location) continue;
    const auto free = std::ranges::find(is_taken, false);
    location = static_cast<std::uint8_t>(free - is_taken.begin());
    *free = true;
  }
  return at;
}

auto load_attribute(shader_context& to, std::uint32_t number, std::uint8_t location) -> value {
  spirv_module& m = to.module;
  const bool is_unsigned = (to.options.unsigned_inputs >> number & 1u) != 0;
  const bool is_signed = (to.options.signed_inputs >> number & 1u) != 0;
  const spirv_id component = is_unsigned ? m.type_uint()
                             : is_signed ? m.type_int()
                                         : m.type_float();
  const spirv_id type = m.type_vector(component, 4);
  const spirv_id variable = interface_variable(to, spv::StorageClass::Input, type);
  m.decorate(variable, spv::Decoration::Location, {location});
  value v{m.load(type, variable), 4};
  if (is_unsigned) v.id = m.emit(spv::Op::OpConvertUToF, to.math.float_type(4), {v.id});
  if (is_signed && !is_unsigned) {
    v.id = m.emit(spv::Op::OpConvertSToF, to.math.float_type(4), {v.id});
  }
  const bool has_w_one = (to.options.inputs_with_w_one >> number & 1u) != 0;
  return has_w_one ? to.math.merge(v, to.math.constant(1), 0x8) : v;
}

void load_inputs(shader_context& to) {
  const locations at = assign_locations(to.shader);
  to.out.input_locations.fill(no_location);
  for (std::uint32_t i = 0; i < vertex_register_count; ++i) {
    if (!to.registers.is_used(vertex_inputs, i)) continue;
    to.registers.store(vertex_inputs, i, load_attribute(to, i, at[i]));
    to.out.input_locations[i] = at[i];
  }
}

/// What an output of vs_3_0 holds: the parts of o# that declare the semantic.
auto declared_output(shader_context& to, semantic s, value otherwise) -> value {
  value v = otherwise;
  bool is_first = true;
  for (const declaration& d : to.shader.declarations) {
    const bool is_it = d.reg.type == register_type::texcoord_out_or_output &&
                       s == semantic{d.semantic, d.semantic_index};
    if (!is_it || !to.registers.is_used(outputs, d.reg.number)) continue;
    if (is_first && s.what != usage::position) v = to.math.constant(0);
    is_first = false;
    v = to.math.merge(v, to.registers.load(outputs, d.reg.number), d.write_mask);
  }
  return v;
}

/// A scalar of vs_3_0, which is the first component that its declaration names.
auto find_declared_scalar(shader_context& to, usage what) -> std::optional<value> {
  for (const declaration& d : to.shader.declarations) {
    const bool is_it = d.reg.type == register_type::texcoord_out_or_output && d.semantic == what &&
                       d.semantic_index == 0;
    if (!is_it || !to.registers.is_used(outputs, d.reg.number)) continue;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(d.write_mask));
    return to.math.component(to.registers.load(outputs, d.reg.number), first);
  }
  return std::nullopt;
}

auto loaded_or(shader_context& to, register_file file, std::uint32_t number, value otherwise)
    -> value {
  return to.registers.is_used(file, number) ? to.registers.load(file, number) : otherwise;
}

/// An output of vs_1_1 and vs_2_x, by register.
auto legacy_output(shader_context& to, semantic s, value otherwise) -> value {
  if (s.what == usage::texcoord) return loaded_or(to, outputs, s.index, otherwise);
  if (s.what == usage::color) {
    const bool is_written = to.registers.is_used(attribute_outputs, s.index);
    return is_written ? to.math.saturate(to.registers.load(attribute_outputs, s.index)) : otherwise;
  }
  if (!to.registers.is_used(rast_outputs, fog_out)) return otherwise;
  const value fog = to.math.saturate(to.registers.load(rast_outputs, fog_out));
  return to.math.merge(to.math.constant(0), fog, 0x1);
}

auto unwritten(shader_context& to, semantic s) -> value {
  const bool is_one = to.options.unwritten == unwritten_varyings::direct3d9 && s.index == 0 &&
                      (s.what == usage::color || s.what == usage::fog);
  return to.math.constant(is_one ? 1 : 0);
}

/// Components of oD0 that a body leaves alone keep what it began with.
void whiten_diffuse(shader_context& to) {
  const bool is_legacy = to.major() < 3 && to.registers.is_used(attribute_outputs, 0);
  if (!is_legacy || to.options.unwritten != unwritten_varyings::direct3d9) return;
  to.registers.store(attribute_outputs, 0, to.math.constant(1));
}

auto output_of(shader_context& to, semantic s) -> value {
  const value otherwise = unwritten(to, s);
  if (to.major() < 3) return legacy_output(to, s, otherwise);
  const value declared = declared_output(to, s, otherwise);
  if (s != semantic{usage::fog, 0}) return declared;
  const auto factor = find_declared_scalar(to, usage::fog);
  return factor ? to.math.merge(declared, to.math.splat(*factor), 0x1) : declared;
}

void store_varying(shader_context& to, semantic s) {
  const std::uint8_t location = location_of(s, to.out.extra_varyings);
  if ((to.options.written_varyings >> location & 1u) == 0) return;
  const spirv_id variable =
      interface_variable(to, spv::StorageClass::Output, to.math.float_type(4));
  to.module.decorate(variable, spv::Decoration::Location, {location});
  to.module.store(variable, output_of(to, s).id);
}

/// Every location that is wanted, also those that the body does not know.
void store_varyings(shader_context& to) {
  store_varying(to, {usage::color, 0});
  store_varying(to, {usage::color, 1});
  for (std::uint8_t i = 0; i < 8; ++i) store_varying(to, {usage::texcoord, i});
  store_varying(to, {usage::fog, 0});
  for (const semantic s : to.out.extra_varyings) store_varying(to, s);
}

/// Where no position is written it is (0, 0, 0, 1).
auto store_position(shader_context& to) -> value {
  constexpr std::array origin{0u, 0u, 0u, 0x3F800000u};
  const value otherwise = to.math.constant_bits(origin);
  const value position = to.major() >= 3 ? declared_output(to, {usage::position, 0}, otherwise)
                                         : loaded_or(to, rast_outputs, 0, otherwise);
  const spirv_id variable = builtin_variable(to, spv::StorageClass::Output, to.math.float_type(4),
                                             spv::BuiltIn::Position);
  to.module.decorate(variable, spv::Decoration::Invariant);
  to.module.store(variable, position.id);
  return position;
}

/// The point size that the shader writes, if it does.
auto find_point_size(shader_context& to, value otherwise) -> value {
  if (to.major() < 3) {
    const bool is_written = to.registers.is_used(rast_outputs, point_size_out);
    return is_written ? to.math.component(to.registers.load(rast_outputs, point_size_out), 0)
                      : otherwise;
  }
  return find_declared_scalar(to, usage::point_size).value_or(otherwise);
}

void store_point_size(shader_context& to) {
  const auto pushed = [&](std::size_t offset) -> value { return {push_constant(to, offset), 1}; };
  const value size = find_point_size(to, pushed(offsetof(push_constants, point_size)));
  const value clamped =
      to.math.glsl(GLSLstd450NClamp, {size, pushed(offsetof(push_constants, point_size_min)),
                                      pushed(offsetof(push_constants, point_size_max))});
  const spirv_id variable = builtin_variable(to, spv::StorageClass::Output, to.math.float_type(1),
                                             spv::BuiltIn::PointSize);
  to.module.store(variable, clamped.id);
}

void store_clip_distances(shader_context& to, value position) {
  const std::uint32_t count = to.options.clip_planes;
  if (count == 0) return;
  spirv_module& m = to.module;
  m.capability(spv::Capability::ClipDistance);
  const spirv_id variable =
      builtin_variable(to, spv::StorageClass::Output, m.new_array(m.type_float(), count),
                       spv::BuiltIn::ClipDistance);
  const spirv_id pointer = m.type_pointer(spv::StorageClass::Output, m.type_float());
  for (std::uint32_t i = 0; i < count; ++i) {
    const value distance = to.math.dot(position, clip_plane(to, i), 4);
    m.store(m.access(pointer, variable, {m.constant_uint(i)}), distance.id);
  }
}

}  // namespace

void emit_vertex_entry(shader_context& to, spirv_id body) {
  const spirv_id main = to.module.new_id();
  to.module.begin_function(main, to.module.type_void());
  load_inputs(to);
  whiten_diffuse(to);
  to.module.call(body, to.module.type_void());
  store_clip_distances(to, store_position(to));
  if (to.options.draws_points) store_point_size(to);
  store_varyings(to);
  to.module.end_function();
  to.module.entry_point(spv::ExecutionModel::Vertex, main,
                        {to.interface.begin(), to.interface.size()});
}

}  // namespace aerogpu::d3d9
