// SPDX-License-Identifier: MIT
/// \file The computer under this guest, whatever the backend: device, memory, interrupt line, time.
#pragma once

#include "aerogpu/device/rgba8_image.hpp"
#include "aerogpu/processor/object_counts.hpp"
#include "tools/aerogpu/guest/guest_machine.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace desktop {

/// Chosen once, at the edge of the program; the guest is compiled once for all backends.
class hardware {
 public:
  hardware() = default;
  hardware(const hardware&) = delete;
  auto operator=(const hardware&) -> hardware& = delete;
  virtual ~hardware() = default;

  /// `buffer_bytes` is the room for one command stream. False, and a sentence, on failure.
  [[nodiscard]] virtual auto start(std::uint64_t buffer_bytes, std::string& why) -> bool = 0;
  /// Ring and doorbell. False when the ring is full.
  [[nodiscard]] virtual auto submit(const aerogpu::tool::guest_submission& work) -> bool = 0;
  [[nodiscard]] virtual auto read(std::uint32_t offset) -> std::uint32_t = 0;
  virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
  [[nodiscard]] virtual auto completed_fence() -> aerogpu::fence_value = 0;
  /// Lets time pass until something is due in the device.
  virtual void sleep() = 0;
  [[nodiscard]] virtual auto host() -> aerogpu::tool::guest_host& = 0;

  // What only the computer's owner sees.
  [[nodiscard]] virtual auto display(aerogpu::rgba8_image& image) -> aerogpu::result<void> = 0;
  [[nodiscard]] virtual auto counts() -> aerogpu::object_counts = 0;
  [[nodiscard]] virtual auto statistics() -> aerogpu::device_statistics = 0;
  /// What validation layers found; none where there are no layers.
  [[nodiscard]] virtual auto validation_errors() -> std::uint32_t { return 0; }
  /// Who watches the submissions, from `start` on.
  virtual void set_tap(const aerogpu::submission_tap& tap) = 0;
};

/// A machine with a device on `Backend`, which outlives it.
template <aerogpu::backend Backend>
class hardware_on : public hardware {
 public:
  explicit hardware_on(Backend& backend) : machine_(backend) {}

  auto start(std::uint64_t buffer_bytes, std::string& why) -> bool override {
    if (!machine_.start(buffer_bytes, why)) return false;
    machine_.device().set_tap(tap_);
    return true;
  }
  auto submit(const aerogpu::tool::guest_submission& work) -> bool override {
    return machine_.begin(work);
  }
  auto read(std::uint32_t offset) -> std::uint32_t override { return machine_.read(offset); }
  void write(std::uint32_t offset, std::uint32_t value) override { machine_.write(offset, value); }
  auto completed_fence() -> aerogpu::fence_value override { return machine_.completed_fence(); }
  void sleep() override {
    const std::uint64_t due = machine_.device().next_deadline_ns();
    machine_.advance_time(due - std::min(due, machine_.host().now));
  }
  auto host() -> aerogpu::tool::guest_host& override { return machine_.host(); }
  auto display(aerogpu::rgba8_image& image) -> aerogpu::result<void> override {
    return machine_.device().read_display(image);
  }
  auto counts() -> aerogpu::object_counts override {
    return machine_.device().processor().counts();
  }
  auto statistics() -> aerogpu::device_statistics override {
    return machine_.device().statistics();
  }
  void set_tap(const aerogpu::submission_tap& tap) override { tap_ = tap; }

 private:
  aerogpu::tool::guest_machine<Backend> machine_;
  aerogpu::submission_tap tap_{};
};

}  // namespace desktop
