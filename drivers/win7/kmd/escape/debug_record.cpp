// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/escape/debug_record.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"

namespace aerogpu::kmd {

auto make_debug_record(adapter& adapter, std::uint32_t reason) noexcept -> debug_record {
  const engine_progress engine = adapter.engine.peek();
  const error_telemetry::record error = adapter.errors.newest();
  const counters& counts = adapter.counters;
  debug_record record;
  record.reason = reason;
  record.is_ready = adapter.is_ready ? 1 : 0;
  record.power = static_cast<std::uint32_t>(adapter.power);
  record.abi_version = adapter.hardware.abi_version;
  record.ring_head = engine.head;
  record.ring_tail = engine.tail;
  record.submitted = raw(engine.submitted);
  record.completed = raw(engine.completed);
  record.error_fence = raw(error.fence);
  record.error_code = error.code;
  record.error_count = error.count;
  record.error_interrupts = error.interrupts;
  record.irq_enabled = adapter.irq.enabled();
  record.irq_fence = counts.irq_fence.get();
  record.irq_vblank = counts.irq_vblank.get();
  record.irq_spurious = counts.irq_spurious.get();
  record.resets = counts.resets.get();
  record.displayed_address = adapter.display.scanout.displayed_address();
  return record;
}

}  // namespace aerogpu::kmd
