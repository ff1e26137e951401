// SPDX-License-Identifier: MIT
#include "tests/drivers/wine/umd/dll_export.hpp"
#include "tests/drivers/wine/umd/driver.hpp"

#include <cstdio>

namespace aerogpu::test {

auto load_driver(const char* path) -> sim::user_driver {
  const auto found = find_export(path, "OpenAdapter");
  if (found.address == nullptr) std::printf("%s has no OpenAdapter\n", path);
  if (found.address != nullptr) std::printf("loaded %s\n", found.file.c_str());
  return {reinterpret_cast<PFND3DDDI_OPENADAPTER>(found.address)};
}

}  // namespace aerogpu::test
