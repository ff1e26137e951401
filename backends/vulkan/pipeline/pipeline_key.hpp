// SPDX-License-Identifier: MIT
/// \file What a pipeline depends on: as little as dynamic state leaves.
#pragma once

#include "aerogpu/abi/cmd_state.h"
#include "aerogpu/hosted/keyed_hash.hpp"
#include "aerogpu/shader/shader_inputs.hpp"
#include "vulkan/device/api.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu::vulkan {

inline constexpr std::size_t graphics_stage_count = 5;
/// Places of the graphics stages in keys and sets: vertex, pixel, geometry, hull, domain.
enum class graphics_stage : std::uint8_t { vertex, pixel, geometry, hull, domain };

/// A blended target in one word. Without blending only the mask counts.
struct blend_key {
  std::uint32_t is_enabled : 1;
  std::uint32_t source : 5;
  std::uint32_t destination : 5;
  std::uint32_t op : 3;
  std::uint32_t alpha_source : 5;
  std::uint32_t alpha_destination : 5;
  std::uint32_t alpha_op : 3;
  std::uint32_t write_mask : 4;
  std::uint32_t padding : 1;
};

struct attribute_key {
  std::uint8_t location;
  std::uint8_t binding;
  std::uint16_t padding;
  std::uint32_t offset_bytes;
  VkFormat format;
};

/// Compared and hashed as bytes: every one of them is set, the unused ones to zero.
struct pipeline_key {
  std::array<std::uint64_t, graphics_stage_count> shaders;  ///< Variant ids; 0 = no such stage.
  std::uint64_t layout;                                     ///< Of `pipeline_layouts`.
  std::array<VkFormat, AEROGPU_MAX_RENDER_TARGETS> color_formats;
  VkFormat depth_format;
  std::array<blend_key, AEROGPU_MAX_RENDER_TARGETS> blends;
  VkPrimitiveTopology topology_class;
  std::uint8_t color_count;
  std::uint8_t alpha_function;  ///< D3DCMPFUNC.
  std::uint8_t patch_control_points;
  std::uint8_t is_wireframe : 4;
  std::uint8_t has_bresenham_lines : 4;
  std::uint8_t clamps_depth : 4;
  std::uint8_t clips_depth : 4;  ///< Though it clamps.
  std::uint8_t has_stencil;
  std::uint8_t attribute_count;
  std::uint8_t binding_count;
  std::uint32_t instance_bindings;  ///< A bit for each binding that advances by instance.
  std::array<std::uint32_t, vertex_input_limit> divisors;
  std::array<attribute_key, vertex_input_limit> attributes;

  pipeline_key() noexcept { std::memset(static_cast<void*>(this), 0, sizeof *this); }

  /// Bytes that can differ: attributes come last, and most shaders have few.
  [[nodiscard]] auto bytes() const noexcept -> const_bytes {
    const std::size_t size =
        offsetof(pipeline_key, attributes) + attribute_count * sizeof(attribute_key);
    return {reinterpret_cast<const std::byte*>(this), size};
  }
  friend auto operator==(const pipeline_key& a, const pipeline_key& b) noexcept -> bool {
    const const_bytes left = a.bytes(), right = b.bytes();
    return left.size() == right.size() && std::memcmp(left.data(), right.data(), left.size()) == 0;
  }
  void hash_into(keyed_hash& hash) const noexcept { hash.add(bytes()); }
};

}  // namespace aerogpu::vulkan
