// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/heap_pointer.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstddef>
#include <utility>

using namespace aerogpu;

namespace {

struct point {
  int x = 0;
  int y = 0;
};

struct impossible {
  std::array<std::byte, std::size_t{1} << 46> bytes;
};

}  // namespace

TEST_CASE("an object on the heap is made of its arguments", "[heap_pointer]") {
  const auto made = make_heap<point>(point{3, 4});
  REQUIRE(made != nullptr);
  CHECK(made->y == 4);
}

TEST_CASE("an object that no heap has room for is null", "[heap_pointer]") {
  CHECK(make_heap<impossible>() == nullptr);
}
