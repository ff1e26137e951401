// One test as a program for Windows; AEROGPU_GUEST_TEST names it.
// Windows' types come first.
// clang-format off
#include <windows.h>
// clang-format on

#include "drivers/win7/tests/guest/tests.hpp"
#include "drivers/win7/tests/guest/windows/user32_desktop.hpp"

#include <array>

int main(int count, char** words) {
  using namespace aerogpu::guest;
  static user32_desktop around;
  static program test{AEROGPU_GUEST_TEST, around};
  std::array<std::string_view, 16> arguments;
  std::size_t given = 0;
  for (int i = 1; i < count; ++i) {
    if (given == arguments.size()) return static_cast<int>(exit_code::wrong_usage);
    arguments[given++] = words[i];
  }
  // By itself: a test that hangs must not keep the program.
  ExitProcess(static_cast<UINT>(test.run(std::span{arguments}.first(given))));
}
