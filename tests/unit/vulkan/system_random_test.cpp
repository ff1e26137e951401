// SPDX-License-Identifier: MIT
#include "common/system_random.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <vector>

using namespace aerogpu;

TEST_CASE("random bytes fill spans of every size, and no byte behind them", "[random]") {
  constexpr std::byte canary{0x5A};
  // 256 is what one call to the system gives.
  for (const std::size_t size : {0u, 1u, 7u, 255u, 256u, 257u, 1000u}) {
    INFO(size);
    std::vector<std::byte> bytes(size + 8, canary);
    REQUIRE(fill_random(mutable_bytes{bytes}.first(size)));
    CHECK(std::all_of(bytes.end() - 8, bytes.end(), [](std::byte b) { return b == canary; }));
    if (size < 255) continue;
    std::set<std::byte> seen(bytes.begin(), bytes.end() - 8);
    CHECK(seen.size() > 100);
    // The last part of several is random too: 16 equal bytes come once in 2^120.
    CHECK(std::set<std::byte>(bytes.end() - 24, bytes.end() - 8).size() > 1);
  }
}

TEST_CASE("seeds are never 0 and never the same", "[random]") {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random_seed());
  CHECK(seen.size() == 1000);
  CHECK(seen.count(0) == 0);
}

TEST_CASE("seeds of a system without random bytes differ in every half", "[random]") {
  std::set<std::uint64_t> seen;
  std::set<std::uint32_t> low, high;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t seed = guessable_seed();
    seen.insert(seed);
    low.insert(static_cast<std::uint32_t>(seed));
    high.insert(static_cast<std::uint32_t>(seed >> 32));
  }
  CHECK(seen.size() == 1000);
  CHECK(low.size() > 990);
  CHECK(high.size() > 990);
}
