// SPDX-License-Identifier: MIT
/// \file The packets of a present: PRESENT_EX, or a copy into guest memory.
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;

/// PRESENT_EX with the surface as the first colour target, which is what the host shows, and the
/// application's targets bound afterwards. Errors of sending; nothing is recorded then.
[[nodiscard]] auto append_present(device& on, const surface_ref& source, std::uint32_t packet_flags,
                                  std::uint32_t d3d9_flags) noexcept -> HRESULT;

/// A copy of the surface into its own allocation, through a second texture over the same memory.
/// Errors of sending. Precondition: it has an allocation, which is not locked.
[[nodiscard]] auto append_write_back(device& on, const surface_ref& source) noexcept -> HRESULT;

}  // namespace aerogpu::umd
