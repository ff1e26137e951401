// SPDX-License-Identifier: MIT
/// \file What a fresh context is told first: Direct3D's defaults instead of the host's.
#pragma once

#include "drivers/win7/umd/d3d9/device/device.hpp"

namespace aerogpu::umd {

/// Records every state that the host acts on, no viewport, no scissor, no targets and no shaders
/// (umd-d3d9.md 2.3). Errors of `recorder::reserve`.
[[nodiscard]] auto record_baseline(device& on) noexcept -> HRESULT;

}  // namespace aerogpu::umd
