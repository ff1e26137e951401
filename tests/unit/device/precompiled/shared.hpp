// SPDX-License-Identifier: MIT
// What nearly every file of this folder includes.
#include "aerogpu/device/device_state.hpp"
#include "tests/catch.hpp"
