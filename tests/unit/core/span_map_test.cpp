// SPDX-License-Identifier: MIT
// Tests of aerogpu/core/span_map.hpp.
#include "aerogpu/core/span_map.hpp"

#include "aerogpu/core/ids.hpp"
#include "tests/catch.hpp"
#include "tests/support/colliding_ids.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

using namespace aerogpu;

using map_type = span_map<alloc_id, std::uint32_t>;

TEST_CASE("a span_map behaves like std::map under random inserts, erases and clears", "[core]") {
  std::vector<map_type::slot> storage(64);
  map_type map{storage};
  std::map<std::uint32_t, std::uint32_t> model;
  std::mt19937 random{7};
  for (int step = 0; step < 20'000; ++step) {
    const auto key = static_cast<std::uint32_t>(1 + random() % 80);
    switch (random() % 8) {
      case 0: {
        CHECK(map.erase(alloc_id{key}) == (model.erase(key) == 1));
        break;
      }
      case 1:
        if (random() % 200 == 0) {
          map.clear();
          model.clear();
        }
        break;
      default: {
        const bool was_full = map.is_full();
        const auto [value, added] = map.insert(alloc_id{key}, key * 3);
        if (model.count(key) != 0) {
          CHECK_FALSE(added);
          REQUIRE(value != nullptr);
        } else {
          CHECK(added == !was_full);
          if (added) model[key] = key * 3;
        }
      }
    }
    const auto expected = model.find(key);
    const auto* found = map.find(alloc_id{key});
    REQUIRE((found != nullptr) == (expected != model.end()));
    if (found != nullptr) CHECK(*found == expected->second);
    CHECK(map.size() == model.size());
  }
}

TEST_CASE("a span_map refuses new keys once three quarters full and keeps those it has", "[core]") {
  std::vector<map_type::slot> storage(16);
  map_type map{storage};
  for (std::uint32_t key = 1; key <= 12; ++key) CHECK(map.insert(alloc_id{key}, key).second);
  CHECK(map.is_full());
  CHECK(map.insert(alloc_id{99}, 0).first == nullptr);
  CHECK(*map.insert(alloc_id{12}, 0).first == 12);
}

TEST_CASE("a span_map never holds 0, whatever was erased or cleared", "[core]") {
  std::vector<map_type::slot> storage(16);
  map_type map{storage};
  CHECK(map.find(alloc_id{}) == nullptr);
  for (std::uint32_t key = 1; key <= 12; ++key) CHECK(map.insert(alloc_id{key}, key).second);
  for (std::uint32_t key = 1; key <= 6; ++key) CHECK(map.erase(alloc_id{key}));
  CHECK(map.find(alloc_id{}) == nullptr);
  CHECK_FALSE(map.erase(alloc_id{}));
  CHECK(map.size() == 6);
  map.clear();
  CHECK(map.find(alloc_id{}) == nullptr);
}

TEST_CASE("a span_map of one or two slots still keeps one empty", "[core]") {
  const std::size_t slots = GENERATE(1u, 2u);
  std::vector<map_type::slot> storage(slots);
  map_type map{storage};
  CHECK(map.insert(alloc_id{1}, 7).second == (slots == 2));
  CHECK(map.is_full());
  CHECK(map.find(alloc_id{2}) == nullptr);
  CHECK(map.insert(alloc_id{2}, 7).first == nullptr);
}

TEST_CASE("a span_map says how many new keys it has room for, and add_new adds each once",
          "[core]") {
  std::vector<map_type::slot> storage(16);
  map_type map{storage};
  for (std::uint32_t key = 1; key <= 12; ++key) {
    CHECK(map.has_room_for(13 - key));
    CHECK_FALSE(map.has_room_for(14 - key));
    std::uint32_t* value = map.add_new(alloc_id{key});
    REQUIRE(value != nullptr);
    *value = key * 5;
    CHECK((map.is_full() || map.add_new(alloc_id{key}) == nullptr));
  }
  for (std::uint32_t key = 1; key <= 12; ++key) CHECK(*map.find(alloc_id{key}) == key * 5);
  CHECK(map.size() == 12);
  CHECK(map_type{}.has_room_for(0));
  CHECK_FALSE(map_type{}.has_room_for(1));
}

TEST_CASE("move_to keeps every entry in larger storage", "[core]") {
  std::vector<map_type::slot> small(8), large(64);
  map_type map{small};
  for (std::uint32_t key = 1; key <= 6; ++key) CHECK(map.insert(alloc_id{key}, key * 7).second);
  map.move_to(large);
  for (std::uint32_t key = 1; key <= 6; ++key) CHECK(*map.find(alloc_id{key}) == key * 7);
  CHECK(map.capacity() == 64);
}

TEST_CASE("a span_map is walked in parts, each entry once", "[core]") {
  std::vector<map_type::slot> storage(64);
  map_type map{storage};
  for (std::uint32_t key = 1; key <= 40; ++key) REQUIRE(map.insert(alloc_id{key}, key).second);
  std::map<std::uint32_t, int> told;
  int parts = 0;
  for (std::size_t at = 0; at < map.capacity(); ++parts) {
    int left = 7;
    at = map.for_each_from(at, [&](alloc_id key, std::uint32_t) {
      ++told[raw(key)];
      return --left != 0;
    });
  }
  CHECK(told.size() == 40);
  CHECK(std::ranges::all_of(told, [](const auto& one) { return one.second == 1; }));
  CHECK((parts == 6 || parts == 7));
}

TEST_CASE("an empty span_map finds, erases and inserts nothing", "[core]") {
  map_type map;
  CHECK(map.find(alloc_id{1}) == nullptr);
  CHECK_FALSE(map.erase(alloc_id{1}));
  CHECK(map.insert(alloc_id{1}, 0).first == nullptr);
}

TEST_CASE("unrelated ids never crowd a span_map, however full, through erases and inserts",
          "[core]") {
  std::vector<map_type::slot> storage(4'096);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    map_type map{storage, hash_key{seed}};
    std::uint32_t id = 1;
    while (!map.is_full()) CHECK(map.insert(alloc_id{id++}, 0).second);
    for (int i = 0; i < 50'000; ++i, ++id) {
      map.erase(alloc_id{id - 3'072});
      CHECK(map.insert(alloc_id{id}, 0).second);
      CHECK_FALSE(map.is_crowded());
    }
    map.clear();
    for (map_type::slot& slot : storage) slot = {};
  }
}

TEST_CASE("a span_map tells that ids meet in one place, and finds them all the same", "[core]") {
  std::vector<map_type::slot> storage(2'048);
  map_type map{storage, hash_key{9}};
  const auto ids = test::ids_that_meet(hash_key{9}, storage.size(), 1, 600);
  for (const std::uint32_t id : ids) CHECK(map.insert(alloc_id{id}, id).second);
  CHECK(map.is_crowded());
  CHECK(map.longest() == ids.size() - 1);
  for (const std::uint32_t id : ids) CHECK(*map.find(alloc_id{id}) == id);
  std::vector<map_type::slot> other(2'048);
  map.move_to(other, map.key().next());
  CHECK_FALSE(map.is_crowded());
  CHECK(map.longest() < 100);
  for (const std::uint32_t id : ids) CHECK(*map.find(alloc_id{id}) == id);
}

TEST_CASE("a search of a span_map ends where no id can lie, inside a full run", "[core]") {
  // Ids each in their own place, one beside the other: a run that costs no insert a step.
  std::vector<map_type::slot> storage(1'024);
  map_type map{storage, hash_key{4}};
  for (std::uint32_t place = 0, id = 1; place < 512; ++id) {
    if ((hash_key{4}.mix(id) & 1'023) != place) continue;
    CHECK(map.insert(alloc_id{id}, id).second);
    id = 0;
    ++place;
  }
  CHECK(map.longest() == 0);
  CHECK_FALSE(map.is_crowded());
  for (std::uint32_t id = 2'000'000; id < 2'001'000; ++id) CHECK(map.find(alloc_id{id}) == nullptr);
}

TEST_CASE("erasing from a crowded span_map keeps every other id", "[core]") {
  std::vector<map_type::slot> storage(256);
  map_type map{storage, hash_key{2}};
  auto ids = test::ids_that_meet(hash_key{2}, 256, 20, 150);
  for (const std::uint32_t id : ids) CHECK(map.insert(alloc_id{id}, id).second);
  while (!ids.empty()) {
    const auto victim = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 3);
    CHECK(map.erase(alloc_id{*victim}));
    CHECK(map.find(alloc_id{*victim}) == nullptr);
    ids.erase(victim);
    for (const std::uint32_t id : ids) REQUIRE(map.find(alloc_id{id}) != nullptr);
  }
}

TEST_CASE("a span_map that was cleared or starts over forgets how crowded it was", "[core]") {
  std::vector<map_type::slot> storage(2'048);
  map_type map{storage, hash_key{9}};
  const auto crowd = [&] {
    for (const std::uint32_t id : test::ids_that_meet(map.key(), storage.size(), 1, 600)) {
      CHECK(map.insert(alloc_id{id}, id).second);
    }
    REQUIRE(map.is_crowded());
  };
  crowd();
  map.clear();
  CHECK(map.empty());
  CHECK(map.longest() == 0);
  CHECK_FALSE(map.is_crowded());
  crowd();
  map.restart(map.key().next());
  CHECK_FALSE(map.is_crowded());
  CHECK(map.key() == hash_key{9}.next());
}
