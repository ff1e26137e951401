// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/heap_map.hpp"

#include "aerogpu/core/ids.hpp"
#include "tests/catch.hpp"
#include "tests/support/colliding_ids.hpp"

#include <cstdint>
#include <map>
#include <random>

using namespace aerogpu;

TEST_CASE("a growing map holds what a reference map holds", "[heap_map]") {
  std::minstd_rand random{3};
  heap_map<resource_handle, std::uint32_t> map;
  std::map<std::uint32_t, std::uint32_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t key = 1 + static_cast<std::uint32_t>(random() % 3'000);
    const auto value = static_cast<std::uint32_t>(i);
    if (random() % 3 == 0) {
      CHECK(map.erase(resource_handle{key}) == (expected.erase(key) != 0));
    } else {
      const auto [at, is_new] = map.insert(resource_handle{key}, value);
      REQUIRE(at != nullptr);
      CHECK(is_new == expected.try_emplace(key, value).second);
    }
  }
  CHECK(map.size() == expected.size());
  for (const auto& [key, value] : expected) {
    const std::uint32_t* found = map.find(resource_handle{key});
    REQUIRE(found != nullptr);
    CHECK(*found == value);
  }
}

TEST_CASE("key 0 is never found", "[heap_map]") {
  heap_map<resource_handle, int> map;
  CHECK(map.find(resource_handle{}) == nullptr);
  REQUIRE(map.insert(resource_handle{1}, 1).second);
  CHECK(map.find(resource_handle{}) == nullptr);
  CHECK_FALSE(map.erase(resource_handle{}));
}

TEST_CASE("a cleared map is empty and usable", "[heap_map]") {
  heap_map<resource_handle, int> map;
  REQUIRE(map.insert(resource_handle{1}, 1).second);
  map.clear();
  CHECK(map.empty());
  CHECK(map.find(resource_handle{1}) == nullptr);
  CHECK(map.insert(resource_handle{1}, 2).second);
}

TEST_CASE("ids that meet under the key that their guest knows make a growing map change it",
          "[heap_map]") {
  heap_map<share_token, std::uint32_t> map{hash_key{8}};
  // In all sizes that the map takes: their low places meet in one.
  const auto ids = test::ids_that_meet(hash_key{8}, 4'096, 1, 3'000);
  for (const std::uint32_t id : ids) {
    const auto [value, is_new] = map.insert(share_token{id}, id);
    REQUIRE(value != nullptr);
    CHECK(is_new);
    CHECK(*value == id);
  }
  CHECK(map.longest() < 200);
  CHECK(map.size() == ids.size());
  for (const std::uint32_t id : ids) CHECK(*map.find(share_token{id}) == id);
}
