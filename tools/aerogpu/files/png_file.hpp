// SPDX-License-Identifier: MIT
/// \file Pictures as PNG files.
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aerogpu::tool {

/// RGBA8 rows without padding, straight alpha.
struct png_picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::byte> pixels;
};

/// Writes RGBA8 rows without padding, straight alpha. False, and a sentence in `why`, on failure.
[[nodiscard]] auto write_png(const std::string& path, const_bytes rgba8, std::uint32_t width,
                             std::uint32_t height, std::string& why) -> bool;

/// A PNG of any kind as RGBA8. Nothing, and a sentence in `why`, when it cannot be read or has more
/// than 64 Mi pixels.
[[nodiscard]] auto read_png(const std::string& path, std::string& why)
    -> std::optional<png_picture>;

/// The bytes of a PNG file. Nothing, and a sentence in `why`, on failure.
[[nodiscard]] auto encode_png(const png_picture& picture, std::string& why)
    -> std::optional<std::vector<std::byte>>;

}  // namespace aerogpu::tool
