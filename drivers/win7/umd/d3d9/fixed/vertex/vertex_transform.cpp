// SPDX-License-Identifier: MIT
// Positions and normals: transforms, vertex blending, tweening (umd-d3d9.md 3.4).
#include "drivers/win7/umd/d3d9/fixed/vertex/vertex_writer.hpp"

namespace aerogpu::umd::fixed::detail {

namespace {

using enum opcode;

}  // namespace

/// to.i = product(vector, column i), for as many columns.
void vertex_writer::transform_rows(destination to, source vector, source first_column,
                                   unsigned columns, opcode product) noexcept {
  for (unsigned i = 0; i < columns; ++i) {
    code_.emit(product, to.component(i), vector, first_column.next(i));
  }
}

void vertex_writer::write_position() noexcept {
  const destination position = output(position_output);
  source from = input(inputs_.position);
  if (key_.is_pretransformed) {
    code_.emit(mov, position, from);
    if (needs_.clip_position) code_.emit(mov, clip_position.to(), from);
    return;
  }
  if (key_.blend == blend_mode::tween) {
    tween();
    from = model_position;
  }
  source columns = constant(vertex_registers::transform.first);
  if (is_weighted(key_.blend)) {
    blend();
    from = view_position;
    columns = constant(vertex_registers::projection.first);
  } else if (needs_.view_position) {
    transform_rows(view_position.to(), from, constant(vertex_registers::world_view.first), 3, dp4);
    code_.emit(mov, view_position.to(mask_w), one);
  }
  if (!needs_.clip_position) return transform_rows(position, from, columns, 4, dp4);
  transform_rows(clip_position.to(), from, columns, 4, dp4);
  code_.emit(mov, position, clip_position);
}

void vertex_writer::tween() noexcept {
  const source factor = constant(vertex_registers::tween.first).x();
  code_.emit(mov, scratch0, input(inputs_.position));
  code_.emit(add, scratch1, input(inputs_.position1), -scratch0.from());
  code_.emit(mad, model_position, scratch1, factor, scratch0);
  if (!key_.has_normal) return;
  code_.emit(mov, model_normal, input(inputs_.normal));
  if (!key_.has_normal1) return;
  code_.emit(add, scratch1, input(inputs_.normal1), -model_normal.from());
  code_.emit(mad, model_normal, scratch1, factor, model_normal);
}

/// All weights of the vertex, the last of which is what the others leave of 1.
void vertex_writer::prepare_weights() noexcept {
  const unsigned last = key_.blend_matrices - 1u;
  if (key_.blend_matrices > 1) {
    code_.emit(mov, weights, key_.has_blend_weights ? input(inputs_.weights) : zero);
  }
  code_.emit(mov, weights.to().component(last), one);
  for (unsigned i = 0; i < last; ++i) {
    code_.emit(add, weights.to().component(last), weights.from().at(last), -weights.from().at(i));
  }
}

auto vertex_writer::weight_of(unsigned matrix) const noexcept -> source {
  return weights.from().at(matrix);
}

auto vertex_writer::palette_register(unsigned matrix, unsigned column) const noexcept -> source {
  const unsigned first = vertex_registers::palette.first + column;
  if (key_.blend == blend_mode::weights) {
    return constant(first + matrix * registers_per_palette_matrix);
  }
  return constant(first).by_address(static_cast<std::uint8_t>(matrix));
}

void vertex_writer::add_blended(unsigned matrix, source position) noexcept {
  for (unsigned i = 0; i < 3; ++i) {
    code_.emit(dp4, scratch0.to().component(i), position, palette_register(matrix, i));
  }
  code_.emit(mad, view_position.to(mask_xyz), scratch0, weight_of(matrix), view_position);
  if (!key_.has_normal) return;
  for (unsigned i = 0; i < 3; ++i) {
    code_.emit(dp3, scratch0.to().component(i), input(inputs_.normal), palette_register(matrix, i));
  }
  code_.emit(mad, view_normal.to(mask_xyz), scratch0, weight_of(matrix), view_normal);
}

void vertex_writer::blend() noexcept {
  prepare_weights();
  if (key_.blend != blend_mode::weights) {
    const bool is_color = key_.blend == blend_mode::indexed_by_color;
    const source indices = input(inputs_.indices);
    code_.emit(mul, scratch0, is_color ? indices.with(swizzle(2, 1, 0, 3)) : indices,
               is_color ? palette_step_of_fraction : palette_step);
    code_.emit(mova, {register_file::address, 0}, scratch0);
  }
  code_.emit(mov, view_position.to(), numbers.with(swizzle(0, 0, 0, 1)));
  if (key_.has_normal) code_.emit(mov, view_normal.to(), zero);
  for (unsigned i = 0; i < key_.blend_matrices; ++i) add_blended(i, input(inputs_.position));
}

void vertex_writer::write_normal() noexcept {
  if (!is_weighted(key_.blend)) {
    const bool is_tweened = key_.blend == blend_mode::tween;
    const source from = is_tweened ? model_normal.from() : input(inputs_.normal);
    const destination to = (key_.normalizes ? scratch0 : view_normal).to();
    transform_rows(to, from, constant(vertex_registers::normal_matrix.first), 3, dp3);
  } else if (key_.normalizes) {
    code_.emit(mov, scratch0.to(mask_xyz), view_normal);
  }
  if (key_.normalizes) code_.emit(nrm, view_normal.to(mask_xyz), scratch0);
}

void vertex_writer::write_to_viewer() noexcept {
  code_.emit(mov, scratch0.to(mask_xyz), -view_position.from());
  code_.emit(nrm, to_viewer.to(mask_xyz), scratch0);
}

}  // namespace aerogpu::umd::fixed::detail
