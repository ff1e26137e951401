// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/texture_rules.hpp"

#include "dxbc_to_spirv/program/opcodes.hpp"

namespace aerogpu::dxbc {
namespace {

auto is_cube(image_dimension dimension) noexcept -> bool {
  return dimension == image_dimension::cube || dimension == image_dimension::cube_array;
}

auto is_gather(std::uint32_t opcode) noexcept -> bool {
  return opcode == op_gather4 || (opcode >= op_gather4_c && opcode <= op_gather4_po_c);
}

/// Whether an instruction has texels that an offset can move.
auto takes_offset(std::uint32_t opcode) noexcept -> bool {
  return opcode == op_ld || opcode == op_ld_ms || (opcode >= op_sample && opcode <= op_sample_b) ||
         is_gather(opcode);
}

}  // namespace

auto find_texture_fault(std::uint32_t opcode, image_dimension dimension, bool has_offset) noexcept
    -> const char* {
  if (has_offset && !takes_offset(opcode)) return "an instruction has no texels to offset";
  const bool is_moved = has_offset || opcode == op_gather4_po || opcode == op_gather4_po_c;
  if (is_moved && (is_cube(dimension) || dimension == image_dimension::buffer)) {
    return "a texel offset is applied to a buffer or a cube";
  }
  // Legal in Direct3D; libvkd3d-shader 1.2 asserts.
  if (opcode == op_sample_d && is_cube(dimension)) return "a cube is sampled with gradients";
  if (opcode == op_ld && is_cube(dimension)) return "a texel of a cube is loaded";
  if (!is_gather(opcode)) return nullptr;
  const bool has_four = is_cube(dimension) || dimension == image_dimension::image_2d ||
                        dimension == image_dimension::image_2d_array;
  return has_four ? nullptr : "a texture is gathered from that has no four texels side by side";
}

}  // namespace aerogpu::dxbc
