// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/kernel.hpp"

#include "drivers/sim/kernel/system/ranked_lock.hpp"
#include "tests/drivers/sim/fake_driver.hpp"
#include "tests/drivers/support/simulated_pc.hpp"

#include <mutex>
#include <vector>

using namespace aerogpu;
using sim::stop_code;
using test::misdeed;

namespace {

using machine = test::simulated_pc<>;
using stops = std::vector<stop_code>;

struct started : machine {
  started() : driver(test::use_fake_driver(windows)) { REQUIRE(windows.start() == STATUS_SUCCESS); }
  ~started() {
    if (windows.context() == nullptr) return;
    windows.stop_device();
    windows.remove_device();
    windows.unload();
  }
  test::fake_driver& driver;
};

}  // namespace

TEST_CASE("a driver starts, stops and leaves nothing", "[sim][kernel]") {
  started m;
  CHECK(m.windows.sources() == 1);
  CHECK(m.pc.interrupts.is_connected());
  CHECK(m.windows.stop_device() == STATUS_SUCCESS);
  CHECK_FALSE(m.pc.interrupts.is_connected());
  CHECK(m.windows.remove_device() == STATUS_SUCCESS);
  m.windows.unload();
  CHECK(m.pc.leaks().empty());
}

TEST_CASE("pool that is left at unload is a bug check", "[sim][kernel]") {
  started m;
  m.driver.does = misdeed::leak_pool;
  m.windows.stop_device();
  m.windows.remove_device();
  m.windows.unload();
  CHECK(m.take_stops() == stops{stop_code::driver_verifier_detected_violation});
  kmd::os::release(m.driver.pool, kmd::os::pool_owner::adapter);
}

TEST_CASE("a NULL entry point that Windows calls is a bug check", "[sim][kernel]") {
  started m;
  m.windows.table.DxgkDdiGetScanLine = nullptr;
  DXGKARG_GETSCANLINE line{};
  CHECK_FALSE(NT_SUCCESS(
      m.windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiGetScanLine, m.windows.context(), &line)));
  CHECK(m.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
}

TEST_CASE("an interrupt reaches the ISR at device level, and its DPC at DISPATCH_LEVEL",
          "[sim][kernel]") {
  started m;
  SECTION("at once at PASSIVE_LEVEL") {
    m.driver.raise_vblank();
    CHECK(m.windows.dxgk.vsyncs().size() == 1);
    CHECK(m.driver.dpcs == 1);
    CHECK(m.windows.dxgk.notified_dpcs() == 1);
  }
  SECTION("the DPC waits while the level is DISPATCH_LEVEL") {
    {
      const sim::irql_scope raised{sim::dispatch_level};
      m.driver.raise_vblank();
      CHECK(m.windows.dxgk.vsyncs().size() == 1);
      CHECK(m.driver.dpcs == 0);
    }
    CHECK(m.driver.dpcs == 1);
  }
  SECTION("the interrupt waits while the level is device level") {
    {
      const sim::irql_scope raised{sim::device_level};
      m.driver.vblank_due = true;
      m.pc.interrupts.force_line(true);
      m.pc.interrupts.settle();
      CHECK(m.windows.dxgk.vsyncs().empty());
    }
    CHECK(m.windows.dxgk.vsyncs().size() == 1);
  }
}

TEST_CASE("an interrupt that nobody claims ends when it is another device's", "[sim][kernel]") {
  started m;
  m.pc.interrupts.force_line(true);
  m.pc.interrupts.settle();
  CHECK(m.pc.interrupts.unclaimed() == 1);
  m.pc.interrupts.force_line(false);
}

TEST_CASE("the device's own interrupt that nobody claims is a storm", "[sim][kernel]") {
  started m;
  m.driver.does = misdeed::claim_nothing;
  m.pc.interrupts.set_line(true);
  m.pc.interrupts.settle();
  CHECK(m.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
}

TEST_CASE("a lock of the upper half under a later one, or at DISPATCH, is a bug check",
          "[sim][locks]") {
  machine m;
  sim::ranked_lock process{sim::lock_rank::process};
  sim::ranked_lock other{sim::lock_rank::process};
  sim::ranked_lock gpu{sim::lock_rank::gpu};
  {
    const std::scoped_lock<sim::ranked_lock> first{process};
    const std::scoped_lock<sim::ranked_lock> second{gpu};
    const std::scoped_lock<sim::ranked_lock> first_again{process};
    CHECK(m.take_stops().empty());
    const std::scoped_lock<sim::ranked_lock> wrong{other};
    CHECK(m.take_stops() == stops{stop_code::video_dxgkrnl_fatal_error});
  }
  const sim::irql_scope raised{sim::dispatch_level};
  const std::scoped_lock<sim::ranked_lock> high{gpu};
  CHECK(m.take_stops() == stops{sim::stop_code::irql_not_less_or_equal});
}
