// SPDX-License-Identifier: MIT
/// \file The entries of profile U by what they do; the table takes them from here.
#pragma once

#include "drivers/win7/ddi/portable/portable_ddi.hpp"

namespace aerogpu::umd::front_u {

using device_table = d3d9ddi_u::D3D9DDI_DEVICEFUNCS;
using extended_table = d3d9ddi_u::D3D9DDI_EXTENDEDFUNCS;

void add_binding_entries(device_table& table) noexcept;
void add_constant_entries(device_table& table) noexcept;
void add_device_entries(device_table& table) noexcept;
void add_display_entries(device_table& table) noexcept;
void add_draw_entries(device_table& table) noexcept;
void add_present_entries(device_table& table) noexcept;
void add_query_entries(device_table& table) noexcept;
void add_resource_entries(device_table& table) noexcept;
void add_state_block_entries(device_table& table) noexcept;
void add_state_entries(device_table& table) noexcept;
void add_transfer_entries(device_table& table) noexcept;

void add_extended_display_entries(extended_table& table) noexcept;
void add_extended_draws(extended_table& table) noexcept;
void add_extended_getters(extended_table& table) noexcept;
void add_extended_resource_entries(extended_table& table) noexcept;
void add_extended_setters(extended_table& table) noexcept;

}  // namespace aerogpu::umd::front_u
