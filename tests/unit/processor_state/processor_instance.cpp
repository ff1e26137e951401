// SPDX-License-Identifier: MIT
#include "tests/unit/processor_state/pipeline_rig.hpp"

template class aerogpu::command_processor<aerogpu::test::failing_backend<aerogpu::null_backend>>;
