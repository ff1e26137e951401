// SPDX-License-Identifier: MIT
/// \file An export of a DLL, without Windows' headers.
#pragma once

#include <string>

namespace aerogpu::test {

struct dll_export {
  void (*address)() = nullptr;
  std::string file;  ///< As Windows names the module that it loaded.
};
[[nodiscard]] auto find_export(const char* path, const char* name) -> dll_export;

}  // namespace aerogpu::test
