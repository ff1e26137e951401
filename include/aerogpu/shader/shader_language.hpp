// SPDX-License-Identifier: MIT
/// \file The languages of guest shaders.
#pragma once

#include "aerogpu/core/language.hpp"

#include <cstdint>

namespace aerogpu {

/// Which language a shader's bytes are in (shaders.md 1.1 and 3.1).
enum class shader_language : std::uint8_t {
  d3d9_tokens,     ///< Raw SM1-3 token stream; `code` starts at the version token.
  dxbc_container,  ///< SM4/5 container; `code` is the whole container.
};

}  // namespace aerogpu
