// SPDX-License-Identifier: MIT
/// \file The life of what a resource handle of profile M stands for: a resource, or the surfaces of
/// a swap chain, each a resource with its own name on the host and its own memory, since the kernel
/// driver shows allocations (umd-d3d9.md 2.5.3).
#pragma once

#include "drivers/win7/umd/d3d9/front_m/create_arguments.hpp"

namespace aerogpu::umd {
class device;
}

namespace aerogpu::umd::front_m {

/// All of it, or nothing: errors of `umd::create_resource`.
[[nodiscard]] auto create_surfaces(device& on, const creation_request& wanted,
                                   resource*& out) noexcept -> HRESULT;
/// The resource and the surfaces behind it. E_INVALIDARG for null.
auto destroy_surfaces(device& on, resource* first) noexcept -> HRESULT;

}  // namespace aerogpu::umd::front_m
