// SPDX-License-Identifier: MIT
#include "tests/support/processors/failing_processor.hpp"

template class aerogpu::test::failing_backend<aerogpu::null_backend>;
template class aerogpu::command_processor<aerogpu::test::failing_backend<aerogpu::null_backend>>;
