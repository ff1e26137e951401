// SPDX-License-Identifier: MIT
/// \file Which kernel a test program is on: its own, or a server's.
#pragma once

#include <memory>

namespace aerogpu::test {

/// The calling thread has a kernel for as long as this lives.
class kernel_here {
 public:
  kernel_here();
  ~kernel_here();
  kernel_here(const kernel_here&) = delete;
  auto operator=(const kernel_here&) -> kernel_here& = delete;

  /// Shuts down; how much was wrong, which is printed.
  [[nodiscard]] auto close() -> int;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace aerogpu::test
