// SPDX-License-Identifier: MIT
/// Random calls of Direct3D 9's methods (umd-d3d9.md 6).
#include "tests/catch.hpp"
#include "tests/fuzz/api_run.hpp"

#include <cstdint>
#include <random>
#include <vector>

using namespace aerogpu;

TEST_CASE("whatever Direct3D 9 is called with, references come back and the host rejects nothing",
          "[d3d9]") {
  constexpr std::uint32_t seeds = 60;
  constexpr std::size_t size = 4096;
  std::uint64_t successes = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    std::mt19937 random{seed};
    std::vector<std::uint8_t> bytes(size);
    for (auto& one : bytes) one = static_cast<std::uint8_t>(random());
    fuzz::input in{bytes.data(), bytes.size()};
    fuzz::api_run run{in};
    run.run();
    CHECK(run.faults() == "");
    successes += run.successes();
  }
  CHECK(successes > 100 * seeds);
}
