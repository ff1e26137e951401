// SPDX-License-Identifier: MIT
#include "aerogpu/device/tick_budget.hpp"

#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {
namespace {

auto small_limits() -> limits {
  limits bounds;
  bounds.descriptors_per_tick = 2;
  bounds.packets_per_tick = 10;
  bounds.fetched_bytes_per_tick = 100;
  bounds.transfer_bytes_per_tick = 1000;
  bounds.tick_ms = 5;
  return bounds;
}

}  // namespace

TEST_CASE("a tick is over when any of its budgets is spent", "[device]") {
  tick_budget descriptors{small_limits()};
  CHECK_FALSE(descriptors.is_spent());
  descriptors.spend_descriptor();
  CHECK_FALSE(descriptors.is_spent());
  descriptors.spend_descriptor();
  CHECK(descriptors.is_spent());

  tick_budget packets{small_limits()};
  packets.spend_packets(9);
  CHECK_FALSE(packets.is_spent());
  packets.spend_packets(1);
  CHECK(packets.is_spent());

  tick_budget fetched{small_limits()};
  fetched.spend_fetched(99);
  CHECK_FALSE(fetched.is_spent());
  fetched.spend_fetched(1);
  CHECK(fetched.is_spent());

  tick_budget transfers{small_limits()};
  transfers.spend_transfers(999);
  CHECK_FALSE(transfers.is_spent());
  transfers.spend_transfers(1);
  CHECK(transfers.is_spent());

  tick_budget time{small_limits()};
  time.set_elapsed(4'999'999);
  CHECK_FALSE(time.is_spent());
  time.set_elapsed(5'000'000);
  CHECK(time.is_spent());
}

TEST_CASE("the longest time of a tick has its nanoseconds in 64 bits", "[device]") {
  limits bounds;
  bounds.tick_ms = UINT32_MAX;
  tick_budget budget{bounds};
  budget.set_elapsed(std::uint64_t{UINT32_MAX} * 1'000'000 - 1);
  CHECK_FALSE(budget.is_spent());
  budget.set_elapsed(std::uint64_t{UINT32_MAX} * 1'000'000);
  CHECK(budget.is_spent());
}

TEST_CASE("spending more than is left spends the rest", "[device]") {
  tick_budget budget{small_limits()};
  budget.spend_packets(11);
  CHECK(budget.is_spent());
  budget.spend_packets(UINT64_MAX);
  CHECK(budget.is_spent());
}

TEST_CASE("bytes that a copy asks for are spent", "[device]") {
  scratch_bytes scratch;
  tick_budget budget{small_limits()};
  budgeted_storage storage{scratch, budget};
  CHECK(storage.reserve(99).size() == 99);
  CHECK_FALSE(budget.is_spent());
  CHECK(storage.reserve(1).size() == 1);
  CHECK(budget.is_spent());
}

TEST_CASE("bytes that a copy asks for and does not get are spent", "[device]") {
  scratch_bytes scratch;
  tick_budget budget{small_limits()};
  budgeted_storage storage{scratch, budget};
  CHECK(storage.reserve(SIZE_MAX).empty());
  CHECK(budget.is_spent());
}

TEST_CASE("scratch bytes keep their memory until more is asked for", "[device]") {
  scratch_bytes scratch;
  CHECK(scratch.reserve(0).empty());
  const mutable_bytes first = scratch.reserve(1);
  CHECK(first.size() == 1);
  CHECK(scratch.reserve(4096).data() == first.data());  // The least that is taken.
  CHECK(scratch.reserve(4096).size() == 4096);
  const mutable_bytes grown = scratch.reserve(4097);
  REQUIRE(grown.size() == 4097);
  CHECK(scratch.reserve(8192).data() == grown.data());
  CHECK(scratch.reserve(5).data() == grown.data());
  CHECK(scratch.reserve(5).size() == 5);
}

TEST_CASE("more scratch bytes than a heap has are none", "[device]") {
  scratch_bytes scratch;
  CHECK(scratch.reserve(SIZE_MAX).data() == nullptr);
  CHECK(scratch.reserve(SIZE_MAX / 2 + 2).empty());
  CHECK(scratch.reserve(16).size() == 16);
}

}  // namespace aerogpu
