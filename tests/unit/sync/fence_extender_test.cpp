// SPDX-License-Identifier: MIT
// Tests of aerogpu/sync/fence_extender.hpp.
#include "aerogpu/sync/fence_extender.hpp"

#include "tests/catch.hpp"

#include <random>

using namespace aerogpu;

TEST_CASE("no fence was extended before the first id", "[sync]") {
  STATIC_REQUIRE(fence_extender{}.last() == fence_value{0});
}

TEST_CASE("ids rise by one across the wrap of 2^32", "[sync]") {
  fence_extender extender;
  std::uint64_t expected = 0xFFFFFFFE;
  for (std::uint32_t id = 0xFFFFFFFE; id != 3; ++id) {
    const fence_value value = extender.extend(id);
    CHECK(raw(value) == expected++);
    CHECK(narrow_fence(value) == id);
  }
  CHECK(raw(extender.last()) == 0x100000002);
}

TEST_CASE("the first id starts epoch 0 wherever it lies", "[sync]") {
  const auto id = GENERATE(1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu);
  fence_extender extender;
  CHECK(raw(extender.extend(id)) == id);
  CHECK(raw(extender.extend(id + 1)) == std::uint64_t{id} + 1);
}

TEST_CASE("an id that repeats or falls behind yields the newest fence", "[sync]") {
  fence_extender extender;
  (void)extender.extend(100);
  CHECK(raw(extender.extend(100)) == 100);
  CHECK(raw(extender.extend(99)) == 100);
  CHECK(raw(extender.extend(0x80000064)) == 100);  // 2^31 away: behind
  CHECK(raw(extender.extend(101)) == 101);
}

TEST_CASE("an id that repeats after the wrap adds no epoch", "[sync]") {
  fence_extender extender;
  (void)extender.extend(0xFFFFFFFF);
  CHECK(raw(extender.extend(0)) == 0x100000000);
  CHECK(raw(extender.extend(0)) == 0x100000000);
  CHECK(raw(extender.extend(0xFFFFFFFF)) == 0x100000000);
}

TEST_CASE("extended fences never fall and keep their id, over many epochs", "[sync]") {
  std::mt19937 random{9};
  fence_extender extender;
  std::uint64_t exact = 1;
  (void)extender.extend(1);
  for (int step = 0; step < 20'000; ++step) {
    exact += random() % 0x7FFFFFFF;
    CHECK(raw(extender.extend(static_cast<std::uint32_t>(exact))) == exact);
  }
  CHECK(exact >> 32 > 1'000);
}
