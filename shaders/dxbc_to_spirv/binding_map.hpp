// SPDX-License-Identifier: MIT
/// \file Where each Direct3D 10 and 11 register lies among the Vulkan descriptors: one table for
/// the compiler and for whoever builds the layouts (shaders.md 3.4).
#pragma once

#include "aerogpu/core/check.hpp"
#include "aerogpu/stream/stage.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::dxbc {

/// Registers that descriptors stand behind.
enum class register_file : std::uint8_t {
  constant_buffer,  ///< b#
  resource,         ///< t#, textures and buffers
  sampler,          ///< s#
  uav,              ///< u#
  uav_counter,      ///< The hidden counter of u#.
};

struct register_range {
  char letter;
  std::uint16_t first_binding;
  std::uint16_t count;
};

/// By `register_file`. Bindings from 256 on are the backend's own.
inline constexpr std::array<register_range, 5> register_ranges{
    {{'b', 0, 14}, {'t', 32, 128}, {'s', 160, 16}, {'u', 176, 8}, {'u', 192, 8}}};

/// By `shader_stage`. Compute stands alone, so it shares a number.
inline constexpr std::array<std::uint8_t, shader_stage_count> descriptor_sets{0, 1, 0, 2, 3, 4};
inline constexpr std::uint32_t descriptor_set_count = 5;

[[nodiscard]] constexpr auto range_of(register_file file) noexcept -> const register_range& {
  return register_ranges[static_cast<std::size_t>(file)];
}

[[nodiscard]] constexpr auto descriptor_set_of(shader_stage stage) noexcept -> std::uint32_t {
  return descriptor_sets[static_cast<std::size_t>(stage)];
}

/// Precondition: the file has a register of that index.
[[nodiscard]] constexpr auto binding_of(register_file file, std::uint32_t index) noexcept
    -> std::uint32_t {
  const register_range& range = range_of(file);
  AEROGPU_CHECK(index < range.count);
  return range.first_binding + index;
}

}  // namespace aerogpu::dxbc
