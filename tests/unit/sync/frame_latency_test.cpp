// SPDX-License-Identifier: MIT
// Tests of aerogpu/sync/frame_latency.hpp.
#include "aerogpu/sync/frame_latency.hpp"

#include "tests/catch.hpp"
#include "tests/unit/sync/fence.hpp"

using namespace aerogpu;
using test::fence;

namespace {

constexpr std::uint64_t millisecond = 1'000'000;

/// Presents `count` frames with fences 1, 2, ...
auto with_in_flight(std::uint32_t maximum, std::uint64_t count) -> frame_latency {
  frame_latency latency;
  (void)latency.set_maximum(maximum);
  for (std::uint64_t i = 1; i <= count; ++i) latency.presented(fence(i));
  return latency;
}

}  // namespace

TEST_CASE("the maximum is 3 by default, 1 to 20, and 0 restores the default", "[sync]") {
  const auto [frames, expected, good] = GENERATE(table<std::uint32_t, std::uint32_t, bool>(
      {{0, 3, true}, {1, 1, true}, {20, 20, true}, {21, 7, false}, {UINT32_MAX, 7, false}}));
  frame_latency latency;
  CHECK(latency.maximum() == 3);
  REQUIRE(latency.set_maximum(7));
  const auto set = latency.set_maximum(frames);
  CHECK(static_cast<bool>(set) == good);
  CHECK(latency.maximum() == expected);
  if (!good) CHECK(set.why().code == error_code::invalid_parameter);
}

TEST_CASE("presents below the maximum go on", "[sync]") {
  auto latency = with_in_flight(3, 2);
  CHECK(latency.next_step(fence(0), present_mode::do_not_wait, 0).action ==
        present_action::present);
  CHECK(latency.in_flight() == 2);
}

TEST_CASE("at the maximum DONOTWAIT is still drawing, without side effects", "[sync]") {
  auto latency = with_in_flight(1, 1);
  CHECK(latency.next_step(fence(0), present_mode::do_not_wait, 0).action ==
        present_action::still_drawing);
  CHECK(latency.in_flight() == 1);
}

TEST_CASE("at the maximum a present waits for the oldest fence, in slices", "[sync]") {
  auto latency = with_in_flight(3, 3);
  auto step = latency.next_step(fence(0), present_mode::wait, 0);
  CHECK(step.action == present_action::wait);
  CHECK(step.fence == fence(1));
  CHECK(step.slice_ns == 4 * millisecond);
  step = latency.next_step(fence(0), present_mode::wait, 99 * millisecond);
  CHECK(step.slice_ns == millisecond);
  CHECK(latency.next_step(fence(1), present_mode::wait, 99 * millisecond).action ==
        present_action::present);
  CHECK(latency.in_flight() == 2);
}

TEST_CASE("after 100 ms the oldest present is forgotten and the present goes on", "[sync]") {
  auto latency = with_in_flight(3, 3);
  CHECK(latency.next_step(fence(0), present_mode::wait, 100 * millisecond).action ==
        present_action::present);
  CHECK(latency.in_flight() == 2);
  latency.presented(fence(4));
  CHECK(latency.next_step(fence(0), present_mode::wait, 0).fence == fence(2));
}

TEST_CASE("a lowered maximum still lets a present through after 100 ms", "[sync]") {
  auto latency = with_in_flight(20, 20);
  REQUIRE(latency.set_maximum(1));
  CHECK(latency.next_step(fence(5), present_mode::wait, 0).fence == fence(6));
  CHECK(latency.next_step(fence(5), present_mode::wait, 100 * millisecond).action ==
        present_action::present);
  CHECK(latency.in_flight() == 0);
}

TEST_CASE("completed presents leave, all that are done at once", "[sync]") {
  auto latency = with_in_flight(20, 20);
  (void)latency.next_step(fence(17), present_mode::do_not_wait, 0);
  CHECK(latency.in_flight() == 3);
}

TEST_CASE("a present without fence is not counted", "[sync]") {
  frame_latency latency;
  latency.presented(fence(0));
  CHECK(latency.in_flight() == 0);
}

TEST_CASE("a reset forgets what is in flight and keeps the maximum", "[sync]") {
  auto latency = with_in_flight(1, 1);
  latency.reset();
  CHECK(latency.in_flight() == 0);
  CHECK(latency.maximum() == 1);
}

TEST_CASE("presents that are never asked for stay within 20", "[sync]") {
  auto latency = with_in_flight(20, 1'000);
  CHECK(latency.in_flight() == 20);
  CHECK(latency.next_step(fence(0), present_mode::wait, 0).fence == fence(981));
}
