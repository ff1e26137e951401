// SPDX-License-Identifier: MIT
/// \file Fixed-function state that Vulkan sets by command: no pipeline depends on it.
#pragma once

#include "aerogpu/backend/pipeline_state.hpp"
#include "vulkan/device/gpu.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

struct stencil_face_state {
  VkStencilOp fail = VK_STENCIL_OP_KEEP;
  VkStencilOp pass = VK_STENCIL_OP_KEEP;
  VkStencilOp depth_fail = VK_STENCIL_OP_KEEP;
  VkCompareOp compare = VK_COMPARE_OP_ALWAYS;

  friend auto operator==(const stencil_face_state&, const stencil_face_state&) -> bool = default;
};

/// What the commands say. Equal states need no command.
struct dynamic_state {
  VkViewport viewport{};
  VkRect2D scissor{};
  std::array<float, 4> blend_constants{};
  std::array<float, 2> depth_bias{};  ///< Constant and slope factor.
  VkCullModeFlags cull = VK_CULL_MODE_NONE;
  VkFrontFace front = VK_FRONT_FACE_CLOCKWISE;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkBool32 restarts = VK_FALSE;
  VkBool32 depth_test = VK_FALSE;
  VkBool32 depth_write = VK_FALSE;
  VkCompareOp depth_compare = VK_COMPARE_OP_ALWAYS;
  VkBool32 stencil_test = VK_FALSE;
  stencil_face_state front_stencil;
  stencil_face_state back_stencil;
  std::uint32_t stencil_read_mask = 0;
  std::uint32_t stencil_write_mask = 0;
  std::uint32_t stencil_reference = 0;
};

/// What else decides beside the fixed-function state.
struct dynamic_inputs {
  VkExtent2D extent{};  ///< Of the render area.
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool restarts = false;
  bool is_d3d9 = false;                 ///< No pixel outside the viewport (host.md 3.9).
  bool has_d3d9_pixel_centers = false;  ///< Half a pixel right and down (shaders.md 2.1).
  std::uint32_t d3d9_depth_bias = 0;    ///< D3DRS_DEPTHBIAS, a float's bits.
  std::uint32_t d3d9_slope_bias = 0;    ///< D3DRS_SLOPESCALEDEPTHBIAS, a float's bits.
};

[[nodiscard]] auto make_dynamic_state(const fixed_function_state& fixed,
                                      const dynamic_inputs& inputs,
                                      const VkPhysicalDeviceLimits& most) noexcept -> dynamic_state;

/// The states that pipelines leave open; the last one only where there are vertex buffers.
inline constexpr std::array dynamic_states{
    VK_DYNAMIC_STATE_VIEWPORT,
    VK_DYNAMIC_STATE_SCISSOR,
    VK_DYNAMIC_STATE_BLEND_CONSTANTS,
    VK_DYNAMIC_STATE_DEPTH_BIAS,
    VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE,
    VK_DYNAMIC_STATE_CULL_MODE,
    VK_DYNAMIC_STATE_FRONT_FACE,
    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
    VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
    VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
    VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
    VK_DYNAMIC_STATE_STENCIL_OP,
    VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK,
    VK_DYNAMIC_STATE_STENCIL_WRITE_MASK,
    VK_DYNAMIC_STATE_STENCIL_REFERENCE,
    VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE,
};

/// Records what differs from `last`; everything when that is null.
void record_dynamic_state(const VolkDeviceTable& vk, VkCommandBuffer commands,
                          const dynamic_state& now, const dynamic_state* last) noexcept;

}  // namespace aerogpu::vulkan
