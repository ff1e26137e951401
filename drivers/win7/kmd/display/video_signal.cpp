// SPDX-License-Identifier: MIT
/// \file A mode in the words of VidPNs.
#include "drivers/win7/kmd/display/video_signal.hpp"

#include "aerogpu/abi/format.h"
#include "aerogpu/sync/vblank_anchor.hpp"

#include <limits>

namespace aerogpu::kmd {

namespace {

[[nodiscard]] constexpr auto clamped(std::uint32_t value, std::uint32_t least,
                                     std::uint32_t most) noexcept -> std::uint32_t {
  return value < least ? least : value > most ? most : value;
}

/// 59.000 to 61.000 Hz, or no frequency at all.
[[nodiscard]] auto is_supported_refresh(const D3DDDI_RATIONAL& frequency) noexcept -> bool {
  constexpr std::uint64_t least_millihertz = 59'000, most_millihertz = 61'000;
  if (frequency.Numerator == 0 && frequency.Denominator == 0) return true;
  if (frequency.Numerator == 0 || frequency.Denominator == 0) return false;
  // Whole millihertz, compared without the division.
  const std::uint64_t scaled = std::uint64_t{frequency.Numerator} * 1000;
  return scaled >= least_millihertz * frequency.Denominator &&
         scaled < (most_millihertz + 1) * frequency.Denominator;
}

}  // namespace

auto make_signal(const display_mode& mode) noexcept -> D3DKMDT_VIDEO_SIGNAL_INFO {
  D3DKMDT_VIDEO_SIGNAL_INFO signal{};
  signal.VideoStandard = D3DKMDT_VSS_OTHER;
  signal.ActiveSize = {mode.width, mode.height};
  signal.TotalSize.cx = mode.width + clamped(mode.width / 4, 8, 320);
  signal.TotalSize.cy = mode.height + vertical_blank_lines(mode.height);
  signal.VSyncFreq = {refresh_hz, 1};
  signal.HSyncFreq = {refresh_hz * signal.TotalSize.cy, 1};
  const std::uint64_t rate = std::uint64_t{refresh_hz} * signal.TotalSize.cx * signal.TotalSize.cy;
  if (rate <= std::numeric_limits<std::uint32_t>::max())
    signal.PixelRate = static_cast<SIZE_T>(rate);
  signal.ScanLineOrdering = D3DDDI_VSSLO_PROGRESSIVE;
  return signal;
}

auto is_supported_signal(const mode_list& modes, const D3DKMDT_VIDEO_SIGNAL_INFO& signal) noexcept
    -> bool {
  if (signal.ScanLineOrdering != D3DDDI_VSSLO_PROGRESSIVE &&
      signal.ScanLineOrdering != D3DDDI_VSSLO_UNINITIALIZED)
    return false;
  if (!is_supported_refresh(signal.VSyncFreq)) return false;
  return find_mode(modes, signal.ActiveSize.cx, signal.ActiveSize.cy) != nullptr;
}

void fill_source_mode(D3DKMDT_VIDPN_SOURCE_MODE& out, const display_mode& mode,
                      D3DDDIFORMAT format) noexcept {
  out.Type = D3DKMDT_RMT_GRAPHICS;
  D3DKMDT_GRAPHICS_RENDERING_FORMAT& graphics = out.Format.Graphics;
  graphics.PrimSurfSize = {mode.width, mode.height};
  graphics.VisibleRegionSize = graphics.PrimSurfSize;
  graphics.Stride = pitch_of_primary(mode.width);
  graphics.PixelFormat = format;
  graphics.ColorBasis = D3DKMDT_CB_SRGB;
  graphics.PixelValueAccessMode = D3DKMDT_PVAM_DIRECT;
}

auto is_displayable(const mode_list& modes, const D3DKMDT_VIDPN_SOURCE_MODE& source) noexcept
    -> bool {
  if (source.Type != D3DKMDT_RMT_GRAPHICS) return false;
  const D3DKMDT_GRAPHICS_RENDERING_FORMAT& graphics = source.Format.Graphics;
  bool is_known_format = false;
  for (const D3DDDIFORMAT format : primary_formats)
    is_known_format = is_known_format || graphics.PixelFormat == format;
  if (!is_known_format) return false;
  const display_mode size = size_of(source);
  return find_mode(modes, size.width, size.height) != nullptr;
}

auto is_supported_source(const mode_list& modes, const D3DKMDT_VIDPN_SOURCE_MODE& source) noexcept
    -> bool {
  if (!is_displayable(modes, source)) return false;
  const D3DKMDT_GRAPHICS_RENDERING_FORMAT& graphics = source.Format.Graphics;
  return graphics.Stride == 0 || graphics.Stride >= size_of(source).width * 4;
}

auto scanout_mode_of(const D3DKMDT_VIDPN_SOURCE_MODE& source) noexcept -> scanout_mode {
  const display_mode size = size_of(source);
  scanout_mode mode{size.width, size.height, AEROGPU_FORMAT_B8G8R8A8_UNORM,
                    source.Format.Graphics.Stride};
  if (source.Format.Graphics.PixelFormat == D3DDDIFMT_X8R8G8B8)
    mode.format = AEROGPU_FORMAT_B8G8R8X8_UNORM;
  if (mode.pitch_bytes == 0) mode.pitch_bytes = pitch_of_primary(size.width);
  if (mode.pitch_bytes < size.width * 4) mode.pitch_bytes = size.width * 4;
  return mode;
}

}  // namespace aerogpu::kmd
