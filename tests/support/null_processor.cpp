// SPDX-License-Identifier: MIT
#include "tests/support/null_processor.hpp"

template class aerogpu::command_processor<aerogpu::null_backend>;
