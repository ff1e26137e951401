// SPDX-License-Identifier: MIT
/// \file What `sandbox_probe` is asked to try.
#pragma once

#include <cstdint>

namespace aerogpu::test {

enum class probe : std::uint8_t {
  nothing,
  open_file,
  create_file,
  open_socket,
  connect,
  fork,
  execute,
  signal_host,
  read_host,
  map_code,
  make_code,
  copy_descriptor,
  send_descriptor,
  raise_limits,
  allocate,            ///< 1 GiB, all at once.
  spin,                ///< Three seconds of processor time where one is allowed.
  spin_without_timer,  ///< The same where the process has one second in all its life.
  set_other_timer,
  write_standard_error,
};

struct probe_request {
  probe what;
  bool is_inside;  ///< Of the sandbox.
};

}  // namespace aerogpu::test
