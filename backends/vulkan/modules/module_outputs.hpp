// SPDX-License-Identifier: MIT
/// \file What a geometry or domain module makes: drivers may have memory for the most of it.
#pragma once

#include "aerogpu/core/result.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::vulkan {

/// Zeros for modules of other stages.
struct module_outputs {
  std::uint64_t vertices = 0;     ///< Of a run of a geometry module, at most.
  std::uint64_t invocations = 0;  ///< Runs of a geometry module for a primitive.
  std::uint64_t components = 0;   ///< Of a vertex.
  std::uint64_t vectors = 0;      ///< Those as registers.
};

/// Errors: unsupported where the module cannot be read; out_of_memory.
[[nodiscard]] auto collect_outputs(std::span<const std::uint32_t> spirv) -> result<module_outputs>;

}  // namespace aerogpu::vulkan
