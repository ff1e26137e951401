// SPDX-License-Identifier: MIT
/// \file Which formats a display shows, and which are drawn to.
#pragma once

#include "drivers/wine/d3d9/root/direct3d.hpp"

#include <vector>

namespace aerogpu::d3d9 {

/// The driver lists these for Windows' Direct3D 10.1 alone, and volumes without having them
/// (umd-d3d9.md 2.2.5): a program would take a path that fails.
[[nodiscard]] inline auto without_promises(std::vector<FORMATOP> formats, const D3DCAPS9& caps)
    -> std::vector<FORMATOP> {
  const bool has_volumes = (caps.TextureCaps & D3DPTEXTURECAPS_VOLUMEMAP) != 0;
  for (FORMATOP& one : formats) {
    const auto format = static_cast<D3DFORMAT>(one.Format);
    const bool is_signed =
        format == D3DFMT_V8U8 || format == D3DFMT_V16U16 || format == D3DFMT_Q8W8V8U8;
    if (is_signed) one.Operations = 0;
    if (!has_volumes) one.Operations &= ~FORMATOP_VOLUMETEXTURE;
  }
  return formats;
}

/// A display mode's: never one with alpha.
[[nodiscard]] constexpr auto is_display_mode_format(D3DFORMAT format) noexcept -> bool {
  return format == D3DFMT_X8R8G8B8 || format == D3DFMT_R5G6B5 || format == D3DFMT_X1R5G5B5;
}

[[nodiscard]] constexpr auto is_render_target(UINT operations) noexcept -> bool {
  constexpr UINT any = FORMATOP_OFFSCREEN_RENDERTARGET | FORMATOP_SAME_FORMAT_RENDERTARGET |
                       FORMATOP_SAME_FORMAT_UP_TO_ALPHA_RENDERTARGET;
  return (operations & any) != 0;
}

[[nodiscard]] constexpr auto without_alpha(D3DFORMAT format) noexcept -> D3DFORMAT {
  switch (format) {
    case D3DFMT_A8R8G8B8: return D3DFMT_X8R8G8B8;
    case D3DFMT_A1R5G5B5: return D3DFMT_X1R5G5B5;
    default: return format;
  }
}

[[nodiscard]] inline auto converts(const direct3d& of, D3DFORMAT source, D3DFORMAT target) noexcept
    -> bool {
  const auto from = of.operations_of(source);
  if (source == target) return from != 0;
  return (from & FORMATOP_CONVERT_TO_ARGB) != 0 &&
         (of.operations_of(target) & FORMATOP_MEMBEROFGROUP_ARGB) != 0;
}

/// Back buffers of a format on a display of a mode's format: full screen flips, a window copies.
[[nodiscard]] inline auto may_show(const direct3d& of, D3DFORMAT display, D3DFORMAT back_buffer,
                                   bool is_windowed) noexcept -> bool {
  constexpr UINT shown = FORMATOP_DISPLAYMODE | FORMATOP_3DACCELERATION;
  if (!is_display_mode_format(display) || !is_render_target(of.operations_of(back_buffer)))
    return false;
  if (is_windowed) return converts(of, back_buffer, display);
  return (of.operations_of(display) & shown) == shown && without_alpha(back_buffer) == display;
}

}  // namespace aerogpu::d3d9
