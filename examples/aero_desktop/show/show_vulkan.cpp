// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/show/show.hpp"
#include "tools/aerogpu/terminal/console.hpp"
#include "tools/aerogpu/terminal/exit_code.hpp"
#include "vulkan/device/host_allocator.hpp"
#include "vulkan/vulkan_backend.hpp"

namespace desktop {

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
  hardware_on<vulkan::vulkan_backend> pc{backend};
  const int code = run_show(pc, how, why);
  if (code != tool::exit_fine || backend.validation_errors() == 0) return code;
  why = tool::counted(backend.validation_errors(), "validation error");
  return tool::exit_stream_has_errors;
}

}  // namespace desktop
