// SPDX-License-Identifier: MIT
/// \file Blits from surface to surface: copies where that is what they are, draws where they scale,
/// filter, mirror or convert (umd-d3d9.md 2.8.3).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"
#include "drivers/win7/umd/d3d9/state/state_key.hpp"

namespace aerogpu::umd {

class device;

struct blit_request {
  surface_ref to{};
  surface_ref from{};
  rectangle to_area{};
  rectangle from_area{};
  bool is_linear = false;
  bool mirrors_x = false;
  bool mirrors_y = false;
  bool blends = false;  ///< By the source's alpha.
};

/// An empty rectangle, after each was cut to its surface: S_OK, nothing is sent. E_INVALIDARG for a
/// surface that there is not; D3DERR_INVALIDCALL for what neither a copy nor a draw can do: parts
/// of depth surfaces, scaling into system memory or block-compressed formats; errors of sending and
/// callbacks. Everything that the application bound is bound afterwards.
[[nodiscard]] auto blit(device& on, const blit_request& asked) noexcept -> HRESULT;

}  // namespace aerogpu::umd
