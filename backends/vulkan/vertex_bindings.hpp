/// \file Vertex attributes and buffers of a draw, packed into few bindings.
#pragma once

#include "aerogpu/processor/draw.hpp"
#include "vulkan/pipeline_key.hpp"
#include "vulkan/resources.hpp"
#include "vulkan/shader_store.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

/// What vkCmdBindVertexBuffers2 is told. `buffers` null = the zero buffer.
struct vertex_bindings {
  std::uint32_t count = 0;
  std::array<buffer_record*, vertex_input_limit> records{};
  std::array<VkBuffer, vertex_input_limit> buffers{};
  std::array<VkDeviceSize, vertex_input_limit> offsets{};
  std::array<VkDeviceSize, vertex_input_limit> strides{};
  std::array<std::uint8_t, vertex_input_limit> slots{};  ///< Of the guest; not of the zero buffer.
};

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
/// or no buffer feeds read zero. `zero` is a small buffer of zeros. Errors: unsupported for strides
/// and step rates beyond the device.
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
