// SPDX-License-Identifier: MIT
// A macro of Qt is told by name. Behind AeroGPU it does no harm.
// says: define QT_NO_KEYWORDS
#ifdef WRONG
#define slots
#endif
#include "aerogpu/device/device.hpp"
#ifndef WRONG
#define slots
#endif
