// SPDX-License-Identifier: MIT
// Since when the device works at what.
#include "vulkan/commands/flight_log.hpp"

#include "tests/catch.hpp"

#include <chrono>
#include <cstdint>

using aerogpu::vulkan::flight_log;

namespace {

auto second(int number) -> flight_log::time_point {
  return flight_log::time_point{std::chrono::seconds{number}};
}

void submit(flight_log& log, std::uint64_t batch, int at) {
  REQUIRE(log.reserve());
  log.note_submitted(batch, second(at));
}

}  // namespace

TEST_CASE("vulkan::flight_log: the oldest batch that is not done says since when the device works",
          "[vulkan][flight_log]") {
  flight_log log;
  CHECK_FALSE(log.is_busy());
  submit(log, 1, 10);
  submit(log, 2, 20);
  submit(log, 3, 30);
  CHECK(log.busy_since() == second(10));
  log.note_completed(2);
  CHECK(log.completed() == 2);
  CHECK(log.busy_since() == second(30));
  log.note_completed(3);
  CHECK_FALSE(log.is_busy());
}

TEST_CASE("vulkan::flight_log: what is done stays done when an older batch is told of later",
          "[vulkan][flight_log]") {
  flight_log log;
  submit(log, 1, 10);
  log.note_completed(1);
  log.note_completed(0);
  CHECK(log.completed() == 1);
  CHECK_FALSE(log.is_busy());
}

TEST_CASE("vulkan::flight_log: nothing of a device is known of the next", "[vulkan][flight_log]") {
  flight_log log;
  submit(log, 1, 10);
  submit(log, 2, 20);
  log.note_completed(1);
  log.clear();
  CHECK(log.completed() == 0);
  CHECK_FALSE(log.is_busy());
  submit(log, 1, 30);
  CHECK(log.busy_since() == second(30));
}
