// SPDX-License-Identifier: MIT
// The main of each test over Direct3D 9.
// Windows' types come first.
// clang-format off
#include <windows.h>
// clang-format on

#include "drivers/win7/tests/d3d9/partner.hpp"
#include "drivers/win7/tests/guest/windows/chosen_test.hpp"
#include "drivers/win7/tests/guest/windows/run_program.hpp"

int main(int count, char** words) {
  using namespace aerogpu::guest;
  if (const auto ended = run_as_partner(count, words)) return *ended;
  ExitProcess(static_cast<UINT>(run_program(chosen_test, count, words)));
}
