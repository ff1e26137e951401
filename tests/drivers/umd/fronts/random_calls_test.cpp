// SPDX-License-Identifier: MIT
/// Random calls of the user-mode driver's entries (umd-d3d9.md T235).
#include "tests/catch.hpp"
#include "tests/fuzz/ddi_run.hpp"

#include <cstdint>
#include <random>
#include <vector>

using namespace aerogpu;

namespace {

[[nodiscard]] auto random_bytes(std::uint32_t seed) -> std::vector<std::uint8_t> {
  constexpr std::size_t size = 4096;
  std::mt19937 random{seed};
  std::vector<std::uint8_t> bytes(size);
  for (auto& one : bytes) one = static_cast<std::uint8_t>(random());
  return bytes;
}

}  // namespace

TEST_CASE("whatever the entries are called with, the host rejects nothing that is recorded",
          "[umd][T235]") {
  constexpr std::uint32_t seeds = 60;
  std::uint64_t successes = 0;
  std::uint64_t submissions = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    const auto bytes = random_bytes(seed);
    fuzz::input in{bytes.data(), bytes.size()};
    fuzz::ddi_run run{in};
    run.run();
    CHECK(run.faults() == "");
    successes += run.successes();
    submissions += run.submissions();
  }
  CHECK(successes > 40 * seeds);
  CHECK(submissions > 2 * seeds);
}
