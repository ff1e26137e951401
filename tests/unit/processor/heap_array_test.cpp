#include "aerogpu/processor/heap_array.hpp"

#include "tests/catch.hpp"

#include <cstddef>
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
