// SPDX-License-Identifier: MIT
/// \file Vertex attributes and buffers of a draw, packed into few bindings.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "vulkan/pipeline/pipeline_key.hpp"
#include "vulkan/pipeline/shader_store.hpp"
#include "vulkan/resources/resources.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

/// The streams that the attributes of a pipeline read, as the guest gave them. `records` null = the
/// zero buffer.
struct vertex_bindings {
  std::uint32_t count = 0;
  std::array<buffer_record*, vertex_input_limit> records{};
  std::array<VkBuffer, vertex_input_limit> buffers{};
  std::array<VkDeviceSize, vertex_input_limit> offsets{};
  std::array<VkDeviceSize, vertex_input_limit> strides{};  ///< As Vulkan is told.
  std::array<std::uint8_t, vertex_input_limit> slots{};   ///< Of the guest; not of the zero buffer.
  std::array<std::uint32_t, vertex_input_limit> steps{};  ///< From one element to the next, bytes.
  std::array<std::uint32_t, vertex_input_limit> ends{};   ///< Of the furthest attribute, bytes.
  std::array<std::uint8_t, vertex_input_limit> alignments{};  ///< That all attributes need.
  std::uint32_t per_instance = 0;  ///< A bit for each binding that advances by instance.
  std::uint32_t pinned = 0;        ///< Those whose one element feeds every instance.
  std::uint32_t misplaced = 0;     ///< Those that must be copied to where Vulkan may read them.
  bool shares_slots = true;        ///< Each slot has one binding that begins where the slot does.
};

/// How far a draw moves its streams so that its first vertex and instance become smaller. Vulkan
/// counts vertices without sign: what lies before the start of a stream can be read only from a
/// stream that starts there.
struct vertex_shift {
  std::int64_t vertices = 0;
  std::uint32_t instances = 0;

  friend auto operator==(const vertex_shift&, const vertex_shift&) -> bool = default;
};

/// A negative base vertex goes into the offsets, as far as every stream reaches back.
[[nodiscard]] auto shift_of(const vertex_bindings& bindings,
                            const draw_call<vulkan_backend>& call) noexcept -> vertex_shift;

/// What vkCmdBindVertexBuffers2 is told.
struct placed_bindings {
  std::array<VkBuffer, vertex_input_limit> buffers;
  std::array<VkDeviceSize, vertex_input_limit> offsets;
  std::array<VkDeviceSize, vertex_input_limit> strides;
};
/// Moves all streams but the misplaced ones. Those that end before their first vertex read zero.
void place_bindings(const vertex_bindings& bindings, const vertex_shift& shift, VkBuffer zero,
                    placed_bindings& placed) noexcept;

/// Registers of an SM1-3 program whose attribute does not arrive as the program expects it: options
/// of its translation.
struct input_fixups {
  std::uint16_t with_w_one = 0;
  std::uint16_t is_unsigned = 0;
  std::uint16_t is_signed = 0;
};
[[nodiscard]] auto find_input_fixups(const vertex_fetch* fetch, const gpu& device) noexcept
    -> input_fixups;

/// Fills the attributes and bindings of `key`, and the buffers behind them. Inputs that no element
/// or no buffer feeds read zero. `zero` is a small buffer of zeros. Errors: unsupported for inputs,
/// strides and step rates beyond the device.
[[nodiscard]] auto bind_vertices(const draw_state<vulkan_backend>& state,
                                 const shader_variant& vertex_shader, const gpu& device,
                                 VkBuffer zero, pipeline_key& key, vertex_bindings& bindings)
    -> result<void>;

/// The same where nothing but buffers changed since: puts other buffers behind the bindings. False,
/// and nothing done, when `key` might not stay as it is.
[[nodiscard]] auto rebind_vertices(const draw_state<vulkan_backend>& state, const gpu& device,
                                   const pipeline_key& key, vertex_bindings& bindings) noexcept
    -> bool;

}  // namespace aerogpu::vulkan
