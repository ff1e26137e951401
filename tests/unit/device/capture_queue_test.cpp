// SPDX-License-Identifier: MIT
#include "aerogpu/device/submission/capture_queue.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace aerogpu {
namespace {

auto bounds(std::uint32_t count, std::uint64_t bytes) -> limits {
  limits most;
  most.captured_submissions = count;
  most.captured_bytes = bytes;
  return most;
}

auto captured(std::uint64_t fence, std::size_t stream_bytes) -> captured_submission {
  captured_submission item;
  item.fence = fence_value{fence};
  REQUIRE(item.assign(std::vector<std::byte>(stream_bytes, std::byte{7}), {}));
  return item;
}

TEST_CASE("captured submissions come out in order, around the end of the storage", "[device]") {
  capture_queue queue{bounds(3, 1000)};
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  for (int round = 0; round < 5; ++round) {
    CHECK(queue.push_back(captured(++in, 1)));
    CHECK(queue.push_back(captured(++in, 1)));
    CHECK(queue.pop_front().fence == fence_value{++out});
    CHECK(queue.pop_front().fence == fence_value{++out});
  }
  CHECK(queue.empty());
  CHECK(queue.payload_bytes() == 0);
}

TEST_CASE("a queue is bounded in count and in bytes", "[device]") {
  capture_queue queue{bounds(2, 100)};
  CHECK(queue.has_room(100));
  CHECK_FALSE(queue.has_room(101));
  CHECK_FALSE(queue.could_hold(101));
  CHECK(queue.push_back(captured(1, 60)));
  CHECK(queue.has_room(40));
  CHECK_FALSE(queue.has_room(41));
  CHECK(queue.could_hold(100));
  CHECK(queue.push_back(captured(2, 0)));
  CHECK_FALSE(queue.has_room(0));
}

TEST_CASE("a queue of no capacity holds nothing", "[device]") {
  capture_queue queue{bounds(0, 100)};
  CHECK_FALSE(queue.has_room(0));
  CHECK_FALSE(queue.could_hold(0));
  CHECK_FALSE(queue.push_back(captured(1, 0)));
}

}  // namespace
}  // namespace aerogpu
