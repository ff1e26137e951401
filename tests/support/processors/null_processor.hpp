// SPDX-License-Identifier: MIT
/// \file The command processor over the null backend, made in one unit for all programs that use
/// it.
#pragma once

#include "aerogpu/processor/command_processor.hpp"
#include "null/null_backend.hpp"

extern template class aerogpu::command_processor<aerogpu::null_backend>;
