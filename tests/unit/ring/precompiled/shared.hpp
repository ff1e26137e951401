// SPDX-License-Identifier: MIT
// What nearly every file of this folder includes.
#include "aerogpu/ring.hpp"
#include "tests/catch.hpp"
