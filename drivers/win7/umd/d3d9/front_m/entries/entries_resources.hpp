// SPDX-License-Identifier: MIT
/// \file Entries of profile M that make, open, lock and end resources.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::umd::front_m {

/// CreateResource, OpenResource, DestroyResource, Lock, Unlock, GetPitch, QueryResourceResidency,
/// ResolveSharedResource, GetCaptureAllocationHandle.
void add_resource_entries(D3DDDI_DEVICEFUNCS& table) noexcept;

}  // namespace aerogpu::umd::front_m
