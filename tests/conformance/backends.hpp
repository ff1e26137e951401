// SPDX-License-Identifier: MIT
/// \file The backends that the suite runs on: `aerogpu::conformance::backends`, a std::tuple.
#pragma once

// Name your own header here to run the suite on your own backends; docs/conformance.md shows how.
#ifndef AEROGPU_CONFORMANCE_BACKENDS_HEADER
#define AEROGPU_CONFORMANCE_BACKENDS_HEADER "tests/conformance/null_backends.hpp"
#endif

#include "tests/conformance/backend_traits.hpp"

#include AEROGPU_CONFORMANCE_BACKENDS_HEADER
