// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_program.hpp"

#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_writer.hpp"

namespace aerogpu::umd::fixed {

namespace {

[[nodiscard]] auto reads_eye_vector(coordinate_source source) noexcept -> bool {
  return source == coordinate_source::camera_reflection || source == coordinate_source::sphere_map;
}

[[nodiscard]] auto is_scaled(point_size_mode mode) noexcept -> bool {
  return mode == point_size_mode::scaled || mode == point_size_mode::scaled_element;
}

}  // namespace

auto needs_of(const vertex_key& key) noexcept -> vertex_needs {
  vertex_needs needs;
  for (const stage_coordinates& stage : key.stages) {
    needs.to_viewer |= reads_eye_vector(stage.source);
    needs.view_position |= stage.source == coordinate_source::camera_position;
  }
  for (const light_kind light : key.lights) {
    needs.view_position |= light == light_kind::point || light == light_kind::spot;
  }
  needs.to_viewer |= key.has_local_viewer;
  needs.view_position |= needs.to_viewer || is_scaled(key.point_size) || is_weighted(key.blend) ||
                         fog_is_by_distance(key.fog);
  needs.clip_position = key.fog >= vertex_fog::table_z;
  return needs;
}

namespace detail {

namespace {

using enum opcode;

}  // namespace

vertex_writer::vertex_writer(const vertex_key& key, std::span<std::uint32_t> out) noexcept
    : key_(key), code_(out, vs_3_0), needs_(needs_of(key)) {}

auto vertex_writer::write() noexcept -> std::span<const std::uint32_t> {
  declare_inputs();
  declare_outputs();
  define_numbers();
  write_position();
  if (key_.has_normal) write_normal();
  if (needs_.to_viewer) write_to_viewer();
  write_colors();
  write_texcoords();
  write_fog();
  write_point_size();
  return code_.finish();
}

void vertex_writer::define_numbers() noexcept {
  constexpr float step = registers_per_palette_matrix;
  code_.define(vertex_registers::definitions, {0, 1, 0.5f, 2});
  code_.define(vertex_registers::definitions + 1, {step, 255 * step, -1, 0});
}

auto vertex_writer::take_input(usage what, unsigned index) noexcept -> std::uint8_t {
  code_.declare(what, index, {register_file::input, input_count_});
  return input_count_++;
}

void vertex_writer::declare_inputs() noexcept {
  inputs_.position = take_input(key_.is_in_screen_space ? usage::position_t : usage::position, 0);
  if (key_.blend == blend_mode::tween) inputs_.position1 = take_input(usage::position, 1);
  if (key_.has_blend_weights) inputs_.weights = take_input(usage::blend_weight, 0);
  if (key_.blend == blend_mode::indexed || key_.blend == blend_mode::indexed_by_color) {
    inputs_.indices = take_input(usage::blend_indices, 0);
  }
  if (key_.has_normal) inputs_.normal = take_input(usage::normal, 0);
  if (key_.has_normal1) inputs_.normal1 = take_input(usage::normal, 1);
  if (key_.point_size == point_size_mode::element ||
      key_.point_size == point_size_mode::scaled_element) {
    inputs_.point_size = take_input(usage::point_size, 0);
  }
  if (key_.has_color0) inputs_.colors[0] = take_input(usage::color, 0);
  if (key_.has_color1) inputs_.colors[1] = take_input(usage::color, 1);
  for (const stage_coordinates& stage : key_.stages) {
    const bool reads = stage.source == coordinate_source::vertex_set && stage.components != 0;
    if (!reads || inputs_.texcoords[stage.set] != no_register) continue;
    inputs_.texcoords[stage.set] = take_input(usage::texcoord, stage.set);
  }
}

void vertex_writer::declare_outputs() noexcept {
  unsigned next = first_free_output;
  for (unsigned stage = 0; stage < texture_stage_count; ++stage) {
    if (key_.stages[stage].source == coordinate_source::none) continue;
    texcoord_outputs_[stage] = static_cast<std::uint8_t>(next);
    code_.declare(usage::texcoord, stage, output(next++));
  }
  if (key_.point_size != point_size_mode::by_state) {
    point_output_ = output(next++, key_.has_fog_output ? mask_y : mask_xyzw);
    code_.declare(usage::point_size, 0, point_output_);
  }
  declare_fog(next);
  code_.declare(usage::position, 0, output(position_output));
  code_.declare(usage::color, 0, output(color0_output));
  code_.declare(usage::color, 1, output(color1_output, is_fog_in_color1() ? mask_xyz : mask_xyzw));
}

/// With eight coordinates and a point size no register is left: FOG0 shares the point size's,
/// DEPTH0 that of COLOR1.
void vertex_writer::declare_fog(unsigned next) noexcept {
  if (key_.fog == vertex_fog::none) return;
  if (key_.has_fog_output) {
    const bool has_point_size = key_.point_size != point_size_mode::by_state;
    fog_output_ = output(has_point_size ? next - 1 : next, mask_x);
    return code_.declare(usage::fog, 0, fog_output_);
  }
  const bool is_divided = key_.fog == vertex_fog::table_clip;
  fog_output_ = output(next < output_limit ? next : color1_output, is_divided ? mask_zw : mask_w);
  code_.declare(usage::depth, 0, fog_output_);
}

auto vertex_writer::is_fog_in_color1() const noexcept -> bool {
  return key_.fog != vertex_fog::none && fog_output_.number == color1_output;
}

void vertex_writer::write_view_distance(temp to) noexcept {
  code_.emit(dp3, to.to(mask_x), view_position, view_position);
  code_.emit(rsq, to.to(mask_y), to.from().x());
  code_.emit(mul, to.to(mask_x), to.from().x(), to.from().y());
}

/// Factors, and coordinates of the pixels' own fog, go to DEPTH0.w, which no state makes flat; to
/// FOG0 where the host makes the fog.
void vertex_writer::write_fog() noexcept {
  if (key_.fog == vertex_fog::none) return;
  if (fog_is_by_distance(key_.fog)) {
    if (key_.has_range_fog) {
      write_view_distance(scratch0);
    } else {
      // Right-handed eyes look towards negative z.
      const source depth = view_position.from().z();
      code_.emit(max, scratch0.to(mask_x), depth, -depth);
    }
    return write_fog_factor(scratch0.from().x());
  }
  if (key_.fog == vertex_fog::specular_alpha) {
    const bool is_there = inputs_.colors[1] != no_register;
    return code_.emit(mov, fog_output_.saturated(), is_there ? input(inputs_.colors[1]).w() : zero);
  }
  if (key_.fog == vertex_fog::table_clip) return code_.emit(mov, fog_output_, clip_position);
  if (key_.fog == vertex_fog::table_w) {
    return code_.emit(mov, fog_output_, clip_position.from().w());
  }
  code_.emit(rcp, scratch0.to(mask_x), clip_position.from().w());
  code_.emit(mul, fog_output_, clip_position.from().z(), scratch0.from().x());
}

void vertex_writer::write_fog_factor(source distance) noexcept {
  const source scale = constant(vertex_registers::fog.first);
  const destination factor = fog_output_.saturated();
  const source made = scratch1.from().x();
  if (key_.fog == vertex_fog::linear) {
    code_.emit(add, scratch1.to(mask_x), distance, -scale.at(fog_start));
    code_.emit(mul, scratch1.to(mask_x).saturated(), made, scale.at(fog_inverse_range));
    code_.emit(add, factor, one, -made);
    return;
  }
  if (key_.fog == vertex_fog::exponential) {
    code_.emit(mul, scratch1.to(mask_x), distance, scale.at(fog_density_log2));
    code_.emit(exp, factor, -made);
    return;
  }
  code_.emit(mul, scratch1.to(mask_x), distance, scale.at(fog_density_root));
  code_.emit(mul, scratch1.to(mask_x), made, made);
  code_.emit(exp, factor, -made);
}

/// S * Vh * sqrt(1 / (A + B * d + C * d^2)), between the bounds; S without POINTSCALEENABLE.
void vertex_writer::write_point_size() noexcept {
  if (key_.point_size == point_size_mode::by_state) return;
  const source scale = constant(vertex_registers::point.first);
  const source bounds = constant(vertex_registers::point.first + 1);
  const bool has_element = inputs_.point_size != no_register;
  const source element = input(has_element ? inputs_.point_size : 0u).x();
  const source size = scratch1.from().x();
  if (key_.point_size == point_size_mode::element) {
    code_.emit(mov, scratch1.to(mask_x), element);
  } else {
    write_view_distance(scratch0);
    const source distance = scratch0.from().x();
    code_.emit(mad, scratch1.to(mask_x), distance, scale.z(), scale.y());
    code_.emit(mad, scratch1.to(mask_x), size, distance, scale.x());
    code_.emit(rsq, scratch1.to(mask_x), size);
    if (has_element) code_.emit(mul, scratch1.to(mask_x), size, element);
    code_.emit(mul, scratch1.to(mask_x), size, has_element ? bounds.z() : scale.w());
  }
  code_.emit(max, scratch1.to(mask_x), size, bounds.x());
  code_.emit(min, point_output_, size, bounds.y());
}

}  // namespace detail

auto make_vertex_shader(const vertex_key& key, std::span<std::uint32_t> out) noexcept
    -> std::span<const std::uint32_t> {
  return detail::vertex_writer{key, out}.write();
}

}  // namespace aerogpu::umd::fixed
