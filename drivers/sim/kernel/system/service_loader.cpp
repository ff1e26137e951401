// SPDX-License-Identifier: MIT
#include "drivers/sim/kernel/system/service_loader.hpp"

#include "drivers/sim/kernel/kernel.hpp"
#include "drivers/win7/kmd/system/os.hpp"

#include <cstring>

namespace aerogpu::kmd::os {

using namespace aerogpu::sim;

auto load_driver(const char* service_path) noexcept -> NTSTATUS {
  require_at_most(sim::passive_level, "load_driver");
  auto& services = this_machine().services;
  services.loaded.emplace_back(service_path);
  return services.load_status;
}

void unload_driver(const char* service_path) noexcept {
  require_at_most(sim::passive_level, "unload_driver");
  this_machine().services.unloaded.emplace_back(service_path);
}

auto open_device(const char* name, device_connection& device) noexcept -> NTSTATUS {
  require_at_most(sim::passive_level, "open_device");
  auto& services = this_machine().services;
  services.opened.emplace_back(name);
  if (services.failing_opens != 0) {
    --services.failing_opens;
    return STATUS_DEVICE_NOT_READY;
  }
  ++services.open_devices;
  device = {&services, &services};
  return STATUS_SUCCESS;
}

void close_device(device_connection& device) noexcept {
  require_at_most(sim::passive_level, "close_device");
  if (device.file == nullptr) return;
  --this_machine().services.open_devices;
  device = {};
}

auto internal_ioctl(const device_connection&, std::uint32_t code, mutable_bytes output) noexcept
    -> NTSTATUS {
  require_at_most(sim::passive_level, "internal_ioctl");
  auto& services = this_machine().services;
  services.ioctl = code;
  services.ioctl_output_bytes = output.size();
  if (!NT_SUCCESS(services.ioctl_status)) return services.ioctl_status;
  DXGK_INITIALIZE* const answer =
      services.answer != nullptr ? services.answer : &kernel::initialize;
  if (output.size() != sizeof answer) return STATUS_INVALID_PARAMETER;
  std::memcpy(output.data(), &answer, sizeof answer);
  return services.ioctl_status;
}

auto read_physical(std::uint64_t physical, mutable_bytes to) noexcept -> bool {
  require_at_most(sim::passive_level, "read_physical");
  return this_machine().ram.read(static_cast<gpa>(physical), to);
}

}  // namespace aerogpu::kmd::os
