// SPDX-License-Identifier: MIT
/// \file CLEAR on the null backend: exact texels, scissored, depth and stencil apart.
#pragma once

#include "aerogpu/abi/cmd_draw.h"
#include "aerogpu/backend/clear_color.hpp"
#include "aerogpu/backend/draw.hpp"
#include "aerogpu/backend/render_area.hpp"
#include "null/null_texture.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace aerogpu::detail {

inline void fill_row(std::byte* at, std::uint32_t width, const packed_texel& texel,
                     std::uint32_t mask) noexcept {
  for (std::uint32_t x = 0; x < width; ++x, at += texel.size_bytes) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, texel.size_bytes);
    bits = (bits & ~mask) | (texel.bits & mask);
    std::memcpy(at, &bits, texel.size_bytes);
  }
}

/// Replaces the `mask` bits of every texel of `area`. Precondition: `area` lies in `where`.
inline void fill_texels(null_texture& texture, subresource where, const pixel_rect& area,
                        const packed_texel& texel, std::uint32_t mask) noexcept {
  if (area.width == 0 || area.height == 0 || texel.size_bytes == 0) return;
  const std::size_t pitch = texture.layout().locate(where).pitch_bytes;
  std::byte* const first =
      texture.bytes_of(where).data() + area.y * pitch + std::size_t{area.x} * texel.size_bytes;
  fill_row(first, area.width, texel, mask);
  const std::uint32_t all_bits = UINT32_MAX >> (32 - 8 * texel.size_bytes);
  const bool keeps_nothing = (mask & all_bits) == all_bits;
  for (std::uint32_t y = 1; y < area.height; ++y) {
    std::byte* const row = first + y * pitch;
    if (keeps_nothing) {
      std::memcpy(row, first, std::size_t{area.width} * texel.size_bytes);
    } else {
      fill_row(row, area.width, texel, mask);
    }
  }
}

/// Clears every target that `call.flags` names; the scissor is clipped to each of them.
template <class B>
void clear_targets(const clear_call<B>& call) noexcept {
  const auto fill = [&](const target_ref<B>& target, const packed_texel& texel,
                        std::uint32_t mask) {
    const target_extent extent{target.width, target.height};
    const pixel_rect area = call.has_scissor ? clip_scissor(call.scissor, extent)
                                             : pixel_rect{0, 0, extent.width, extent.height};
    fill_texels(*target.texture, target.where, area, texel, mask);
  };
  for (std::uint32_t i = 0; i < call.targets.color_count; ++i) {
    const target_ref<B>& target = call.targets.colors[i];
    if (target.texture == nullptr || (call.flags & AEROGPU_CLEAR_COLOR) == 0) continue;
    fill(target, pack_clear_color(target.format, call.color, call.srgb_write), UINT32_MAX);
  }
  const target_ref<B>& depth = call.targets.depth_stencil;
  if (depth.texture == nullptr) return;
  fill(depth, pack_clear_depth_stencil(depth.format, call.depth, call.stencil),
       depth_stencil_clear_mask(depth.format, (call.flags & AEROGPU_CLEAR_DEPTH) != 0,
                                (call.flags & AEROGPU_CLEAR_STENCIL) != 0));
}

}  // namespace aerogpu::detail
