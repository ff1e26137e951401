// SPDX-License-Identifier: MIT
/// \file Entries of profile M that present.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::umd::front_m {

void add_present_entries(D3DDDI_DEVICEFUNCS& table) noexcept;

}  // namespace aerogpu::umd::front_m
