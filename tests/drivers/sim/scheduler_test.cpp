// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/render/scheduler.hpp"

#include "tests/drivers/sim/fake_session.hpp"

#include <vector>

using namespace aerogpu;
using sim::stop_code;
using test::misdeed;

namespace {

using stops = std::vector<stop_code>;

using session = test::fake_session;

}  // namespace

TEST_CASE("a rendered buffer is submitted at DISPATCH_LEVEL and ends with its fence",
          "[sim][scheduler]") {
  session s;
  CHECK(s.render() == STATUS_SUCCESS);
  CHECK(s.driver.submit_level == sim::dispatch_level);
  CHECK(s.upper->scheduler.in_flight() == 0);
  CHECK(s.windows.dxgk.fences.last_reported() == 1u);
}

TEST_CASE("fences start where they are told and wrap", "[sim][scheduler]") {
  sim::windows_options options;
  options.scheduler.first_fence = 0xFFFFFFFF;
  session s{options};
  CHECK(s.render() == STATUS_SUCCESS);
  CHECK(s.render() == STATUS_SUCCESS);
  CHECK(s.windows.dxgk.fences.last_reported() == 0u);
}

TEST_CASE("each broken rule of the scheduler is a bug check", "[sim][scheduler]") {
  session s;
  REQUIRE(s.render() == STATUS_SUCCESS);
  const auto expect = [&](misdeed does, stop_code code) {
    s.driver.does = does;
    s.driver.completes_at_once = does != misdeed::fail_submit;
    static_cast<void>(s.render());
    const auto seen = s.take_stops();
    REQUIRE_FALSE(seen.empty());
    CHECK(seen[0] == code);
  };
  SECTION("SubmitCommand fails") {
    expect(misdeed::fail_submit, stop_code::video_scheduler_internal_error);
    s.driver.submitted.push_back(s.upper->scheduler.last_fence());
  }
  SECTION("Patch fails") {
    expect(misdeed::fail_patch, stop_code::video_scheduler_internal_error);
  }
  SECTION("a fence is reported twice") {
    expect(misdeed::report_twice, stop_code::video_scheduler_internal_error);
  }
  SECTION("a fence is reported that was never submitted") {
    expect(misdeed::report_unknown, stop_code::video_scheduler_internal_error);
  }
  SECTION("a fence goes back") {
    expect(misdeed::report_below, stop_code::video_scheduler_internal_error);
  }
  SECTION("a preemption is reported that nobody asked for") {
    expect(misdeed::preempt_unasked, stop_code::video_scheduler_internal_error);
  }
  SECTION("NotifyInterrupt without the interrupt lock") {
    expect(misdeed::notify_without_lock, stop_code::irql_not_less_or_equal);
  }
  SECTION("SubmitCommand returns at another level") {
    expect(misdeed::keep_irql, stop_code::driver_left_locked_state);
  }
}

TEST_CASE("a device whose info stays unfilled is a bug check", "[sim][scheduler]") {
  session s;
  s.driver.does = misdeed::unfilled_device_info;
  test::kernel_client other{*s.upper};
  static_cast<void>(other.create_device());
  CHECK(s.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
}

TEST_CASE("flags that CreateDevice leaves where Windows reads a pointer are a bug check",
          "[sim][scheduler]") {
  session s;
  s.driver.does = misdeed::flags_left_in_device;
  std::shared_ptr<sim::user_device> device;
  REQUIRE(s.upper->objects.create_device(s.upper->objects.process_of(0), true, device) ==
          STATUS_SUCCESS);
  s.upper->objects.destroy_device(device);
  CHECK(s.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
}

TEST_CASE("a long command goes in several buffers", "[sim][scheduler]") {
  session s;
  CHECK(s.render({}, 10'000) == STATUS_SUCCESS);
  CHECK(s.upper->scheduler.last_fence() == 3);
}

TEST_CASE("smaller buffers than the driver asked for take more passes", "[sim][scheduler]") {
  session s;
  s.app->context->dma_buffer_bytes = 1000;
  CHECK(s.render({}, 4000) == STATUS_SUCCESS);
  CHECK(s.upper->scheduler.last_fence() == 4);
}

TEST_CASE("a DMA buffer is overwritten as soon as its fence is reported", "[sim][scheduler]") {
  session s;
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  const auto buffer = s.upper->scheduler.buffers().take(4096, 64);
  REQUIRE(s.upper->scheduler.in_flight() == 1);
  s.driver.complete_all();
  s.upper->scheduler.collect();
  const auto again = s.upper->scheduler.buffers().take(4096, 64);
  CHECK(again != buffer);
  CHECK(again->bytes[0] == std::byte{0xCC});
}

TEST_CASE("no more buffers are in flight than allowed", "[sim][scheduler]") {
  sim::windows_options options;
  options.scheduler.buffers_in_flight = 2;
  session s{options};
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  REQUIRE(s.render() == STATUS_SUCCESS);
  s.pc.clock.at(s.pc.clock.now_ns() + 5'000'000, [&] { s.driver.complete_all(); });
  REQUIRE(s.render() == STATUS_SUCCESS);
  CHECK(s.upper->scheduler.in_flight() == 1);
}

TEST_CASE("preempted work is handed out again with a new fence", "[sim][scheduler]") {
  session s;
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  s.driver.submitted.clear();  // The driver took it back from the engine.
  s.upper->scheduler.preempt();
  s.driver.complete_all();
  s.upper->scheduler.collect();
  CHECK(s.upper->scheduler.last_fence() == 2);
  CHECK(s.driver.submitted == std::vector<std::uint32_t>{2});
}

TEST_CASE("preempted work is pending under each fence that it had", "[sim][scheduler]") {
  session s;
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  auto& scheduler = s.upper->scheduler;
  for (std::uint32_t fence = 1; fence <= 3; ++fence) {
    REQUIRE(scheduler.last_fence() == fence);
    for (std::uint32_t known = 1; known <= fence; ++known) CHECK(scheduler.is_pending(known));
    CHECK_FALSE(scheduler.is_pending(fence + 1));
    s.driver.submitted.clear();
    scheduler.preempt();
    s.driver.complete_all();
    scheduler.collect();
  }
  s.driver.complete_all();
  for (std::uint32_t known = 1; known <= 4; ++known) CHECK_FALSE(scheduler.is_pending(known));
}

TEST_CASE("work that never ends leads to a preemption, then to a reset", "[sim][scheduler][tdr]") {
  session s;
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  s.upper->scheduler.advance(2'100'000'000);
  CHECK(s.driver.is_preempted);
  CHECK(s.driver.resets == 0);
  s.upper->scheduler.advance(2'100'000'000);
  CHECK(s.driver.resets == 1);
  CHECK(s.upper->scheduler.in_flight() == 0);
  CHECK(s.render() == STATUS_DEVICE_REMOVED);
}

TEST_CASE("a lost interrupt is found before a reset", "[sim][scheduler][tdr]") {
  session s;
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  s.windows.table.DxgkDdiQueryCurrentFence = [](HANDLE, DXGKARG_QUERYCURRENTFENCE* arguments) {
    auto& fake = test::the_fake_driver();
    fake.complete_all();
    arguments->CurrentFence = fake.last_reported;
    return NTSTATUS{STATUS_SUCCESS};
  };
  s.upper->scheduler.advance(2'100'000'000);
  CHECK(s.upper->scheduler.in_flight() == 0);
  CHECK_FALSE(s.driver.is_preempted);
  CHECK(s.driver.resets == 0);
}

TEST_CASE("the sixth reset within a minute is a bug check, and so is a failing one",
          "[sim][scheduler][tdr]") {
  session s;
  SECTION("the sixth") {
    for (int i = 0; i < 5; ++i) s.upper->scheduler.reset_from_timeout();
    CHECK(s.pc.bugs.count() == 0);
    s.upper->scheduler.reset_from_timeout();
    CHECK(s.take_stops() == stops{stop_code::video_tdr_failure});
  }
  SECTION("a failing one") {
    s.driver.does = misdeed::fail_reset;
    s.upper->scheduler.reset_from_timeout();
    CHECK(s.take_stops() == stops{stop_code::video_tdr_failure});
  }
}

TEST_CASE("a vblank report while vblank interrupts are off is a bug check", "[sim][flip]") {
  session s;
  s.driver.raise_vblank();
  CHECK(s.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
}
