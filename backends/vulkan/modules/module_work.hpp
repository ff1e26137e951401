// SPDX-License-Identifier: MIT
/// \file What one invocation of a module is, for whoever estimates and divides the work of draws.
#pragma once

#include <cstdint>
#include <span>

namespace aerogpu::vulkan {

struct module_work {
  std::uint64_t instructions = 0;  ///< Of its functions, each once; loops count once, too.
  bool counts_vertices = false;    ///< Reads which vertex of the draw it runs for.
  bool counts_instances = false;   ///< The same of instances.
  bool counts_primitives = false;  ///< The same of primitives.
};

/// Precondition: a module that was made or checked here.
[[nodiscard]] auto measure_work(std::span<const std::uint32_t> spirv) noexcept -> module_work;

}  // namespace aerogpu::vulkan
