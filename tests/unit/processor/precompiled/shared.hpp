// SPDX-License-Identifier: MIT
// What nearly every file of this folder includes.
#include "tests/unit/processor/pipeline_rig.hpp"
#include "tests/unit/processor/processor_fixture.hpp"
