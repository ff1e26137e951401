// SPDX-License-Identifier: MIT
// What nearly every file of this folder includes.
#include "aerogpu/memory.hpp"
#include "tests/catch.hpp"
