// SPDX-License-Identifier: MIT
#include "tests/conformance/null_instances.hpp"

AEROGPU_NULL_INSTANCES(template);
