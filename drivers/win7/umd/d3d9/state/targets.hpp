// SPDX-License-Identifier: MIT
/// \file Render targets and the depth surface.
#pragma once

#include "drivers/win7/umd/d3d9/state/device_state.hpp"

namespace aerogpu::umd {

class device;

/// Null unbinds the slot. Others keep their numbers: one may lie behind an empty one
/// (umd-d3d9.md 2.9.1). E_INVALIDARG from slot 4 on. Not part of state blocks. What was bound stays
/// when sending fails.
[[nodiscard]] auto set_render_target(device& on, std::uint32_t slot,
                                     const surface_ref& surface) noexcept -> HRESULT;
[[nodiscard]] auto set_depth_stencil(device& on, const surface_ref& surface) noexcept -> HRESULT;

/// The targets as they stand with all that depends on them, or nothing. Errors of sending.
[[nodiscard]] auto send_targets(device& on) noexcept -> HRESULT;

}  // namespace aerogpu::umd
