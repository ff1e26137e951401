// SPDX-License-Identifier: MIT
// Beside the machine's own drivers the loader finds one that leaks when it is unloaded. Under
// AddressSanitizer this program fails when any instance is made before its libraries are pinned.
#include "tests/catch.hpp"
#include "vulkan/device/gpu.hpp"

#include <dlfcn.h>
#include <link.h>
#include <set>
#include <string>

namespace {

using namespace aerogpu;

auto loaded_libraries() -> std::set<std::string> {
  std::set<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* into) {
        static_cast<std::set<std::string>*>(into)->emplace(library->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

auto is_loaded(const char* library) -> bool {
  return dlopen(library, RTLD_NOW | RTLD_NOLOAD) != nullptr;
}

}  // namespace

TEST_CASE("a driver is still loaded after the instance that loaded it is gone", "[vulkan]") {
  CHECK(is_loaded(AEROGPU_FORGETFUL_DRIVER));
  REQUIRE(!vulkan::list_devices().empty());
  CHECK(is_loaded(AEROGPU_FORGETFUL_DRIVER));
}

TEST_CASE("instances that come and go load and unload nothing", "[vulkan]") {
  const auto before = loaded_libraries();
  for (int i = 0; i < 3; ++i) {
    REQUIRE(!vulkan::list_devices().empty());
    CHECK(loaded_libraries() == before);
  }
}
