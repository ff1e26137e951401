// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/show/show.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"
#include "vulkan/device/host_allocator.hpp"
#include "vulkan/vulkan_backend.hpp"

namespace desktop {

namespace {

class validated_hardware final : public hardware_on<aerogpu::vulkan::vulkan_backend> {
 public:
  explicit validated_hardware(aerogpu::vulkan::vulkan_backend& backend)
      : hardware_on(backend), backend_(backend) {}
  auto validation_errors() -> std::uint32_t override { return backend_.validation_errors(); }

 private:
  aerogpu::vulkan::vulkan_backend& backend_;
};

}  // namespace

auto show_on_vulkan(const show_choice& how, std::string& why) -> int {
  using namespace aerogpu;
  vulkan::tune_host_allocator();
  vulkan::backend_options options;
  options.device = how.device;
  options.validate = how.validate;
  const auto made = vulkan::vulkan_backend::create(options);
  if (!made) {
    why = made.why().what;
    return tool::exit_cannot;
  }
  vulkan::vulkan_backend& backend = **made;
  tool::print("device  " + std::string{backend.device_name()} + "\n");
  validated_hardware pc{backend};
  return run_show(pc, how, why);
}

}  // namespace desktop
