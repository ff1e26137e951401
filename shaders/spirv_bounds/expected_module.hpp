// SPDX-License-Identifier: MIT
/// \file What a module may be and touch, told by whoever asked for it; the rest is refused.
#pragma once

#include "spirv_bounds/module_index.hpp"

#include <array>

namespace aerogpu::spirv {

enum class descriptor_kind : std::uint8_t {
  constant_buffer,
  texture,
  sampler,
  sampled_buffer,  ///< Uniform texel buffer.
  storage_buffer,  ///< Storage texel buffer.
};

/// Numeric class of what an image holds.
enum class texel_class : std::uint8_t { floating, signed_integer, unsigned_integer };

struct expected_binding {
  std::uint32_t set = 0;
  std::uint32_t slot = 0;
  descriptor_kind kind = descriptor_kind::constant_buffer;
  std::uint32_t size_bytes = 0;          ///< Of constant buffers.
  texel_class texels{};                  ///< Of textures and texel buffers.
  spv::Dim dimension = spv::Dim::Dim2D;  ///< Of textures.
  bool is_arrayed = false;
  bool is_multisampled = false;
};

struct expected_module {
  spv::ExecutionModel stage{};
  std::span<const expected_binding> bindings;
  std::array<std::uint32_t, 3> group_size{};  ///< Of compute shaders.
  std::uint32_t shared_bytes = 0;  ///< Of compute shaders: Workgroup memory of all variables.
  std::uint32_t input_points = 0;  ///< Of geometry, hull and domain shaders: vertices that come in.
  std::uint32_t output_points = 0;  ///< Of hull shaders; 0 = not told.
  std::uint32_t max_vertices = 0;   ///< Of geometry shaders.
  std::uint32_t instances = 1;      ///< Of geometry shaders.
};

inline constexpr std::uint32_t location_count = 32;

/// Whether a module is of its stage and uses only what its stage may: capabilities, extensions,
/// execution modes, decorations, types, descriptors and interface. Errors: unsupported, with the
/// byte offset; out_of_memory.
[[nodiscard]] auto check_module(const module_index& module, const expected_module& expected)
    -> result<void>;

}  // namespace aerogpu::spirv
