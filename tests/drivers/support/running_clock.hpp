// SPDX-License-Identifier: MIT
/// \file A machine whose threads run at once, and the thread that lets its time pass.
#pragma once

#include "drivers/sim/kernel/machine/pc.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace aerogpu::test {

[[nodiscard]] inline auto concurrent() -> sim::pc_config {
  sim::pc_config config;
  config.is_concurrent = true;
  return config;
}

/// Lets the machine's clock run, a tenth of a frame at a time.
class running_clock {
 public:
  explicit running_clock(sim::pc& machine)
      : thread_([this, &machine] {
          const sim::thread_scope here{machine, 0};
          while (!is_over_.load()) {
            machine.clock.advance(1'600'000);
            std::this_thread::sleep_for(std::chrono::microseconds{200});
          }
        }) {}
  ~running_clock() {
    is_over_.store(true);
    thread_.join();
  }
  running_clock(const running_clock&) = delete;
  auto operator=(const running_clock&) -> running_clock& = delete;

 private:
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace aerogpu::test
