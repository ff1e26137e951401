// SPDX-License-Identifier: MIT
/// \file The guest's enumerations as Vulkan's.
#pragma once

#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/abi/cmd_state.h"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/backend/vertex_format.hpp"
#include "vulkan/device/gpu.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

[[nodiscard]] auto to_vulkan(aerogpu_compare_func func) noexcept -> VkCompareOp;
[[nodiscard]] auto to_vulkan(stencil_op op) noexcept -> VkStencilOp;
[[nodiscard]] auto to_vulkan(aerogpu_blend_op op) noexcept -> VkBlendOp;
/// `has_alpha` false: the target's alpha counts as one (X8). Factors of alpha blending are those
/// of the alpha channel.
[[nodiscard]] auto to_vulkan(blend_factor factor, bool has_alpha) noexcept -> VkBlendFactor;

/// Topology, and how many control points a patch has (0 = no patches).
struct topology_choice {
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  std::uint32_t patch_control_points = 0;
  bool is_strip = false;  ///< A restart index may cut it (host.md 3.10).
};
[[nodiscard]] auto topology_of(aerogpu_primitive_topology topology) noexcept -> topology_choice;
/// The dynamic topology of a pipeline must be of the class that it was made with.
[[nodiscard]] auto topology_class_of(VkPrimitiveTopology topology) noexcept -> VkPrimitiveTopology;

/// A vertex format, and whether the device reads it as plain integers because it lacks the scaled
/// one (shaders.md 2.6). UNDEFINED when it has neither.
struct vertex_format_choice {
  VkFormat format = VK_FORMAT_UNDEFINED;
  bool is_unsigned = false;
  bool is_signed = false;
  bool has_wrong_w = false;  ///< The fourth component is not 1.
};
[[nodiscard]] auto vertex_format_of(const vertex_format& format, const gpu& device) noexcept
    -> vertex_format_choice;

}  // namespace aerogpu::vulkan
