// SPDX-License-Identifier: MIT
// One test over Direct3D 9 as a program for Windows; AEROGPU_GUEST_TEST names it.
// Windows' types come first.
// clang-format off
#include <windows.h>
// clang-format on

#include "drivers/win7/tests/d3d9/partner.hpp"
#include "drivers/win7/tests/d3d9/tests.hpp"
#include "drivers/win7/tests/guest/windows/run_program.hpp"

int main(int count, char** words) {
  using namespace aerogpu::guest;
  if (const auto ended = run_as_partner(count, words)) return *ended;
  ExitProcess(static_cast<UINT>(run_program(AEROGPU_GUEST_TEST, count, words)));
}
