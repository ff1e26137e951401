// SPDX-License-Identifier: MIT
/// \file DEV-083..088: without DMA, and with an executor outside the device.
#pragma once

#include "tests/conformance/backends.hpp"
#include "tests/conformance/device/device_rig.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("DEV-083 without DMA a doorbell waits, and needs no other one",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.set_bus_master(false);
  rig.submit({.fence = 1, .stream = idle_stream()});
  CHECK(rig.pending() == 1);
  CHECK(rig.page_fence() == 0);
  rig.set_bus_master(true);
  rig.dev->wait_idle();
  CHECK(rig.pending() == 0);
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-084 without DMA a completion waits, with the fence and its interrupt",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.submit({.fence = 2, .stream = idle_stream()});
  rig.set_bus_master(false);
  rig.complete(1, error_code::device_lost);
  rig.complete(2);
  rig.dev->tick();
  CHECK(rig.completed() == 0);
  CHECK(rig.page_fence() == 0);
  CHECK(rig.irq_status() == 0);
  rig.set_bus_master(true);
  rig.dev->tick();
  CHECK(rig.completed() == 2);
  CHECK(rig.page_fence() == 2);
  rig.check_error(AEROGPU_ERROR_BACKEND, 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-084 without DMA what the backend finished waits",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig;
  rig.start();
  rig.push(guest_submission{.fence = 1, .stream = idle_stream()});
  rig.ring();
  if (rig.completed() == 1) return;  // This backend was done before DMA could be switched off.
  rig.set_bus_master(false);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 0);
  CHECK(rig.page_fence() == 0);
  rig.set_bus_master(true);
  rig.dev->wait_idle();
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-084 of more completions than may wait the oldest show their errors",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::bridge_config();
  config.bounds.pending_fences = 2;
  device_rig<TestType> rig{config};
  rig.start();
  rig.submit({.fence = 0, .stream = idle_stream()});
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.submit({.fence = 2, .stream = idle_stream()});
  rig.set_bus_master(false);
  rig.complete(2, error_code::device_lost);
  rig.complete(1, error_code::device_lost);
  rig.check_no_error();
  rig.complete(0, error_code::device_lost);
  rig.check_error(AEROGPU_ERROR_BACKEND, 2);
  CHECK(rig.machine.line);
  CHECK(rig.completed() == 0);
  CHECK(rig.page_fence() == 0);
  rig.set_bus_master(true);
  rig.dev->tick();
  rig.check_error(AEROGPU_ERROR_BACKEND, 0, 3);
  std::vector<std::uint64_t> failed;
  for (const auto& record : rig.machine.errors) failed.push_back(raw(record.fence));
  CHECK(failed == std::vector<std::uint64_t>{2, 1, 0});
  CHECK(rig.completed() == 2);
  CHECK(rig.page_fence() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-085 complete is ignored unless the bridge is on",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  config.executor = executor_mode::hold;
  device_rig<TestType> rig{config};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.complete(1);
  CHECK(rig.completed() == 0);
}

TEMPLATE_LIST_TEST_CASE("DEV-086 switching the bridge on completes what nobody can complete",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  config.executor = executor_mode::hold;
  device_rig<TestType> rig{config};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.submit({.fence = 2, .stream = idle_stream()});
  CHECK(rig.completed() == 0);
  rig.dev->set_executor(executor_mode::external_bridge);
  CHECK(rig.completed() == 2);
  CHECK(rig.page_fence() == 2);
  CHECK(rig.irq_status() == AEROGPU_IRQ_FENCE);
  rig.submit({.fence = 3, .stream = idle_stream()});
  CHECK(rig.completed() == 2);
  rig.complete(3);
  CHECK(rig.completed() == 3);
}

TEMPLATE_LIST_TEST_CASE("DEV-086 switching empties the queues of submissions and completions",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.submit({.fence = 2, .stream = idle_stream()});
  rig.set_bus_master(false);
  rig.complete(1, error_code::device_lost);
  rig.dev->set_executor(executor_mode::hold);
  rig.dev->set_executor(executor_mode::external_bridge);
  CHECK(rig.take_fences().empty());
  rig.set_bus_master(true);
  rig.dev->tick();
  CHECK(rig.completed() == 2);
  rig.check_no_error();
}

TEMPLATE_LIST_TEST_CASE("DEV-086 choosing the executor that is there already changes nothing",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  captured_submission taken;
  REQUIRE(rig.dev->take_submission(taken));
  rig.submit({.fence = 2, .stream = idle_stream()});
  rig.dev->set_executor(executor_mode::external_bridge);
  CHECK(rig.completed() == 0);
  CHECK(rig.take_fences() == std::vector<std::uint64_t>{2});
  rig.dev->complete(taken.completion());
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-086 switching while DMA is off completes once DMA is back",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::small_config();
  config.executor = executor_mode::hold;
  device_rig<TestType> rig{config};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.set_bus_master(false);
  rig.dev->set_executor(executor_mode::external_bridge);
  CHECK(rig.completed() == 0);
  rig.set_bus_master(true);
  CHECK(rig.dev->next_deadline_ns() <= rig.machine.time_ns);
  rig.dev->tick();
  CHECK(rig.completed() == 1);
}

TEMPLATE_LIST_TEST_CASE("DEV-087 the 257th captured submission drops the oldest and completes it",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start(512);
  for (std::uint64_t fence = 1; fence <= 257; ++fence) {
    rig.push(guest_submission{.fence = fence, .stream = idle_stream()});
  }
  rig.doorbell();
  rig.check_error(AEROGPU_ERROR_BACKEND, 1);
  CHECK(rig.completed() == 1);
  std::vector<std::uint64_t> expected;
  for (std::uint64_t fence = 2; fence <= 257; ++fence) expected.push_back(fence);
  CHECK(rig.take_fences() == expected);
  for (const auto fence : expected) rig.complete(fence);
  CHECK(rig.completed() == 257);
}

TEMPLATE_LIST_TEST_CASE("DEV-088 captured bytes are bounded in the same way",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::bridge_config();
  config.bounds.captured_bytes = 100;  // 128 MiB by default.
  CHECK(limits{}.captured_bytes == 128u << 20);
  device_rig<TestType> rig{config};
  rig.start();
  rig.submit({.fence = 1, .stream = stream_builder{}.nop().nop().bytes()});  // 40
  rig.submit({.fence = 2, .stream = stream_builder{}.nop().nop().bytes()});
  rig.check_no_error();
  rig.submit({.fence = 3, .stream = stream_builder{}.nop().bytes()});  // 32
  rig.check_error(AEROGPU_ERROR_BACKEND, 1);
  CHECK(rig.completed() == 1);
  CHECK(rig.take_fences() == std::vector<std::uint64_t>{2, 3});
}

TEMPLATE_LIST_TEST_CASE("DEV-088 a captured table counts as its stream does",
                        "[conformance][device]", backends) {
  const auto [limit, is_dropped] =
      GENERATE(table<std::uint64_t, bool>({{119, true}, {120, false}}));
  auto config = device_rig<TestType>::bridge_config();
  config.bounds.captured_bytes = limit;
  device_rig<TestType> rig{config};
  rig.start();
  rig.submit({.fence = 1, .stream = stream_builder{}.nop().nop().bytes()});               // 40
  rig.submit({.fence = 2, .stream = idle_stream(), .table = {{{4, 0, 0x5000, 16, 0}}}});  // 24 + 56
  CHECK(rig.error_count() == (is_dropped ? 1 : 0));
  CHECK(rig.error_fence() == (is_dropped ? 1 : 0));
  CHECK(rig.completed() == (is_dropped ? 1 : 0));
  const std::vector<std::uint64_t> both{1, 2};
  CHECK(rig.take_fences() == (is_dropped ? std::vector<std::uint64_t>{2} : both));
}

TEMPLATE_LIST_TEST_CASE("DEV-088 a submission that no queue could hold is dropped itself",
                        "[conformance][device]", backends) {
  auto config = device_rig<TestType>::bridge_config();
  config.bounds.captured_bytes = 30;
  device_rig<TestType> rig{config};
  rig.start();
  rig.submit({.fence = 1, .stream = idle_stream()});
  rig.submit({.fence = 2, .stream = stream_builder{}.nop().bytes()});
  rig.check_error(AEROGPU_ERROR_BACKEND, 2);
  CHECK(rig.take_fences() == std::vector<std::uint64_t>{1});
  rig.complete(1);
  CHECK(rig.completed() == 2);
}

TEMPLATE_LIST_TEST_CASE("DEV-088 a captured submission is a copy with all that it names",
                        "[conformance][device]", backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  const auto stream = stream_builder{}.create_buffer(1, 16, {.alloc_id = 4}).bytes();
  rig.submit({.fence = 6,
              .stream = stream,
              .table = {{{4, 0, 0x5000, 16, 0}}},
              .flags = AEROGPU_SUBMIT_FLAG_PRESENT,
              .context = 9});
  captured_submission taken;
  REQUIRE(rig.dev->take_submission(taken));
  CHECK(taken.fence == fence_value{6});
  CHECK(taken.context == context_id{9});
  CHECK(taken.flags == AEROGPU_SUBMIT_FLAG_PRESENT);
  CHECK(std::ranges::equal(taken.stream.view(), stream));
  CHECK(std::ranges::equal(taken.table.view(), test::make_table({{4, 0, 0x5000, 16, 0}})));
  CHECK_FALSE(rig.dev->take_submission(taken));
}

TEMPLATE_LIST_TEST_CASE("DEV-088 malformed submissions are not forwarded", "[conformance][device]",
                        backends) {
  device_rig<TestType> rig{device_rig<TestType>::bridge_config()};
  rig.start();
  rig.submit({.fence = 1, .stream = byte_vector(8)});
  CHECK(rig.completed() == 1);
  CHECK(rig.take_fences().empty());
}

}  // namespace aerogpu::conformance
