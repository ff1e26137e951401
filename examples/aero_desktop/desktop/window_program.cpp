// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/desktop/window_program.hpp"

#include "tools/aerogpu/terminal/console.hpp"

namespace desktop {

using namespace aerogpu;

auto window_program::open() -> bool {
  token_ = services_.kernel.create_shared();
  surface_ = device_.create_target(traits_.width, traits_.height, AEROGPU_FORMAT_B8G8R8X8_UNORM);
  device_.export_surface(surface_, token_);
  create(device_);
  const fence_value fence = device_.submit();
  services_.kernel.log("ctx " + tool::decimal(raw(device_.context())) + " export " +
                       tool::hex(raw(token_)));
  return token_ != share_token{} && fence != fence_value{};
}

auto window_program::paint(float seconds) -> bool {
  device_.mark(traits_.title);
  device_.set_target(surface_);
  draw(device_, seconds);
  return device_.submit() != fence_value{};
}

auto window_program::close() -> bool {
  device_.destroy_all();
  const bool is_sent = device_.submit() != fence_value{};
  const bool is_dropped = services_.kernel.close_shared(token_);
  token_ = {};
  return is_sent && is_dropped;
}

}  // namespace desktop
