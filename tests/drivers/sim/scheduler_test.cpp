#include "drivers/sim/kernel/scheduler.hpp"

#include "tests/drivers/sim/fake_driver.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <optional>
#include <vector>

using namespace aerogpu;
using sim::stop_code;
using test::misdeed;

namespace {

using stops = std::vector<stop_code>;

/// A started driver, a device and a context of it.
struct session : test::simulated_pc<> {
  explicit session(const sim::graphics_config& config = {})
      : driver(test::use_fake_driver(windows)) {
    REQUIRE(windows.start() == STATUS_SUCCESS);
    graphics.emplace(windows, config);
    REQUIRE(graphics->create_device(device) == STATUS_SUCCESS);
    REQUIRE(graphics->create_context(device, context) == STATUS_SUCCESS);
    commands = pc.user.allocate(64);
  }
  ~session() {
    driver.does = misdeed::none;
    driver.completes_at_once = true;
    driver.complete_all();
    static_cast<void>(graphics->destroy_device(device));
    graphics.reset();
    windows.stop_device();
    windows.remove_device();
    windows.unload();
  }
  auto render(std::uint32_t size = 64) -> NTSTATUS {
    sim::render_request request;
    request.commands = commands;
    request.size_bytes = size;
    return graphics->render(context, request);
  }

  test::fake_driver& driver;
  std::optional<sim::graphics> graphics;
  D3DKMT_HANDLE device = 0;
  D3DKMT_HANDLE context = 0;
  std::byte* commands = nullptr;
};

}  // namespace

TEST_CASE("a rendered buffer is submitted at DISPATCH_LEVEL and ends with its fence",
          "[sim][scheduler]") {
  session s;
  CHECK(s.render() == STATUS_SUCCESS);
  CHECK(s.driver.submit_level == sim::dispatch_level);
  CHECK(s.graphics->scheduler.in_flight() == 0);
  CHECK(s.windows.dxgk.fences.last_reported() == 1u);
}

TEST_CASE("fences start where they are told and wrap", "[sim][scheduler]") {
  sim::graphics_config config;
  config.scheduler.first_fence = 0xFFFFFFFF;
  session s{config};
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
    s.driver.submitted.push_back(s.graphics->scheduler.last_fence());
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
  D3DKMT_HANDLE other = 0;
  static_cast<void>(s.graphics->create_device(other));
  CHECK(s.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
}

TEST_CASE("a long command goes in several buffers", "[sim][scheduler]") {
  session s;
  s.commands = s.pc.user.allocate(10'000);
  CHECK(s.render(10'000) == STATUS_SUCCESS);
  CHECK(s.graphics->scheduler.last_fence() == 3);
}

TEST_CASE("a DMA buffer is overwritten as soon as its fence is reported", "[sim][scheduler]") {
  session s;
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  const auto buffer = s.graphics->scheduler.buffers().take(4096, 64);
  REQUIRE(s.graphics->scheduler.in_flight() == 1);
  s.driver.complete_all();
  s.graphics->scheduler.collect();
  const auto again = s.graphics->scheduler.buffers().take(4096, 64);
  CHECK(again != buffer);
  CHECK(again->bytes[0] == std::byte{0xCC});
}

TEST_CASE("no more buffers are in flight than allowed", "[sim][scheduler]") {
  sim::graphics_config config;
  config.scheduler.buffers_in_flight = 2;
  session s{config};
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  REQUIRE(s.render() == STATUS_SUCCESS);
  s.pc.clock.at(s.pc.clock.now_ns() + 5'000'000, [&] { s.driver.complete_all(); });
  REQUIRE(s.render() == STATUS_SUCCESS);
  CHECK(s.graphics->scheduler.in_flight() == 1);
}

TEST_CASE("preempted work is handed out again with a new fence", "[sim][scheduler]") {
  session s;
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  s.driver.submitted.clear();  // The driver took it back from the engine.
  s.graphics->scheduler.preempt();
  s.driver.complete_all();
  s.graphics->scheduler.collect();
  CHECK(s.graphics->scheduler.last_fence() == 2);
  CHECK(s.driver.submitted == std::vector<std::uint32_t>{2});
}

TEST_CASE("work that never ends leads to a preemption, then to a reset", "[sim][scheduler][tdr]") {
  session s;
  s.driver.completes_at_once = false;
  REQUIRE(s.render() == STATUS_SUCCESS);
  s.graphics->scheduler.advance(2'100'000'000);
  CHECK(s.driver.is_preempted);
  CHECK(s.driver.resets == 0);
  s.graphics->scheduler.advance(2'100'000'000);
  CHECK(s.driver.resets == 1);
  CHECK(s.graphics->scheduler.in_flight() == 0);
  CHECK(s.render() == STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE);
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
  s.graphics->scheduler.advance(2'100'000'000);
  CHECK(s.graphics->scheduler.in_flight() == 0);
  CHECK_FALSE(s.driver.is_preempted);
  CHECK(s.driver.resets == 0);
}

TEST_CASE("the sixth reset within a minute is a bug check, and so is a failing one",
          "[sim][scheduler][tdr]") {
  session s;
  SECTION("the sixth") {
    for (int i = 0; i < 5; ++i) s.graphics->scheduler.reset_from_timeout();
    CHECK(s.pc.bugs.count() == 0);
    s.graphics->scheduler.reset_from_timeout();
    CHECK(s.take_stops() == stops{stop_code::video_tdr_failure});
  }
  SECTION("a failing one") {
    s.driver.does = misdeed::fail_reset;
    s.graphics->scheduler.reset_from_timeout();
    CHECK(s.take_stops() == stops{stop_code::video_tdr_failure});
  }
}

TEST_CASE("user data of an escape goes in and out by copy", "[sim][thunks]") {
  session s;
  auto* const data = s.pc.user.allocate(16);
  CHECK(s.graphics->escape(s.device, data, 16) == STATUS_SUCCESS);
  CHECK(data[0] == std::byte{'E'});
}

TEST_CASE("a vblank report while vblank interrupts are off is a bug check", "[sim][thunks]") {
  session s;
  s.driver.raise_vblank();
  CHECK(s.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
}
