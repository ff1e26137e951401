// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/state_map.hpp"

#include <array>
#include <cstddef>

namespace aerogpu::vulkan {

namespace {

/// One kind of component, by how many there are.
struct vertex_row {
  vertex_type type;
  std::array<VkFormat, 4> formats;
};

constexpr VkFormat no = VK_FORMAT_UNDEFINED;
// clang-format off
constexpr std::array<vertex_row, 16> vertex_rows{{
    {vertex_type::f16, {VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT, no, VK_FORMAT_R16G16B16A16_SFLOAT}},
    {vertex_type::f32, {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT}},
    {vertex_type::u8, {VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT, no, VK_FORMAT_R8G8B8A8_UINT}},
    {vertex_type::u16, {VK_FORMAT_R16_UINT, VK_FORMAT_R16G16_UINT, no, VK_FORMAT_R16G16B16A16_UINT}},
    {vertex_type::u32, {VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32A32_UINT}},
    {vertex_type::i8, {VK_FORMAT_R8_SINT, VK_FORMAT_R8G8_SINT, no, VK_FORMAT_R8G8B8A8_SINT}},
    {vertex_type::i16, {VK_FORMAT_R16_SINT, VK_FORMAT_R16G16_SINT, no, VK_FORMAT_R16G16B16A16_SINT}},
    {vertex_type::i32, {VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT, VK_FORMAT_R32G32B32_SINT, VK_FORMAT_R32G32B32A32_SINT}},
    {vertex_type::unorm8, {VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM, no, VK_FORMAT_R8G8B8A8_UNORM}},
    {vertex_type::unorm8_bgra, {no, no, no, VK_FORMAT_B8G8R8A8_UNORM}},
    {vertex_type::unorm16, {VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM, no, VK_FORMAT_R16G16B16A16_UNORM}},
    {vertex_type::snorm8, {VK_FORMAT_R8_SNORM, VK_FORMAT_R8G8_SNORM, no, VK_FORMAT_R8G8B8A8_SNORM}},
    {vertex_type::snorm16, {VK_FORMAT_R16_SNORM, VK_FORMAT_R16G16_SNORM, no, VK_FORMAT_R16G16B16A16_SNORM}},
    {vertex_type::unorm10_10_10_2, {no, no, no, VK_FORMAT_A2B10G10R10_UNORM_PACK32}},
    {vertex_type::uscaled10_10_10, {no, no, VK_FORMAT_A2B10G10R10_USCALED_PACK32, no}},
    {vertex_type::snorm10_10_10, {no, no, VK_FORMAT_A2B10G10R10_SNORM_PACK32, no}},
}};
// clang-format on

/// Formats that devices may lack, with the integer format of the same bytes.
struct scaled_row {
  vertex_type type;
  std::uint8_t components;
  VkFormat scaled;
  VkFormat integer;
  bool is_signed;
};
constexpr std::array<scaled_row, 4> scaled_rows{{
    {vertex_type::uscaled8, 4, VK_FORMAT_R8G8B8A8_USCALED, VK_FORMAT_R8G8B8A8_UINT, false},
    {vertex_type::sscaled16, 2, VK_FORMAT_R16G16_SSCALED, VK_FORMAT_R16G16_SINT, true},
    {vertex_type::sscaled16, 4, VK_FORMAT_R16G16B16A16_SSCALED, VK_FORMAT_R16G16B16A16_SINT, true},
    {vertex_type::uscaled10_10_10, 3, VK_FORMAT_A2B10G10R10_USCALED_PACK32,
     VK_FORMAT_A2B10G10R10_UINT_PACK32, false},
}};

}  // namespace

// No defaults, so that a value that is added does not compile before it has its row.

auto to_vulkan(aerogpu_compare_func func) noexcept -> VkCompareOp {
  switch (func) {
    case AEROGPU_COMPARE_NEVER: return VK_COMPARE_OP_NEVER;
    case AEROGPU_COMPARE_LESS: return VK_COMPARE_OP_LESS;
    case AEROGPU_COMPARE_EQUAL: return VK_COMPARE_OP_EQUAL;
    case AEROGPU_COMPARE_LESS_EQUAL: return VK_COMPARE_OP_LESS_OR_EQUAL;
    case AEROGPU_COMPARE_GREATER: return VK_COMPARE_OP_GREATER;
    case AEROGPU_COMPARE_NOT_EQUAL: return VK_COMPARE_OP_NOT_EQUAL;
    case AEROGPU_COMPARE_GREATER_EQUAL: return VK_COMPARE_OP_GREATER_OR_EQUAL;
    case AEROGPU_COMPARE_ALWAYS: return VK_COMPARE_OP_ALWAYS;
  }
  return VK_COMPARE_OP_ALWAYS;
}

auto to_vulkan(stencil_op op) noexcept -> VkStencilOp {
  switch (op) {
    case stencil_op::keep: return VK_STENCIL_OP_KEEP;
    case stencil_op::zero: return VK_STENCIL_OP_ZERO;
    case stencil_op::replace: return VK_STENCIL_OP_REPLACE;
    case stencil_op::increment_clamp: return VK_STENCIL_OP_INCREMENT_AND_CLAMP;
    case stencil_op::decrement_clamp: return VK_STENCIL_OP_DECREMENT_AND_CLAMP;
    case stencil_op::invert: return VK_STENCIL_OP_INVERT;
    case stencil_op::increment_wrap: return VK_STENCIL_OP_INCREMENT_AND_WRAP;
    case stencil_op::decrement_wrap: return VK_STENCIL_OP_DECREMENT_AND_WRAP;
  }
  return VK_STENCIL_OP_KEEP;
}

auto to_vulkan(aerogpu_blend_op op) noexcept -> VkBlendOp {
  switch (op) {
    case AEROGPU_BLEND_OP_ADD: return VK_BLEND_OP_ADD;
    case AEROGPU_BLEND_OP_SUBTRACT: return VK_BLEND_OP_SUBTRACT;
    case AEROGPU_BLEND_OP_REV_SUBTRACT: return VK_BLEND_OP_REVERSE_SUBTRACT;
    case AEROGPU_BLEND_OP_MIN: return VK_BLEND_OP_MIN;
    case AEROGPU_BLEND_OP_MAX: return VK_BLEND_OP_MAX;
  }
  return VK_BLEND_OP_ADD;
}

auto to_vulkan(blend_factor factor, bool has_alpha) noexcept -> VkBlendFactor {
  using enum blend_factor;
  switch (factor) {
    case zero: return VK_BLEND_FACTOR_ZERO;
    case one: return VK_BLEND_FACTOR_ONE;
    case src_alpha: return VK_BLEND_FACTOR_SRC_ALPHA;
    case inv_src_alpha: return VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    case dest_alpha: return has_alpha ? VK_BLEND_FACTOR_DST_ALPHA : VK_BLEND_FACTOR_ONE;
    case inv_dest_alpha:
      return has_alpha ? VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA : VK_BLEND_FACTOR_ZERO;
    case constant: return VK_BLEND_FACTOR_CONSTANT_COLOR;
    case inv_constant: return VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR;
    case src_color: return VK_BLEND_FACTOR_SRC_COLOR;
    case inv_src_color: return VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR;
    case dest_color: return VK_BLEND_FACTOR_DST_COLOR;
    case inv_dest_color: return VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR;
    // min(source alpha, 1 - destination alpha) is 0 where the destination's alpha is 1.
    case src_alpha_sat:
      return has_alpha ? VK_BLEND_FACTOR_SRC_ALPHA_SATURATE : VK_BLEND_FACTOR_ZERO;
  }
  return VK_BLEND_FACTOR_ONE;
}

auto topology_of(aerogpu_primitive_topology topology) noexcept -> topology_choice {
  const auto value = static_cast<std::uint32_t>(topology);
  if (value >= AEROGPU_TOPOLOGY_PATCHLIST_1) {
    return {VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, value - AEROGPU_TOPOLOGY_PATCHLIST_1 + 1, false};
  }
  switch (topology) {
    case AEROGPU_TOPOLOGY_POINTLIST: return {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 0, false};
    case AEROGPU_TOPOLOGY_LINELIST: return {VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 0, false};
    case AEROGPU_TOPOLOGY_LINESTRIP: return {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 0, true};
    case AEROGPU_TOPOLOGY_TRIANGLESTRIP: return {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 0, true};
    case AEROGPU_TOPOLOGY_TRIANGLEFAN: return {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 0, false};
    case AEROGPU_TOPOLOGY_LINELIST_ADJ:
      return {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 0, false};
    case AEROGPU_TOPOLOGY_LINESTRIP_ADJ:
      return {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 0, true};
    case AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ:
      return {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 0, false};
    case AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ:
      return {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 0, true};
    default: return {};
  }
}

auto topology_class_of(VkPrimitiveTopology topology) noexcept -> VkPrimitiveTopology {
  switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST: return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST: return VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    default: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  }
}

auto vertex_format_of(const vertex_format& format, const gpu& device) noexcept
    -> vertex_format_choice {
  const bool packs_three =
      format.type == vertex_type::uscaled10_10_10 || format.type == vertex_type::snorm10_10_10;
  for (const scaled_row& scaled : scaled_rows) {
    if (scaled.type != format.type || scaled.components != format.components) continue;
    if (device.supports_vertices(scaled.scaled)) return {scaled.scaled, false, false, packs_three};
    if (!device.supports_vertices(scaled.integer)) return {};
    return {scaled.integer, !scaled.is_signed, scaled.is_signed, packs_three};
  }
  for (const vertex_row& known : vertex_rows) {
    if (known.type != format.type) continue;
    const VkFormat plain = known.formats[format.components - 1u];
    const bool is_lacking = packs_three && !device.supports_vertices(plain);
    return {is_lacking ? VK_FORMAT_UNDEFINED : plain, false, false, packs_three};
  }
  return {};
}

}  // namespace aerogpu::vulkan
