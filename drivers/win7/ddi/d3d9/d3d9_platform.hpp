// SPDX-License-Identifier: MIT
/// \file Whose Direct3D 9 API types these are: the SDK's where <d3d9.h> came first, else ours.
#pragma once

#include "drivers/win7/ddi/user/user_types.hpp"

#if defined(_D3D9TYPES_H_) || defined(__WINE_D3D9TYPES_H)
#define AEROGPU_DDI_HAS_D3D9_HEADERS
#endif
