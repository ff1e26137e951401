// SPDX-License-Identifier: MIT
/// \file The machine of a server: a PC with a device over a backend, shared memory, and time.
#pragma once

#include "drivers/sim/kernel/machine.hpp"
#include "drivers/wine/guestd/shared_file.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <pthread.h>
#include <thread>
#include <utility>

namespace aerogpu::wine {

struct machine_options {
  std::uint32_t memory_mib = 256;  ///< Shared RAM: memory of allocations outside of BAR1.
  std::uint32_t width = 1024;
  std::uint32_t height = 768;
};

/// 30 full-screen back buffers of 1024x768, which Direct3D 9 allows, take 93 MiB.
inline constexpr std::uint32_t video_mib = 128;
/// Ring, DMA buffers and the driver's own: no client reaches it.
inline constexpr std::uint32_t private_mib = 512;
/// A busy processor without a GPU is slow, and nothing hangs.
inline constexpr std::uint64_t timeout_ns = 30'000'000'000;

[[nodiscard]] inline auto config_of(const shared_file& memory, const machine_options& options)
    -> sim::pc_config {
  constexpr std::uint64_t mib = 1u << 20;
  sim::pc_config config;
  config.is_concurrent = true;
  config.ram_bytes = (private_mib + options.memory_mib) * mib;
  config.bars.bar1_bytes = static_cast<std::uint32_t>(video_mib * mib);
  config.shared_video_memory = {memory.descriptor(), 0, video_mib * mib};
  config.shared_ram = {memory.descriptor(), video_mib * mib, options.memory_mib * mib};
  return config;
}

/// The machine's time is the server's.
class running_clock {
 public:
  explicit running_clock(sim::pc& machine) : thread_([this, &machine] { run(machine); }) {}
  ~running_clock() {
    is_over_.store(true);
    thread_.join();
  }
  running_clock(const running_clock&) = delete;
  auto operator=(const running_clock&) -> running_clock& = delete;

 private:
  void run(sim::pc& machine) {
    constexpr std::chrono::microseconds busy{100};
    constexpr std::chrono::milliseconds idle{1};
    pthread_setname_np(pthread_self(), "guestd clock");
    const sim::thread_scope here{machine, 0};
    auto last = std::chrono::steady_clock::now();
    while (!is_over_.load()) {
      const auto now = std::chrono::steady_clock::now();
      machine.clock.advance(static_cast<std::uint64_t>((now - last).count()));
      last = now;
      // The device says "now" as long as its backend works.
      const bool is_busy = machine.bus.next_deadline_ns() <= machine.clock.now_ns();
      std::this_thread::sleep_for(is_busy ? busy : std::chrono::microseconds{idle});
    }
  }

  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace aerogpu::wine
