// SPDX-License-Identifier: MIT
/// \file The machine around a device in this program: memory, a clock that is set, events kept.
#pragma once

#include "aerogpu/device/host.hpp"
#include "tools/aerogpu/guest/sparse_memory.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu::tool {

/// Models device_host.
class guest_host {
 public:
  explicit guest_host(std::uint64_t most_written_bytes) : memory(most_written_bytes) {}

  auto read(gpa at, mutable_bytes out) noexcept -> bool { return memory.read(at, out); }
  auto write(gpa at, const_bytes in) noexcept -> bool { return memory.write(at, in); }
  auto now_ns() const noexcept -> std::uint64_t { return now; }
  void set_irq_line(bool level) noexcept { irq_line = level; }
  void on_present(const present_notice& notice) noexcept { presents.push_back(notice); }
  void on_error(const error_record& record) noexcept { errors.push_back(record); }

  sparse_memory memory;
  std::uint64_t now = 0;
  bool irq_line = false;
  std::vector<present_notice> presents;  ///< Since somebody cleared them.
  std::vector<error_record> errors;
};

static_assert(device_host<guest_host>);

}  // namespace aerogpu::tool
