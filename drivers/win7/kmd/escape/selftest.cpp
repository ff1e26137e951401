// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/escape/selftest.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/interrupt_lock.hpp"

#include <algorithm>
#include <atomic>
#include <concepts>

namespace aerogpu::kmd {
namespace {

constexpr std::uint64_t millisecond_100ns = 10'000;
/// The longest that four vertical blanks may take, at 16 Hz and more.
constexpr std::uint64_t vblank_wait_100ns = 250 * millisecond_100ns;

/// What is left of the caller's time.
class time_budget {
 public:
  explicit time_budget(std::uint32_t timeout_ms) noexcept
      : end_(os::interrupt_time_100ns() + timeout_ms * millisecond_100ns) {}

  [[nodiscard]] auto is_spent() const noexcept -> bool {
    return os::interrupt_time_100ns() >= end_;
  }

  /// Polls until `is_met()`, for at most `longest_100ns`.
  template <std::predicate Condition>
  [[nodiscard]] auto wait(std::uint64_t longest_100ns, Condition&& is_met) const noexcept -> bool {
    const std::uint64_t end = std::min(end_, os::interrupt_time_100ns() + longest_100ns);
    while (!is_met()) {
      if (os::interrupt_time_100ns() >= end) return false;
      os::sleep_100ns(millisecond_100ns);
    }
    return true;
  }
  template <std::predicate Condition>
  [[nodiscard]] auto wait(Condition&& is_met) const noexcept -> bool {
    return wait(UINT64_MAX - os::interrupt_time_100ns(), is_met);
  }

 private:
  std::uint64_t end_;
};

/// A failed wait is the device's fault unless the time is up.
auto or_out_of_time(const time_budget& budget, aerogpu_dbgctl_selftest_error error) noexcept
    -> aerogpu_dbgctl_selftest_error {
  return budget.is_spent() ? AEROGPU_DBGCTL_SELFTEST_ERR_TIME_BUDGET_EXHAUSTED : error;
}

auto test_ring(adapter& adapter, const time_budget& budget) noexcept
    -> aerogpu_dbgctl_selftest_error {
  engine& engine = adapter.engine;
  if (!engine.is_programmed()) return AEROGPU_DBGCTL_SELFTEST_ERR_RING_NOT_READY;
  if (!engine.is_idle()) return AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY;
  std::uint32_t tail_after = 0;
  if (!engine.push_probe(tail_after)) return AEROGPU_DBGCTL_SELFTEST_ERR_NO_RESOURCES;
  const bool is_taken = budget.wait([&] { return engine.has_taken(tail_after); });
  return is_taken ? AEROGPU_DBGCTL_SELFTEST_OK : AEROGPU_DBGCTL_SELFTEST_ERR_TIMEOUT;
}

/// With the cause enabled, the interrupt handler sees it and acknowledges it.
auto test_vblank_interrupt(adapter& adapter, const time_budget& budget) noexcept
    -> aerogpu_dbgctl_selftest_error {
  const registers& regs = adapter.hardware.regs;
  const auto is_latched = [&] {
    return (regs.read(AEROGPU_MMIO_REG_IRQ_STATUS) & AEROGPU_IRQ_SCANOUT_VBLANK) != 0;
  };
  const std::uint32_t before = adapter.counters.irq_vblank.get();
  const auto enable = [&] { adapter.irq.change(adapter, AEROGPU_IRQ_SCANOUT_VBLANK, 0); };
  under_interrupt_lock(adapter, enable);
  const bool is_delivered =
      budget.wait(vblank_wait_100ns, [&] { return adapter.counters.irq_vblank.get() != before; });
  const bool stays_latched = is_latched();
  bool was_enabled = false;
  bool is_cleared = false;
  // In one step: ControlInterrupt may come at any time.
  under_interrupt_lock(adapter, [&] {
    was_enabled = (adapter.irq.enabled() & AEROGPU_IRQ_SCANOUT_VBLANK) != 0;
    adapter.irq.change(adapter, 0, AEROGPU_IRQ_SCANOUT_VBLANK);
    regs.write(AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_SCANOUT_VBLANK);
    is_cleared = !is_latched();
    if (adapter.display.vblank.is_wanted()) enable();
  });

  if (!is_delivered && !was_enabled) return AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY;
  if (!is_delivered && stays_latched)
    return or_out_of_time(budget, AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_DELIVERED);
  if (!is_delivered)
    return or_out_of_time(budget, AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_LATCHED);
  return is_cleared ? AEROGPU_DBGCTL_SELFTEST_OK
                    : AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_IRQ_NOT_CLEARED;
}

auto test_vblank(adapter& adapter, const time_budget& budget) noexcept
    -> aerogpu_dbgctl_selftest_error {
  const registers& regs = adapter.hardware.regs;
  if (!adapter.hardware.has(AEROGPU_FEATURE_VBLANK)) return AEROGPU_DBGCTL_SELFTEST_OK;
  if (regs.read(AEROGPU_MMIO_REG_SCANOUT0_ENABLE) == 0) return AEROGPU_DBGCTL_SELFTEST_OK;
  const std::uint64_t before = regs.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO);
  const bool has_moved = budget.wait(vblank_wait_100ns, [&] {
    return regs.read64(AEROGPU_MMIO_REG_SCANOUT0_VBLANK_SEQ_LO) != before;
  });
  if (!has_moved) return or_out_of_time(budget, AEROGPU_DBGCTL_SELFTEST_ERR_VBLANK_SEQ_STUCK);
  return test_vblank_interrupt(adapter, budget);
}

auto test_cursor(adapter& adapter) noexcept -> aerogpu_dbgctl_selftest_error {
  if (!adapter.hardware.has(AEROGPU_FEATURE_CURSOR)) return AEROGPU_DBGCTL_SELFTEST_OK;
  return adapter.display.cursor.test_position(adapter)
             ? AEROGPU_DBGCTL_SELFTEST_OK
             : AEROGPU_DBGCTL_SELFTEST_ERR_CURSOR_RW_MISMATCH;
}

/// The right to run: two tests at once would see each other's interrupts.
class sole_run {
 public:
  explicit sole_run(std::atomic<bool>& is_taken) noexcept
      : is_taken_(is_taken), is_mine_(!is_taken.exchange(true, std::memory_order_acquire)) {}
  ~sole_run() {
    if (is_mine_) is_taken_.store(false, std::memory_order_release);
  }
  sole_run(const sole_run&) = delete;
  auto operator=(const sole_run&) -> sole_run& = delete;

  [[nodiscard]] auto is_mine() const noexcept -> bool { return is_mine_; }

 private:
  std::atomic<bool>& is_taken_;
  bool is_mine_;
};

auto run(adapter& adapter, const time_budget& budget) noexcept -> aerogpu_dbgctl_selftest_error {
  if (!adapter.is_ready) return AEROGPU_DBGCTL_SELFTEST_ERR_INVALID_STATE;
  const sole_run run{adapter.runs_selftest};
  if (!run.is_mine()) return AEROGPU_DBGCTL_SELFTEST_ERR_GPU_BUSY;
  auto result = test_ring(adapter, budget);
  if (result == AEROGPU_DBGCTL_SELFTEST_OK) result = test_vblank(adapter, budget);
  if (result == AEROGPU_DBGCTL_SELFTEST_OK) result = test_cursor(adapter);
  return result;
}

}  // namespace

auto run_selftest(adapter& adapter, std::uint32_t timeout_ms) noexcept
    -> aerogpu_dbgctl_selftest_error {
  const std::uint32_t limit_ms =
      timeout_ms == 0 ? default_selftest_ms : std::min(timeout_ms, most_selftest_ms);
  adapter.counters.selftests.add();
  const auto result = run(adapter, time_budget{limit_ms});
  adapter.counters.last_selftest_error = result;
  return result;
}

}  // namespace aerogpu::kmd
