// SPDX-License-Identifier: MIT
/// \file Presents: what becomes visible, and when a present has to wait (umd-d3d9.md 2.14).
///
/// All hold the device's mutex, and return the code of a lost device.
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/state/device_state.hpp"

#include <cstdint>

namespace aerogpu::umd {

class device;
class resource;
class swap_chain;

// D3DPRESENT_*
inline constexpr std::uint32_t present_does_not_wait = 0x1;
inline constexpr std::uint32_t present_forces_immediate = 0x100;
/// D3DPRESENT_INTERVAL_IMMEDIATE; 0 means the same to the portable profile.
inline constexpr std::uint32_t interval_immediate = 0x80000000;

struct present_request {
  swap_chain* chain = nullptr;  ///< Null = the current one.
  resource* source = nullptr;   ///< Null = the first buffer of the chain.
  void* window = nullptr;       ///< Null = the chain's.
  std::uint32_t interval = 0;
  std::uint32_t flags = 0;  ///< D3DPRESENT_*, passed on as they are.
};
/// Present and PresentEx of the portable profile and of the API. S_PRESENT_OCCLUDED when the window
/// shows nothing; D3DERR_WASSTILLDRAWING when it would have to wait and must not; E_INVALIDARG for
/// a chain or surface that there is not; D3DERR_INVALIDCALL for a source that is locked.
[[nodiscard]] auto present(device& on, const present_request& request) noexcept -> HRESULT;

/// Present of profile M: the kernel driver flips or copies.
struct kernel_present_request {
  surface_ref source{};       ///< Null = the kernel driver fills with a colour.
  surface_ref destination{};  ///< Null = the window's own place.
  bool is_flip = false;
};
/// E_INVALIDARG for a subresource that there is not; D3DERR_INVALIDCALL for a surface that is
/// locked or that only the CPU knows. What PresentCb answers, of which a failure is the loss of the
/// device, D3DERR_WASSTILLDRAWING excepted.
[[nodiscard]] auto present_by_kernel(device& on, const kernel_present_request& request) noexcept
    -> HRESULT;
/// The last blit of a frame into a surface of the compositor: it may look now.
[[nodiscard]] auto publish_to_compositor(device& on) noexcept -> HRESULT;

/// Submits what is recorded, and shows issued queries.
[[nodiscard]] auto flush(device& on) noexcept -> HRESULT;
/// Flushes and waits. D3DERR_WASSTILLDRAWING after 2 seconds.
[[nodiscard]] auto wait_for_idle(device& on) noexcept -> HRESULT;

/// S_OK without a window, S_PRESENT_OCCLUDED when it shows nothing.
[[nodiscard]] auto check_device_state(device& on, void* window) noexcept -> HRESULT;

}  // namespace aerogpu::umd
