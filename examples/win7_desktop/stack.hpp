// SPDX-License-Identifier: MIT
/// \file The machine from the Direct3D runtime down to the Vulkan device, with Windows on it.
#pragma once

#include "canvas.hpp"
#include "drivers/sim/kernel/machine/pc.hpp"
#include "drivers/sim/kernel/windows.hpp"
#include "drivers/sim/runtime/runtime.hpp"
#include "drivers/win7/umd/d3d9/core/os_native.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace aerogpu::vulkan {
class vulkan_backend;
}

namespace win7_desktop {

/// What the driver finds below itself: the machine's time, in which whoever sleeps lets it work.
/// Its log has no place among what the example tells.
class machine_system final : public aerogpu::umd::os::native_system {
 public:
  explicit machine_system(aerogpu::sim::pc& machine)
      : machine_(machine), before_(aerogpu::umd::os::install(this)) {}
  ~machine_system() { aerogpu::umd::os::install(before_); }
  auto now_ns() noexcept -> std::uint64_t override { return machine_.clock.now_ns(); }
  void sleep_ms(std::uint32_t milliseconds) noexcept override;
  void write_log(std::string_view) noexcept override {}

 private:
  aerogpu::sim::pc& machine_;
  aerogpu::umd::os::native_system* before_;
};

/// The device in the machine's slot: apart, because it is compiled for its backend once.
class device_slot;

/// Processes live between `boot` and `shut_down`. One thread.
class stack {
 public:
  explicit stack(aerogpu::vulkan::vulkan_backend& backend, std::uint32_t width,
                 std::uint32_t height);
  ~stack();
  stack(const stack&) = delete;
  auto operator=(const stack&) -> stack& = delete;

  // False, and a sentence in `why`, when something is wrong.
  [[nodiscard]] auto boot(std::string& why) -> bool;
  /// Also finds what Windows, the runtime or the device has to complain of.
  [[nodiscard]] auto shut_down(std::string& why) -> bool;
  /// What the monitor shows.
  [[nodiscard]] auto display(canvas& shown, std::string& why) -> bool;

  [[nodiscard]] auto session() -> aerogpu::sim::desktop_session& { return windows_->session(); }
  [[nodiscard]] auto windows() -> aerogpu::sim::windows& { return *windows_; }
  [[nodiscard]] auto device_errors() -> std::uint32_t;
  /// Lets `ns` of the machine's time pass, with Windows' watch over timeouts. The device first ends
  /// what it has begun: its backend works in real time.
  void pass_time(std::uint64_t ns);

  aerogpu::sim::pc pc;

 private:
  machine_system system_{pc};
  std::unique_ptr<device_slot> slot_;
  std::unique_ptr<aerogpu::sim::kernel> kernel_;
  aerogpu::sim::thread_scope here_;
  std::unique_ptr<aerogpu::sim::windows> windows_;

 public:
  aerogpu::sim::d3d9_runtime runtime;
};

}  // namespace win7_desktop
