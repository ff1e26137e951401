// SPDX-License-Identifier: MIT
// An older language is told by name.
// wrong with: -std=c++17
// says: AeroGPU needs C++20
#include "aerogpu/device/device.hpp"
