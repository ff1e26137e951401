// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/bounded_cache.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <list>
#include <random>
#include <set>
#include <vector>

using namespace aerogpu;

namespace {

/// Hashes to `id`, or all to one value.
struct number_key {
  std::uint64_t id = 0;
  bool collides = false;

  void hash_into(keyed_hash& hash) const noexcept { hash.add(collides ? 0 : id); }
  friend auto operator==(const number_key& a, const number_key& b) -> bool { return a.id == b.id; }
};

using number_cache = bounded_cache<number_key, std::uint64_t>;

struct cache_rig {
  explicit cache_rig(std::uint64_t count, std::uint64_t bytes = UINT64_MAX)
      : cache(5, {count, bytes}, {&dropped, note}) {}

  static void note(void* owner, std::uint64_t& value) noexcept {
    static_cast<std::vector<std::uint64_t>*>(owner)->push_back(value);
  }
  auto add(std::uint64_t id, std::uint64_t bytes = 0, number_cache::group* of = nullptr)
      -> number_cache::entry& {
    auto* const made = cache.insert({id}, id * 10, bytes, of);
    REQUIRE(made != nullptr);
    return *made;
  }
  auto has(std::uint64_t id) -> bool { return cache.find(number_key{id}) != nullptr; }

  std::vector<std::uint64_t> dropped;
  number_cache cache;
};

using values = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("a cache finds what it holds and nothing else", "[bounded_cache]") {
  cache_rig rig{4};
  CHECK(rig.cache.find(number_key{1}) == nullptr);
  rig.add(1);
  REQUIRE(rig.cache.find(number_key{1}) != nullptr);
  CHECK(rig.cache.find(number_key{1})->value == 10);
  CHECK(rig.cache.find(number_key{1})->key().id == 1);
  CHECK(rig.cache.find(number_key{2}) == nullptr);
}

TEST_CASE("the entry used longest ago goes first, at one more than the limit", "[bounded_cache]") {
  cache_rig rig{3};
  for (std::uint64_t id = 1; id <= 3; ++id) rig.add(id);
  CHECK(rig.dropped.empty());
  CHECK(rig.has(1));
  rig.add(4);
  CHECK(rig.dropped == values{20});
  CHECK(rig.cache.size() == 3);
  rig.add(5);
  CHECK(rig.dropped == values{20, 30});
  CHECK(rig.has(1));
}

TEST_CASE("the bytes of entries are bounded as their number is", "[bounded_cache]") {
  cache_rig rig{100, 10};
  rig.add(1, 4);
  rig.add(2, 6);
  CHECK(rig.dropped.empty());
  CHECK(rig.cache.idle_bytes() == 10);
  rig.add(3, 1);
  CHECK(rig.dropped == values{10});
  CHECK(rig.cache.idle_bytes() == 7);
}

TEST_CASE("an entry above the bound in bytes stays alone until the next one", "[bounded_cache]") {
  cache_rig rig{100, 10};
  rig.add(1, 4);
  rig.add(2, 1000);
  CHECK(rig.dropped == values{10});
  CHECK(rig.has(2));
  rig.add(3, 1);
  CHECK(rig.dropped == values{10, 20});
  CHECK(rig.has(3));
}

TEST_CASE("pinned entries stay and do not count until the last pin goes", "[bounded_cache]") {
  cache_rig rig{2};
  auto& kept = rig.add(1);
  rig.cache.pin(kept);
  rig.cache.pin(kept);
  for (std::uint64_t id = 2; id <= 3; ++id) rig.add(id, 1);
  CHECK(rig.dropped.empty());
  CHECK(rig.cache.idle_bytes() == 2);
  CHECK(rig.cache.find(number_key{1}) == &kept);
  rig.cache.unpin(kept);
  CHECK(rig.dropped.empty());
  rig.cache.unpin(kept);
  CHECK(rig.dropped == values{20});
  CHECK(rig.has(1));
}

TEST_CASE("a group goes at once, and leaves the others", "[bounded_cache]") {
  cache_rig rig{10};
  number_cache::group mine, other;
  for (std::uint64_t id = 1; id <= 4; ++id) rig.add(id, 0, &mine);
  rig.add(5, 0, &other);
  rig.cache.erase(*rig.cache.find(number_key{2}));
  rig.cache.erase(mine);
  CHECK(std::set<std::uint64_t>(rig.dropped.begin(), rig.dropped.end()) ==
        std::set<std::uint64_t>{10, 20, 30, 40});
  CHECK(mine.empty());
  CHECK(rig.cache.find(number_key{5}, other) != nullptr);
  CHECK(rig.cache.size() == 1);
  rig.cache.erase(other);
}

TEST_CASE("an entry that goes leaves its group", "[bounded_cache]") {
  cache_rig rig{1};
  number_cache::group mine;
  for (std::uint64_t id = 1; id <= 3; ++id) rig.add(id, 0, &mine);
  CHECK(rig.dropped == values{10, 20});
  CHECK(rig.cache.find(number_key{1}, mine) == nullptr);
  CHECK(rig.cache.find(number_key{3}, mine) != nullptr);
  rig.cache.clear();
  CHECK(mine.empty());
}

TEST_CASE("entries that are found through their group count as used", "[bounded_cache]") {
  cache_rig rig{3};
  number_cache::group mine, other;
  rig.add(1, 0, &mine);
  rig.add(2, 0, &mine);
  rig.add(3, 0, &other);
  CHECK(rig.cache.find(number_key{1}, mine) !=
        nullptr);  // Not the first of its group: by its hash.
  CHECK(rig.cache.find(number_key{2}, mine) != nullptr);
  CHECK(rig.cache.find(number_key{2}, mine) != nullptr);  // The first one now.
  rig.add(4);
  CHECK(rig.dropped == values{30});
  rig.cache.clear();
}

TEST_CASE("entries keep their address while others come and go", "[bounded_cache]") {
  cache_rig rig{600};
  auto& first = rig.add(1);
  for (std::uint64_t id = 2; id <= 600; ++id) rig.add(id);
  CHECK(rig.cache.find(number_key{1}) == &first);
  CHECK(first.value == 10);
}

TEST_CASE("everything goes with the cache", "[bounded_cache]") {
  values dropped;
  {
    number_cache cache{1, {10}, {&dropped, cache_rig::note}};
    REQUIRE(cache.insert({1}, 10) != nullptr);
    REQUIRE(cache.insert({2}, 20) != nullptr);
    cache.pin(*cache.find(number_key{2}));
  }
  CHECK(dropped.size() == 2);
}

TEST_CASE("keys that collide are told apart", "[bounded_cache]") {
  cache_rig rig{64};
  for (std::uint64_t id = 1; id <= 65; ++id) {
    REQUIRE(rig.cache.insert({id, true}, id * 10) != nullptr);
  }
  CHECK(rig.cache.find(number_key{1, true}) == nullptr);
  for (std::uint64_t id = 2; id <= 65; ++id)
    CHECK(rig.cache.find(number_key{id, true})->value == id * 10);
}

TEST_CASE("a cache does what a list in the order of use does", "[bounded_cache]") {
  constexpr std::uint64_t most = 37;
  std::minstd_rand random{11};
  cache_rig rig{most};
  std::list<std::uint64_t> expected;  // Oldest first.
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t id = 1 + random() % 60;
    const auto at = std::find(expected.begin(), expected.end(), id);
    auto* const found = rig.cache.find(number_key{id});
    REQUIRE((found != nullptr) == (at != expected.end()));
    if (at != expected.end()) expected.erase(at);
    if (found != nullptr && random() % 5 == 0) {
      rig.cache.erase(*found);
      continue;
    }
    expected.push_back(id);
    if (found == nullptr) rig.add(id);
    if (expected.size() > most) expected.pop_front();
    REQUIRE(rig.cache.size() == expected.size());
  }
}
