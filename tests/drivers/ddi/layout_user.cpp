// SPDX-License-Identifier: MIT
// A test by compiling: every size, offset and entry of umd-d3d9.md 1.2, 1.3 and 1.5.
#include "drivers/win7/ddi/user/user_layout_asserts.hpp"
