// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/errors.hpp"

#include "aerogpu/abi/mmio.h"
#include "drivers/win7/kmd/adapter/adapter.hpp"

namespace aerogpu::kmd {

namespace {

/// The registers exist from this minor on (kmd.md 3.1).
constexpr std::uint32_t error_info_minor = 3;

[[nodiscard]] auto has_error_info(const hardware& device) noexcept -> bool {
  return device.has(AEROGPU_FEATURE_ERROR_INFO) &&
         (device.abi_version & 0xFFFF) >= error_info_minor;
}

[[nodiscard]] constexpr auto join(std::uint32_t high, std::uint32_t low) noexcept -> std::uint64_t {
  return std::uint64_t{high} << 32 | low;
}

}  // namespace

void error_telemetry::on_interrupt(adapter& adapter) noexcept {
  adapter.counters.irq_error.add();
  interrupts_.fetch_add(1);
  std::uint32_t code = AEROGPU_ERROR_INTERNAL;
  if (has_error_info(adapter.hardware)) {
    const registers& regs = adapter.hardware.regs;
    const std::uint32_t stated = regs.read(AEROGPU_MMIO_REG_ERROR_CODE);
    if (stated != AEROGPU_ERROR_NONE) code = stated;
    const std::uint64_t fence = regs.read64(AEROGPU_MMIO_REG_ERROR_FENCE_LO);
    fence_low_.store(static_cast<std::uint32_t>(fence));
    fence_high_.store(static_cast<std::uint32_t>(fence >> 32));
    count_.store(regs.read(AEROGPU_MMIO_REG_ERROR_COUNT));
  }
  code_.store(code);
  const std::uint64_t now = os::interrupt_time_100ns();
  time_low_.store(static_cast<std::uint32_t>(now));
  time_high_.store(static_cast<std::uint32_t>(now >> 32));
  is_latched_.store(true);
  if (since_dpc_.fetch_add(1) + 1 >= storm_errors)
    adapter.irq.change(adapter, 0, AEROGPU_IRQ_ERROR);
}

void error_telemetry::on_dpc(adapter& adapter) noexcept {
  if (since_dpc_.load() == 0) return;
  static_cast<void>(at_dirql(adapter, [&]() noexcept {
    if (since_dpc_.exchange(0) >= storm_errors) adapter.irq.change(adapter, AEROGPU_IRQ_ERROR, 0);
  }));
}

auto error_telemetry::newest() const noexcept -> record {
  return {.code = code_.load(),
          .fence = static_cast<fence_value>(join(fence_high_.load(), fence_low_.load())),
          .count = count_.load(),
          .interrupts = interrupts_.load(),
          .time_100ns = join(time_high_.load(), time_low_.load()),
          .is_latched = is_latched_.load()};
}

}  // namespace aerogpu::kmd
