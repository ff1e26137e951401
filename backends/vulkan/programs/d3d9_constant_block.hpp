// SPDX-License-Identifier: MIT
/// \file What SM1-3 programs read of the constant registers, as it lies in uniform memory.
#pragma once

#include "aerogpu/backend/draw.hpp"
#include "aerogpu/core/bytes.hpp"
#include "d3d9_to_spirv/translate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu::vulkan {

/// Bytes of the block up to the last register that the program reads.
[[nodiscard]] inline auto constant_block_bytes(const d3d9::translation& shader) noexcept
    -> std::size_t {
  return float_constants_offset(shader) + shader.float_constants * sizeof(vec4f);
}

/// Registers that nobody set are zero. Those of a program's own definitions are constants of its
/// module; these are the API's. `to` has `constant_block_bytes`.
inline void write_constant_block(const constant_registers& from, const d3d9::translation& shader,
                                 mutable_bytes to) noexcept {
  if (shader.uses_ints_or_bools) {
    constexpr std::size_t count = 16;
    std::memset(to.data(), 0, offsetof(d3d9::constant_block, floats));
    const std::size_t ints = std::min(from.ints.size(), count);
    if (ints != 0) std::memcpy(to.data(), from.ints.data(), ints * sizeof(vec4i));
    std::uint32_t bools = 0;
    for (std::size_t i = 0; i < std::min(from.bools.size(), count); ++i) {
      bools |= std::uint32_t{from.bools[i]} << i;
    }
    std::memcpy(to.data() + offsetof(d3d9::constant_block, bools), &bools, sizeof bools);
  }
  const std::size_t wanted = shader.float_constants;
  const std::size_t present = std::min(from.floats.size(), wanted);
  std::byte* const floats = to.data() + float_constants_offset(shader);
  if (present != 0) std::memcpy(floats, from.floats.data(), present * sizeof(vec4f));
  std::memset(floats + present * sizeof(vec4f), 0, (wanted - present) * sizeof(vec4f));
}

}  // namespace aerogpu::vulkan
