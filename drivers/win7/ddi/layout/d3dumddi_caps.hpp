// SPDX-License-Identifier: MIT
/// \file Layouts of umd-d3d9.md 1.3.5: what GetCaps gives.
///
/// Rows: a size of x64 and of x86, then the members' offsets.
#pragma once

#include "drivers/win7/ddi/user/d3dumddi_caps.hpp"

#define AEROGPU_DDI_CAPS_LAYOUT(SIZE, OFFSET)                    \
  SIZE(FORMATOP, 20, 20)                                         \
  OFFSET(FORMATOP, Format, 0, 0)                                 \
  OFFSET(FORMATOP, Operations, 4, 4)                             \
  OFFSET(FORMATOP, FlipMsTypes, 8, 8)                            \
  OFFSET(FORMATOP, BltMsTypes, 12, 12)                           \
  OFFSET(FORMATOP, PrivateFormatBitCount, 16, 16)                \
  SIZE(DDIMULTISAMPLEQUALITYLEVELSDATA, 16, 16)                  \
  OFFSET(DDIMULTISAMPLEQUALITYLEVELSDATA, Format, 0, 0)          \
  OFFSET(DDIMULTISAMPLEQUALITYLEVELSDATA, Flip, 4, 4)            \
  OFFSET(DDIMULTISAMPLEQUALITYLEVELSDATA, MsType, 8, 8)          \
  OFFSET(DDIMULTISAMPLEQUALITYLEVELSDATA, QualityLevels, 12, 12) \
  SIZE(DDIGAMMACAPS, 4, 4)                                       \
  OFFSET(DDIGAMMACAPS, GammaCaps, 0, 0)                          \
  SIZE(DDRAW_CAPS, 20, 20)                                       \
  OFFSET(DDRAW_CAPS, Caps, 0, 0)                                 \
  OFFSET(DDRAW_CAPS, Caps2, 4, 4)                                \
  OFFSET(DDRAW_CAPS, CKeyCaps, 8, 8)                             \
  OFFSET(DDRAW_CAPS, FxCaps, 12, 12)                             \
  OFFSET(DDRAW_CAPS, MaxVideoPorts, 16, 16)                      \
  SIZE(DDRAW_MODE_SPECIFIC_CAPS, 28, 28)                         \
  OFFSET(DDRAW_MODE_SPECIFIC_CAPS, Head, 0, 0)                   \
  OFFSET(DDRAW_MODE_SPECIFIC_CAPS, Caps, 4, 4)                   \
  OFFSET(DDRAW_MODE_SPECIFIC_CAPS, CKeyCaps, 8, 8)               \
  OFFSET(DDRAW_MODE_SPECIFIC_CAPS, FxCaps, 12, 12)               \
  OFFSET(DDRAW_MODE_SPECIFIC_CAPS, MaxVisibleOverlays, 16, 16)   \
  OFFSET(DDRAW_MODE_SPECIFIC_CAPS, MinOverlayStretch, 20, 20)    \
  OFFSET(DDRAW_MODE_SPECIFIC_CAPS, MaxOverlayStretch, 24, 24)
