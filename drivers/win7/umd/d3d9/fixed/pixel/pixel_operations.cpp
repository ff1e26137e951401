// SPDX-License-Identifier: MIT
// What each texture operation computes (umd-d3d9.md 3.7). Results are held in 0..1.
#include "drivers/win7/umd/d3d9/fixed/pixel/pixel_writer.hpp"

namespace aerogpu::umd::fixed::detail {

namespace {

using enum opcode;

}  // namespace

void pixel_writer::operate(unsigned stage, const stage_operation& what, destination to) noexcept {
  const operation_row* row = find_operation(what.op);
  compute(stage, *row, to.saturated(), resolve(stage, what));
}

/// 2 or 4 times `made`, by additions.
void pixel_writer::finish_doubled(const operation_row& row, destination to) noexcept {
  for (unsigned i = 1; i <= row.doublings; ++i) {
    code_.emit(add, i == row.doublings ? to : made.to(), made, made);
  }
}

void pixel_writer::compute(unsigned stage, const operation_row& row, destination to,
                           const arguments& args) noexcept {
  const auto& [a0, a1, a2] = args;
  const destination result = row.doublings != 0 ? made.to() : to;
  switch (row.function) {
    case stage_function::none: return;
    case stage_function::select1: return code_.emit(mov, to, a1);
    case stage_function::select2: return code_.emit(mov, to, a2);
    case stage_function::modulate: code_.emit(mul, result, a1, a2); break;
    case stage_function::add: return code_.emit(add, to, a1, a2);
    case stage_function::add_signed:
      code_.emit(add, made, a1, a2);
      code_.emit(add, result, made, -pixel_half);
      break;
    case stage_function::subtract: return code_.emit(add, to, a1, -a2);
    case stage_function::add_smooth:
      code_.emit(add, made, a1, a2);
      return code_.emit(mad, to, -a1, a2, made);
    case stage_function::blend:
      return code_.emit(lrp, to, register_of(stage, row.blend_by).w(), a1, a2);
    case stage_function::blend_premultiplied:
      code_.emit(add, made.to(mask_x), pixel_one, -texel(stage).w());
      return code_.emit(mad, to, made.from().x(), a2, a1);
    case stage_function::premodulate:
      return code_.emit(mul, to, a1,
                        stage + 1 < texture_stage_count ? texel(stage + 1) : pixel_one);
    case stage_function::modulate_alpha_add: return code_.emit(mad, to, a1.w(), a2, a1);
    case stage_function::modulate_color_add: return code_.emit(mad, to, a1, a2, a1.w());
    case stage_function::modulate_inverse_alpha_add:
      code_.emit(add, made.to(mask_x), pixel_one, -a1.w());
      return code_.emit(mad, to, made.from().x(), a2, a1);
    case stage_function::modulate_inverse_color_add:
      code_.emit(add, made, pixel_one, -a1);
      return code_.emit(mad, to, made, a2, a1.w());
    case stage_function::dot_product:
      code_.emit(add, made, a1, -pixel_half);
      code_.emit(add, other, a2, -pixel_half);
      code_.emit(dp3, made.to(mask_x), made, other);
      return code_.emit(mul, to, made.from().x(), pixel_four);
    case stage_function::multiply_add: return code_.emit(mad, to, a1, a2, a0);
    case stage_function::lerp: return code_.emit(lrp, to, a0, a1, a2);
  }
  finish_doubled(row, to);
}

}  // namespace aerogpu::umd::fixed::detail
