// SPDX-License-Identifier: MIT
#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/memory/paging.hpp"
#include "drivers/win7/kmd/submission/engine.hpp"
#include "tests/drivers/kmd/submission/submission_fixture.hpp"

#include <random>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Does at random what a scheduler, a host and a busy processor may do. The simulator's ledger
/// stops a report that is wrong.
class random_schedule {
 public:
  random_schedule(started_driver& driver, std::uint64_t seed, std::uint32_t first_fence)
      : driver_(driver), random_(seed), next_(first_fence) {
    driver_.scribbles = false;
    nop_ = &driver_.make_buffer(4096);
    REQUIRE(driver_.render(*nop_, nop_stream()) == STATUS_SUCCESS);
    driver_.hold_host();
    fill_ = &driver_.submit_fill(next_++, driver_.adapter().segments.video_base(), 64, 1);
    fill_arguments_ = driver_.submit_arguments(*fill_, 0, 1);
    fill_arguments_.hContext = nullptr;
    fill_arguments_.DmaBufferPrivateDataSubmissionEndOffset =
        static_cast<UINT>(sizeof(kmd::paging_packet));
  }

  void step() {
    auto& interrupts = driver_.pc.pc.interrupts;
    switch (random_() % 16) {
      case 0:
      case 1:
      case 2:
      case 3: return submit_nop();
      case 4: return submit_fill();
      case 5:
      case 6:
      case 7: return driver_.release_host(1 + random_() % 4);
      case 8: return driver_.release_host();
      case 9: return query();
      case 10: return preempt();
      case 11: return interrupts.hold_interrupts(true);
      case 12: return interrupts.hold_interrupts(false);
      case 13: return interrupts.hold_dpcs(true);
      case 14: return interrupts.hold_dpcs(false);
      default: return interrupts.settle();
    }
  }

  void drain() {
    driver_.pc.pc.interrupts.hold_interrupts(false);
    driver_.pc.pc.interrupts.hold_dpcs(false);
    for (int i = 0; i < 5'000 && !driver_.adapter().engine.is_idle(); ++i) driver_.release_host();
    static_cast<void>(driver_.query_fence());
  }
  [[nodiscard]] auto last() const -> std::uint32_t { return next_ - 1; }
  [[nodiscard]] auto preemptions() const -> std::uint32_t { return preemptions_; }

 private:
  /// The scheduler keeps some dozens of buffers in flight.
  [[nodiscard]] auto is_busy() -> bool {
    return driver_.pc.windows.dxgk.fences.pending() > 400 ||
           driver_.pc.windows.dxgk.fences.is_preempting();
  }
  void submit_nop() {
    if (!is_busy()) driver_.submit(*nop_, next_++);
  }
  void submit_fill() {
    if (is_busy()) return;
    fill_arguments_.SubmissionFenceId = next_++;
    driver_.submit(fill_arguments_);
  }
  void query() {
    const std::uint32_t reported = driver_.query_fence();
    const auto last = driver_.pc.windows.dxgk.fences.last_reported();
    if (last.has_value()) REQUIRE(reported == *last);
  }
  void preempt() {
    if (driver_.pc.windows.dxgk.fences.is_preempting()) return;
    ++preemptions_;
    driver_.preempt(next_ + 0x1000);
  }

  started_driver& driver_;
  std::mt19937_64 random_;
  std::uint32_t next_;
  std::uint32_t preemptions_ = 0;
  dma_buffer* nop_ = nullptr;
  dma_buffer* fill_ = nullptr;
  DXGKARG_SUBMITCOMMAND fill_arguments_{};
};

void run(std::uint64_t seed, std::uint32_t first_fence, std::uint32_t steps,
         std::uint64_t hidden_features) {
  INFO("seed " << seed << ", first fence " << first_fence);
  started_driver driver{{.hidden_features = hidden_features}};
  random_schedule schedule{driver, seed, first_fence};
  for (std::uint32_t i = 0; i < steps; ++i) schedule.step();
  schedule.drain();
  CHECK(driver.pc.pc.bugs.text().empty());
  CHECK(driver.pc.windows.dxgk.fences.pending() == 0);
  const auto reported = driver.completions();
  REQUIRE_FALSE(reported.empty());
  CHECK(reported.back() == schedule.last());
  bool is_rising = true;
  for (std::size_t i = 1; i < reported.size(); ++i)
    is_rising = is_rising && static_cast<std::int32_t>(reported[i] - reported[i - 1]) > 0;
  CHECK(is_rising);
  CHECK(driver.preemptions().size() == schedule.preemptions());
}

}  // namespace

TEST_CASE("random schedules keep reports strictly increasing and lose none",
          "[kmd][engine][property][case-100][case-118]") {
  run(0x100, 1, 60'000, 0);
  run(0x101, 0xFFFFC000, 40'000, AEROGPU_FEATURE_FENCE_PAGE);
}
