/// \file Which formats a display shows, and which are drawn to.
#pragma once

#include "drivers/wine/d3d9/root/direct3d.hpp"

namespace aerogpu::d3d9 {

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

/// Back buffers of a format on a display of a mode's format.
[[nodiscard]] inline auto may_show(const direct3d& of, D3DFORMAT display, D3DFORMAT back_buffer,
                                   bool is_windowed) noexcept -> bool {
  constexpr UINT shown = FORMATOP_DISPLAYMODE | FORMATOP_3DACCELERATION;
  if (!is_display_mode_format(display) || (of.operations_of(display) & shown) != shown)
    return false;
  if (!is_render_target(of.operations_of(back_buffer))) return false;
  const auto plain = without_alpha(back_buffer);
  if (!is_windowed) return plain == display;
  return plain == display || is_display_mode_format(plain);
}

}  // namespace aerogpu::d3d9
