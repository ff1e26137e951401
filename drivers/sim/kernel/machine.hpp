// SPDX-License-Identifier: MIT
/// \file The project's device model in a simulated machine's slot.
#pragma once

#include "aerogpu/device/device.hpp"
#include "drivers/sim/kernel/machine/device_host.hpp"
#include "drivers/sim/kernel/machine/pc.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace aerogpu::sim {

/// Owns the device; the machine and the backend outlive it. In the slot for as long as it lives.
template <backend Backend>
class machine final : public device_link {
 public:
  using device_type = device<device_host_port, Backend>;

  machine(pc& around, Backend& on, device_config config = {}) : pc_(around), host_(around) {
    config.bar1_bytes = around.bus.layout().bar1_bytes;
    config.vram = around.bus.video_memory();
    auto made = device_type::create(host_, on, config);
    if (!made) {
      std::fprintf(stderr, "the simulated device cannot be made: %s\n", made.why().what);
      std::abort();
    }
    device_ = *std::move(made);
    pc_.bus.connect(this);
  }
  ~machine() override { pc_.bus.connect(nullptr); }
  machine(const machine&) = delete;
  auto operator=(const machine&) -> machine& = delete;

  /// While no other thread runs: pictures, statistics.
  [[nodiscard]] auto get() noexcept -> device_type& { return *device_; }
  [[nodiscard]] auto host() noexcept -> device_host_port& { return host_; }

  auto read_register(std::uint64_t offset) noexcept -> std::uint32_t override {
    return static_cast<std::uint32_t>(device_->bar0_read(offset, 4));
  }
  void write_register(std::uint64_t offset, std::uint32_t value) noexcept override {
    device_->bar0_write(offset, value, 4);
  }
  auto read_config(std::uint32_t offset, std::uint32_t size) noexcept -> std::uint32_t override {
    return device_->config_read(offset, size);
  }
  void write_config(std::uint32_t offset, std::uint32_t value,
                    std::uint32_t size) noexcept override {
    device_->config_write(offset, value, size);
  }
  void tick() noexcept override { device_->tick(); }
  auto next_deadline_ns() noexcept -> std::uint64_t override { return device_->next_deadline_ns(); }
  void wait_idle() noexcept override { device_->wait_idle(); }
  void reset() noexcept override { device_->device_reset(); }

 private:
  pc& pc_;
  device_host_port host_;
  std::unique_ptr<device_type> device_;
};

}  // namespace aerogpu::sim
