// SPDX-License-Identifier: MIT
/// \file One AeroGPU device: what AddDevice makes and every entry point gets as its first argument.
///
/// Locks, in order: queue lock, token lock, interrupt lock (SynchronizeExecution). Whoever holds
/// one takes only later ones. The ISR runs under the interrupt lock and takes none. The locks of
/// the cursor, the allocation log, the shared handles, the promised ids and the counts of contexts
/// stand alone: nothing is taken under them.
#pragma once

#include "drivers/win7/ddi/ddi.hpp"
#include "drivers/win7/kmd/adapter/counters.hpp"
#include "drivers/win7/kmd/adapter/errors.hpp"
#include "drivers/win7/kmd/adapter/hardware.hpp"
#include "drivers/win7/kmd/adapter/interrupt_block.hpp"
#include "drivers/win7/kmd/adapter/knobs.hpp"
#include "drivers/win7/kmd/adapter/objects.hpp"
#include "drivers/win7/kmd/display/display.hpp"
#include "drivers/win7/kmd/memory/allocation_log.hpp"
#include "drivers/win7/kmd/memory/process_counts.hpp"
#include "drivers/win7/kmd/memory/promised_ids.hpp"
#include "drivers/win7/kmd/memory/segments.hpp"
#include "drivers/win7/kmd/memory/shared_handles.hpp"
#include "drivers/win7/kmd/memory/tokens.hpp"
#include "drivers/win7/kmd/submission/engine.hpp"

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace aerogpu::kmd {

class adapter {
 public:
  adapter(PDEVICE_OBJECT physical_device_object, const driver_knobs& driver) noexcept
      : physical_device(physical_device_object), knobs(driver), engine(*this) {}

  PDEVICE_OBJECT physical_device;
  driver_knobs knobs;
  DXGKRNL_INTERFACE dxgkrnl{};  ///< Copied by StartDevice.
  DXGK_START_INFO start_info{};

  kmd::hardware hardware;
  kmd::segments segments;
  kmd::tokens tokens;
  kmd::objects objects;
  kmd::promised_ids promised_ids;
  locked_process_counts context_counts;
  interrupt_mask irq;
  kmd::engine engine;
  kmd::display display;
  error_telemetry errors;
  kmd::counters counters;
  kmd::allocation_log allocation_log;
  kmd::shared_handles shared_handles;

  /// Registers are mapped, the device is in D0 and no reset is under way: MMIO may be touched and
  /// work reaches the ring. ISR and DPC check it first. Changes under the interrupt lock.
  std::atomic<bool> is_ready = false;
  /// What SetPowerState last said of the adapter. Level 3.
  DEVICE_POWER_STATE power = PowerDeviceD0;
  /// Between ResetFromTimeout and RestartFromTimeout: paging operations are notices of what is
  /// lost, and never submitted. Level 3.
  bool awaits_restart = false;

  std::atomic<bool> runs_selftest = false;
  std::atomic<std::uint32_t> last_context_id = 0;
  std::atomic<std::uint32_t> kmd_alloc_ids = 0;  ///< Given out so far; they begin anew after 2^31.

  /// Asks for the DPC routine, once for any number of calls until it runs. Up to DIRQL.
  void queue_dpc() const noexcept { dxgkrnl.DxgkCbQueueDpc(dxgkrnl.DeviceHandle); }
};

/// Runs `work()` at DIRQL under the interrupt lock; false when dxgkrnl refused. DISPATCH or below.
template <class Work>
auto at_dirql(adapter& adapter, Work&& work) noexcept -> bool {
  struct call {
    static auto APIENTRY run(PVOID context) noexcept -> BOOLEAN {
      (*static_cast<std::remove_reference_t<Work>*>(context))();
      return TRUE;
    }
  };
  const void* const context = &work;
  // Nothing that runs here can be done without, and few callers could tell anybody.
  constexpr int attempts = 3;
  BOOLEAN result = FALSE;
  for (int i = 0; i < attempts; ++i) {
    const NTSTATUS status = adapter.dxgkrnl.DxgkCbSynchronizeExecution(
        adapter.dxgkrnl.DeviceHandle, &call::run, const_cast<void*>(context), 0, &result);
    if (NT_SUCCESS(status)) return true;
  }
  return false;
}

}  // namespace aerogpu::kmd
