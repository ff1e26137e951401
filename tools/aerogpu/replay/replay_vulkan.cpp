// SPDX-License-Identifier: MIT
#include "tools/aerogpu/replay/replay_machine_on.hpp"
#include "tools/aerogpu/replay/replay_session.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "vulkan/device/api.hpp"
#include "vulkan/device/device_list.hpp"
#include "vulkan/device/host_allocator.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <algorithm>

namespace aerogpu::tool {

auto replay_on_vulkan(const recording& file, const replay_choice& how, std::string& why)
    -> std::optional<replay_report> {
  vulkan::tune_host_allocator();
  vulkan::backend_options options;
  options.device = how.device;
  options.validate = how.validate;
  if (how.watchdog_ms != 0) options.watchdog_ms = how.watchdog_ms;
  if (how.compile_in_process) options.shader_compiler = vulkan::shader_compiler_place::in_process;
  const auto backend = vulkan::vulkan_backend::create(options);
  if (!backend) {
    why = backend.why().what;
    return std::nullopt;
  }
  replay_machine_on machine{**backend};
  auto report = replay_on(machine, file, how, why);
  if (!report) return std::nullopt;
  report->notes.insert(report->notes.begin(), "runs on " + std::string{(*backend)->device_name()});
  report->validation_errors = (*backend)->validation_errors();
  if (report->validation_errors != 0) {
    report->notes.push_back(counted(report->validation_errors, "validation error"));
  }
  return report;
}

auto has_vulkan_device() -> bool {
  const auto devices = vulkan::list_devices();
  return std::any_of(devices.begin(), devices.end(), [](const vulkan::device_entry& device) {
    return device.missing.empty() && device.unsafe.empty();
  });
}

auto vulkan_devices_as_text() -> std::string {
  table rows{{"device", "name", "kind", "driver", "Vulkan", "missing"}};
  std::uint64_t number = 0;
  for (const vulkan::device_entry& device : vulkan::list_devices()) {
    const std::string version = decimal(VK_API_VERSION_MAJOR(device.api_version)) + "." +
                                decimal(VK_API_VERSION_MINOR(device.api_version));
    const std::string& lack = device.missing.empty() ? device.unsafe : device.missing;
    rows.add({decimal(number++), device.name, device.kind, device.driver, version,
              lack.empty() ? "nothing" : lack});
  }
  return number != 0 ? rows.str()
                     : "no Vulkan device; install a driver (Debian: mesa-vulkan-drivers)\n";
}

}  // namespace aerogpu::tool
