// SPDX-License-Identifier: MIT
/// \file What an application asks about the display: its mode, its scan line, its next vertical
/// blank, and whether memory is resident (umd-d3d9.md 2.16). Any thread, without the device's
/// mutex.
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/adapter/adapter.hpp"
#include "drivers/win7/umd/d3d9/core/os.hpp"

#include <cstdint>

namespace aerogpu::umd {

/// The desktop's, or the one that the adapter was opened with. Nothing is 0.
[[nodiscard]] auto current_mode(const adapter& of) noexcept -> os::display_mode;

/// GetDisplayModeEx.
inline constexpr std::uint32_t display_format = 22;             ///< D3DFMT_X8R8G8B8
inline constexpr std::uint32_t scan_lines_are_progressive = 1;  ///< D3DSCANLINEORDERING_PROGRESSIVE
inline constexpr std::uint32_t display_is_not_rotated = 1;      ///< D3DDISPLAYROTATION_IDENTITY

/// GetRasterStatus: where the display is, from the kernel, or from the clock. The line is 0 in the
/// vertical blank.
[[nodiscard]] auto raster_status(const adapter& of) noexcept -> os::scan_position;

/// WaitForVBlankEx: until the next vertical blank begins, at most 40 ms.
void wait_for_vblank(const adapter& of) noexcept;

/// CheckResourceResidency, QueryResourceResidency: all are resident. `statuses` may be null.
/// E_INVALIDARG for null with a count.
[[nodiscard]] auto query_residency(const void* resources, std::uint32_t count,
                                   std::uint32_t* statuses) noexcept -> HRESULT;

}  // namespace aerogpu::umd
