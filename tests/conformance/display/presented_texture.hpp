// SPDX-License-Identifier: MIT
/// \file A stream that has the backend present a texture with known texels.
#pragma once

#include "tests/support/stream_builder.hpp"

#include <cstdint>

namespace aerogpu::conformance {

/// Handle of the texture that is presented.
inline constexpr std::uint32_t shown_texture = 1;
inline constexpr std::uint32_t presentable_usage =
    AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET;

/// Creates a texture with these texels, binds it and presents it.
[[nodiscard]] inline auto present_texture(std::uint32_t width, std::uint32_t height,
                                          std::uint32_t format, const test::byte_vector& texels,
                                          std::uint32_t flags = 0) -> test::stream_builder {
  return test::stream_builder{}
      .create_texture(
          shown_texture,
          {.format = format, .width = width, .height = height, .usage = presentable_usage})
      .upload(shown_texture, 0, texels)
      .targets({shown_texture})
      .present(0, flags);
}

}  // namespace aerogpu::conformance
