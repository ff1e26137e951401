// SPDX-License-Identifier: MIT
/// \file The bounding pass: a module made safe by our own hand, whoever wrote it
/// (docs/shaders/shader-containers.md).
#pragma once

#include "spirv_bounds/module_writer.hpp"

namespace aerogpu::spirv {

struct bounding_options {
  /// How often all loops of one invocation may begin again before they end.
  std::uint32_t back_edge_budget = 65536;
  /// The device makes Workgroup memory zero (shaderZeroInitializeWorkgroupMemory). Elsewhere the
  /// invocations do, and wait for each other.
  bool device_zeroes_workgroup = false;
};

/// Rewrites a module of one entry point, in linear time:
/// - an index that is not surely inside its array or vector reads 0 and writes nothing outside;
/// - variables in Private, Function, Workgroup and Output memory begin as 0, those of Output memory
///   again behind each vertex of a geometry shader, and so do undefined values; code that cannot be
///   reached returns;
/// - all loops end when the budget is spent, and the invocation goes on behind them;
/// - a pixel shader with colours has the first one, which drivers stumble over otherwise.
/// The result is valid where the module is. Errors: unsupported, with the byte offset, for what
/// cannot be made safe; out_of_memory.
[[nodiscard]] auto bound_module(const module_index& module, const bounding_options& options)
    -> result<word_list>;

}  // namespace aerogpu::spirv
