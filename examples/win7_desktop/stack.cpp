// SPDX-License-Identifier: MIT
#include "stack.hpp"

#include "aerogpu/abi/mmio.h"
#include "drivers/sim/kernel/machine/vulkan_machine.hpp"
#include "drivers/win7/kmd/entry/driver_entry.hpp"
#include "drivers/win7/umd/d3d9/front_m/open_adapter.hpp"
#include "tools/aerogpu/terminal/console.hpp"

namespace win7_desktop {

using namespace aerogpu;

class device_slot {
 public:
  device_slot(sim::pc& pc, vulkan::vulkan_backend& backend) : machine(pc, backend) {}

  sim::machine<vulkan::vulkan_backend> machine;
  rgba8_image image;
};

namespace {

/// Each doorbell is heard a little later, so that there is something to wait for.
constexpr std::uint64_t doorbell_delay_ns = 1'200'000;

[[nodiscard]] auto desktop_of(std::uint32_t width, std::uint32_t height) -> sim::windows_options {
  sim::windows_options options;
  options.width = width;
  options.height = height;
  return options;
}

}  // namespace

void machine_system::sleep_ms(std::uint32_t milliseconds) noexcept {
  constexpr std::uint64_t yield_ns = 20'000, ns_per_ms = 1'000'000;
  machine_.bus.wait_idle();
  machine_.clock.advance(milliseconds == 0 ? yield_ns : milliseconds * ns_per_ms);
}

stack::stack(vulkan::vulkan_backend& backend, std::uint32_t width, std::uint32_t height)
    : slot_(std::make_unique<device_slot>(pc, backend)),
      kernel_(std::make_unique<sim::kernel>(pc)),
      here_(pc),
      windows_(std::make_unique<sim::windows>(*kernel_, desktop_of(width, height))),
      runtime({&umd::front_m::open_adapter}) {}

stack::~stack() = default;

auto stack::boot(std::string& why) -> bool {
  const auto status = windows_->boot(&DriverEntry);
  if (status != STATUS_SUCCESS) {
    why = "Windows does not boot: status " + tool::hex(static_cast<std::uint32_t>(status));
    return false;
  }
  pc.bus.host.delay_ns = doorbell_delay_ns;
  pc.bus.host.doorbells = sim::doorbell_mode::delayed;
  return true;
}

auto stack::shut_down(std::string& why) -> bool {
  const auto errors = device_errors();
  windows_->shutdown();
  why = pc.bugs.text();
  if (why.empty()) why = runtime.rules.text();
  if (why.empty() && errors != 0) why = "the device counts " + tool::counted(errors, "error");
  return why.empty();
}

auto stack::display(canvas& shown, std::string& why) -> bool {
  if (const auto read = slot_->machine.get().read_display(slot_->image); !read) {
    why = read.why().what;
    return false;
  }
  shown = from_image(slot_->image);
  return true;
}

void stack::pass_time(std::uint64_t ns) {
  pc.bus.wait_idle();
  session().scheduler.advance(ns);
}

auto stack::device_errors() -> std::uint32_t {
  return pc.bus.peek(AEROGPU_MMIO_REG_ERROR_COUNT);
}

}  // namespace win7_desktop
