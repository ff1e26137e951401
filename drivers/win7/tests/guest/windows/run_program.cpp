// SPDX-License-Identifier: MIT
// Windows' types come first.
// clang-format off
#include <windows.h>
// clang-format on

#include "drivers/win7/tests/guest/windows/run_program.hpp"

#include "drivers/win7/tests/guest/windows/user32_desktop.hpp"

#include <array>

namespace aerogpu::guest {

auto run_program(const guest_test& test, int count, char** words) -> exit_code {
  // They outlive what a test leaves running.
  static user32_desktop around;
  static program runner{test, around};
  std::array<std::string_view, 16> arguments;
  std::size_t given = 0;
  for (int i = 1; i < count; ++i) {
    if (given == arguments.size()) return exit_code::wrong_usage;
    arguments[given++] = words[i];
  }
  return runner.run(std::span{arguments}.first(given));
}

}  // namespace aerogpu::guest
