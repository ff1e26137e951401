// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/heap_queue.hpp"

#include "tests/catch.hpp"

#include <memory>
#include <utility>

namespace aerogpu {
namespace {

TEST_CASE("a heap queue keeps its order while it grows and wraps", "[heap_queue]") {
  heap_queue<std::unique_ptr<int>> queue{100};
  int in = 0;
  int out = 0;
  for (int round = 1; round < 12; ++round) {
    for (int i = 0; i < round; ++i) REQUIRE(queue.push_back(std::make_unique<int>(in++)));
    for (int i = 0; i < round / 2; ++i) CHECK(*queue.pop_front() == out++);
  }
  while (!queue.empty()) CHECK(*queue.pop_front() == out++);
  CHECK(in == out);
}

TEST_CASE("a heap queue refuses what exceeds its limit and leaves it with the caller",
          "[heap_queue]") {
  heap_queue<std::unique_ptr<int>> queue{2};
  CHECK(queue.push_back(std::make_unique<int>(1)));
  CHECK(queue.push_back(std::make_unique<int>(2)));
  auto third = std::make_unique<int>(3);
  CHECK(queue.is_full());
  CHECK_FALSE(queue.push_back(std::move(third)));
  CHECK(third != nullptr);
  CHECK_FALSE(queue.reserve(3));
  queue.clear();
  CHECK(queue.push_back(std::move(third)));
}

TEST_CASE("the newest is at the back, and goes first from there", "[heap_queue]") {
  heap_queue<int> queue{4};
  for (int i = 1; i <= 4; ++i) REQUIRE(queue.push_back(int{i}));
  CHECK(queue.is_full());
  CHECK(queue.pop_front() == 1);
  CHECK_FALSE(queue.is_full());
  REQUIRE(queue.push_back(5));  // In the first slot again.
  CHECK(queue.back() == 5);
  CHECK(queue.front() == 2);
  queue.pop_back();
  CHECK(queue.back() == 4);
  CHECK(std::as_const(queue).back() == 4);
  CHECK(queue.size() == 3);
  REQUIRE(queue.push_back(6));
  queue.clear();
  CHECK(queue.empty());
  CHECK(queue.limit() == 4);
}

TEST_CASE("what is taken from inside a queue leaves the others in order", "[heap_queue]") {
  for (std::size_t at = 0; at < 4; ++at) {
    heap_queue<std::unique_ptr<int>> queue{4};
    for (int i = -2; i < 2; ++i) REQUIRE(queue.push_back(std::make_unique<int>(i)));
    for (int i = 2; i < 4; ++i) {  // Into the first slots again.
      (void)queue.pop_front();
      REQUIRE(queue.push_back(std::make_unique<int>(i)));
    }
    CHECK(*queue.take(at) == static_cast<int>(at));
    CHECK(queue.size() == 3);
    for (int i = 0; i < 4; ++i) {
      if (i != static_cast<int>(at)) CHECK(*queue.pop_front() == i);
    }
  }
}

TEST_CASE("a queue takes storage ahead, and keeps its order when it moves", "[heap_queue]") {
  heap_queue<int> queue{64};
  CHECK(queue.reserve(0));
  REQUIRE(queue.reserve(3));
  for (int i = 0; i < 3; ++i) REQUIRE(queue.push_back(int{i}));
  CHECK(queue.pop_front() == 0);
  REQUIRE(queue.push_back(3));
  REQUIRE(queue.reserve(40));
  REQUIRE(queue.push_back(4));
  for (int i = 1; i <= 4; ++i) {
    CHECK(queue.front() == i);
    CHECK(queue[static_cast<std::size_t>(4 - i)] == 4);
    CHECK(queue.pop_front() == i);
  }
  CHECK(queue.empty());
  CHECK_FALSE(queue.reserve(65));
  CHECK(queue.reserve(64));
}

TEST_CASE("a queue whose limit is no power of two fills to the last element", "[heap_queue]") {
  heap_queue<int> queue{3};
  for (int i = 0; i < 3; ++i) REQUIRE(queue.push_back(int{i}));
  CHECK_FALSE(queue.push_back(3));
  for (int i = 0; i < 3; ++i) CHECK(queue[static_cast<std::size_t>(i)] == i);
}

}  // namespace
}  // namespace aerogpu
