// SPDX-License-Identifier: MIT
// Tests of aerogpu/sync/fence_reporter.hpp.
#include "aerogpu/sync/fence_reporter.hpp"

#include "tests/catch.hpp"
#include "tests/unit/sync/fence.hpp"

#include <random>

using namespace aerogpu;
using test::fence;

TEST_CASE("a completed fence is reported once, by its 32-bit id", "[sync]") {
  fence_reporter reporter;
  CHECK_FALSE(reporter.take_report().is_due);
  reporter.observe(fence(0x100000005), fence(0x100000009));
  const auto report = reporter.take_report();
  CHECK(report.is_due);
  CHECK(report.id == 5);
  CHECK_FALSE(reporter.take_report().is_due);
  reporter.observe(fence(0x100000005), fence(0x100000009));
  CHECK_FALSE(reporter.take_report().is_due);
}

TEST_CASE("several completed fences give one report of the newest", "[sync]") {
  fence_reporter reporter;
  for (std::uint64_t value = 1; value <= 3; ++value) reporter.observe(fence(value), fence(10));
  CHECK(reporter.take_report().id == 3);
}

TEST_CASE("what the device states counts between completed and last submitted", "[sync]") {
  const auto [stated, expected] = GENERATE(table<std::uint64_t, std::uint64_t>(
      {{0, 5}, {4, 5}, {5, 5}, {6, 6}, {9, 9}, {10, 9}, {UINT64_MAX, 9}}));
  fence_reporter reporter;
  reporter.observe(fence(5), fence(5));
  reporter.observe(fence(stated), fence(9));
  CHECK(raw(reporter.completed()) == expected);
}

TEST_CASE("fences settled by a reset are not reported", "[sync]") {
  fence_reporter reporter;
  reporter.observe(fence(3), fence(9));
  reporter.settle(fence(9));
  CHECK_FALSE(reporter.take_report().is_due);
  CHECK(reporter.completed() == fence(9));
  reporter.observe(fence(10), fence(10));
  CHECK(reporter.take_report().id == 10);
}

TEST_CASE("reports rise strictly and stay below last submitted, whatever the device states",
          "[sync]") {
  std::mt19937_64 random{3};
  fence_reporter reporter;
  std::uint64_t submitted = 0xFFFFFF00;
  std::uint64_t last = 0;
  for (int step = 0; step < 20'000; ++step) {
    submitted += random() % 3;
    const std::uint64_t lie = random() % 2 == 0 ? random() : submitted - random() % 8;
    reporter.observe(fence(lie), fence(submitted));
    if (random() % 2 != 0) continue;
    if (const auto report = reporter.take_report(); report.is_due) {
      CHECK(raw(reporter.reported()) > last);
      CHECK(raw(reporter.reported()) <= submitted);
      CHECK(report.id == static_cast<std::uint32_t>(raw(reporter.reported())));
      last = raw(reporter.reported());
    }
  }
}
