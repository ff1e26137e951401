// SPDX-License-Identifier: MIT
#include "vulkan/device/abandoned_devices.hpp"

#include "vulkan/device/stuck_devices.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// They had the watchdog's time before they were given up.
constexpr std::chrono::milliseconds last_wait{1'000};

auto is_finished(device_parts& device) noexcept -> bool {
  if (device.is_compiling()) return false;
  const auto completed = device.work.completed();
  if (!completed) return completed.why().code == error_code::device_lost;
  return *completed >= device.work.submitted();
}

/// Closes the finished devices of a chain. Returns how many are left.
auto close_finished_of(std::unique_ptr<device_parts>& first) noexcept -> std::size_t {
  std::size_t left = 0;
  for (auto* at = &first; *at != nullptr;) {
    if (is_finished(**at)) {
      *at = std::exchange((*at)->next_abandoned, nullptr);
    } else {
      at = &(*at)->next_abandoned;
      ++left;
    }
  }
  return left;
}

/// Devices of backends that are gone. Never destroyed: their threads outlive static objects.
struct leftover_devices {
  std::mutex mutex;
  device_parts* first = nullptr;
};
constinit leftover_devices leftovers;

}  // namespace

abandoned_devices::~abandoned_devices() {
  const auto deadline = std::chrono::steady_clock::now() + last_wait;
  for (device_parts* device = first_.get(); device != nullptr;
       device = device->next_abandoned.get()) {
    if (device->compiler != nullptr) device->compiler->wait(deadline);
    const auto left = std::max(deadline - std::chrono::steady_clock::now(), {});
    const auto left_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(left).count();
    static_cast<void>(
        device->work.wait(device->work.submitted(), static_cast<std::uint64_t>(left_ns)));
  }
  close_finished();
  const std::lock_guard lock{leftovers.mutex};
  while (first_ != nullptr) {
    device_parts* const left = first_.release();
    first_ = std::move(left->next_abandoned);
    left->next_abandoned.reset(std::exchange(leftovers.first, left));
  }
}

void abandoned_devices::add(std::unique_ptr<device_parts> device) noexcept {
  device->gpu->threads.lower_priority();
  device->next_abandoned = std::move(first_);
  first_ = std::move(device);
  ++count_;
}

void abandoned_devices::close_finished() noexcept {
  count_ = close_finished_of(first_);
}

auto abandoned_devices::reserved_bytes() const noexcept -> std::uint64_t {
  std::uint64_t sum = 0;
  for (const device_parts* each = first_.get(); each != nullptr; each = each->next_abandoned.get())
    sum += each->memory.usage().reserved_bytes;
  return sum;
}

auto has_stuck_devices() noexcept -> bool {
  const std::lock_guard lock{leftovers.mutex};
  std::unique_ptr<device_parts> first{leftovers.first};
  const bool has_any = close_finished_of(first) != 0;
  leftovers.first = first.release();
  return has_any;
}

}  // namespace aerogpu::vulkan
