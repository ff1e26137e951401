// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/trace/module.hpp"

#include "drivers/win7/umd/d3d9/core/log.hpp"
#include "drivers/win7/umd/d3d9/trace/environment.hpp"
#include "drivers/win7/umd/d3d9/trace/tracer.hpp"

#include <array>

namespace aerogpu::umd {

namespace {

constinit once path_logged;

}  // namespace

void attach_module() noexcept {
  init_from_env();
  log_module_path();
}

void detach_module() noexcept {
  trace::stop();
}

void log_module_path() noexcept {
  if (!path_logged.is_first()) return;
  std::array<char, 260> path;
  log_line{"module_path="}.text(os::module_path(path));
}

}  // namespace aerogpu::umd
