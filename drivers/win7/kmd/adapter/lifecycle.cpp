// SPDX-License-Identifier: MIT
#include "drivers/win7/kmd/adapter/lifecycle.hpp"

#include "drivers/win7/kmd/adapter/adapter.hpp"
#include "drivers/win7/kmd/adapter/hardware_information.hpp"
#include "drivers/win7/kmd/adapter/readiness.hpp"
#include "drivers/win7/kmd/display/edid.hpp"
#include "drivers/win7/kmd/display/mode_list.hpp"
#include "drivers/win7/kmd/memory/allocation.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace aerogpu::kmd {
namespace {

/// A newer dxgkrnl has more callbacks than this driver knows.
void copy_interface(adapter& adapter, const DXGKRNL_INTERFACE& dxgkrnl) noexcept {
  adapter.dxgkrnl = {};
  const auto size_bytes = std::min<std::size_t>(dxgkrnl.Size, sizeof dxgkrnl);
  std::memcpy(&adapter.dxgkrnl, &dxgkrnl, size_bytes);
}

/// What StartDevice did before the screen, in reverse. Each part tolerates that it was not made.
void release_device(adapter& adapter) noexcept {
  leave_ready(adapter);
  adapter.engine.stop(true);
  adapter.engine.destroy();
  adapter.segments.destroy();
  adapter.hardware.close(adapter);
}

auto program_device(adapter& adapter, const DXGK_DEVICE_INFO& info) noexcept -> NTSTATUS {
  const std::uint32_t aperture_mib =
      read_aperture_mib(adapter.physical_device, info.DeviceRegistryPath);
  NTSTATUS status = adapter.segments.create(adapter.hardware, aperture_mib);
  if (!NT_SUCCESS(status)) return status;
  status = adapter.engine.create();
  if (!NT_SUCCESS(status)) return status;

  adapter.display.edid = monitor_edid;
  adapter.display.modes = make_mode_list(adapter.display.edid, adapter.knobs);
  adapter.display.scanout.take_over(adapter);
  adapter.engine.start(ring_start::reset_host);
  adapter.errors.clear();
  return STATUS_SUCCESS;
}

}  // namespace

auto add_adapter(PDEVICE_OBJECT physical_device, const driver_knobs& knobs) noexcept -> adapter* {
  void* const memory = os::allocate(sizeof(adapter), os::pool_owner::adapter);
  if (memory == nullptr) return nullptr;
  auto* const made = new (memory) adapter{physical_device, knobs};
  if (!NT_SUCCESS(made->tokens.create())) {
    remove_adapter(*made);
    return nullptr;
  }
  return made;
}

void remove_adapter(adapter& adapter) noexcept {
  stop_adapter(adapter);
  os::flush_dpcs();  // One that came late asks the adapter whether it is ready.
  free_all_allocations(adapter);
  adapter.tokens.destroy();
  adapter.~adapter();
  os::release(&adapter, os::pool_owner::adapter);
}

auto start_adapter(adapter& adapter, const DXGK_START_INFO& start_info,
                   const DXGKRNL_INTERFACE& dxgkrnl) noexcept -> NTSTATUS {
  stop_adapter(adapter);
  copy_interface(adapter, dxgkrnl);
  adapter.start_info = start_info;
  adapter.power = PowerDeviceD0;
  adapter.awaits_restart = false;

  DXGK_DEVICE_INFO info{};
  NTSTATUS status = adapter.dxgkrnl.DxgkCbGetDeviceInformation(adapter.dxgkrnl.DeviceHandle, &info);
  if (NT_SUCCESS(status)) status = adapter.hardware.open(adapter, info);
  if (!NT_SUCCESS(status)) return status;
  status = program_device(adapter, info);
  if (!NT_SUCCESS(status)) {
    release_device(adapter);
    return status;
  }
  write_hardware_information(adapter);
  enter_ready(adapter);
  return STATUS_SUCCESS;
}

void stop_adapter(adapter& adapter) noexcept {
  if (!adapter.hardware.regs.is_mapped()) return;
  leave_ready(adapter);
  // Windows asks anew after the next start: only sleep and TDR keep the wish.
  adapter.display.vblank.control(adapter, false);
  darken_display(adapter);
  // The device reads the image until its registers are off.
  adapter.display.cursor.destroy(adapter);
  release_device(adapter);
}

void abandon_device(adapter& adapter) noexcept {
  adapter.is_ready = false;
  const registers regs = adapter.hardware.regs;
  if (!regs.is_mapped()) return;
  regs.write(AEROGPU_MMIO_REG_IRQ_ENABLE, 0);
  regs.write(AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 0);
  regs.write(AEROGPU_MMIO_REG_CURSOR_ENABLE, 0);
  regs.write(AEROGPU_MMIO_REG_RING_CONTROL, 0);
}

}  // namespace aerogpu::kmd
