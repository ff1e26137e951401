// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/core/os_native.hpp"
#include "drivers/win7/umd/d3d9/front_m/open_adapter.hpp"
#include "drivers/wine/transport/link.hpp"
#include "tests/drivers/wine/umd/driver.hpp"

#include <algorithm>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace aerogpu::test {
namespace {

/// Counters of all programs on one server, as Windows' named sections are: files in its folder.
class session_system final : public umd::os::native_system {
 public:
  auto shared_counter(const char* name) noexcept -> std::uint64_t* override {
    std::string file = name;
    std::replace(file.begin(), file.end(), '\\', '.');
    const auto path = wine::folder_of_environment() + "/" + file;
    constexpr mode_t owner_only = 0600;
    const int opened = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, owner_only);
    if (opened < 0 || ftruncate(opened, sizeof(std::uint64_t)) != 0) return nullptr;
    auto* const at =
        mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
    close(opened);
    return at != MAP_FAILED ? static_cast<std::uint64_t*>(at) : nullptr;
  }
};

}  // namespace

auto load_driver(const char*) -> sim::user_driver {
  static session_system session;
  if (!wine::folder_of_environment().empty()) umd::os::install(&session);
  return {&umd::front_m::open_adapter};
}

}  // namespace aerogpu::test
