// SPDX-License-Identifier: MIT
#include "tests/unit/processor/processor_fixture.hpp"

template class aerogpu::command_processor<aerogpu::test::failing_backend<aerogpu::null_backend>>;
