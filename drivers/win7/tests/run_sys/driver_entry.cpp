// SPDX-License-Identifier: MIT
/// \file DriverEntry as the tests know it: that of a fresh copy of aerogpu.sys.
#include "drivers/win7/kmd/entry/driver_entry.hpp"

#include "drivers/sim/kernel/kernel.hpp"
#include "drivers/win7/tests/run_sys/driver_image.hpp"
#include "drivers/win7/tests/run_sys/hardware_access.hpp"

#include <utility>

namespace aerogpu::run_sys {
namespace {

DXGKCB_NOTIFY_INTERRUPT dxgkrnl_notify = nullptr;
DRIVER_INITIALIZATION_DATA driver_table{};

void APIENTRY count_notification(HANDLE adapter, const DXGKARGCB_NOTIFY_INTERRUPT_DATA* what) {
  auto& all = counts();
  if (what != nullptr && what->InterruptType == DXGK_INTERRUPT_DMA_COMPLETED) ++all.fences;
  if (what != nullptr && what->InterruptType == DXGK_INTERRUPT_DMA_PREEMPTED) ++all.preemptions;
  if (what != nullptr && what->InterruptType == DXGK_INTERRUPT_CRTC_VSYNC) ++all.vblanks;
  dxgkrnl_notify(adapter, what);
}

auto APIENTRY start_device(PVOID context, PDXGK_START_INFO info, PDXGKRNL_INTERFACE callbacks,
                           PULONG sources, PULONG children) -> NTSTATUS {
  if (callbacks == nullptr)
    return driver_table.DxgkDdiStartDevice(context, info, callbacks, sources, children);
  auto counted = *callbacks;
  dxgkrnl_notify = std::exchange(counted.DxgkCbNotifyInterrupt, &count_notification);
  return driver_table.DxgkDdiStartDevice(context, info, &counted, sources, children);
}

/// dxgkrnl's DxgkInitialize, which keeps the driver's own table but for one entry that counts.
auto APIENTRY initialize(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path,
                         PDRIVER_INITIALIZATION_DATA table) -> NTSTATUS {
  if (table == nullptr) return sim::kernel::initialize(driver, registry_path, table);
  driver_table = *table;
  auto counted = *table;
  counted.DxgkDdiStartDevice = &start_device;
  return sim::kernel::initialize(driver, registry_path, &counted);
}

}  // namespace
}  // namespace aerogpu::run_sys

extern "C" auto NTAPI DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING registry_path) noexcept
    -> NTSTATUS {
  using namespace aerogpu;
  auto& services = sim::this_machine().services;
  if (services.answer == nullptr) services.answer = &run_sys::initialize;
  auto* const entry = reinterpret_cast<sim::driver_entry*>(run_sys::load_driver_image());
  run_sys::install_access_trap();
  ++run_sys::counts().driver_loads;
  return entry(driver, registry_path);
}
