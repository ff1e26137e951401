// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/submission/completion.hpp"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("PreemptCommand with nothing in flight is answered at once", "[kmd][preempt][case-98]") {
  started_driver driver;
  driver.submit_nop(1);
  driver.submit_nop(2);
  const std::uint64_t dpcs = driver.pc.windows.dxgk.notified_dpcs();
  driver.preempt(77);
  const auto found = driver.preemptions();
  REQUIRE(found.size() == 1);
  CHECK(found[0].fence == 77);
  CHECK(found[0].last_completed == 2);
  CHECK(found[0].level == sim::device_level);
  CHECK(driver.pc.windows.dxgk.notified_dpcs() == dpcs + 1);
  CHECK_FALSE(driver.pc.windows.dxgk.fences.is_preempting());
}

TEST_CASE("PreemptCommand before any submission is answered", "[kmd][preempt][case-98]") {
  started_driver driver;
  driver.preempt(5);
  REQUIRE(driver.preemptions().size() == 1);
  CHECK(driver.preemptions()[0].fence == 5);
}

TEST_CASE("a preemption is reported once, after all earlier completions",
          "[kmd][preempt][case-99]") {
  started_driver driver;
  driver.hold_host();
  driver.submit_nop(1);
  driver.submit_fill(2, driver.adapter().segments.video_base(), 4096, 7);
  driver.submit_nop(3);
  driver.preempt(1000);
  CHECK(driver.preemptions().empty());
  driver.release_host();
  CHECK(driver.completions() == std::vector{1u, 2u});
  CHECK(driver.preemptions().empty());
  driver.release_host();
  REQUIRE(driver.reports.size() == 4);
  CHECK(driver.reports[2].fence == 3);
  CHECK(driver.reports[3].type == DXGK_INTERRUPT_DMA_PREEMPTED);
  CHECK(driver.reports[3].fence == 1000);
  CHECK(driver.reports[3].last_completed == 3);
  driver.submit_nop(4);
  CHECK(driver.query_fence() == 0 + 3u);  // The host was not let go on.
  driver.release_host();
  CHECK(driver.preemptions().size() == 1);
  CHECK(driver.completions().back() == 4);
}

TEST_CASE("a preemption whose last interrupt was lost is reported by the query",
          "[kmd][preempt][case-99]") {
  started_driver driver;
  driver.hold_host();
  driver.submit_nop(1);
  driver.preempt(9);
  driver.pc.pc.interrupts.hold_interrupts(true);
  driver.release_host();
  CHECK(driver.reports.empty());
  CHECK(driver.query_fence() == 1);
  REQUIRE(driver.reports.size() == 2);
  CHECK(driver.reports[1].type == DXGK_INTERRUPT_DMA_PREEMPTED);
  driver.pc.pc.interrupts.hold_interrupts(false);
  CHECK(driver.reports.size() == 2);
}
