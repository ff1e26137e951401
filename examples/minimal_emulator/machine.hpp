// SPDX-License-Identifier: MIT
/// \file A machine with one AeroGPU in it, and the loop that runs it.
#pragma once

// [embed]
#include "aerogpu/device/device.hpp"
#include "null/null_backend.hpp"

#include <algorithm>
#include <random>
#include <vector>

using namespace aerogpu;

/// The machine around the device: memory, a clock and an interrupt line.
struct machine {
  std::vector<std::byte> ram = std::vector<std::byte>(16u << 20);
  std::uint64_t time_ns = 0;
  bool irq_line = false;

  auto at(gpa first, std::size_t size) -> mutable_bytes { return {ram.data() + raw(first), size}; }
  auto read(gpa from, mutable_bytes out) noexcept -> bool {
    if (!range_fits(raw(from), out.size(), ram.size())) return false;
    copy_bytes(out, at(from, out.size()));
    return true;
  }
  auto write(gpa to, const_bytes in) noexcept -> bool {
    if (!range_fits(raw(to), in.size(), ram.size())) return false;
    copy_bytes(at(to, in.size()), in);
    return true;
  }
  auto now_ns() noexcept -> std::uint64_t { return time_ns; }
  auto random_seed() noexcept -> std::uint64_t {
    std::random_device words;
    return std::uint64_t{words()} << 32 | words();
  }
  void set_irq_line(bool level) noexcept { irq_line = level; }
};

using gpu = device<machine, null_backend>;  // create: gpu::create(machine, backend)

/// The event loop. Between its steps the bus calls bar0_read, bar0_write, config_read and so on.
void run_until(machine& pc, gpu& card, std::uint64_t end_ns) {
  while (card.next_deadline_ns() <= end_ns) {
    pc.time_ns = std::max(pc.time_ns, card.next_deadline_ns());
    card.tick();
  }
  pc.time_ns = end_ns;
}
// [/embed]
