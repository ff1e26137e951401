// SPDX-License-Identifier: MIT
// The same where <windows.h> came first.
// clang-format off
#include <windows.h>
#include "drivers/win7/ddi/user/user_layout_asserts.hpp"
// clang-format on
