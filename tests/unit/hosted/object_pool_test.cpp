// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/object_pool.hpp"

#include "tests/catch.hpp"

#include <utility>
#include <vector>

using namespace aerogpu;

namespace {

struct counted {
  int value = 0;
  int* destroyed = nullptr;

  counted(int v, int* d) noexcept : value(v), destroyed(d) {}
  counted(const counted&) = delete;
  ~counted() { ++*destroyed; }
};

}  // namespace

TEST_CASE("objects keep their addresses while others come and go", "[object_pool]") {
  int destroyed = 0;
  object_pool<counted> pool;
  std::vector<counted*> made;
  for (int i = 0; i < 300; ++i) made.push_back(pool.create(i, &destroyed));
  for (int i = 0; i < 300; i += 2) pool.destroy(*made[static_cast<std::size_t>(i)]);
  CHECK(destroyed == 150);
  for (int i = 1; i < 300; i += 2) CHECK(made[static_cast<std::size_t>(i)]->value == i);
  CHECK(pool.size() == 150);
}

TEST_CASE("a freed slot is used again", "[object_pool]") {
  int destroyed = 0;
  object_pool<counted> pool;
  counted* first = pool.create(1, &destroyed);
  pool.destroy(*first);
  CHECK(pool.create(2, &destroyed) == first);
}

TEST_CASE("fresh objects are visited in the order of creation", "[object_pool]") {
  int destroyed = 0;
  object_pool<counted> pool;
  for (int i = 0; i < 200; ++i) REQUIRE(pool.create(i, &destroyed) != nullptr);
  int next = 0;
  pool.for_each([&](counted& object) { CHECK(object.value == next++); });
  CHECK(next == 200);
}

TEST_CASE("a visit may destroy the object it sees", "[object_pool]") {
  int destroyed = 0;
  object_pool<counted> pool;
  for (int i = 0; i < 100; ++i) REQUIRE(pool.create(i, &destroyed) != nullptr);
  pool.for_each([&](counted& object) { pool.destroy(object); });
  CHECK(pool.empty());
  CHECK(destroyed == 100);
}

TEST_CASE("a pool destroys what lives in it, once", "[object_pool]") {
  int destroyed = 0;
  {
    object_pool<counted> pool;
    REQUIRE(pool.create(1, &destroyed) != nullptr);
    counted* second = pool.create(2, &destroyed);
    pool.destroy(*second);
    object_pool<counted> moved = std::move(pool);
    CHECK(moved.size() == 1);
  }
  CHECK(destroyed == 2);
}
