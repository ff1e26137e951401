// SPDX-License-Identifier: MIT
#include "aerogpu/processor/submission.hpp"

#include "tests/catch.hpp"

#include <cstdint>

using namespace aerogpu;

TEST_CASE("a submission begins when all that it may write back fits beside what is pending",
          "[write_back]") {
  const limits most{.write_back_bytes = 100,
                    .write_backs = 3,
                    .pending_write_back_bytes = 250,
                    .pending_write_backs = 10};
  const auto fits = [&](std::uint32_t count, std::uint64_t bytes) {
    return can_write_back({count, bytes}, most);
  };
  CHECK(fits(0, 0));
  CHECK(fits(7, 150));
  CHECK_FALSE(fits(8, 150));
  CHECK_FALSE(fits(7, 151));
  const limits small{.write_back_bytes = 100,
                     .write_backs = 3,
                     .pending_write_back_bytes = 50,
                     .pending_write_backs = 2};
  CHECK(can_write_back({0, 0}, small));
  CHECK_FALSE(can_write_back({1, 0}, small));
  CHECK_FALSE(can_write_back({0, 1}, small));
}
