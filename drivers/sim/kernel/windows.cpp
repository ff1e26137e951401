// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/windows.hpp"

#include <mutex>
#include <utility>

namespace aerogpu::sim {

namespace {

using table_type = DRIVER_INITIALIZATION_DATA;

/// By machine, for thunks that know only their thread.
struct windows_table {
  std::mutex mutex;
  std::map<const pc*, windows*> running;
};
[[nodiscard]] auto all_windows() -> windows_table& {
  static windows_table table;
  return table;
}

}  // namespace

windows::windows(kernel& owner, const windows_options& options)
    : machine_kernel(owner), options_(options) {
  auto& table = all_windows();
  const std::lock_guard hold{table.mutex};
  table.running[&owner.machine] = this;
}

windows::~windows() {
  if (is_running()) shutdown();
  auto& table = all_windows();
  const std::lock_guard hold{table.mutex};
  table.running.erase(&machine_kernel.machine);
}

auto windows::current() -> windows* {
  auto& table = all_windows();
  const std::lock_guard hold{table.mutex};
  const auto found = table.running.find(&this_machine());
  return found != table.running.end() ? found->second : nullptr;
}

auto windows::boot(driver_entry* entry) -> NTSTATUS {
  auto status = start_driver(entry);
  if (!NT_SUCCESS(status)) return status;
  status = read_caps();
  if (NT_SUCCESS(status)) {
    session_ = std::make_unique<desktop_session>(machine_kernel, options_);
    session_->base.on_poll = [this] {
      recover();
      session_->flips.collect();
    };
    session_->base.on_device_end = [this](const user_device& device) {
      static_cast<void>(release_source(device));
    };
    session_->flips.set_power_save(caps_.SchedulingCaps.VSyncPowerSaveAware != 0);
    resets_seen_ = 0;
    status = start_desktop();
  }
  if (!NT_SUCCESS(status)) shutdown();
  return status;
}

auto windows::start_driver(driver_entry* entry) -> NTSTATUS {
  auto status = machine_kernel.load(entry);
  if (!NT_SUCCESS(status)) return status;
  status = machine_kernel.start();
  if (NT_SUCCESS(status)) return status;
  if (machine_kernel.context() != nullptr) static_cast<void>(machine_kernel.remove_device());
  machine_kernel.unload();
  return status;
}

auto windows::read_caps() -> NTSTATUS {
  const DXGKARG_QUERYADAPTERINFO query{DXGKQAITYPE_DRIVERCAPS, nullptr, 0, &caps_, sizeof caps_};
  const auto status =
      machine_kernel.call(&table_type::DxgkDdiQueryAdapterInfo, machine_kernel.context(), &query);
  if (!NT_SUCCESS(status)) return status;
  const bool flips_by_mmio = caps_.FlipCaps.FlipOnVSyncMmIo != 0;
  if (flips_by_mmio && caps_.MaxQueuedFlipOnVSync != 1) {
    stop(stop_code::video_scheduler_internal_error, {4, caps_.MaxQueuedFlipOnVSync, 1, 0},
         "the driver announces a flip queue whose length Windows 7 does not support");
  }
  return STATUS_SUCCESS;
}

auto windows::start_desktop() -> NTSTATUS {
  auto& display = session_->display;
  auto status = display.find_monitor();
  if (!NT_SUCCESS(status)) return status;
  status = display.create_desktop();
  if (!NT_SUCCESS(status)) return status;
  auto mode = display.preferred_mode();
  if (options_.width != 0) mode = {options_.width, options_.height, D3DDDIFMT_A8R8G8B8};
  status = display.set_mode(mode);
  if (!NT_SUCCESS(status)) return status;
  const RECT whole{0, 0, static_cast<LONG>(mode.width), static_cast<LONG>(mode.height)};
  return display.update_desktop(whole);
}

void windows::shutdown() {
  if (is_asleep_) static_cast<void>(wake());
  if (session_ != nullptr) {
    poll();
    session_->objects.terminate_all();
    session_->display.destroy_desktop();
    const auto leaks = session_->objects.leaks();
    if (!leaks.empty()) {
      stop(stop_code::driver_verifier_detected_violation, {0x62, 1, 0, 0},
           ("handles are left at shutdown: " + leaks).c_str());
    }
    const std::lock_guard hold{session_->base.gpu};
    static_cast<void>(session_->memory.evict_all());
  }
  stop_driver();
}

void windows::stop_driver() {
  owner = {};
  static_cast<void>(machine_kernel.call(&table_type::DxgkDdiControlInterrupt,
                                        machine_kernel.context(), DXGK_INTERRUPT_CRTC_VSYNC,
                                        static_cast<BOOLEAN>(FALSE)));
  machine_kernel.machine.settle();
  session_.reset();
  static_cast<void>(machine_kernel.stop_device());
  static_cast<void>(machine_kernel.remove_device());
  machine_kernel.unload();
}

/// Level 3: nothing queued, all memory in system pages.
auto windows::sleep(POWER_ACTION action) -> NTSTATUS {
  if (is_asleep_) return STATUS_SUCCESS;
  poll();
  const process_scope here{0};
  session_->display.blank();
  {
    const std::lock_guard hold{session_->base.gpu};
    session_->scheduler.wait_idle();
    if (!session_->memory.evict_all()) {
      stop(stop_code::video_memory_management_internal, {1, 0, 0, 0},
           "memory is pinned while the adapter goes to sleep");
    }
  }
  const auto set = [&](ULONG uid) {
    return machine_kernel.call(&table_type::DxgkDdiSetPowerState, machine_kernel.context(), uid,
                               PowerDeviceD3, action);
  };
  constexpr ULONG monitor = 0;
  auto status = set(monitor);
  if (NT_SUCCESS(status)) status = set(DISPLAY_ADAPTER_HW_ID);
  if (!NT_SUCCESS(status)) {
    stop(stop_code::video_dxgkrnl_fatal_error, {11, static_cast<std::uint32_t>(status), 0, 0},
         "SetPowerState fails");
  }
  is_asleep_ = true;
  return status;
}

auto windows::wake() -> NTSTATUS {
  if (!std::exchange(is_asleep_, false)) return STATUS_SUCCESS;
  const process_scope here{0};
  const auto set = [&](ULONG uid) {
    return machine_kernel.call(&table_type::DxgkDdiSetPowerState, machine_kernel.context(), uid,
                               PowerDeviceD0, PowerActionNone);
  };
  constexpr ULONG monitor = 0;
  auto status = set(DISPLAY_ADAPTER_HW_ID);
  if (NT_SUCCESS(status)) status = set(monitor);
  if (!NT_SUCCESS(status)) {
    stop(stop_code::video_dxgkrnl_fatal_error, {12, static_cast<std::uint32_t>(status), 0, 0},
         "SetPowerState fails");
    return status;
  }
  return session_->display.restore();
}

auto windows::release_source(const user_device& device) -> NTSTATUS {
  const std::lock_guard hold{session_->base.gpu};
  if (owner.device != &device) return STATUS_SUCCESS;
  owner = {};
  auto& display = session_->display;
  const auto& primary = display.primary().opening;
  if (primary == nullptr || session_->flips.shown() == primary->memory) return STATUS_SUCCESS;
  const process_scope here{0};
  return display.set_mode(display.desktop_mode(), primary->memory);
}

/// After a timeout: the desktop gets its surface again.
void windows::recover() {
  const auto resets = session_->scheduler.resets();
  if (std::exchange(resets_seen_, resets) == resets) return;
  if (!NT_SUCCESS(session_->display.restore())) {
    stop(stop_code::video_tdr_failure, {1, 0, 0, 0}, "the display cannot be shown after a timeout");
  }
}

}  // namespace aerogpu::sim
