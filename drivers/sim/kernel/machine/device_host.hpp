// SPDX-License-Identifier: MIT
/// \file What the device model gets of the simulated machine: memory, a clock, an interrupt line.
#pragma once

#include "aerogpu/device/host.hpp"
#include "drivers/sim/kernel/machine/pc.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
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
  void on_scanout(const scanout_descriptor& scanout) noexcept { keep(scanouts, scanout); }
  void on_present(const present_notice& present) noexcept { keep(presents, present); }
  void on_error(const error_record& record) noexcept { keep(errors, record); }

  // The newest of each.
  std::vector<scanout_descriptor> scanouts;
  std::vector<present_notice> presents;
  std::vector<error_record> errors;

 private:
  /// A machine may run for days: half of what is old goes when there is much of it.
  template <class T>
  static void keep(std::vector<T>& in, const T& one) noexcept {
    constexpr std::ptrdiff_t most = 4096;
    try {
      if (std::ssize(in) == most) in.erase(in.begin(), in.begin() + most / 2);
      in.push_back(one);
    } catch (const std::bad_alloc&) {
      // A report that nobody may read is lost.
    }
  }

  pc* machine_;
};

static_assert(device_host<device_host_port>);

}  // namespace aerogpu::sim
