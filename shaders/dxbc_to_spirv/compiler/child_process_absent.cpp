// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/child_process.hpp"

// Where the sandbox does not exist no process is started either.
namespace aerogpu::dxbc {

child_process::child_process(child_process&&) noexcept = default;
auto child_process::operator=(child_process&&) noexcept -> child_process& = default;

auto child_process::start(const char*) noexcept -> result<child_process> {
  return make_error(
      error_code::unsupported,
      "the shader compiler has no process of its own on this system: choose to compile "
      "in this process");
}

auto child_process::is_started() const noexcept -> bool {
  return false;
}

auto child_process::is_quiet() const noexcept -> bool {
  return false;
}

auto child_process::processor_time() const noexcept -> std::chrono::nanoseconds {
  return {};
}

auto child_process::send(const_bytes, deadline) noexcept -> transfer {
  return transfer::closed;
}

auto child_process::receive(mutable_bytes, deadline) noexcept -> transfer {
  return transfer::closed;
}

void child_process::end() noexcept {}

}  // namespace aerogpu::dxbc
