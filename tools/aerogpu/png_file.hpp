/// \file Pictures as PNG files.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstdint>
#include <string>

namespace aerogpu::tool {

/// Writes RGBA8 rows without padding, straight alpha. False, and a sentence in `why`, on failure.
[[nodiscard]] auto write_png(const std::string& path, const_bytes rgba8, std::uint32_t width,
                             std::uint32_t height, std::string& why) -> bool;

}  // namespace aerogpu::tool
