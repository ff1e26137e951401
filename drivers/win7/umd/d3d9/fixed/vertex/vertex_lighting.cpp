// SPDX-License-Identifier: MIT
// Colours: vertex colours, or the sum over the lights (umd-d3d9.md 3.5).
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_writer.hpp"

namespace aerogpu::umd::fixed::detail {

namespace {

using enum opcode;

enum material_register : unsigned {
  material_diffuse,
  material_ambient,
  material_emissive,
  global_ambient,
  material_specular,  ///< Power in w.
};

[[nodiscard]] auto material(unsigned which) noexcept -> source {
  return constant(vertex_registers::material.first + which);
}

// While a light is added: its direction with N.L in w, and attenuation and the like.
constexpr temp direction = scratch0;
constexpr temp factors = scratch1;
constexpr temp halfway = scratch2;
constexpr temp scratch = scratch3;
constexpr source attenuation = factors.from().w();

}  // namespace

void vertex_writer::write_colors() noexcept {
  if (!key_.is_lit) return write_unlit_colors();
  light();
  write_lit_colors();
}

/// COLOR1.w is the fog's where the vertex makes a factor, and not there where it is packed away.
void vertex_writer::write_unlit_colors() noexcept {
  const auto color = [this](unsigned index, source missing) {
    return inputs_.colors[index] != no_register ? input(inputs_.colors[index]) : missing;
  };
  const bool is_alpha_taken = is_fog_in_color1();
  code_.emit(mov, output(color0_output).saturated(), color(0, one));
  code_.emit(mov, output(color1_output, is_alpha_taken ? mask_xyz : mask_xyzw).saturated(),
             color(1, zero));
}

auto vertex_writer::color_of(color_source from, unsigned which) const noexcept -> source {
  if (from == color_source::material) return material(which);
  return input(inputs_.colors[from == color_source::color0 ? 0 : 1]);
}

void vertex_writer::light() noexcept {
  code_.emit(mov, ambient_sum, material(global_ambient));
  if (key_.light_count == 0) return;
  if (key_.has_normal) code_.emit(mov, diffuse_sum, zero);
  if (key_.has_specular) code_.emit(mov, specular_sum, zero);
  if (key_.has_specular && !key_.has_local_viewer) code_.emit(mov, far_viewer, minus_z);
  for (unsigned i = 0; i < key_.light_count; ++i) add_light(i);
}

void vertex_writer::add_light(unsigned index) noexcept {
  const source registers = constant(vertex_registers::lights.first + index * registers_per_light);
  const light_kind kind = key_.lights[index];
  const bool is_attenuated = kind != light_kind::directional;
  if (is_attenuated) write_light_direction(registers, kind);
  const source toward_light = is_attenuated ? direction.from() : registers.next(light_vector);
  const source ambient = registers.next(light_ambient);
  if (is_attenuated) {
    code_.emit(mad, ambient_sum.to(mask_xyz), attenuation, ambient, ambient_sum);
  } else {
    code_.emit(add, ambient_sum.to(mask_xyz), ambient_sum, ambient);
  }
  if (!key_.has_normal) return;
  code_.emit(dp3, scratch.to(mask_x), view_normal, toward_light);
  code_.emit(max, scratch.to(mask_y), scratch.from().x(), zero);
  if (is_attenuated) code_.emit(mul, scratch.to(mask_y), scratch.from().y(), attenuation);
  code_.emit(mad, diffuse_sum.to(mask_xyz), scratch.from().y(), registers.next(light_diffuse),
             diffuse_sum);
  if (key_.has_specular) add_specular(registers, toward_light, is_attenuated);
}

/// L, and how much of the light arrives: 0 beyond the range and outside the cone.
void vertex_writer::write_light_direction(source registers, light_kind kind) noexcept {
  const source terms = registers.next(light_attenuation);
  const source squared = factors.from().x();
  const source distance = factors.from().z();
  code_.emit(add, direction.to(mask_xyz), registers.next(light_vector), -view_position.from());
  code_.emit(dp3, factors.to(mask_x), direction, direction);
  code_.emit(rsq, factors.to(mask_y), squared);
  code_.emit(mul, direction.to(mask_xyz), direction, factors.from().y());
  code_.emit(mul, factors.to(mask_z), squared, factors.from().y());
  code_.emit(mad, factors.to(mask_w), distance, terms.y(), terms.x());
  code_.emit(mad, factors.to(mask_w), squared, terms.z(), attenuation);
  code_.emit(rcp, factors.to(mask_w), attenuation);
  code_.emit(sge, factors.to(mask_y), terms.w(), distance);
  code_.emit(mul, factors.to(mask_w), attenuation, factors.from().y());
  if (kind == light_kind::spot) write_spot_factor(registers);
}

/// ((rho - cos(Phi / 2)) / (cos(Theta / 2) - cos(Phi / 2)))^Falloff within the penumbra.
void vertex_writer::write_spot_factor(source registers) noexcept {
  const source cone = registers.next(light_spot_cone);
  code_.emit(dp3, scratch.to(mask_x), direction, registers.next(light_spot_axis));
  code_.emit(add, scratch.to(mask_y), scratch.from().x(), -cone.x());
  code_.emit(mul, scratch.to(mask_y).saturated(), scratch.from().y(), cone.y());
  code_.emit(pow, scratch.to(mask_z), scratch.from().y(), cone.z());
  code_.emit(slt, scratch.to(mask_w), cone.x(), scratch.from().x());
  code_.emit(mul, scratch.to(mask_z), scratch.from().z(), scratch.from().w());
  code_.emit(mul, factors.to(mask_w), attenuation, scratch.from().z());
}

/// N.L is scratch.x: a light from behind has no highlight.
void vertex_writer::add_specular(source registers, source toward_light,
                                 bool is_attenuated) noexcept {
  const source strength = scratch.from().z();
  code_.emit(add, factors.to(mask_xyz), key_.has_local_viewer ? to_viewer : far_viewer,
             toward_light);
  code_.emit(nrm, halfway.to(mask_xyz), factors);
  code_.emit(dp3, scratch.to(mask_z), view_normal, halfway);
  code_.emit(max, scratch.to(mask_z), strength, zero);
  code_.emit(pow, scratch.to(mask_z), strength, material(material_specular).w());
  code_.emit(slt, scratch.to(mask_w), zero, scratch.from().x());
  code_.emit(mul, scratch.to(mask_z), strength, scratch.from().w());
  if (is_attenuated) code_.emit(mul, scratch.to(mask_z), strength, attenuation);
  code_.emit(mad, specular_sum.to(mask_xyz), strength, registers.next(light_specular),
             specular_sum);
}

void vertex_writer::write_lit_colors() noexcept {
  const source diffuse = color_of(key_.diffuse, material_diffuse);
  const bool has_diffuse = key_.has_normal && key_.light_count != 0;
  code_.emit(mul, scratch0.to(mask_xyz), ambient_sum, color_of(key_.ambient, material_ambient));
  if (has_diffuse) code_.emit(mad, scratch0.to(mask_xyz), diffuse_sum, diffuse, scratch0);
  code_.emit(add, output(color0_output, mask_xyz).saturated(), scratch0,
             color_of(key_.emissive, material_emissive));
  code_.emit(mov, output(color0_output, mask_w).saturated(), diffuse.w());
  const bool is_alpha_taken = is_fog_in_color1();
  if (!key_.has_specular) {
    code_.emit(mov, output(color1_output, is_alpha_taken ? mask_xyz : mask_xyzw), zero);
    return;
  }
  code_.emit(mul, output(color1_output, mask_xyz).saturated(), specular_sum,
             color_of(key_.specular, material_specular));
  if (!is_alpha_taken) code_.emit(mov, output(color1_output, mask_w), zero);
}

}  // namespace aerogpu::umd::fixed::detail
