// SPDX-License-Identifier: MIT
/// \file The wire's enumerations and flag words by name: the one list that dump, validator and docs
/// read.
#pragma once

#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/abi/cmd_draw.h"
#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/abi/cmd_state.h"
#include "aerogpu/abi/format.h"
#include "aerogpu/abi/shader_stage.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace aerogpu {

/// One enumerator. `name` is the wire name without the set's prefix.
struct named_value {
  std::uint32_t value;
  std::string_view name;
  std::uint8_t since_minor = 0;  ///< First ABI minor whose drivers write it (wire.md 2).
};

/// The sets that packet fields draw from; indexes `value_sets`.
enum class value_set : std::uint8_t {
  none,
  shader_stage,
  shader_stage_ex,
  format,
  resource_usage,
  copy_flags,
  clear_flags,
  present_flags,
  index_format,
  primitive_topology,
  sampler_filter,
  sampler_address_mode,
  blend_factor,
  blend_op,
  color_write_mask,
  compare_func,
  fill_mode,
  cull_mode,
  rasterizer_flags,
};

/// A set: its C type, the prefix of its enumerators and the values that exist.
struct value_set_row {
  value_set set = value_set::none;
  std::string_view type_name;
  std::string_view prefix;
  bool is_flags = false;
  std::span<const named_value> values;
  std::array<std::uint64_t, 2> members{};  ///< Bit v: value v exists; of flags, [0] = known bits.
  std::uint32_t newest_member_minor = 0;   ///< Highest since_minor in the set.

  /// Whether `value` is an enumerator, or for flags whether all its bits are known.
  [[nodiscard]] constexpr auto contains(std::uint32_t value) const noexcept -> bool {
    if (is_flags) return (value & ~members[0]) == 0;
    return value < 128 && ((members[value / 64] >> (value % 64)) & 1) != 0;
  }
  /// The enumerator of `value`, or null.
  [[nodiscard]] constexpr auto find(std::uint32_t value) const noexcept -> const named_value* {
    for (const named_value& v : values) {
      if (v.value == value) return &v;
    }
    return nullptr;
  }
};

namespace detail {

inline constexpr named_value shader_stages[] = {
    {AEROGPU_SHADER_STAGE_VERTEX, "VERTEX"},
    {AEROGPU_SHADER_STAGE_PIXEL, "PIXEL"},
    {AEROGPU_SHADER_STAGE_COMPUTE, "COMPUTE"},
    {AEROGPU_SHADER_STAGE_GEOMETRY, "GEOMETRY"},
};
inline constexpr named_value shader_stages_ex[] = {
    {AEROGPU_SHADER_STAGE_EX_NONE, "NONE"},
    {AEROGPU_SHADER_STAGE_EX_GEOMETRY, "GEOMETRY", AEROGPU_STAGE_EX_MIN_ABI_MINOR},
    {AEROGPU_SHADER_STAGE_EX_HULL, "HULL", AEROGPU_STAGE_EX_MIN_ABI_MINOR},
    {AEROGPU_SHADER_STAGE_EX_DOMAIN, "DOMAIN", AEROGPU_STAGE_EX_MIN_ABI_MINOR},
    {AEROGPU_SHADER_STAGE_EX_COMPUTE, "COMPUTE", AEROGPU_STAGE_EX_MIN_ABI_MINOR},
};
inline constexpr named_value formats[] = {
    // INVALID (0) has a name in the ABI and is no format.
    {AEROGPU_FORMAT_B8G8R8A8_UNORM, "B8G8R8A8_UNORM"},
    {AEROGPU_FORMAT_B8G8R8X8_UNORM, "B8G8R8X8_UNORM"},
    {AEROGPU_FORMAT_R8G8B8A8_UNORM, "R8G8B8A8_UNORM"},
    {AEROGPU_FORMAT_R8G8B8X8_UNORM, "R8G8B8X8_UNORM"},
    {AEROGPU_FORMAT_B5G6R5_UNORM, "B5G6R5_UNORM"},
    {AEROGPU_FORMAT_B5G5R5A1_UNORM, "B5G5R5A1_UNORM"},
    {AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, "B8G8R8A8_UNORM_SRGB", 2},
    {AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB, "B8G8R8X8_UNORM_SRGB", 2},
    {AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, "R8G8B8A8_UNORM_SRGB", 2},
    {AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB, "R8G8B8X8_UNORM_SRGB", 2},
    {AEROGPU_FORMAT_D24_UNORM_S8_UINT, "D24_UNORM_S8_UINT"},
    {AEROGPU_FORMAT_D32_FLOAT, "D32_FLOAT"},
    {AEROGPU_FORMAT_BC1_RGBA_UNORM, "BC1_RGBA_UNORM", 2},
    {AEROGPU_FORMAT_BC1_RGBA_UNORM_SRGB, "BC1_RGBA_UNORM_SRGB", 2},
    {AEROGPU_FORMAT_BC2_RGBA_UNORM, "BC2_RGBA_UNORM", 2},
    {AEROGPU_FORMAT_BC2_RGBA_UNORM_SRGB, "BC2_RGBA_UNORM_SRGB", 2},
    {AEROGPU_FORMAT_BC3_RGBA_UNORM, "BC3_RGBA_UNORM", 2},
    {AEROGPU_FORMAT_BC3_RGBA_UNORM_SRGB, "BC3_RGBA_UNORM_SRGB", 2},
    {AEROGPU_FORMAT_BC7_RGBA_UNORM, "BC7_RGBA_UNORM", 2},
    {AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB, "BC7_RGBA_UNORM_SRGB", 2},
};
inline constexpr named_value resource_usages[] = {
    {AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, "VERTEX_BUFFER"},
    {AEROGPU_RESOURCE_USAGE_INDEX_BUFFER, "INDEX_BUFFER"},
    {AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, "CONSTANT_BUFFER"},
    {AEROGPU_RESOURCE_USAGE_TEXTURE, "TEXTURE"},
    {AEROGPU_RESOURCE_USAGE_RENDER_TARGET, "RENDER_TARGET"},
    {AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL, "DEPTH_STENCIL"},
    {AEROGPU_RESOURCE_USAGE_SCANOUT, "SCANOUT"},
    {AEROGPU_RESOURCE_USAGE_STORAGE, "STORAGE"},
};
inline constexpr named_value copy_flags[] = {{AEROGPU_COPY_FLAG_WRITEBACK_DST, "WRITEBACK_DST"}};
inline constexpr named_value clear_flags[] = {
    {AEROGPU_CLEAR_COLOR, "COLOR"},
    {AEROGPU_CLEAR_DEPTH, "DEPTH"},
    {AEROGPU_CLEAR_STENCIL, "STENCIL"},
};
inline constexpr named_value present_flags[] = {{AEROGPU_PRESENT_FLAG_VSYNC, "VSYNC"}};
inline constexpr named_value index_formats[] = {
    {AEROGPU_INDEX_FORMAT_UINT16, "UINT16"},
    {AEROGPU_INDEX_FORMAT_UINT32, "UINT32"},
};
inline constexpr named_value topologies[] = {
    {AEROGPU_TOPOLOGY_POINTLIST, "POINTLIST"},
    {AEROGPU_TOPOLOGY_LINELIST, "LINELIST"},
    {AEROGPU_TOPOLOGY_LINESTRIP, "LINESTRIP"},
    {AEROGPU_TOPOLOGY_TRIANGLELIST, "TRIANGLELIST"},
    {AEROGPU_TOPOLOGY_TRIANGLESTRIP, "TRIANGLESTRIP"},
    {AEROGPU_TOPOLOGY_TRIANGLEFAN, "TRIANGLEFAN"},
    {AEROGPU_TOPOLOGY_LINELIST_ADJ, "LINELIST_ADJ"},
    {AEROGPU_TOPOLOGY_LINESTRIP_ADJ, "LINESTRIP_ADJ"},
    {AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ, "TRIANGLELIST_ADJ"},
    {AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ, "TRIANGLESTRIP_ADJ"},
    {AEROGPU_TOPOLOGY_PATCHLIST_1, "PATCHLIST_1"},
    {AEROGPU_TOPOLOGY_PATCHLIST_2, "PATCHLIST_2"},
    {AEROGPU_TOPOLOGY_PATCHLIST_3, "PATCHLIST_3"},
    {AEROGPU_TOPOLOGY_PATCHLIST_4, "PATCHLIST_4"},
    {AEROGPU_TOPOLOGY_PATCHLIST_5, "PATCHLIST_5"},
    {AEROGPU_TOPOLOGY_PATCHLIST_6, "PATCHLIST_6"},
    {AEROGPU_TOPOLOGY_PATCHLIST_7, "PATCHLIST_7"},
    {AEROGPU_TOPOLOGY_PATCHLIST_8, "PATCHLIST_8"},
    {AEROGPU_TOPOLOGY_PATCHLIST_9, "PATCHLIST_9"},
    {AEROGPU_TOPOLOGY_PATCHLIST_10, "PATCHLIST_10"},
    {AEROGPU_TOPOLOGY_PATCHLIST_11, "PATCHLIST_11"},
    {AEROGPU_TOPOLOGY_PATCHLIST_12, "PATCHLIST_12"},
    {AEROGPU_TOPOLOGY_PATCHLIST_13, "PATCHLIST_13"},
    {AEROGPU_TOPOLOGY_PATCHLIST_14, "PATCHLIST_14"},
    {AEROGPU_TOPOLOGY_PATCHLIST_15, "PATCHLIST_15"},
    {AEROGPU_TOPOLOGY_PATCHLIST_16, "PATCHLIST_16"},
    {AEROGPU_TOPOLOGY_PATCHLIST_17, "PATCHLIST_17"},
    {AEROGPU_TOPOLOGY_PATCHLIST_18, "PATCHLIST_18"},
    {AEROGPU_TOPOLOGY_PATCHLIST_19, "PATCHLIST_19"},
    {AEROGPU_TOPOLOGY_PATCHLIST_20, "PATCHLIST_20"},
    {AEROGPU_TOPOLOGY_PATCHLIST_21, "PATCHLIST_21"},
    {AEROGPU_TOPOLOGY_PATCHLIST_22, "PATCHLIST_22"},
    {AEROGPU_TOPOLOGY_PATCHLIST_23, "PATCHLIST_23"},
    {AEROGPU_TOPOLOGY_PATCHLIST_24, "PATCHLIST_24"},
    {AEROGPU_TOPOLOGY_PATCHLIST_25, "PATCHLIST_25"},
    {AEROGPU_TOPOLOGY_PATCHLIST_26, "PATCHLIST_26"},
    {AEROGPU_TOPOLOGY_PATCHLIST_27, "PATCHLIST_27"},
    {AEROGPU_TOPOLOGY_PATCHLIST_28, "PATCHLIST_28"},
    {AEROGPU_TOPOLOGY_PATCHLIST_29, "PATCHLIST_29"},
    {AEROGPU_TOPOLOGY_PATCHLIST_30, "PATCHLIST_30"},
    {AEROGPU_TOPOLOGY_PATCHLIST_31, "PATCHLIST_31"},
    {AEROGPU_TOPOLOGY_PATCHLIST_32, "PATCHLIST_32"},
};
inline constexpr named_value sampler_filters[] = {
    {AEROGPU_SAMPLER_FILTER_NEAREST, "NEAREST"},
    {AEROGPU_SAMPLER_FILTER_LINEAR, "LINEAR"},
};
inline constexpr named_value sampler_address_modes[] = {
    {AEROGPU_SAMPLER_ADDRESS_CLAMP_TO_EDGE, "CLAMP_TO_EDGE"},
    {AEROGPU_SAMPLER_ADDRESS_REPEAT, "REPEAT"},
    {AEROGPU_SAMPLER_ADDRESS_MIRROR_REPEAT, "MIRROR_REPEAT"},
};
inline constexpr named_value blend_factors[] = {
    {AEROGPU_BLEND_ZERO, "ZERO"},
    {AEROGPU_BLEND_ONE, "ONE"},
    {AEROGPU_BLEND_SRC_ALPHA, "SRC_ALPHA"},
    {AEROGPU_BLEND_INV_SRC_ALPHA, "INV_SRC_ALPHA"},
    {AEROGPU_BLEND_DEST_ALPHA, "DEST_ALPHA"},
    {AEROGPU_BLEND_INV_DEST_ALPHA, "INV_DEST_ALPHA"},
    {AEROGPU_BLEND_CONSTANT, "CONSTANT"},
    {AEROGPU_BLEND_INV_CONSTANT, "INV_CONSTANT"},
};
inline constexpr named_value blend_ops[] = {
    {AEROGPU_BLEND_OP_ADD, "ADD"},
    {AEROGPU_BLEND_OP_SUBTRACT, "SUBTRACT"},
    {AEROGPU_BLEND_OP_REV_SUBTRACT, "REV_SUBTRACT"},
    {AEROGPU_BLEND_OP_MIN, "MIN"},
    {AEROGPU_BLEND_OP_MAX, "MAX"},
};
inline constexpr named_value color_write_masks[] = {{1, "R"}, {2, "G"}, {4, "B"}, {8, "A"}};
inline constexpr named_value compare_funcs[] = {
    {AEROGPU_COMPARE_NEVER, "NEVER"},
    {AEROGPU_COMPARE_LESS, "LESS"},
    {AEROGPU_COMPARE_EQUAL, "EQUAL"},
    {AEROGPU_COMPARE_LESS_EQUAL, "LESS_EQUAL"},
    {AEROGPU_COMPARE_GREATER, "GREATER"},
    {AEROGPU_COMPARE_NOT_EQUAL, "NOT_EQUAL"},
    {AEROGPU_COMPARE_GREATER_EQUAL, "GREATER_EQUAL"},
    {AEROGPU_COMPARE_ALWAYS, "ALWAYS"},
};
inline constexpr named_value fill_modes[] = {
    {AEROGPU_FILL_SOLID, "SOLID"},
    {AEROGPU_FILL_WIREFRAME, "WIREFRAME"},
};
inline constexpr named_value cull_modes[] = {
    {AEROGPU_CULL_NONE, "NONE"},
    {AEROGPU_CULL_FRONT, "FRONT"},
    {AEROGPU_CULL_BACK, "BACK"},
};
inline constexpr named_value rasterizer_flags[] = {
    {AEROGPU_RASTERIZER_FLAG_DEPTH_CLIP_DISABLE, "DEPTH_CLIP_DISABLE"},
};

/// What a set's values mean: one of them, or any of them together.
enum class set_shape : std::uint8_t { one_of, flags };

[[nodiscard]] constexpr auto make_value_set(value_set set, std::string_view type_name,
                                            std::string_view prefix, set_shape shape,
                                            std::span<const named_value> values) noexcept
    -> value_set_row {
  value_set_row row{set, type_name, prefix, shape == set_shape::flags, values, {}, 0};
  for (const named_value& v : values) {
    if (row.is_flags) {
      row.members[0] |= v.value;
    } else {
      row.members[v.value / 64] |= std::uint64_t{1} << (v.value % 64);
    }
    if (v.since_minor > row.newest_member_minor) row.newest_member_minor = v.since_minor;
  }
  return row;
}

}  // namespace detail

/// Every set, in the order of `value_set`.
inline constexpr std::array value_sets{
    value_set_row{},
    detail::make_value_set(value_set::shader_stage, "aerogpu_shader_stage", "AEROGPU_SHADER_STAGE_",
                           detail::set_shape::one_of, detail::shader_stages),
    detail::make_value_set(value_set::shader_stage_ex, "aerogpu_shader_stage_ex",
                           "AEROGPU_SHADER_STAGE_EX_", detail::set_shape::one_of,
                           detail::shader_stages_ex),
    detail::make_value_set(value_set::format, "aerogpu_format", "AEROGPU_FORMAT_",
                           detail::set_shape::one_of, detail::formats),
    detail::make_value_set(value_set::resource_usage, "aerogpu_resource_usage_flags",
                           "AEROGPU_RESOURCE_USAGE_", detail::set_shape::flags,
                           detail::resource_usages),
    detail::make_value_set(value_set::copy_flags, "aerogpu_copy_flags", "AEROGPU_COPY_FLAG_",
                           detail::set_shape::flags, detail::copy_flags),
    detail::make_value_set(value_set::clear_flags, "aerogpu_clear_flags", "AEROGPU_CLEAR_",
                           detail::set_shape::flags, detail::clear_flags),
    detail::make_value_set(value_set::present_flags, "aerogpu_present_flags",
                           "AEROGPU_PRESENT_FLAG_", detail::set_shape::flags,
                           detail::present_flags),
    detail::make_value_set(value_set::index_format, "aerogpu_index_format", "AEROGPU_INDEX_FORMAT_",
                           detail::set_shape::one_of, detail::index_formats),
    detail::make_value_set(value_set::primitive_topology, "aerogpu_primitive_topology",
                           "AEROGPU_TOPOLOGY_", detail::set_shape::one_of, detail::topologies),
    detail::make_value_set(value_set::sampler_filter, "aerogpu_sampler_filter",
                           "AEROGPU_SAMPLER_FILTER_", detail::set_shape::one_of,
                           detail::sampler_filters),
    detail::make_value_set(value_set::sampler_address_mode, "aerogpu_sampler_address_mode",
                           "AEROGPU_SAMPLER_ADDRESS_", detail::set_shape::one_of,
                           detail::sampler_address_modes),
    detail::make_value_set(value_set::blend_factor, "aerogpu_blend_factor", "AEROGPU_BLEND_",
                           detail::set_shape::one_of, detail::blend_factors),
    detail::make_value_set(value_set::blend_op, "aerogpu_blend_op", "AEROGPU_BLEND_OP_",
                           detail::set_shape::one_of, detail::blend_ops),
    detail::make_value_set(value_set::color_write_mask, "", "", detail::set_shape::flags,
                           detail::color_write_masks),
    detail::make_value_set(value_set::compare_func, "aerogpu_compare_func", "AEROGPU_COMPARE_",
                           detail::set_shape::one_of, detail::compare_funcs),
    detail::make_value_set(value_set::fill_mode, "aerogpu_fill_mode", "AEROGPU_FILL_",
                           detail::set_shape::one_of, detail::fill_modes),
    detail::make_value_set(value_set::cull_mode, "aerogpu_cull_mode", "AEROGPU_CULL_",
                           detail::set_shape::one_of, detail::cull_modes),
    detail::make_value_set(value_set::rasterizer_flags, "aerogpu_rasterizer_flags",
                           "AEROGPU_RASTERIZER_FLAG_", detail::set_shape::flags,
                           detail::rasterizer_flags),
};

/// The row of `set`.
[[nodiscard]] constexpr auto row_of(value_set set) noexcept -> const value_set_row& {
  return value_sets[static_cast<std::size_t>(set)];
}

namespace detail {
[[nodiscard]] constexpr auto value_sets_are_in_order() noexcept -> bool {
  for (std::size_t i = 0; i < value_sets.size(); ++i) {
    if (static_cast<std::size_t>(value_sets[i].set) != i) return false;
  }
  return true;
}
static_assert(value_sets_are_in_order());
}  // namespace detail

}  // namespace aerogpu
