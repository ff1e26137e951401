// SPDX-License-Identifier: MIT
// Windows' types come first.
// clang-format off
#include <windows.h>
// clang-format on

#include "drivers/win7/tests/guest/windows/gdi32.hpp"

namespace aerogpu::guest {

auto load_thunks(thunks& all) -> bool {
  const HMODULE library = LoadLibraryW(L"gdi32.dll");
  if (library == nullptr) return false;
  bool is_complete = true;
  for_each_thunk(all, [&]<class Function>(const char* name, Function& function) {
    const FARPROC found = GetProcAddress(library, name);
    function = reinterpret_cast<Function>(reinterpret_cast<void*>(found));
    is_complete = is_complete && found != nullptr;
  });
  return is_complete;
}

}  // namespace aerogpu::guest
