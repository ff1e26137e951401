#include "drivers/sim/kernel/graphics.hpp"

#include <cstring>
#include <utility>

namespace aerogpu::sim {
namespace {

constexpr std::uint64_t vblank_step_ns = 1'000'000;
constexpr std::uint64_t longest_vblank_ns = 500'000'000;

}  // namespace

/// DIRQL. A flip is over when the vblank names its address.
void graphics::on_vsync(const vsync_report& report) {
  if (!is_vsync_enabled_.load()) {
    stop(stop_code::video_dxgkrnl_fatal_error, {7, report.address, 0, 0},
         "a vblank is reported while vblank interrupts are off");
  }
  ++vsync_count_;
  if (is_flip_pending_.load() && report.address == flip_address_.load())
    is_flip_pending_.store(false);
}

auto graphics::set_vsync(bool is_enabled) -> NTSTATUS {
  if (is_enabled) is_vsync_enabled_.store(true);
  const auto status =
      windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiControlInterrupt, windows.context(),
                   DXGK_INTERRUPT_CRTC_VSYNC, static_cast<BOOLEAN>(is_enabled ? TRUE : FALSE));
  if (!is_enabled) is_vsync_enabled_.store(false);
  return status;
}

auto graphics::set_source(D3DKMT_HANDLE source, bool is_mode_change) -> NTSTATUS {
  const auto one = find_allocation(source);
  if (one == nullptr) return STATUS_INVALID_HANDLE;
  if (!memory.acquire({one})) return STATUS_GRAPHICS_NO_VIDEO_MEMORY;
  scheduler.wait(one->last_fence);
  memory.release_use({one});
  DXGKARG_SETVIDPNSOURCEADDRESS arguments{};
  arguments.PrimarySegment = memory.segment_of(*one);
  arguments.PrimaryAddress.QuadPart = static_cast<LONGLONG>(memory.address_of(*one));
  arguments.hAllocation = one->driver;
  arguments.Flags.ModeChange = is_mode_change ? 1 : 0;
  arguments.Flags.FlipOnNextVSync = is_mode_change ? 0 : 1;
  flip_address_.store(memory.address_of(*one));
  NTSTATUS status = STATUS_SUCCESS;
  if (is_mode_change) {
    status =
        windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiSetVidPnSourceAddress, windows.context(),
                     static_cast<const DXGKARG_SETVIDPNSOURCEADDRESS*>(&arguments));
  } else {
    is_flip_pending_.store(true);
    status = windows.call_at(
        device_level, &DRIVER_INITIALIZATION_DATA::DxgkDdiSetVidPnSourceAddress, windows.context(),
        static_cast<const DXGKARG_SETVIDPNSOURCEADDRESS*>(&arguments));
    if (!NT_SUCCESS(status)) is_flip_pending_.store(false);
  }
  if (!NT_SUCCESS(status)) return status;
  const std::lock_guard hold{flip_mutex_};
  ++one->pins;
  if (shown_ != nullptr) --shown_->pins;
  shown_ = one;
  return status;
}

auto graphics::flip(D3DKMT_HANDLE context_handle, D3DKMT_HANDLE source) -> NTSTATUS {
  auto* const context = objects.find(objects.contexts, context_handle);
  auto* const shown = objects.find(objects.openings, source);
  if (context == nullptr || shown == nullptr) return STATUS_INVALID_HANDLE;
  if (context->device->is_lost) return STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE;
  if (!is_vsync_enabled_.load()) {
    const auto status = set_vsync(true);
    if (!NT_SUCCESS(status)) return status;
  }
  DXGK_ALLOCATIONLIST list[DXGK_PRESENT_MAX_INDEX] = {};
  list[DXGK_PRESENT_SOURCE_INDEX].hDeviceSpecificAllocation = shown->driver;
  DXGKARG_PRESENT arguments{};
  arguments.pAllocationList = list;
  arguments.Flags.Flip = 1;
  arguments.FlipInterval = D3DDDI_FLIPINTERVAL_ONE;
  const auto status =
      windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiPresent, context->driver, &arguments);
  if (!NT_SUCCESS(status)) return status;
  scheduler.wait(context->last_fence);
  while (is_flip_pending_.load()) {
    if (!wait_for_vblank()) return STATUS_GRAPHICS_GPU_EXCEPTION_ON_DEVICE;
  }
  return set_source(source, false);
}

auto graphics::wait_for_vblank() -> bool {
  if (!is_vsync_enabled_.load() && !NT_SUCCESS(set_vsync(true))) return false;
  const auto before = vsync_count_.load();
  for (std::uint64_t waited = 0; waited < longest_vblank_ns; waited += vblank_step_ns) {
    scheduler.advance(vblank_step_ns);
    if (vsync_count_.load() != before) return true;
  }
  return false;
}

auto graphics::get_scan_line(DXGKARG_GETSCANLINE& line) -> NTSTATUS {
  return windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiGetScanLine, windows.context(), &line);
}

auto graphics::escape(D3DKMT_HANDLE device, std::byte* data, std::uint32_t size,
                      bool hardware_access) -> NTSTATUS {
  auto* const owner = find_device(device);
  std::vector<std::byte> copy(size);
  if (size != 0 && !windows.machine.user.copy(copy, data)) return STATUS_INVALID_PARAMETER;
  DXGKARG_ESCAPE arguments{};
  arguments.hDevice = owner != nullptr ? owner->driver : nullptr;
  arguments.Flags.HardwareAccess = hardware_access ? 1 : 0;
  arguments.pPrivateDriverData = copy.empty() ? nullptr : copy.data();
  arguments.PrivateDriverDataSize = size;
  const auto status = windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiEscape, windows.context(),
                                   static_cast<const DXGKARG_ESCAPE*>(&arguments));
  if (size != 0) std::memcpy(data, copy.data(), size);
  return status;
}

}  // namespace aerogpu::sim
