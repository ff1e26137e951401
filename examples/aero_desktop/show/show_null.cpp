// SPDX-License-Identifier: MIT
#include "examples/aero_desktop/show/show.hpp"
#include "null/null_backend.hpp"

namespace desktop {

auto show_on_null(const show_choice& how, std::string& why) -> int {
  aerogpu::null_backend backend;
  hardware_on<aerogpu::null_backend> pc{backend};
  return run_show(pc, how, why);
}

}  // namespace desktop
