// SPDX-License-Identifier: MIT
/// \file The topology and mode questions of dxgkrnl's VidPN manager (kmd.md 2.7).
#pragma once

#include "drivers/win7/ddi/ddi.hpp"

namespace aerogpu::kmd {

class adapter;

/// All: PASSIVE. Nothing acquired stays acquired, whatever fails.

[[nodiscard]] auto is_supported_vidpn(adapter& adapter, DXGKARG_ISSUPPORTEDVIDPN& args) noexcept
    -> NTSTATUS;

/// Offers on each side that is not pinned, and not the pivot, what goes with the pinned other side.
[[nodiscard]] auto enum_cofunc_modality(adapter& adapter,
                                        const DXGKARG_ENUMVIDPNCOFUNCMODALITY& args) noexcept
    -> NTSTATUS;

[[nodiscard]] auto recommend_monitor_modes(adapter& adapter,
                                           const DXGKARG_RECOMMENDMONITORMODES& args) noexcept
    -> NTSTATUS;

/// Programs the pinned source mode; without one the source is off.
[[nodiscard]] auto commit_vidpn(adapter& adapter, const DXGKARG_COMMITVIDPN& args) noexcept
    -> NTSTATUS;

/// Gamma ramps are kept and change nothing; transforms other than the identity are refused.
[[nodiscard]] auto update_present_path(adapter& adapter,
                                       const D3DKMDT_VIDPN_PRESENT_PATH& path) noexcept -> NTSTATUS;

}  // namespace aerogpu::kmd
