// SPDX-License-Identifier: MIT
/// \file What each test's main does.
#pragma once

#include "drivers/win7/tests/guest/program.hpp"

namespace aerogpu::guest {

/// Runs the test on the desktop of the running Windows; its exit code. Once a process. The caller
/// then ends the process by ExitProcess: a test that hangs must not keep it.
[[nodiscard]] auto run_program(const guest_test& test, int count, char** words) -> exit_code;

}  // namespace aerogpu::guest
