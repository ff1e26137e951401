// SPDX-License-Identifier: MIT
// A macro of windows.h is told by name. Behind AeroGPU it does no harm.
// says: define NOMINMAX before windows.h
#ifdef WRONG
#include <vector>  // The macro comes behind the standard header that would have taken it away.
#define max(a, b) (((a) > (b)) ? (a) : (b))
#endif
#include "aerogpu/device/device.hpp"
#ifndef WRONG
#define max(a, b) (((a) > (b)) ? (a) : (b))
static_assert(max(1, 2) == 2);
#endif
