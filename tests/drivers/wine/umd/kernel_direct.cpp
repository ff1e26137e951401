// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/windows.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "tests/drivers/wine/umd/kernel.hpp"

#ifdef AEROGPU_TEST_HAS_VULKAN
#include "drivers/sim/kernel/machine/vulkan_machine.hpp"
#else
#include "drivers/sim/kernel/machine/null_machine.hpp"
#endif

#include <cstdio>
#include <cstdlib>

namespace aerogpu::test {
namespace {

#ifdef AEROGPU_TEST_HAS_VULKAN
using chosen_backend = vulkan::vulkan_backend;
[[nodiscard]] auto make_backend() -> std::unique_ptr<chosen_backend> {
  auto made = chosen_backend::create({});
  if (made) return *std::move(made);
  std::printf("%s\n", made.why().what);
  std::exit(1);
}
#else
using chosen_backend = null_backend;
[[nodiscard]] auto make_backend() -> std::unique_ptr<chosen_backend> {
  return std::make_unique<chosen_backend>();
}
#endif

[[nodiscard]] auto desktop() -> sim::windows_options {
  sim::windows_options options;
  options.width = 1024;
  options.height = 768;
  return options;
}

}  // namespace

struct kernel_here::state {
  std::unique_ptr<chosen_backend> backend = make_backend();
  sim::pc pc;
  sim::machine<chosen_backend> machine{pc, *backend};
  sim::kernel kernel{pc};
  sim::thread_scope here{pc};
  sim::windows windows{kernel, desktop()};
};

kernel_here::kernel_here() : state_(std::make_unique<state>()) {
  if (NT_SUCCESS(state_->windows.boot(&DriverEntry))) return;
  std::puts("the driver does not start");
  std::exit(1);
}
kernel_here::~kernel_here() = default;

auto kernel_here::close() -> int {
  state_->windows.shutdown();
  std::fputs(state_->pc.bugs.text().c_str(), stdout);
  return static_cast<int>(state_->pc.bugs.count());
}

}  // namespace aerogpu::test
