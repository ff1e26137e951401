// SPDX-License-Identifier: MIT
/// \file A simulated machine for one test case, which fails when Windows would have stopped.
#pragma once

#include "drivers/sim/kernel/kernel.hpp"
#include "drivers/sim/kernel/machine/null_machine.hpp"
#include "tests/catch.hpp"
#include "tests/support/owned_backend.hpp"

#include <memory>
#include <string>
#include <vector>

namespace aerogpu::test {

/// The device's backend. A program with another one than null says where it comes from.
template <class Backend>
[[nodiscard]] auto make_backend() -> owned_backend<Backend>;
template <>
inline auto make_backend<null_backend>() -> owned_backend<null_backend> {
  return std::make_unique<null_backend>();
}

/// The calling thread is on the machine as long as this lives. Bug checks that nobody took fail the
/// case at the end.
template <class Backend = null_backend>
class simulated_pc {
 public:
  explicit simulated_pc(const sim::pc_config& config = {}, const device_config& device = {})
      : pc(config), machine(pc, *backend_, device), windows(pc), here_(pc) {}
  ~simulated_pc() {
    const auto text = pc.bugs.text();
    if (!text.empty()) FAIL_CHECK(text);
  }

  /// The code of each bug check so far, which a test then expects.
  [[nodiscard]] auto take_stops() -> std::vector<sim::stop_code> {
    std::vector<sim::stop_code> codes;
    for (const auto& one : pc.bugs.take()) codes.push_back(one.code);
    return codes;
  }

  [[nodiscard]] auto backend() noexcept -> Backend& { return *backend_; }

  sim::pc pc;

 private:
  owned_backend<Backend> backend_ = make_backend<Backend>();

 public:
  sim::machine<Backend> machine;
  sim::kernel windows;

 private:
  sim::thread_scope here_;
};

}  // namespace aerogpu::test
