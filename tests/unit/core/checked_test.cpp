// SPDX-License-Identifier: MIT
// Tests of aerogpu/core/checked.hpp.
#include "aerogpu/core/checked.hpp"

#include "tests/catch.hpp"

using namespace aerogpu;

TEST_CASE("checked_add refuses a sum that does not fit in 64 bits", "[core]") {
  CHECK(*checked_add(UINT64_MAX - 1, 1) == UINT64_MAX);
  const auto sum = checked_add(UINT64_MAX, 1);
  CHECK_FALSE(sum);
  CHECK(sum.why().code == error_code::size_overflow);
}

TEST_CASE("checked_mul refuses a product that does not fit in 64 bits", "[core]") {
  CHECK(*checked_mul(0, UINT64_MAX) == 0);
  CHECK(*checked_mul(UINT32_MAX, UINT32_MAX) == 0xFFFFFFFE00000001ull);
  CHECK(checked_mul(1ull << 32, 1ull << 32).why().code == error_code::size_overflow);
}

TEST_CASE("range_fits accepts exactly the ranges inside the limit, without overflow", "[core]") {
  const auto [offset, size, limit, expected] =
      GENERATE(table<std::uint64_t, std::uint64_t, std::uint64_t, bool>({
          {0, 0, 0, true},
          {0, 1, 0, false},
          {4, 4, 8, true},
          {4, 5, 8, false},
          {8, 0, 8, true},
          {9, 0, 8, false},
          {UINT64_MAX, 1, UINT64_MAX, false},
          {1, UINT64_MAX, UINT64_MAX, false},
      }));
  CHECK(range_fits(offset, size, limit) == expected);
}

TEST_CASE("a power of two has exactly one bit", "[core]") {
  CHECK_FALSE(is_power_of_two(0));
  const int bit = GENERATE(range(0, 64));
  const std::uint64_t value = std::uint64_t{1} << bit;
  CHECK(is_power_of_two(value));
  CHECK_FALSE(is_power_of_two(value | 0x8000000000000001));
}
