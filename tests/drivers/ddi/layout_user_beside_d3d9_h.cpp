// SPDX-License-Identifier: MIT
// The same where the types of the Direct3D 9 API come from its own headers.
// clang-format off
#include <windows.h>
#include <d3d9.h>
#include "drivers/win7/ddi/user/user_layout_asserts.hpp"
// clang-format on
