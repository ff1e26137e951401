// SPDX-License-Identifier: MIT
// Texture coordinates: sets of the vertex, generated ones, their transforms (umd-d3d9.md 3.6).
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_writer.hpp"

namespace aerogpu::umd::fixed::detail {

namespace {

using enum opcode;

constexpr source zero_zero_zero_one = numbers.with(swizzle(0, 0, 0, 1));

/// A set of `components` is extended by 1 and zeros before it is transformed.
struct extension {
  std::uint8_t mask;
  std::uint8_t from;  ///< Of {0, 1, ...}.
};
constexpr std::array<extension, 5> extensions{{
    {mask_xyzw, swizzle(0, 0, 0, 0)},
    {mask_yzw, swizzle(0, 1, 0, 0)},
    {mask_zw, swizzle(0, 0, 1, 0)},
    {mask_w, swizzle(0, 0, 0, 1)},
    {0, 0},
}};

}  // namespace

void vertex_writer::write_texcoords() noexcept {
  for (unsigned stage = 0; stage < texture_stage_count; ++stage) {
    if (key_.stages[stage].source == coordinate_source::none) continue;
    write_texcoord(stage, output(texcoord_outputs_[stage]));
  }
}

void vertex_writer::write_texcoord(unsigned stage, destination to) noexcept {
  const stage_coordinates& how = key_.stages[stage];
  source from = zero_zero_zero_one;
  if (how.source != coordinate_source::vertex_set) {
    from = generated(how);
  } else if (how.components != 0) {
    from = input(inputs_.texcoords[how.set]);
  }
  if (how.transform_count == 0) {
    code_.emit(mov, to, from);
    return;
  }
  code_.emit(mov, scratch0, from);
  const extension& added = extensions[how.components];
  if (how.source == coordinate_source::vertex_set && added.mask != 0 && how.components != 0) {
    code_.emit(mov, scratch0.to(added.mask), numbers.with(added.from));
  }
  const unsigned first = vertex_registers::texture_matrices.first;
  transform_rows(to, scratch0, constant(first + stage * registers_per_texture_matrix),
                 how.transform_count, dp4);
  const auto rest = static_cast<std::uint8_t>(mask_xyzw & ~((1u << how.transform_count) - 1u));
  if (rest != 0) code_.emit(mov, to.only(rest), zero_zero_zero_one);
}

auto vertex_writer::generated(const stage_coordinates& stage) noexcept -> source {
  switch (stage.source) {
    case coordinate_source::camera_position: return view_position;
    case coordinate_source::camera_normal:
      code_.emit(mov, scratch1, one);
      code_.emit(mov, scratch1.to(mask_xyz), key_.has_normal ? view_normal.from() : zero);
      return scratch1;
    case coordinate_source::camera_reflection: write_reflection(); return reflection;
    default: write_sphere_coordinates(); return scratch1;
  }
}

/// 2 * (N.E) * N - E, once for all stages.
void vertex_writer::write_reflection() noexcept {
  if (has_reflection_) return;
  has_reflection_ = true;
  code_.emit(mov, reflection.to(mask_w), one);
  if (!key_.has_normal) {
    code_.emit(mov, reflection.to(mask_xyz), -to_viewer.from());
    return;
  }
  code_.emit(dp3, scratch0.to(mask_x), view_normal, to_viewer);
  code_.emit(add, scratch0.to(mask_x), scratch0.from().x(), scratch0.from().x());
  code_.emit(mad, reflection.to(mask_xyz), scratch0.from().x(), view_normal, -to_viewer.from());
}

/// (x / m + 0.5, y / m + 0.5, 0, 1) with m = 2 * |reflection + (0, 0, 1)|.
void vertex_writer::write_sphere_coordinates() noexcept {
  write_reflection();
  code_.emit(add, scratch0.to(mask_xyz), reflection, numbers.with(swizzle(0, 0, 1, 0)));
  code_.emit(dp3, scratch0.to(mask_w), scratch0, scratch0);
  code_.emit(rsq, scratch0.to(mask_w), scratch0.from().w());
  code_.emit(mul, scratch0.to(mask_w), scratch0.from().w(), half);
  code_.emit(mov, scratch1, zero_zero_zero_one);
  code_.emit(mad, scratch1.to(mask_xy), reflection, scratch0.from().w(), half);
}

}  // namespace aerogpu::umd::fixed::detail
