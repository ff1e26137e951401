/// \file How large a shader may be that is handed to a driver: its compiler runs on our time.
#pragma once

#include <cstdint>

namespace aerogpu::vulkan::spirv {

/// Each limit is inclusive. Reasons are times of llvmpipe of Mesa 22.3 on one core of 2023; the
/// largest shader of the tests is far below a quarter of each.
struct shader_limits {
  /// Words of SPIR-V, before and after the bounding pass. Bounds the memory of the pass.
  std::uint32_t words = 1u << 20;
  /// Weighted instructions after the expansion of calls: `module_cost::instructions`.
  std::uint64_t instructions = 1u << 16;
  /// Basic blocks after the expansion of calls.
  std::uint64_t blocks = 2048;
  /// Constructs within each other, with those around calls.
  std::uint32_t nesting = 64;
  /// Calls within calls.
  std::uint32_t call_depth = 32;
  /// Variables of a module.
  std::uint32_t variables = 4096;
  /// Bytes of variables in Private and Function memory: a driver has them for each lane.
  std::uint64_t private_bytes = 1u << 18;
};

inline constexpr shader_limits limits_of_shaders{};

}  // namespace aerogpu::vulkan::spirv
