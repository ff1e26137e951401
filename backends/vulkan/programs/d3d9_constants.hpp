// SPDX-License-Identifier: MIT
/// \file Constant registers of SM1-3 programs in uniform memory, and their set of descriptors.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "vulkan/device_parts.hpp"
#include "vulkan/pipeline/shader_store.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

/// A set with both stages' blocks, and where they lie.
struct d3d9_constant_set {
  VkDescriptorSet set = VK_NULL_HANDLE;
  std::array<std::uint32_t, 2> offsets{};  ///< Vertex, pixel.
};

class d3d9_constant_binder {
 public:
  explicit d3d9_constant_binder(device_parts& device) noexcept : device_(device) {}

  /// Writes what `shader` reads of the registers; `place` is 0 for the vertex shader, 1 for the
  /// pixel shader. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto write(std::size_t place, const constant_registers& registers,
                           const d3d9::translation& shader) -> result<void>;
  /// The set for what was written last. Errors: as above.
  [[nodiscard]] auto resolve_set(VkDescriptorSetLayout layout) -> result<d3d9_constant_set>;

 private:
  struct known_set {
    std::array<VkBuffer, 2> buffers;
    VkDescriptorSet handle;
  };

  [[nodiscard]] auto follow_batch() -> result<void>;

  device_parts& device_;
  std::uint64_t batch_ = 0;
  std::array<VkBuffer, 2> buffers_{};
  std::array<std::uint32_t, 2> offsets_{};
  heap_array<known_set> sets_;  ///< One for each pair of staging buffers.
};

}  // namespace aerogpu::vulkan
