// SPDX-License-Identifier: MIT
// Fuzzes Direct3D 9 shaders by running them: each computes on the device what it does on the host.
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/sanitizer_options.hpp"
#include "tests/support/shaders/random_shader.hpp"
#include "tests/support/shaders/shader_differential.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"

using namespace aerogpu;

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  fuzz::input in{data, size};
  const std::string_view version =
      test::random_shader_versions[in.u8() % test::random_shader_versions.size()];
  test::require_vulkan_device();
  auto* const device = test::shader_device::find();
  fuzz::claim(device != nullptr, "there is a Vulkan device");
  const std::string found = test::compare_random_shader(*device, version, in.u32());
  fuzz::claim(found.empty(), found.c_str());
  return 0;
}
