// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/readiness.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/interrupt_lock.hpp"

namespace aerogpu::kmd {

void leave_ready(adapter& adapter) noexcept {
  const auto leave = [&adapter] {
    const registers& regs = adapter.hardware.regs;
    adapter.irq.change(adapter, 0, all_causes);
    regs.write(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
    regs.write(AEROGPU_MMIO_REG_IRQ_ACK, all_causes);
    adapter.is_ready = false;
  };
  // Not ready is what matters most: the interrupt handler then touches nothing.
  under_interrupt_lock(adapter, leave);
  adapter.display.vblank.suspend(adapter);
  // A DPC on another processor may have found the device ready.
  os::flush_dpcs();
}

void enter_ready(adapter& adapter) noexcept {
  // The wish for vertical blanks goes into the mask, which is written once, and last.
  adapter.display.vblank.restore(adapter);
  const auto enter = [&adapter] {
    adapter.is_ready = true;
    adapter.hardware.regs.write(AEROGPU_MMIO_REG_IRQ_ACK, all_causes);
    adapter.irq.change(adapter, AEROGPU_IRQ_FENCE | AEROGPU_IRQ_ERROR, 0);
  };
  under_interrupt_lock(adapter, enter);
  adapter.display.vblank.stand_in(adapter);
}

void darken_display(adapter& adapter) noexcept {
  adapter.display.cursor.turn_off(adapter);
  adapter.display.scanout.turn_off(adapter);
}

void restore_display(adapter& adapter) noexcept {
  adapter.display.scanout.restore(adapter);
  adapter.display.cursor.restore(adapter);
}

}  // namespace aerogpu::kmd
