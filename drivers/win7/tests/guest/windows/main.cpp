// SPDX-License-Identifier: MIT
// One test as a program for Windows; AEROGPU_GUEST_TEST names it.
// Windows' types come first.
// clang-format off
#include <windows.h>
// clang-format on

#include "drivers/win7/tests/guest/tests.hpp"
#include "drivers/win7/tests/guest/windows/run_program.hpp"

int main(int count, char** words) {
  using namespace aerogpu::guest;
  ExitProcess(static_cast<UINT>(run_program(AEROGPU_GUEST_TEST, count, words)));
}
