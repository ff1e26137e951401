// SPDX-License-Identifier: MIT
/// \file The operations of texture stages: which arguments they read and who has them
/// (umd-d3d9.md 3.7).
#pragma once

#include "drivers/win7/ddi/d3d9/d3d9_types.hpp"
#include "drivers/win7/umd/d3d9/fixed/pixel/pixel_key.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::umd::fixed {

/// Which arguments an operation reads, by bit: ARG0 1, ARG1 2, ARG2 4.
enum argument_set : std::uint8_t { no_args = 0, arg1 = 2, arg2 = 4, args12 = 6, args012 = 7 };

/// How an operation is computed; pixel_operations.cpp has the code of each.
enum class stage_function : std::uint8_t {
  none,
  select1,
  select2,
  modulate,
  add,
  add_signed,
  subtract,
  add_smooth,
  blend,  ///< By the alpha of what `blend_by` names.
  blend_premultiplied,
  premodulate,
  modulate_alpha_add,
  modulate_color_add,
  modulate_inverse_alpha_add,
  modulate_inverse_color_add,
  dot_product,
  multiply_add,
  lerp,
};

struct operation_row {
  D3DTEXTUREOP op;
  stage_function function;
  argument_set args;
  std::uint8_t doublings = 0;  ///< Of the result: 1 = twice, 2 = four times.
  std::uint8_t blend_by = 0;   ///< D3DTA_* whose alpha it reads besides.
  bool is_of_color = false;    ///< Not an alpha operation.
};

/// All that stages can do. BUMPENVMAP and BUMPENVMAPLUMINANCE are not among them: no format of the
/// device has signed components.
inline constexpr std::array operation_rows{
    operation_row{D3DTOP_DISABLE, stage_function::none, no_args},
    operation_row{D3DTOP_SELECTARG1, stage_function::select1, arg1},
    operation_row{D3DTOP_SELECTARG2, stage_function::select2, arg2},
    operation_row{D3DTOP_MODULATE, stage_function::modulate, args12},
    operation_row{D3DTOP_MODULATE2X, stage_function::modulate, args12, 1},
    operation_row{D3DTOP_MODULATE4X, stage_function::modulate, args12, 2},
    operation_row{D3DTOP_ADD, stage_function::add, args12},
    operation_row{D3DTOP_ADDSIGNED, stage_function::add_signed, args12},
    operation_row{D3DTOP_ADDSIGNED2X, stage_function::add_signed, args12, 1},
    operation_row{D3DTOP_SUBTRACT, stage_function::subtract, args12},
    operation_row{D3DTOP_ADDSMOOTH, stage_function::add_smooth, args12},
    operation_row{D3DTOP_BLENDDIFFUSEALPHA, stage_function::blend, args12, 0, D3DTA_DIFFUSE},
    operation_row{D3DTOP_BLENDTEXTUREALPHA, stage_function::blend, args12, 0, D3DTA_TEXTURE},
    operation_row{D3DTOP_BLENDFACTORALPHA, stage_function::blend, args12, 0, D3DTA_TFACTOR},
    operation_row{D3DTOP_BLENDTEXTUREALPHAPM, stage_function::blend_premultiplied, args12, 0,
                  D3DTA_TEXTURE},
    operation_row{D3DTOP_BLENDCURRENTALPHA, stage_function::blend, args12, 0, D3DTA_CURRENT},
    operation_row{D3DTOP_PREMODULATE, stage_function::premodulate, arg1},
    operation_row{D3DTOP_MODULATEALPHA_ADDCOLOR, stage_function::modulate_alpha_add, args12, 0, 0,
                  true},
    operation_row{D3DTOP_MODULATECOLOR_ADDALPHA, stage_function::modulate_color_add, args12, 0, 0,
                  true},
    operation_row{D3DTOP_MODULATEINVALPHA_ADDCOLOR, stage_function::modulate_inverse_alpha_add,
                  args12, 0, 0, true},
    operation_row{D3DTOP_MODULATEINVCOLOR_ADDALPHA, stage_function::modulate_inverse_color_add,
                  args12, 0, 0, true},
    operation_row{D3DTOP_DOTPRODUCT3, stage_function::dot_product, args12},
    operation_row{D3DTOP_MULTIPLYADD, stage_function::multiply_add, args012},
    operation_row{D3DTOP_LERP, stage_function::lerp, args012},
};

namespace detail {

/// D3DTEXTUREOP -> 1 + row; 0 = no such operation.
inline constexpr auto operation_index = [] {
  std::array<std::uint8_t, D3DTOP_LERP + 1> index{};
  for (std::size_t i = 0; i < operation_rows.size(); ++i) {
    index[static_cast<std::size_t>(operation_rows[i].op)] = static_cast<std::uint8_t>(i + 1);
  }
  return index;
}();

}  // namespace detail

/// The row of an operation, or nullptr for those that no stage can do.
[[nodiscard]] constexpr auto find_operation(std::uint32_t op) noexcept -> const operation_row* {
  if (op >= detail::operation_index.size() || detail::operation_index[op] == 0) return nullptr;
  return &operation_rows[detail::operation_index[op] - 1u];
}

/// Whether an operation of a key reads D3DTA_`what`, other than DIFFUSE: an argument that it does
/// not read is 0, which names that.
[[nodiscard]] constexpr auto reads(const stage_operation& operation, std::uint32_t what) noexcept
    -> bool {
  const operation_row* row = find_operation(operation.op);
  if (row == nullptr) return false;
  if (row->blend_by == what) return true;
  for (unsigned i = 0; i < operation.args.size(); ++i) {
    const bool is_read = (row->args >> i & 1u) != 0;
    if (is_read && (operation.args[i] & D3DTA_SELECTMASK) == what) return true;
  }
  return false;
}
[[nodiscard]] constexpr auto reads(const pixel_stage& stage, std::uint32_t what) noexcept -> bool {
  return reads(stage.color, what) || reads(stage.alpha, what);
}

/// D3DCAPS9::TextureOpCaps: bit n - 1 for operation n.
[[nodiscard]] constexpr auto texture_op_caps() noexcept -> std::uint32_t {
  std::uint32_t caps = 0;
  for (const operation_row& row : operation_rows) caps |= 1u << (row.op - 1);
  return caps;
}

}  // namespace aerogpu::umd::fixed
