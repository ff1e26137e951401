#include "drivers/sim/kernel/graphics.hpp"

namespace aerogpu::sim {

graphics::graphics(kernel& around, const graphics_config& chosen)
    : windows(around),
      config(chosen),
      scheduler(around, chosen.scheduler),
      memory(around, scheduler) {
  const DXGKARG_QUERYADAPTERINFO query{DXGKQAITYPE_DRIVERCAPS, nullptr, 0, &caps_, sizeof caps_};
  if (!NT_SUCCESS(windows.call(&DRIVER_INITIALIZATION_DATA::DxgkDdiQueryAdapterInfo,
                               windows.context(), &query))) {
    stop(stop_code::video_dxgkrnl_fatal_error, {3, 0, 0, 0}, "the driver does not tell its caps");
  }
  windows.dxgk.find_handle = [this](const DXGKARGCB_GETHANDLEDATA& q) { return handle_data(q); };
  windows.dxgk.on_vsync = [this](const vsync_report& report) { on_vsync(report); };
  scheduler.on_reset = [this] {
    memory.lose_all();
    for (const auto& [handle, device] : objects.devices) device->is_lost = !device->is_system;
  };
}

graphics::~graphics() {
  scheduler.wait_idle();
  windows.dxgk.find_handle = {};
  windows.dxgk.on_vsync = {};
  scheduler.on_reset = {};
}

auto graphics::handle_data(const DXGKARGCB_GETHANDLEDATA& query) -> void* {
  if (query.Type != DXGK_HANDLE_ALLOCATION) return nullptr;
  auto* const found = objects.find(objects.openings, query.hObject);
  if (found == nullptr) return nullptr;
  return query.Flags.DeviceSpecific ? found->driver : found->of->driver;
}

}  // namespace aerogpu::sim
