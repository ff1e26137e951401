// SPDX-License-Identifier: MIT
/// \file What a debugger of this process would see, in a file.
#pragma once

namespace aerogpu::test {

/// From now on, what anybody in the process says to a debugger goes to the file at `path`, as it
/// is. False when it cannot be written. Once in a process, before what is to be heard.
[[nodiscard]] auto hear_debugger_lines(const char* path) -> bool;

}  // namespace aerogpu::test
