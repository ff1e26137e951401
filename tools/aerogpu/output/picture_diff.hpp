// SPDX-License-Identifier: MIT
/// \file Two pictures, pixel by pixel.
#pragma once

#include "tools/aerogpu/files/png_file.hpp"

#include <cstdint>

namespace aerogpu::tool {

/// Differences of channels, in steps of 8 bits.
struct picture_difference {
  bool has_same_size = true;  ///< False: nothing else is set.
  std::uint32_t largest = 0;
  double mean = 0;          ///< Over all channels of all pixels.
  std::uint64_t above = 0;  ///< Pixels of which a channel differs by more than the tolerance.

  [[nodiscard]] auto is_same() const -> bool { return has_same_size && above == 0; }
};

[[nodiscard]] auto compare_pictures(const png_picture& a, const png_picture& b,
                                    std::uint32_t tolerance) -> picture_difference;

/// Each channel's difference times `gain`, opaque; a difference of alpha counts for all channels.
/// Precondition: equal sizes.
[[nodiscard]] auto difference_picture(const png_picture& a, const png_picture& b,
                                      std::uint32_t gain) -> png_picture;

}  // namespace aerogpu::tool
