// SPDX-License-Identifier: MIT
// The test runner's main: without a device nothing can be tested, so the program fails.
#include "tests/support/sanitizer_options.hpp"
#include "tests/support/shaders/shader_device.hpp"
#include "tests/support/test_runner.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"

#include <cstdio>
#include <exception>

namespace {

/// The device of the tests; null, and why, where they cannot run.
auto find_device() -> aerogpu::test::shader_device* {
  try {
    if (auto* const found = aerogpu::test::shader_device::find()) return found;
    std::puts("no Vulkan 1.3 device, such as the one of Debian's mesa-vulkan-drivers");
  } catch (const std::exception& e) {
    std::puts(e.what());
  }
  return nullptr;
}

/// Whether the validation layer had nothing to say, besides what tests took from it.
auto is_silent(aerogpu::test::vulkan_device& device) -> bool {
  const auto complaints = device.take_complaints();
  for (const std::string& said : complaints) std::puts(said.c_str());
  return complaints.empty();
}

}  // namespace

auto main(int argc, char** argv) -> int {
  aerogpu::test::require_vulkan_device();
  auto* device = find_device();
  if (device == nullptr) return 1;
  const int failed = aerogpu::test::run_tests(argc, argv);
  return is_silent(device->vulkan()) ? failed : 1;
}
