// SPDX-License-Identifier: MIT
/// \file Entries of profile M that clear, copy, blit and fill.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::umd::front_m {

/// Clear, Blt, TexBlt, BufBlt, ColorFill, DepthFill, GenerateMipSubLevels.
void add_transfer_entries(D3DDDI_DEVICEFUNCS& table) noexcept;

}  // namespace aerogpu::umd::front_m
