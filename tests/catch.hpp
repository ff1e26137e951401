// SPDX-License-Identifier: MIT
/// \file The one place through which Catch2 comes in, version 2.13 or 3.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
