// SPDX-License-Identifier: MIT
#include "tests/support/processors/null_processor.hpp"

template class aerogpu::command_processor<aerogpu::null_backend>;
