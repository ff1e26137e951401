// SPDX-License-Identifier: MIT
/// \file Entries of profile M for queries.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::umd::front_m {

void add_query_entries(D3DDDI_DEVICEFUNCS& table) noexcept;

}  // namespace aerogpu::umd::front_m
