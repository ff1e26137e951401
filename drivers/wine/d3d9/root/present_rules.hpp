// SPDX-License-Identifier: MIT
/// \file What D3DPRESENT_PARAMETERS may say (umd-d3d9.md 6.5).
#pragma once

#include "drivers/wine/d3d9/root/device.hpp"
#include "drivers/wine/d3d9/root/direct3d.hpp"

namespace aerogpu::d3d9 {

/// Checks, and fills in what the API writes back: counts, the window's size, the display's format.
[[nodiscard]] auto check_present_parameters(direct3d& of, const device_request& request,
                                            D3DPRESENT_PARAMETERS& parameters) -> HRESULT;

/// Where the presents of these go.
[[nodiscard]] inline auto window_of(const device_request& request,
                                    const D3DPRESENT_PARAMETERS& parameters) noexcept -> HWND {
  return parameters.hDeviceWindow != nullptr ? parameters.hDeviceWindow : request.focus;
}

[[nodiscard]] inline auto focus_of(const device_request& request, HWND window) noexcept -> HWND {
  return request.focus != nullptr ? request.focus : window;
}

/// As GetPresentParameters shows them: the window is there even where the program named none.
[[nodiscard]] inline auto with_window(const device_request& request,
                                      D3DPRESENT_PARAMETERS parameters) noexcept
    -> D3DPRESENT_PARAMETERS {
  parameters.hDeviceWindow = window_of(request, parameters);
  return parameters;
}

}  // namespace aerogpu::d3d9
