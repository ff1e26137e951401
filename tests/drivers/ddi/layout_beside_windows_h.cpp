// SPDX-License-Identifier: MIT
// The same where <windows.h> came first, as in the programs that run a driver under Wine.
// clang-format off
#include <windows.h>
#include "drivers/win7/ddi/layout_asserts.hpp"
// clang-format on
