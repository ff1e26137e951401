// SPDX-License-Identifier: MIT
#include "aerogpu/processor/present_log.hpp"

#include "tests/catch.hpp"

#include <cstdint>

namespace aerogpu {

TEST_CASE("a present log keeps the latest events of one submission", "[present_log]") {
  present_log log;
  log.add({.flags = 1});
  log.add({.flags = 2});
  REQUIRE(log.size() == 2);
  CHECK(log[0].count == 1);
  CHECK(log[1].flags == 2);
  log.begin_submission();
  CHECK(log.size() == 0);
  for (std::uint32_t i = 0; i < 100; ++i) log.add({.flags = i});
  REQUIRE(log.size() == present_event_limit);
  CHECK(log[0].flags == 36);
  CHECK(log[63].flags == 99);
  CHECK(log[63].count == 102);
  CHECK(log.count() == 102);
}

}  // namespace aerogpu
