// SPDX-License-Identifier: MIT
#include "tests/hostile/fleet/fleet_desktop.hpp"

#include "examples/aero_desktop/guest/hardware.hpp"
#include "tests/catch.hpp"
#include "tests/hostile/usage.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace aerogpu::hostile {

namespace {

/// Virtual time stands still while the backend works, so that frames do not depend on how fast it
/// is.
class patient_hardware final : public desktop::hardware {
 public:
  explicit patient_hardware(vulkan::vulkan_backend& backend) : machine_(backend) {}

  auto start(std::uint64_t buffer_bytes, std::string& why) -> bool override {
    return machine_.start(buffer_bytes, why);
  }
  auto submit(const tool::guest_submission& work) -> bool override { return machine_.begin(work); }
  auto read(std::uint32_t offset) -> std::uint32_t override { return machine_.read(offset); }
  void write(std::uint32_t offset, std::uint32_t value) override { machine_.write(offset, value); }
  auto completed_fence() -> fence_value override { return machine_.completed_fence(); }
  void sleep() override {
    machine_.device().wait_idle();
    const std::uint64_t due = machine_.device().next_deadline_ns();
    machine_.advance_time(due - std::min(due, machine_.host().now));
  }
  auto host() -> tool::guest_host& override { return machine_.host(); }
  auto display(rgba8_image& image) -> result<void> override {
    return machine_.device().read_display(image);
  }
  auto counts() -> object_counts override { return machine_.device().processor().counts(); }
  auto statistics() -> device_statistics override { return machine_.device().statistics(); }
  void set_tap(const submission_tap& tap) override { machine_.device().set_tap(tap); }

 private:
  tool::guest_machine<vulkan::vulkan_backend> machine_;
};

auto wall_now_ns() -> std::uint64_t {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

}  // namespace

honest_desktop::honest_desktop() {
  std::string why;
  shaders_ = desktop::assemble_shaders(why);
  INFO(why);
  REQUIRE(shaders_);
  auto made = vulkan::vulkan_backend::create();
  REQUIRE(made);
  backend_ = *std::move(made);
  static_cast<void>(show());
}

auto honest_desktop::show() -> std::vector<shown_frame> {
  patient_hardware pc{*backend_};
  desktop::guest windows{pc, *shaders_};
  std::string why;
  INFO(why);
  REQUIRE(windows.start(why));
  std::vector<shown_frame> frames(frame_count);
  rgba8_image image;
  for (std::uint32_t i = 0; i < frame_count; ++i) {
    const std::uint64_t thread_before = thread_time_ns(), wall_before = wall_now_ns();
    const bool is_shown = windows.show(i, frame_count, why);
    frames[i].thread_ns = thread_time_ns() - thread_before;
    frames[i].wall_ns = wall_now_ns() - wall_before;
    REQUIRE(is_shown);
    REQUIRE(pc.display(image));
    frames[i].pixels.assign(image.pixels().begin(), image.pixels().end());
  }
  REQUIRE(windows.stop(why));
  return frames;
}

}  // namespace aerogpu::hostile
