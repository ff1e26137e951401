// SPDX-License-Identifier: MIT
// Tests of aerogpu/sync/early_completions.hpp.
#include "aerogpu/sync/early_completions.hpp"

#include "tests/catch.hpp"
#include "tests/unit/sync/fence.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <random>
#include <vector>

using namespace aerogpu;
using test::fence;

TEST_CASE("an early completion is taken once", "[sync]") {
  std::array<fence_value, 4> storage{};
  early_completions early{storage};
  early.remember(fence(5));
  CHECK(early.take(fence(5)));
  CHECK_FALSE(early.take(fence(5)));
  CHECK(early.size() == 0);
}

TEST_CASE("taking a fence forgets the lower ones and keeps the higher", "[sync]") {
  std::array<fence_value, 4> storage{};
  early_completions early{storage};
  for (const std::uint64_t value : {9u, 4u, 7u, 5u}) early.remember(fence(value));
  CHECK_FALSE(early.take(fence(6)));
  REQUIRE(early.size() == 2);
  CHECK(early[0] == fence(9));
  CHECK(early[1] == fence(7));
  CHECK(early.take(fence(7)));
  CHECK(early.take(fence(9)));
}

TEST_CASE("the oldest report goes first when there is no room", "[sync]") {
  std::array<fence_value, 3> storage{};
  early_completions early{storage};
  for (const std::uint64_t value : {9u, 1u, 5u, 7u}) early.remember(fence(value));
  CHECK(early.size() == 3);
  CHECK(early.take(fence(1)));
  CHECK(early.take(fence(5)));
  CHECK(early.take(fence(7)));
  CHECK_FALSE(early.take(fence(9)));
}

TEST_CASE("a report is remembered once", "[sync]") {
  std::array<fence_value, 3> storage{};
  early_completions early{storage};
  for (const std::uint64_t value : {5u, 5u, 3u, 5u, 3u}) early.remember(fence(value));
  CHECK(early.size() == 2);
}

TEST_CASE("restored reports take the place of all that were remembered", "[sync]") {
  std::array<fence_value, 3> storage{};
  early_completions early{storage};
  early.remember(fence(9));
  early.restore(std::array{fence(5), fence(3)});
  CHECK(early.size() == 2);
  CHECK_FALSE(early.take(fence(9)));
  early.restore(std::array{fence(5), fence(3)});
  CHECK(early.take(fence(3)));
  CHECK(early.take(fence(5)));
}

TEST_CASE("without storage nothing is remembered", "[sync]") {
  early_completions early;
  early.remember(fence(1));
  CHECK_FALSE(early.take(fence(1)));
}

TEST_CASE("65,536 early completions are held, and rising ones are cheap", "[sync]") {
  std::vector<fence_value> storage(65'536);
  early_completions early{storage};
  for (std::uint64_t value = 1; value <= 65'537; ++value) early.remember(fence(value));
  CHECK(early.size() == 65'536);
  CHECK_FALSE(early.take(fence(1)));
  for (std::uint64_t value = 2; value <= 65'537; ++value) REQUIRE(early.take(fence(value)));
}

TEST_CASE("early completions behave like a list that is searched", "[sync]") {
  const auto seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  std::mt19937 random{seed};
  std::array<fence_value, 8> storage{};
  early_completions early{storage};
  std::deque<fence_value> model;
  std::uint64_t base = 1;
  for (int step = 0; step < 20'000; ++step) {
    const fence_value value = fence(base + random() % 24);
    if (random() % 3 != 0) {
      early.remember(value);
      if (std::find(model.begin(), model.end(), value) == model.end()) {
        if (model.size() == storage.size()) model.pop_front();
        model.push_back(value);
      }
    } else {
      const bool expected = std::find(model.begin(), model.end(), value) != model.end();
      REQUIRE(early.take(value) == expected);
      model.erase(std::remove_if(model.begin(), model.end(),
                                 [&](fence_value held) { return held <= value; }),
                  model.end());
      base = raw(value) + 1;
    }
    REQUIRE(early.size() == model.size());
    for (std::size_t i = 0; i < model.size(); ++i) REQUIRE(early[i] == model[i]);
  }
}
