// SPDX-License-Identifier: MIT
/// \file The command processor over a watched null backend, made in one unit for all programs that
/// use it.
#pragma once

#include "aerogpu/processor/command_processor.hpp"
#include "null/null_backend.hpp"
#include "tests/support/failing_backend.hpp"

extern template class aerogpu::test::failing_backend<aerogpu::null_backend>;
extern template class aerogpu::command_processor<
    aerogpu::test::failing_backend<aerogpu::null_backend>>;
