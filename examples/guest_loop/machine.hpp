// SPDX-License-Identifier: MIT
/// \file A machine whose time stands still until somebody waits.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/device/device.hpp"
#include "null/null_backend.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace example {

using namespace aerogpu;

/// Models `device_host`.
struct machine {
  std::vector<std::byte> ram = std::vector<std::byte>(1u << 20);
  std::uint64_t time_ns = 0;
  bool irq_line = false;
  std::uint64_t errors = 0;
  error_code last_error = error_code::none;

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
  void set_irq_line(bool level) noexcept { irq_line = level; }
  void on_error(const error_record& record) noexcept {
    ++errors;
    last_error = record.why.code;
  }
};

using gpu = device<machine, null_backend>;

}  // namespace example
