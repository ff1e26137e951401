// SPDX-License-Identifier: MIT
/// \file Direct3D 9 shaders as assembly text, for tools: no backend calls it, because text takes
/// memory in ways that cannot be reported.
#pragma once

#include "d3d9_to_spirv/program.hpp"

#include <string>

namespace aerogpu::d3d9 {

/// One instruction, without indentation or newline: `mad_sat r0.xyz, v0, c1, -c2_abs.w`.
[[nodiscard]] auto disassemble(const instruction& in, shader_version version) -> std::string;

/// The whole shader: version, declarations, definitions, then instructions indented by block, each
/// line ending in a newline. `assemble` turns it back into an equal program.
[[nodiscard]] auto disassemble(const program& shader) -> std::string;

/// The same with the index of each line's first token in an aligned comment, for people.
[[nodiscard]] auto disassemble_listing(const program& shader) -> std::string;

}  // namespace aerogpu::d3d9
