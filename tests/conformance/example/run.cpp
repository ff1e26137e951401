// SPDX-License-Identifier: MIT
#define AEROGPU_CONFORMANCE_BACKENDS_HEADER "my_backends.hpp"
#define CATCH_CONFIG_MAIN
#include "tests/conformance/all.hpp"
