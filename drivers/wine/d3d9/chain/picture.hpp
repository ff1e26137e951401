// SPDX-License-Identifier: MIT
/// \file Pictures in memory: back buffers as windows show them, X8R8G8B8 with tight rows.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

#include <cstddef>
#include <span>

namespace aerogpu::d3d9 {

inline constexpr UINT shown_texel_bytes = 4;

/// Rows of a locked surface.
struct locked_rows {
  const std::byte* texels = nullptr;
  std::size_t pitch_bytes = 0;
};

/// X8R8G8B8, A8R8G8B8 and the 16-bit formats. `to` holds width * height texels.
void copy_as_shown(D3DFORMAT format, const locked_rows& from, UINT width, UINT height,
                   std::span<std::byte> to);

template <class Byte>
struct tight_picture {
  std::span<Byte> texels;
  UINT width = 0;
  UINT height = 0;
};

/// What of `picture` falls inside of `to`, whose point `at` is the picture's corner.
void paste(const tight_picture<const std::byte>& picture, POINT at,
           const tight_picture<std::byte>& to);

}  // namespace aerogpu::d3d9
