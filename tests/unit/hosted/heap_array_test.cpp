// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/heap_array.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

using namespace aerogpu;

TEST_CASE("a resize keeps what fits and zeroes what is new", "[heap_array]") {
  heap_array<int> array;
  REQUIRE(array.resize(2));
  array[0] = 7;
  array[1] = 8;
  REQUIRE(array.resize(4));
  CHECK(array[0] == 7);
  CHECK(array[3] == 0);
  REQUIRE(array.resize(1));
  CHECK(array.size() == 1);
  CHECK(array[0] == 7);
}

TEST_CASE("a resize for overwriting keeps what fits, and what is new takes values",
          "[heap_array]") {
  heap_array<int> array;
  REQUIRE(array.push_back(7));
  REQUIRE(array.resize_for_overwrite(1000));
  CHECK(array.size() == 1000);
  CHECK(array[0] == 7);
  array[999] = 8;
  CHECK(array[999] == 8);
  REQUIRE(array.resize_for_overwrite(1));
  CHECK(array.size() == 1);
  CHECK(array[0] == 7);
  CHECK_FALSE(array.resize_for_overwrite(SIZE_MAX));
  CHECK(array.size() == 1);
}

TEST_CASE("appending to a cleared array does not allocate again", "[heap_array]") {
  heap_array<int> array;
  for (int i = 0; i < 100; ++i) REQUIRE(array.push_back(i));
  CHECK(array[99] == 99);
  const int* const items = array.begin();
  const std::size_t capacity = array.capacity();
  array.clear();
  for (int i = 0; i < 100; ++i) REQUIRE(array.push_back(i));
  CHECK(array.begin() == items);
  CHECK(array.capacity() == capacity);
}

TEST_CASE("a size that no heap has is refused, and nothing changes", "[heap_array]") {
  heap_array<int> array;
  REQUIRE(array.push_back(5));
  CHECK_FALSE(array.resize(SIZE_MAX));
  CHECK_FALSE(array.reserve(SIZE_MAX / sizeof(int)));
  CHECK(array.size() == 1);
  CHECK(array[0] == 5);
}

TEST_CASE("moving takes the elements along", "[heap_array]") {
  heap_array<int> from;
  REQUIRE(from.push_back(1));
  heap_array<int> to = std::move(from);
  CHECK(to.size() == 1);
  heap_array<int> other;
  other = std::move(to);
  CHECK(other[0] == 1);
}

namespace {

struct living_element {
  explicit living_element(int& of) noexcept : alive(&of) { ++*alive; }
  living_element(living_element&& other) noexcept : alive(other.alive) { ++*alive; }
  auto operator=(living_element&&) noexcept -> living_element& = default;
  ~living_element() { --*alive; }
  int* alive;
};

}  // namespace

TEST_CASE("only elements in use live", "[heap_array]") {
  int alive = 0;
  {
    heap_array<living_element> array;
    for (int i = 0; i < 20; ++i) REQUIRE(array.push_back(living_element{alive}));
    CHECK(alive == 20);
    REQUIRE(array.reserve(1000));
    CHECK(alive == 20);
    array.truncate(5);
    CHECK(alive == 5);
    array.erase(0);
    array.pop_back();
    CHECK(alive == 3);
  }
  CHECK(alive == 0);
}

TEST_CASE("an element of the array itself can be appended while it grows", "[heap_array]") {
  heap_array<int> array;
  REQUIRE(array.push_back(42));
  while (array.size() < array.capacity()) REQUIRE(array.push_back(0));
  REQUIRE(array.push_back(array[0]));
  CHECK(array.back() == 42);
}

TEST_CASE("elements are put in front, dropped and appended in order", "[heap_array]") {
  heap_array<int> array;
  constexpr std::array<int, 4> first{1, 2, 3, 4};
  REQUIRE(array.append(first));
  REQUIRE(array.insert(0, 0));
  REQUIRE(array.insert(5, 5));
  array.erase(2);
  CHECK(std::ranges::equal(array.view(), std::array{0, 1, 3, 4, 5}));
  array.erase_if([](int value) { return value % 2 == 1; });
  CHECK(std::ranges::equal(array.view(), std::array{0, 4}));
  REQUIRE(array.assign(first));
  CHECK(std::ranges::equal(array.view(), first));
  CHECK(array.front() == 1);
  CHECK(array.back() == 4);
}

TEST_CASE("a growth that fails leaves the element where it was", "[heap_array]") {
  heap_array<int> array;
  REQUIRE(array.append(std::array{1, 2}));
  CHECK_FALSE(array.reserve_more(SIZE_MAX));
  CHECK_FALSE(array.reserve_more(SIZE_MAX - 2));
  CHECK(array.size() == 2);
}

TEST_CASE("an array grows by half, from eight elements on", "[heap_array]") {
  heap_array<int> array;
  REQUIRE(array.push_back(0));
  CHECK(array.capacity() == 8);
  while (array.size() < 9) REQUIRE(array.push_back(0));
  CHECK(array.capacity() == 12);
  REQUIRE(array.reserve(12));
  CHECK(array.capacity() == 12);
  REQUIRE(array.reserve(13));
  CHECK(array.capacity() == 18);
  REQUIRE(array.reserve(100));
  CHECK(array.capacity() == 100);
  REQUIRE(array.resize(101));
  CHECK(array.capacity() == 101);
  REQUIRE(array.resize(3));
  CHECK(array.capacity() == 3);
  REQUIRE(array.append(std::array{1}));
  CHECK(array.capacity() == 4);
  REQUIRE(array.resize(0));
  CHECK(array.capacity() == 0);
  CHECK(array.data() == nullptr);
}

TEST_CASE("a moved array leaves the other empty, and arrays compare by elements", "[heap_array]") {
  heap_array<int> a;
  heap_array<int> b;
  CHECK(a == b);
  REQUIRE(a.append(std::array{1, 2}));
  CHECK_FALSE(a == b);
  REQUIRE(b.append(std::array{1, 3}));
  CHECK_FALSE(a == b);
  b.back() = 2;
  CHECK(a == b);
  const heap_array<int> c = std::move(a);
  CHECK(a.empty());
  CHECK(a.capacity() == 0);
  CHECK(c.size() == 2);
  CHECK(c.front() == 1);
  CHECK(c.back() == 2);
}
