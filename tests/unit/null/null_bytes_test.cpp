// SPDX-License-Identifier: MIT
// Tests of null/null_bytes.hpp.
#include "null/null_bytes.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

using namespace aerogpu;

TEST_CASE("null_bytes are zero when they are made", "[null]") {
  auto made = null_bytes::create(100'000);
  REQUIRE(made);
  CHECK(made->size() == 100'000);
  const const_bytes bytes = made->view();
  CHECK(std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; }));
}

TEST_CASE("null_bytes of size 0 exist and hold nothing", "[null]") {
  auto made = null_bytes::create(0);
  REQUIRE(made);
  CHECK(made->view().empty());
}

TEST_CASE("null_bytes that no host can hold are out_of_memory", "[null]") {
  const auto size = GENERATE(UINT64_MAX, UINT64_MAX / 2, std::uint64_t{1} << 60);
  CHECK(null_bytes::create(size).why().code == error_code::out_of_memory);
}

TEST_CASE("moving null_bytes moves the ownership", "[null]") {
  auto made = null_bytes::create(4);
  REQUIRE(made);
  const std::byte* address = made->view().data();
  null_bytes taken = *std::move(made);
  CHECK(taken.view().data() == address);
  null_bytes other;
  other = std::move(taken);
  CHECK(other.view().data() == address);
}

TEST_CASE("a null_queue gives its elements back in order", "[null]") {
  null_queue<std::unique_ptr<int>> queue;
  for (int i = 0; i < 3; ++i) REQUIRE(queue.push_back(std::make_unique<int>(i)));
  CHECK(*queue.back() == 2);
  null_queue<std::unique_ptr<int>> moved{std::move(queue)};
  CHECK(queue.empty());
  for (int i = 0; i < 3; ++i) CHECK(*moved.take_front() == i);
  CHECK(moved.empty());
}

TEST_CASE("a long null_queue is destroyed without recursion", "[null]") {
  null_queue<int> queue;
  for (int i = 0; i < 1'000'000; ++i) REQUIRE(queue.push_back(int{i}));
  queue.clear();
  CHECK(queue.empty());
}
