// SPDX-License-Identifier: MIT
#include "tests/drivers/wine/umd/debugger.hpp"
#include "tests/drivers/wine/umd/dll_export.hpp"
#include "tests/drivers/wine/umd/driver.hpp"
#include "tests/drivers/wine/umd/imports.hpp"

#include <cstdio>
#include <cstdlib>

namespace aerogpu::test {

namespace {

/// What the environment of a test asks of this process.
[[nodiscard]] auto prepare(const char* path) -> bool {
  const char* const heard = std::getenv("AEROGPU_TEST_DEBUGGER");
  if (heard != nullptr && !hear_debugger_lines(heard)) return false;
  if (std::getenv("AEROGPU_TEST_WITHOUT_SDDL") == nullptr) return true;
  return !find_export(path, "OpenAdapter").file.empty() && withhold_security_strings(path);
}

}  // namespace

auto load_driver(const char* path) -> sim::user_driver {
  if (!prepare(path)) {
    std::printf("%s cannot be watched as asked\n", path);
    return {};
  }
  const auto found = find_export(path, "OpenAdapter");
  if (found.address == nullptr) std::printf("%s has no OpenAdapter\n", path);
  if (found.address != nullptr) std::printf("loaded %s\n", found.file.c_str());
  return {reinterpret_cast<PFND3DDDI_OPENADAPTER>(found.address)};
}

}  // namespace aerogpu::test
