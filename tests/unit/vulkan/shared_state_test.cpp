// SPDX-License-Identifier: MIT
#include "vulkan/shared_state.hpp"

#include "tests/catch.hpp"

#include <utility>

using aerogpu::vulkan::shared_state;

namespace {

struct counted {
  explicit counted(int& of) noexcept : alive(of) { ++alive; }
  counted(const counted&) = delete;
  auto operator=(const counted&) -> counted& = delete;
  ~counted() { --alive; }
  int& alive;
};

}  // namespace

TEST_CASE("shared state lives until its last reference goes", "[vulkan][thread]") {
  int alive = 0;
  auto first = shared_state<counted>::make(alive);
  REQUIRE(first);
  CHECK(alive == 1);
  auto second = first;
  first = {};
  CHECK_FALSE(first);
  CHECK(alive == 1);
  auto third = std::move(second);
  CHECK_FALSE(second);
  third = {};
  CHECK(alive == 0);
}
