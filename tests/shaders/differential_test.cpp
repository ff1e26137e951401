// SPDX-License-Identifier: MIT
// Random shaders on the device beside the same shaders on the host.
#include "tests/shaders/shader_suite.hpp"
#include "tests/support/shaders/random_shader.hpp"
#include "tests/support/shaders/shader_differential.hpp"

#include <cstdlib>

namespace aerogpu::test {
namespace {

/// How many shaders of each version are compared; AEROGPU_RANDOM_SHADERS asks for another number.
auto shaders_of_each_version() -> std::uint32_t {
  const char* wish = std::getenv("AEROGPU_RANDOM_SHADERS");
  return wish == nullptr ? 20 : static_cast<std::uint32_t>(std::strtoul(wish, nullptr, 10));
}

}  // namespace

TEST_CASE("random shaders compute the same on the device and on the host",
          "[shaders][differential]") {
  const auto version = GENERATE(from_range(random_shader_versions));
  for (std::uint32_t seed = 1; seed <= shaders_of_each_version(); ++seed) {
    INFO("seed " << seed);
    CHECK(compare_random_shader(device(), version, seed) == "");
  }
}

}  // namespace aerogpu::test
