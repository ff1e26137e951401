// SPDX-License-Identifier: MIT
#include "aerogpu/processor/resources/transfer_budget.hpp"

#include "null/null_backend.hpp"
#include "tests/catch.hpp"

#include <cstdint>

using namespace aerogpu;

TEST_CASE("reaching a place costs a page, and a row 256 bytes at least", "[transfer_budget]") {
  using detail::transfer_cost;
  CHECK(transfer_cost(0) == 4096 + 256);
  CHECK(transfer_cost(256) == 4096 + 256);
  CHECK(transfer_cost(257) == 4096 + 257);
  CHECK(transfer_cost(1, 10) == 4096 + 2560);
  CHECK(transfer_cost(1000, 10) == 4096 + 10'000);
  CHECK(transfer_cost(1000, 0) == 4096);
  CHECK(transfer_cost(UINT32_MAX, UINT32_MAX) == 4096 + std::uint64_t{UINT32_MAX} * UINT32_MAX);
}

TEST_CASE("a budget is spent to its last byte and no further", "[transfer_budget]") {
  std::uint64_t spent = 0;
  CHECK(detail::take_from(spent, 10, 4));
  CHECK(spent == 4);
  CHECK_FALSE(detail::take_from(spent, 10, 7));
  CHECK_FALSE(detail::take_from(spent, 10, UINT64_MAX));
  CHECK(spent == 4);
  CHECK(detail::take_from(spent, 10, 6));
  CHECK(spent == 10);
  CHECK(detail::take_from(spent, 10, 0));
  CHECK_FALSE(detail::take_from(spent, 10, 1));
  CHECK_FALSE(detail::take_from(spent, 9, 0));
}
