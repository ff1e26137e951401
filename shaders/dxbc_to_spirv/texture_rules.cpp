// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/texture_rules.hpp"

#include "dxbc_to_spirv/program/opcodes.hpp"

namespace aerogpu::dxbc {
namespace {

auto is_cube(image_dimension dimension) noexcept -> bool {
  return dimension == image_dimension::cube || dimension == image_dimension::cube_array;
}

}  // namespace

auto find_texture_fault(const opcode_row& row, image_dimension dimension, bool has_offset) noexcept
    -> const char* {
  if (has_offset && !row.is(offsets)) return "an instruction has no texels to offset";
  const bool is_moved = has_offset || row.is(moves);
  if (is_moved && (is_cube(dimension) || dimension == image_dimension::buffer)) {
    return "a texel offset is applied to a buffer or a cube";
  }
  // Legal in Direct3D; libvkd3d-shader 1.2 asserts.
  if (row.code == op_sample_d && is_cube(dimension)) return "a cube is sampled with gradients";
  if (row.code == op_ld && is_cube(dimension)) return "a texel of a cube is loaded";
  if (!row.is(gathers)) return nullptr;
  const bool has_four = is_cube(dimension) || dimension == image_dimension::image_2d ||
                        dimension == image_dimension::image_2d_array;
  return has_four ? nullptr : "a texture is gathered from that has no four texels side by side";
}

}  // namespace aerogpu::dxbc
