// SPDX-License-Identifier: MIT
// [suite]
#define AEROGPU_CONFORMANCE_BACKENDS_HEADER "conformance_backends.hpp"
#define CATCH_CONFIG_MAIN
#include "tests/conformance/all.hpp"
// [/suite]
