// SPDX-License-Identifier: MIT
#include "aerogpu/processor/resources/dirty_set.hpp"

#include "tests/catch.hpp"

#include <bitset>
#include <cstdint>
#include <random>
#include <vector>

using namespace aerogpu;

namespace {

auto ranges_of(const dirty_ranges& set) -> std::vector<dirty_range> {
  return {set.view().begin(), set.view().end()};
}

using ranges = std::vector<dirty_range>;

}  // namespace

TEST_CASE("ranges with a gap between them stay apart, in order", "[dirty_set]") {
  dirty_ranges set;
  REQUIRE(set.add({40, 44}));
  REQUIRE(set.add({0, 4}));
  REQUIRE(set.add({20, 24}));
  CHECK(ranges_of(set) == ranges{{0, 4}, {20, 24}, {40, 44}});
}

TEST_CASE("overlapping and touching ranges become one", "[dirty_set]") {
  const auto [added, expected] = GENERATE(table<dirty_range, ranges>({
      {{0, 8}, {{0, 12}, {20, 24}}},    // touches the first from below
      {{12, 16}, {{8, 16}, {20, 24}}},  // touches the first from above
      {{12, 20}, {{8, 24}}},            // closes the gap
      {{0, 100}, {{0, 100}}},           // covers both
      {{21, 22}, {{8, 12}, {20, 24}}},  // lies inside
      {{13, 19}, {{8, 12}, {13, 19}, {20, 24}}},
  }));
  dirty_ranges set;
  REQUIRE(set.add({8, 12}));
  REQUIRE(set.add({20, 24}));
  CHECK(set.size_with(added) == expected.size());
  REQUIRE(set.add(added));
  CHECK(ranges_of(set) == expected);
}

TEST_CASE("a range overlaps a dirty one that it shares a byte with", "[dirty_set]") {
  dirty_ranges set;
  REQUIRE(set.add({8, 12}));
  CHECK(set.overlaps({11, 20}));
  CHECK(set.overlaps({0, 9}));
  CHECK_FALSE(set.overlaps({12, 20}));
  CHECK_FALSE(set.overlaps({0, 8}));
}

TEST_CASE("random dirty ranges equal a bitmap of them", "[dirty_set]") {
  std::minstd_rand random{1};
  for (int round = 0; round < 50; ++round) {
    dirty_ranges set;
    std::bitset<256> expected;
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t begin = random() % 250;
      const std::uint64_t end = begin + 1 + random() % 6;
      REQUIRE(set.add({begin, end}));
      for (std::uint64_t b = begin; b < end; ++b) expected.set(b);
    }
    std::bitset<256> actual;
    std::uint64_t last_end = 0;
    for (const dirty_range& r : set.view()) {
      CHECK((actual.none() || r.begin > last_end));
      last_end = r.end;
      for (std::uint64_t b = r.begin; b < r.end; ++b) actual.set(b);
    }
    CHECK(actual == expected);
  }
}

TEST_CASE("dirty subresources are exact bits, near and far", "[dirty_set]") {
  const std::uint64_t count = GENERATE(as<std::uint64_t>{}, 1, 2, 63, 64, 65, 200);
  dirty_subresources set;
  REQUIRE(set.resize(count));
  CHECK(set.empty());
  CHECK(set.next(0) == count);

  set.add(count - 1);
  set.add(count - 1);
  CHECK(set.count() == 1);
  CHECK(set.contains(count - 1));
  CHECK(set.next(0) == count - 1);

  set.add(subresource_range{0, count});
  CHECK(set.count() == count);
  set.remove(count / 2);
  set.remove(count / 2);
  CHECK(set.count() == count - 1);
  CHECK_FALSE(set.contains(count / 2));

  std::uint64_t seen = 0;
  for (auto i = set.next(0); i < count; i = set.next(i + 1)) {
    CHECK(i != count / 2);
    ++seen;
  }
  CHECK(seen == count - 1);

  set.clear();
  CHECK(set.empty());
  CHECK(set.next(0) == count);
}

TEST_CASE("a range of dirty subresources is the same as each of them", "[dirty_set]") {
  std::minstd_rand random{11};
  for (const std::uint64_t count : {1u, 63u, 64u, 65u, 128u, 300u}) {
    for (int round = 0; round < 200; ++round) {
      dirty_subresources by_range, one_by_one;
      REQUIRE(by_range.resize(count));
      REQUIRE(one_by_one.resize(count));
      for (int i = 0; i < 3; ++i) {
        const std::uint64_t first = random() % count;
        const std::uint64_t size = random() % (count - first + 1);
        by_range.add(subresource_range{first, size});
        for (std::uint64_t at = first; at < first + size; ++at) one_by_one.add(at);
      }
      CHECK(by_range.count() == one_by_one.count());
      for (std::uint64_t at = 0; at < count; ++at) {
        CHECK(by_range.contains(at) == one_by_one.contains(at));
      }
    }
  }
}
