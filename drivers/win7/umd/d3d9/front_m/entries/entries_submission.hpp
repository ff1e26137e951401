// SPDX-License-Identifier: MIT
/// \file Entries of profile M that end, flush and describe a device.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::umd::front_m {

/// DestroyDevice, Flush, GetInfo, SetDisplayMode, SetPriority.
void add_submission_entries(D3DDDI_DEVICEFUNCS& table) noexcept;

}  // namespace aerogpu::umd::front_m
