// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/interrupt_block.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"

namespace aerogpu::kmd {

void interrupt_mask::change(adapter& adapter, std::uint32_t set, std::uint32_t clear) noexcept {
  shadow_ = (shadow_ | set) & ~clear;
  if (adapter.is_ready) adapter.hardware.regs.write(AEROGPU_MMIO_REG_IRQ_ENABLE, shadow_);
}

auto on_interrupt(adapter& adapter) noexcept -> bool {
  const registers& regs = adapter.hardware.regs;
  if (!adapter.is_ready || !regs.is_mapped()) return false;
  const std::uint32_t status = regs.read(AEROGPU_MMIO_REG_IRQ_STATUS);
  if (status == absent_device) return false;
  const std::uint32_t pending = status & adapter.irq.enabled();
  if (pending == 0) {
    if (status == 0) return false;
    regs.write(AEROGPU_MMIO_REG_IRQ_ACK, status);
    adapter.counters.irq_spurious.add();
    return false;
  }
  // Before the fence is read: what completes later interrupts again.
  regs.write(AEROGPU_MMIO_REG_IRQ_ACK, status);
  if ((pending & AEROGPU_IRQ_FENCE) != 0) adapter.counters.irq_fence.add();
  if ((pending & (AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR)) != 0)
    static_cast<void>(adapter.engine.report_completion());
  if ((pending & AEROGPU_IRQ_SCANOUT_VBLANK) != 0) {
    adapter.counters.irq_vblank.add();
    adapter.display.vblank.on_vblank(adapter);
  }
  if ((pending & AEROGPU_IRQ_ERROR) != 0) adapter.errors.on_interrupt(adapter);
  adapter.queue_dpc();
  return true;
}

void on_dpc(adapter& adapter) noexcept {
  adapter.dxgkrnl.DxgkCbNotifyDpc(adapter.dxgkrnl.DeviceHandle);
  adapter.engine.on_dpc();
  adapter.errors.on_dpc(adapter);
}

}  // namespace aerogpu::kmd
