// SPDX-License-Identifier: MIT
/// \file Direct3D 9 byte code as text.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <optional>
#include <string>

namespace aerogpu::tool {

/// Whether bytes begin with the version token of a Direct3D 9 shader.
[[nodiscard]] auto is_d3d9_shader(const_bytes code) -> bool;

/// The shader as assembly, each line with its token index. Nothing, and in `why` which token is
/// wrong and how, when it cannot be read.
[[nodiscard]] auto list_shader(const_bytes code, std::string& why) -> std::optional<std::string>;

}  // namespace aerogpu::tool
