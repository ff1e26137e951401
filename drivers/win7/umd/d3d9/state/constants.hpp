// SPDX-License-Identifier: MIT
/// \file Float registers on the wire, whoever owns their values.
#pragma once

#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd {

class device;

/// Sends registers and notes that the host has them. Errors of `recorder::reserve`.
[[nodiscard]] auto send_floats(device& on, stage which, std::uint32_t first,
                               std::span<const float_register> values) noexcept -> HRESULT;

}  // namespace aerogpu::umd
