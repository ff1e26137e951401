// SPDX-License-Identifier: MIT
/// \file What tests ask of a new device.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi.hpp"

namespace aerogpu::test {

/// A window's swap chain of one X8R8G8B8 buffer. Size 0: the window's.
[[nodiscard]] inline auto windowed_parameters(UINT width = 0, UINT height = 0)
    -> D3DPRESENT_PARAMETERS {
  D3DPRESENT_PARAMETERS wanted{};
  wanted.BackBufferWidth = width;
  wanted.BackBufferHeight = height;
  wanted.BackBufferFormat = D3DFMT_X8R8G8B8;
  wanted.BackBufferCount = 1;
  wanted.SwapEffect = D3DSWAPEFFECT_DISCARD;
  wanted.Windowed = 1;
  return wanted;
}

}  // namespace aerogpu::test
