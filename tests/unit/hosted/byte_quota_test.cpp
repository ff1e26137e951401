// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/byte_quota.hpp"

#include "tests/catch.hpp"
#include "tests/support/heap_counter.hpp"

#include <cstdint>

using namespace aerogpu;

namespace {

constexpr limits most{.resource_bytes = 100, .resource_bytes_per_context = 60};
constexpr context_id first{0}, second{7};

}  // namespace

TEST_CASE("a context may use its share to the last byte", "[byte_quota]") {
  byte_quota quota;
  CHECK(quota.charge(first, 60, most));
  CHECK(quota.charge(first, 1, most).why().code == error_code::out_of_memory);
  CHECK(quota.total_bytes() == 60);
}

TEST_CASE("contexts together may use the device's bytes to the last one", "[byte_quota]") {
  byte_quota quota;
  REQUIRE(quota.charge(first, 60, most));
  CHECK(quota.charge(second, 41, most).why().code == error_code::out_of_memory);
  CHECK(quota.charge(second, 40, most));
  CHECK(quota.total_bytes() == 100);
}

TEST_CASE("a refund makes room for the same context", "[byte_quota]") {
  byte_quota quota;
  REQUIRE(quota.charge(first, 60, most));
  quota.refund(first, 50);
  CHECK(quota.charge(first, 50, most));
}

TEST_CASE("a size near 2^64 is refused without overflow", "[byte_quota]") {
  byte_quota quota;
  REQUIRE(quota.charge(first, 10, most));
  CHECK(quota.charge(first, UINT64_MAX, most).why().code == error_code::out_of_memory);
  CHECK(quota.charge(second, UINT64_MAX - 5, most).why().code == error_code::out_of_memory);
  CHECK(quota.total_bytes() == 10);
}

TEST_CASE("contexts that come and go leave nothing in a quota", "[byte_quota]") {
  byte_quota quota;
  const auto comes_and_goes = [&quota](std::uint32_t id) {
    const bool is_charged = static_cast<bool>(quota.charge(context_id{id}, 60, most));
    const bool is_refused = !quota.charge(context_id{id + 1}, 61, most);
    quota.refund(context_id{id}, 60);
    return is_charged && is_refused;
  };
  REQUIRE(comes_and_goes(0));
  const std::uint64_t heap_calls = test::heap_calls;
  bool is_same_for_all = true;
  for (std::uint32_t id = 1; id < 1'000; ++id) is_same_for_all &= comes_and_goes(id);
  CHECK(test::heap_calls == heap_calls);
  CHECK(is_same_for_all);
  CHECK(quota.total_bytes() == 0);
}
