// SPDX-License-Identifier: MIT
/// \file The end of resources (umd-d3d9.md 2.7.1).
#pragma once

#include "drivers/win7/ddi/hresults.hpp"
#include "drivers/win7/umd/d3d9/resource/resource.hpp"

namespace aerogpu::umd {

class device;

/// Unlocks, unbinds, destroys on the host, and gives the memory back. E_INVALIDARG for null. On a
/// lost device nothing is sent, and the memory goes all the same.
auto destroy_resource(device& on, resource* gone) noexcept -> HRESULT;

/// All that is left when a device ends, and what the device's transfers made for themselves.
void destroy_resources(device& on) noexcept;

/// Gives kernel memory back, mapped or not. What was recorded no longer refers to it.
void release_memory(device& on, resource& of) noexcept;

}  // namespace aerogpu::umd
