// SPDX-License-Identifier: MIT
/// \file Where the shader compiler's program is.
#pragma once

#include "aerogpu/core/result.hpp"

#include <array>

namespace aerogpu::dxbc {

inline constexpr std::size_t longest_path = 4096;
/// A path that ends in 0.
using path_buffer = std::array<char, longest_path>;

/// Names of the program, and of the variable that tells its path.
inline constexpr char compiler_program_name[] = "aerogpu-shader-compiler";
inline constexpr char compiler_variable_name[] = "AEROGPU_SHADER_COMPILER";

/// `chosen` when it is not empty; else what AEROGPU_SHADER_COMPILER says; else the first that
/// exists: next to the running program, in the folder where the build installs it (seen from the
/// running program, and by its full name), and, for programs in the build folder, the one that was
/// built. Errors: unsupported, with a sentence that says what to do.
[[nodiscard]] auto find_compiler_program(const char* chosen, path_buffer& found) noexcept
    -> result<void>;

}  // namespace aerogpu::dxbc
