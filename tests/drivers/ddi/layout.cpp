// SPDX-License-Identifier: MIT
// A test by compiling: cases 166 and 167 of kmd.md 7.
#include "drivers/win7/ddi/layout_asserts.hpp"
