// SPDX-License-Identifier: MIT
/// \file DEV-049: a doorbell that names more than one tick may do.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"
#include "tests/conformance/device/snapshot_edits.hpp"

#include <cstdint>

namespace aerogpu::conformance {

namespace budget_case {

template <class Backend>
[[nodiscard]] auto config_of(const limits& bounds) -> device_config {
  auto config = device_rig<Backend>::small_config();
  config.bounds = bounds;
  return config;
}

/// What a copy of 1,024 bytes counts.
inline constexpr std::uint64_t copy_cost = 4'096 + 1'024;

/// Submissions 1 to `count`, each of which makes the buffer of its number.
template <class Rig>
void push_buffers(Rig& rig, std::uint32_t count) {
  for (std::uint32_t i = 1; i <= count; ++i) {
    rig.push(guest_submission{.fence = i, .stream = stream_builder{}.create_buffer(i, 16).bytes()});
  }
}

/// The tick that the device asked for, at once.
template <class Rig>
void next_tick(Rig& rig) {
  REQUIRE(rig.dev->next_deadline_ns() <= rig.machine.time_ns);
  rig.refresh_ring();
  rig.dev->tick();
}

}  // namespace budget_case

TEMPLATE_LIST_TEST_CASE("DEV-049 entries beyond descriptors_per_tick wait for a tick that is due",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{budget_case::config_of<TestType>({.descriptors_per_tick = 3})};
  rig.start();
  rig.machine.time_ns = 1'000;
  budget_case::push_buffers(rig, 8);
  rig.ring();
  CHECK(rig.head() == 3);
  CHECK_FALSE(rig.dev->is_idle());
  budget_case::next_tick(rig);
  CHECK(rig.head() == 6);
  budget_case::next_tick(rig);
  CHECK(rig.head() == 8);
  rig.dev->wait_idle();
  CHECK(rig.dev->is_idle());
  CHECK(rig.completed() == 8);
  CHECK(rig.dev->processor().counts().buffers == 8);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE(
    "DEV-049 exactly descriptors_per_tick entries leave a doorbell pending once",
    "[conformance][device]", backends) {
  device_rig<TestType> rig{budget_case::config_of<TestType>({.descriptors_per_tick = 4})};
  rig.start();
  const auto [count, is_answered] =
      GENERATE(table<std::uint32_t, bool>({{3, true}, {4, true}, {5, false}}));
  budget_case::push_buffers(rig, count);
  rig.ring();
  CHECK(rig.pending() == (is_answered ? 0 : 1));
  rig.refresh_ring();
  rig.dev->wait_idle();
  CHECK(rig.completed() == count);
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
}

TEMPLATE_LIST_TEST_CASE("DEV-049 a malformed descriptor counts as any other",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{budget_case::config_of<TestType>({.descriptors_per_tick = 3})};
  rig.start();
  for (std::uint64_t fence = 1; fence <= 8; ++fence) {
    auto desc = rig.describe({.fence = fence});
    desc.desc_size_bytes = 63;
    rig.push(desc);
  }
  rig.ring();
  CHECK(rig.head() == 3);
  CHECK(rig.error_count() == 3);
  budget_case::next_tick(rig);
  CHECK(rig.head() == 6);
  budget_case::next_tick(rig);
  CHECK(rig.head() == 8);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 8);
  CHECK(rig.error_count() == 8);
}

TEMPLATE_LIST_TEST_CASE("DEV-049 packets beyond packets_per_tick wait, and no submission is split",
                        "[conformance][device]", backends) {
  const auto [limit, taken] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{1, 1}, {10, 1}, {11, 2}, {20, 2}, {21, 3}}));
  const bool fails = GENERATE(false, true);  // Its packets count all the same.
  device_rig<TestType> rig{budget_case::config_of<TestType>({.packets_per_tick = limit})};
  rig.start();
  stream_builder ten;
  for (int i = 0; i < 9; ++i) ten.nop();
  if (fails) {
    ten.create_buffer(0, 16);
  } else {
    ten.nop();
  }
  for (const std::uint64_t fence : {1u, 2u, 3u, 4u}) {
    rig.push(guest_submission{.fence = fence, .stream = ten.bytes()});
  }
  rig.ring();
  CHECK(rig.head() == taken);
  while (rig.pending() != 0) budget_case::next_tick(rig);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 4);
  CHECK(rig.dev->statistics().packets == 40);
  CHECK(rig.error_count() == (fails ? 4 : 0));
}

TEMPLATE_LIST_TEST_CASE("DEV-049 bytes beyond fetched_bytes_per_tick wait, malformed ones too",
                        "[conformance][device]", backends) {
  // A table of one entry is 56 bytes, an idle stream 24.
  const auto [limit, taken] =
      GENERATE(table<std::uint64_t, std::uint32_t>({{1, 1}, {80, 1}, {81, 2}, {160, 2}, {161, 3}}));
  const auto id = GENERATE(as<std::uint32_t>{}, 1, 0);  // 0 is malformed.
  device_rig<TestType> rig{budget_case::config_of<TestType>({.fetched_bytes_per_tick = limit})};
  rig.start();
  for (const std::uint64_t fence : {1u, 2u, 3u, 4u}) {
    rig.push(guest_submission{
        .fence = fence, .stream = idle_stream(), .table = {{{id, 0, 0x5000, 64, 0}}}});
  }
  rig.ring();
  CHECK(rig.head() == taken);
  while (rig.pending() != 0) budget_case::next_tick(rig);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 4);
  CHECK(rig.error_count() == (id == 0 ? 4 : 0));
}

TEMPLATE_LIST_TEST_CASE("DEV-049 submissions beyond transfer_bytes_per_tick wait",
                        "[conformance][device]", backends) {
  using budget_case::copy_cost;
  const auto [limit, taken] = GENERATE(table<std::uint64_t, std::uint32_t>(
      {{1, 2}, {copy_cost, 2}, {copy_cost + 1, 3}, {3 * copy_cost, 4}, {3 * copy_cost + 1, 4}}));
  const bool fails = GENERATE(false, true);  // What it moved before it failed counts.
  device_rig<TestType> rig{budget_case::config_of<TestType>({.transfer_bytes_per_tick = limit})};
  rig.start();
  // A tick of its own: zeros count as well.
  rig.submit({.fence = 1,
              .stream = stream_builder{}.create_buffer(1, 4'096).create_buffer(2, 4'096).bytes()});
  auto copy = stream_builder{}.copy_buffer(1, 0, 2, 0, 1'024);
  if (fails) copy.create_buffer(0, 16);
  for (const std::uint64_t fence : {2u, 3u, 4u}) {
    rig.push(guest_submission{.fence = fence, .stream = copy.bytes()});
  }
  rig.ring();
  CHECK(rig.head() == taken);
  while (rig.pending() != 0) budget_case::next_tick(rig);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 4);
  CHECK(rig.error_count() == (fails ? 3 : 0));
}

TEMPLATE_LIST_TEST_CASE("DEV-049 entries beyond tick_ms wait for a tick that is due",
                        "[conformance][device]", backends) {
  // The clock is read once by the tick, once before the first entry and once before each other.
  const auto [limit_ms, taken] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{1, 1}, {10, 1}, {11, 2}, {20, 2}, {21, 3}, {40, 4}, {1'000, 5}}));
  device_rig<TestType> rig{budget_case::config_of<TestType>({.tick_ms = limit_ms})};
  rig.start();
  rig.machine.ns_per_read = 10'000'000;
  budget_case::push_buffers(rig, 5);
  rig.ring();
  CHECK(rig.head() == taken);
  CHECK(rig.completed() <= taken);
  rig.machine.ns_per_read = 0;
  while (rig.pending() != 0) budget_case::next_tick(rig);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 5);
  CHECK(rig.dev->processor().counts().buffers == 5);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-049 a clock that stands still during a call ends no tick",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{budget_case::config_of<TestType>({.tick_ms = 1})};
  rig.start();
  rig.machine.time_ns = 1'000'000'000;  // What lies between two calls is no work.
  budget_case::push_buffers(rig, 8);
  rig.ring();
  CHECK(rig.head() == 8);
  CHECK(rig.pending() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-049 a doorbell for one entry reads the clock once, as one for none",
                        "[conformance][device]", backends) {
  const auto [entries, reads] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{0, 1}, {1, 1}, {2, 3}, {8, 9}}));
  device_rig<TestType> rig;
  rig.start();
  budget_case::push_buffers(rig, entries);
  rig.machine.clock_reads = 0;
  rig.ring();
  CHECK(rig.head() == entries);
  CHECK(rig.machine.clock_reads == reads);
}

TEMPLATE_LIST_TEST_CASE("DEV-049 errors and fences of a paused doorbell come in the ring's order",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{budget_case::config_of<TestType>({.descriptors_per_tick = 1})};
  rig.start();
  for (std::uint64_t fence = 1; fence <= 6; ++fence) {
    rig.push(guest_submission{.fence = fence,
                              .stream = fence % 2 == 0 ? byte_vector(8) : idle_stream()});
  }
  rig.ring();
  for (std::uint64_t fence = 1; fence <= 6; ++fence) {
    CHECK(rig.head() == fence);
    CHECK(rig.error_count() == fence / 2);
    CHECK(rig.error_fence() == fence / 2 * 2);
    CHECK(rig.completed() <= fence);
    if (fence != 6) budget_case::next_tick(rig);
  }
  rig.dev->wait_idle();
  CHECK(rig.completed() == 6);
}

TEMPLATE_LIST_TEST_CASE("DEV-049 a snapshot between two ticks of a doorbell goes on elsewhere",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{budget_case::config_of<TestType>({.descriptors_per_tick = 3})};
  rig.start();
  budget_case::push_buffers(rig, 8);
  rig.ring();
  snapshot_case::move_to_new_device(rig);
  CHECK(rig.head() == 3);
  CHECK(rig.dev->processor().counts().buffers == 3);
  budget_case::next_tick(rig);
  budget_case::next_tick(rig);
  rig.dev->wait_idle();
  CHECK(rig.head() == 8);
  CHECK(rig.completed() == 8);
  CHECK(rig.dev->processor().counts().buffers == 8);
}

TEMPLATE_LIST_TEST_CASE("DEV-067 a ring reset between two ticks of a doorbell drops the rest",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{budget_case::config_of<TestType>({.descriptors_per_tick = 3})};
  rig.start();
  budget_case::push_buffers(rig, 8);
  rig.ring();
  rig.reset_ring();
  CHECK(rig.pending() == 0);
  CHECK(rig.dev->is_idle());
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
  rig.dev->tick();
  CHECK(rig.completed() == 0);
  CHECK(rig.dev->processor().counts().buffers == 0);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-067 disabling the ring between two ticks of a doorbell ends it",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{budget_case::config_of<TestType>({.descriptors_per_tick = 3})};
  rig.start();
  budget_case::push_buffers(rig, 8);
  rig.ring();
  rig.write(AEROGPU_MMIO_REG_RING_CONTROL, 0);
  budget_case::next_tick(rig);
  rig.dev->wait_idle();
  CHECK(rig.head() == 3);
  CHECK(rig.completed() == 3);
  CHECK(rig.dev->next_deadline_ns() == no_deadline);
}

TEMPLATE_LIST_TEST_CASE("DEV-099 vblank goes on between the ticks of a doorbell",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{budget_case::config_of<TestType>({.descriptors_per_tick = 1})};
  rig.start();
  rig.set_scanout({});
  rig.push(guest_submission{.fence = 1, .stream = present_stream()});
  rig.push(guest_submission{.fence = 2, .stream = present_stream()});
  rig.ring();
  CHECK(rig.head() == 1);
  rig.machine.time_ns = period_ns;  // The edge of the first; the second is taken after it.
  rig.refresh_ring();
  rig.dev->tick();
  rig.dev->wait_idle();
  CHECK(rig.head() == 2);
  CHECK(rig.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) == 1);
  CHECK(rig.completed() <= 1);
  rig.tick_at(2 * period_ns);
  rig.tick_at(3 * period_ns);
  CHECK(rig.completed() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-049 a full ring of 4,096 entries takes ticks, not one register write",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start(4'096);
  rig.machine.ram.map(gpa{ring_gpa}, 64 + 4'096 * 64);
  for (std::uint64_t fence = 1; fence <= 4'096; ++fence) rig.push(guest_submission{.fence = fence});
  rig.ring();
  CHECK(rig.head() == limits{}.descriptors_per_tick);
  std::uint32_t ticks = 1;
  for (; rig.pending() != 0; ++ticks) budget_case::next_tick(rig);
  CHECK(ticks == 4'096 / limits{}.descriptors_per_tick);
  CHECK(rig.completed() == 4'096);
}

}  // namespace aerogpu::conformance
