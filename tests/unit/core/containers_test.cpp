// SPDX-License-Identifier: MIT
// Tests of aerogpu/core/fixed_vector.hpp and span_queue.hpp.
#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/core/span_queue.hpp"
#include "tests/catch.hpp"

#include <array>
#include <deque>
#include <random>

using namespace aerogpu;

TEST_CASE("a fixed_vector takes N elements and refuses the next", "[core]") {
  fixed_vector<int, 3> values;
  CHECK(values.empty());
  for (int i = 0; i < 3; ++i) CHECK(values.push_back(i));
  CHECK_FALSE(values.push_back(3));
  CHECK(values.size() == 3);
  CHECK(values[2] == 2);
  CHECK(std::span<const int>{values}.size() == 3);
  values.clear();
  CHECK(values.empty());
}

TEST_CASE("a span_queue behaves like a bounded deque as it wraps", "[core]") {
  std::array<int, 5> storage{};
  span_queue<int> queue{storage};
  std::deque<int> model;
  std::mt19937 random{11};
  for (int step = 0; step < 5'000; ++step) {
    if (random() % 2 == 0) {
      CHECK(queue.push_back(step) == (model.size() < 5));
      if (model.size() < 5) model.push_back(step);
    } else if (!model.empty()) {
      CHECK(queue.front() == model.front());
      queue.pop_front();
      model.pop_front();
    }
    REQUIRE(queue.size() == model.size());
    for (std::size_t i = 0; i < model.size(); ++i) CHECK(queue[i] == model[i]);
    if (!model.empty()) CHECK(queue.back() == model.back());
  }
}

TEST_CASE("a span_queue without storage is empty and full at once", "[core]") {
  span_queue<int> queue;
  CHECK(queue.empty());
  CHECK_FALSE(queue.push_back(1));
}
