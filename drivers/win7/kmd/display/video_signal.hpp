// SPDX-License-Identifier: MIT
/// \file A mode in the words of VidPNs: signal, source mode, target mode, and what of them is ours.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/display/mode_list.hpp"
#include "drivers/win7/kmd/display/scanout.hpp"
#include "drivers/win7/primary_pitch.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::kmd {

inline constexpr std::uint32_t refresh_hz = 60;

/// Formats that a primary may have, the preferred one first: cdd.dll's is A8R8G8B8 [K-10].
inline constexpr std::array<D3DDDIFORMAT, 2> primary_formats{D3DDDIFMT_A8R8G8B8,
                                                             D3DDDIFMT_X8R8G8B8};

/// Of a primary in one of those formats. Precondition: width <= max_mode_side.
[[nodiscard]] constexpr auto pitch_of_primary(std::uint32_t width) noexcept -> std::uint32_t {
  return static_cast<std::uint32_t>(primary_pitch_bytes(std::uint64_t{width} * 4));
}

/// Timings of kmd.md 3.16.
[[nodiscard]] auto make_signal(const display_mode& mode) noexcept -> D3DKMDT_VIDEO_SIGNAL_INFO;
/// Whether a target may be driven so: a listed size, 59 to 61 Hz or none stated, progressive.
[[nodiscard]] auto is_supported_signal(const mode_list& modes,
                                       const D3DKMDT_VIDEO_SIGNAL_INFO& signal) noexcept -> bool;

/// Fills all but `Id`.
void fill_source_mode(D3DKMDT_VIDPN_SOURCE_MODE& out, const display_mode& mode,
                      D3DDDIFORMAT format) noexcept;
/// Whether the scanout can show it: a listed size in one of the primary's formats.
[[nodiscard]] auto is_displayable(const mode_list& modes,
                                  const D3DKMDT_VIDPN_SOURCE_MODE& source) noexcept -> bool;
/// The same, with a stride that is unstated or holds a row.
[[nodiscard]] auto is_supported_source(const mode_list& modes,
                                       const D3DKMDT_VIDPN_SOURCE_MODE& source) noexcept -> bool;

/// What CommitVidPn programs for a pinned source mode: a stride of 0 is the primary's own, a short
/// one is raised (kmd.md 2.7). Precondition: `is_displayable`.
[[nodiscard]] auto scanout_mode_of(const D3DKMDT_VIDPN_SOURCE_MODE& source) noexcept
    -> scanout_mode;

[[nodiscard]] constexpr auto size_of(const D3DKMDT_VIDPN_SOURCE_MODE& mode) noexcept
    -> display_mode {
  return {mode.Format.Graphics.PrimSurfSize.cx, mode.Format.Graphics.PrimSurfSize.cy};
}
[[nodiscard]] constexpr auto size_of(const D3DKMDT_VIDEO_SIGNAL_INFO& signal) noexcept
    -> display_mode {
  return {signal.ActiveSize.cx, signal.ActiveSize.cy};
}

}  // namespace aerogpu::kmd
