// SPDX-License-Identifier: MIT
// The main of each test that is a program for Windows.
// Windows' types come first.
// clang-format off
#include <windows.h>
// clang-format on

#include "drivers/win7/tests/guest/windows/chosen_test.hpp"
#include "drivers/win7/tests/guest/windows/run_program.hpp"

int main(int count, char** words) {
  using namespace aerogpu::guest;
  ExitProcess(static_cast<UINT>(run_program(chosen_test, count, words)));
}
