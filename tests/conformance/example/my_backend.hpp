// SPDX-License-Identifier: MIT
// Stands for your backend: here the null backend, finishing its work on a thread of its own.
#pragma once

#include "null/null_backend.hpp"
#include "tests/support/threaded_backend.hpp"

using my_backend = aerogpu::test::threaded_backend<aerogpu::null_backend>;
