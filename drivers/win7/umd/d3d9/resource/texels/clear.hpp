// SPDX-License-Identifier: MIT
/// \file Clears of what is bound, in rectangles (umd-d3d9.md 2.8.5).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"

#include <cstdint>
#include <span>

namespace aerogpu::umd {

class device;

struct clear_request {
  std::uint32_t flags = 0;  ///< AEROGPU_CLEAR_*, which are D3DCLEAR_*.
  std::uint32_t color = 0;  ///< D3DCOLOR.
  float depth = 1;
  std::uint32_t stencil = 0;
};

/// Clears the rectangles, none = the viewport, inside the viewport and the scissor in effect.
/// Errors of sending; the scissor is the application's again, whatever happens.
[[nodiscard]] auto clear(device& on, const clear_request& asked,
                         std::span<const rectangle> areas) noexcept -> HRESULT;

}  // namespace aerogpu::umd
