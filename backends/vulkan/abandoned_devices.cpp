#include "vulkan/abandoned_devices.hpp"

#include "vulkan/stuck_devices.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// They had the watchdog's time before they were given up.
constexpr std::chrono::milliseconds last_wait{1'000};

using device_list = std::vector<std::unique_ptr<device_parts>>;

auto is_finished(const std::unique_ptr<device_parts>& device) noexcept -> bool {
  if (device->is_compiling()) return false;
  const auto completed = device->work.completed();
  return !completed || *completed >= device->work.submitted();
}

/// Devices of backends that are gone. Never destroyed: their threads outlive static objects.
struct leftover_devices {
  std::mutex mutex;
  device_list all;
};

auto leftovers() noexcept -> leftover_devices& {
  static auto* const only = new leftover_devices;
  return *only;
}

}  // namespace

abandoned_devices::~abandoned_devices() {
  const auto deadline = std::chrono::steady_clock::now() + last_wait;
  for (const auto& device : devices_) {
    if (device->compiler != nullptr) device->compiler->wait(deadline);
    const auto left = std::max(deadline - std::chrono::steady_clock::now(), {});
    const auto left_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    static_cast<void>(
        device->work.wait(device->work.submitted(), static_cast<std::uint64_t>(left_ns)));
  }
  close_finished();
  if (devices_.empty()) return;
  leftover_devices& to = leftovers();
  const std::lock_guard lock{to.mutex};
  for (auto& device : devices_) to.all.push_back(std::move(device));
}

void abandoned_devices::add(std::unique_ptr<device_parts> device) {
  devices_.push_back(std::move(device));
}

void abandoned_devices::close_finished() noexcept {
  std::erase_if(devices_, is_finished);
}

auto has_stuck_devices() noexcept -> bool {
  leftover_devices& from = leftovers();
  const std::lock_guard lock{from.mutex};
  std::erase_if(from.all, is_finished);
  return !from.all.empty();
}

}  // namespace aerogpu::vulkan
