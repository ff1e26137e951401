// SPDX-License-Identifier: MIT
/// \file How large a shader may be that is handed to a driver: its compiler runs on our time.
#pragma once

#include <cstdint>

namespace aerogpu::spirv {

/// Each limit is inclusive. The reasons are processor seconds of llvmpipe (Mesa 22.3), whose
/// compiler is the slowest that we know, for a module at the limit
/// (docs/shaders/shader-containers.md).
struct shader_limits {
  /// Words of SPIR-V, before and after the bounding pass: bounds the memory of the pass.
  std::uint32_t words = 1u << 20;
  /// Weighted instructions after the expansion of calls, `module_cost::instructions`: 11,000
  /// additions of four numbers or 512 powers of one, 3 to 5 s.
  std::uint64_t instructions = 1u << 16;
  /// Basic blocks after the expansion of calls: 1,000 ifs, 1 s, or 2,000 cases, 2.4 s.
  std::uint64_t blocks = 2048;
  /// Constructs within each other, and returns one behind another: 0.5 s, and the recursion of
  /// compilers.
  std::uint64_t nesting = 256;
  /// Loops after the expansion of calls, 1 s; time grows with the square.
  std::uint64_t loops = 128;
  /// `module_cost::array_stores`, 3 s; time grows with the square.
  std::uint64_t array_stores = 256;
  /// Calls within calls: the recursion of compilers.
  std::uint32_t call_depth = 32;
  /// Variables of a module: all 4,096 temporary registers of Direct3D 11 and an interface.
  std::uint32_t variables = 4608;
  /// Bytes of variables in Private and Function memory: all temporaries and all indexable ones of
  /// Direct3D 11, 64 KiB each. A driver has them for each lane; 64 KiB of arrays take 2.5 s.
  std::uint64_t private_bytes = (1u << 17) + 4096;
};

inline constexpr shader_limits limits_of_shaders{};

}  // namespace aerogpu::spirv
