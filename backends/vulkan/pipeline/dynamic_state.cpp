// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/dynamic_state.hpp"

#include "aerogpu/backend/render_area.hpp"
#include "aerogpu/core/bytes.hpp"
#include "vulkan/pipeline/state_map.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// y grows upwards in Direct3D's clip space: a viewport of negative height turns it over.
auto viewport_of(const viewport_state& from, VkExtent2D extent, float offset,
                 const VkPhysicalDeviceLimits& most) noexcept -> VkViewport {
  VkViewport to{0, 0, static_cast<float>(extent.width), static_cast<float>(extent.height), 0, 1};
  if (from.is_set) {
    const float low = most.viewportBoundsRange[0], high = most.viewportBoundsRange[1];
    to.x = std::clamp(from.x, low, high - 2);
    to.y = std::clamp(from.y, low, high - 2);
    to.width =
        std::min({from.width, static_cast<float>(most.maxViewportDimensions[0]), high - to.x - 1});
    to.height =
        std::min({from.height, static_cast<float>(most.maxViewportDimensions[1]), high - to.y - 1});
    to.minDepth = std::clamp(std::min(from.min_depth, from.max_depth), 0.0f, 1.0f);
    to.maxDepth = std::clamp(std::max(from.min_depth, from.max_depth), 0.0f, 1.0f);
  }
  to.x += offset;
  to.y += offset + to.height;
  to.height = -to.height;
  return to;
}

/// The part of `area` that the viewport touches.
auto clip_to_viewport(const pixel_rect& area, const viewport_state& viewport) noexcept
    -> pixel_rect {
  if (!viewport.is_set) return area;
  const auto clip = [](std::uint32_t first, std::uint32_t size, float low, float length) {
    const auto begin = static_cast<float>(first), end = static_cast<float>(first + size);
    // In range as floats, so that they fit whatever they were.
    const float to = std::clamp(std::ceil(low + length), begin, end);
    const float from = std::clamp(std::floor(low), begin, to);
    return std::pair{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to - from)};
  };
  const auto [x, width] = clip(area.x, area.width, viewport.x, viewport.width);
  const auto [y, height] = clip(area.y, area.height, viewport.y, viewport.height);
  return {x, y, width, height};
}

auto face_of(const stencil_face& face) noexcept -> stencil_face_state {
  return {to_vulkan(face.fail), to_vulkan(face.pass), to_vulkan(face.depth_fail),
          to_vulkan(face.func)};
}

auto cull_of(aerogpu_cull_mode cull) noexcept -> VkCullModeFlags {
  if (cull == AEROGPU_CULL_FRONT) return VK_CULL_MODE_FRONT_BIT;
  return cull == AEROGPU_CULL_BACK ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE;
}

/// D3DRS_DEPTHBIAS counts in the whole depth range, Vulkan in steps: 2^-24 for D24, and for floats
/// of the half of the range that is farther away, 2^(exponent of z - 23).
auto bias_of(const rasterizer_state& state, const dynamic_inputs& inputs) noexcept
    -> std::array<float, 2> {
  const float constant = std::bit_cast<float>(inputs.d3d9_depth_bias) * 0x1p24f;
  const float slope = std::bit_cast<float>(inputs.d3d9_slope_bias);
  return {static_cast<float>(state.depth_bias) + (std::isfinite(constant) ? constant : 0.0f),
          std::isfinite(slope) ? slope : 0.0f};
}

void set_depth_stencil(dynamic_state& state, const depth_stencil_state& from) noexcept {
  state.depth_test = from.depth_enable ? VK_TRUE : VK_FALSE;
  state.depth_write = from.depth_enable && from.depth_write ? VK_TRUE : VK_FALSE;
  state.depth_compare = to_vulkan(from.depth_func);
  state.stencil_test = from.stencil_enable ? VK_TRUE : VK_FALSE;
  const auto& other = from.two_sided ? from.counter_clockwise : from.clockwise;
  const bool front_is_clockwise = state.front == VK_FRONT_FACE_CLOCKWISE;
  state.front_stencil = face_of(front_is_clockwise ? from.clockwise : other);
  state.back_stencil = face_of(front_is_clockwise ? other : from.clockwise);
  state.stencil_read_mask = from.stencil_read_mask;
  state.stencil_write_mask = from.stencil_write_mask;
  state.stencil_reference = from.stencil_reference;
}

/// Bits, not numbers: a NaN is recorded only once, and -0 is not 0.
template <class T>
auto is_same(const T& a, const T& b) noexcept -> bool {
  const const_bytes left = aerogpu::bytes_of(a), right = aerogpu::bytes_of(b);
  return std::memcmp(left.data(), right.data(), left.size()) == 0;
}

void record_stencil(const VolkDeviceTable& vk, VkCommandBuffer commands, const dynamic_state& now,
                    const dynamic_state* last) noexcept {
  const auto set_face = [&](VkStencilFaceFlags face, const stencil_face_state& state) {
    vk.vkCmdSetStencilOp(commands, face, state.fail, state.pass, state.depth_fail, state.compare);
  };
  constexpr VkStencilFaceFlags both = VK_STENCIL_FACE_FRONT_AND_BACK;
  if (last == nullptr || now.stencil_test != last->stencil_test) {
    vk.vkCmdSetStencilTestEnable(commands, now.stencil_test);
  }
  if (last == nullptr || now.front_stencil != last->front_stencil) {
    set_face(VK_STENCIL_FACE_FRONT_BIT, now.front_stencil);
  }
  if (last == nullptr || now.back_stencil != last->back_stencil) {
    set_face(VK_STENCIL_FACE_BACK_BIT, now.back_stencil);
  }
  if (last == nullptr || now.stencil_read_mask != last->stencil_read_mask) {
    vk.vkCmdSetStencilCompareMask(commands, both, now.stencil_read_mask);
  }
  if (last == nullptr || now.stencil_write_mask != last->stencil_write_mask) {
    vk.vkCmdSetStencilWriteMask(commands, both, now.stencil_write_mask);
  }
  if (last == nullptr || now.stencil_reference != last->stencil_reference) {
    vk.vkCmdSetStencilReference(commands, both, now.stencil_reference);
  }
}

void record_rasterizer(const VolkDeviceTable& vk, VkCommandBuffer commands,
                       const dynamic_state& now, const dynamic_state* last) noexcept {
  if (last == nullptr || now.cull != last->cull) vk.vkCmdSetCullMode(commands, now.cull);
  if (last == nullptr || now.front != last->front) vk.vkCmdSetFrontFace(commands, now.front);
  if (last == nullptr || now.topology != last->topology) {
    vk.vkCmdSetPrimitiveTopology(commands, now.topology);
  }
  if (last == nullptr || now.restarts != last->restarts) {
    vk.vkCmdSetPrimitiveRestartEnable(commands, now.restarts);
  }
  if (last == nullptr || now.depth_bias != last->depth_bias) {
    const bool is_on = now.depth_bias[0] != 0 || now.depth_bias[1] != 0;
    vk.vkCmdSetDepthBiasEnable(commands, is_on ? VK_TRUE : VK_FALSE);
    vk.vkCmdSetDepthBias(commands, now.depth_bias[0], 0, now.depth_bias[1]);
  }
}

}  // namespace

auto make_dynamic_state(const fixed_function_state& fixed, const dynamic_inputs& inputs,
                        const VkPhysicalDeviceLimits& most) noexcept -> dynamic_state {
  dynamic_state state;
  const rasterizer_state& rasterizer = fixed.rasterizer;
  state.viewport =
      viewport_of(fixed.viewport, inputs.extent, inputs.has_d3d9_pixel_centers ? 0.5f : 0.0f, most);
  const scissor_state whole;
  pixel_rect area = clip_scissor(rasterizer.scissor_enable ? fixed.scissor : whole,
                                 {inputs.extent.width, inputs.extent.height});
  if (inputs.is_d3d9) area = clip_to_viewport(area, fixed.viewport);
  state.scissor = {{static_cast<std::int32_t>(area.x), static_cast<std::int32_t>(area.y)},
                   {area.width, area.height}};
  state.blend_constants = fixed.blend.constant;
  state.depth_bias = bias_of(rasterizer, inputs);
  state.cull = cull_of(rasterizer.cull);
  state.front = rasterizer.front_counter_clockwise ? VK_FRONT_FACE_COUNTER_CLOCKWISE
                                                   : VK_FRONT_FACE_CLOCKWISE;
  state.topology = inputs.topology;
  state.restarts = inputs.restarts ? VK_TRUE : VK_FALSE;
  set_depth_stencil(state, fixed.depth_stencil);
  return state;
}

void record_dynamic_state(const VolkDeviceTable& vk, VkCommandBuffer commands,
                          const dynamic_state& now, const dynamic_state* last) noexcept {
  if (last == nullptr || !is_same(now.viewport, last->viewport)) {
    vk.vkCmdSetViewport(commands, 0, 1, &now.viewport);
  }
  if (last == nullptr || !is_same(now.scissor, last->scissor)) {
    vk.vkCmdSetScissor(commands, 0, 1, &now.scissor);
  }
  if (last == nullptr || !is_same(now.blend_constants, last->blend_constants)) {
    vk.vkCmdSetBlendConstants(commands, now.blend_constants.data());
  }
  record_rasterizer(vk, commands, now, last);
  if (last == nullptr || now.depth_test != last->depth_test) {
    vk.vkCmdSetDepthTestEnable(commands, now.depth_test);
  }
  if (last == nullptr || now.depth_write != last->depth_write) {
    vk.vkCmdSetDepthWriteEnable(commands, now.depth_write);
  }
  if (last == nullptr || now.depth_compare != last->depth_compare) {
    vk.vkCmdSetDepthCompareOp(commands, now.depth_compare);
  }
  record_stencil(vk, commands, now, last);
}

}  // namespace aerogpu::vulkan
