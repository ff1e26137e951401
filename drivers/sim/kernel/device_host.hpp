/// \file What the device model gets of the simulated machine: memory, a clock, an interrupt line.
#pragma once

#include "aerogpu/device/host.hpp"
#include "drivers/sim/kernel/pc.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::sim {

class device_host_port {
 public:
  explicit device_host_port(pc& machine) noexcept : machine_(&machine) {}

  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!machine_->ram.read(at, out)) return false;
    machine_->bus.limit_tail(raw(at), out);
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool { return machine_->ram.write(at, in); }
  auto now_ns() noexcept -> std::uint64_t { return machine_->clock.now_ns(); }
  void set_irq_line(bool level) noexcept {
    machine_->interrupts.set_line(level && !machine_->bus.host.is_removed.load());
  }
  auto random_seed() noexcept -> std::uint64_t { return machine_->config.seed; }
  void on_scanout(const scanout_descriptor& scanout) noexcept { scanouts.push_back(scanout); }
  void on_present(const present_notice& present) noexcept { presents.push_back(present); }
  void on_error(const error_record& record) noexcept { errors.push_back(record); }

  std::vector<scanout_descriptor> scanouts;
  std::vector<present_notice> presents;
  std::vector<error_record> errors;

 private:
  pc* machine_;
};

static_assert(device_host<device_host_port>);

}  // namespace aerogpu::sim
