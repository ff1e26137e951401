// SPDX-License-Identifier: MIT
/// \file A machine that never allocates: RAM from address 0, and the last error it was told.
#pragma once

#include "aerogpu/core/checked.hpp"
#include "aerogpu/device/host.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>
#include <cstring>

namespace aerogpu::test {

struct flat_machine {
  auto read(gpa at, mutable_bytes out) noexcept -> bool {
    if (!range_fits(raw(at), out.size(), ram.size())) return false;
    std::memcpy(out.data(), ram.data() + raw(at), out.size());
    return true;
  }
  auto write(gpa at, const_bytes in) noexcept -> bool {
    if (!range_fits(raw(at), in.size(), ram.size())) return false;
    std::memcpy(ram.data() + raw(at), in.data(), in.size());
    return true;
  }
  auto now_ns() noexcept -> std::uint64_t { return time_ns; }
  void set_irq_line(bool) noexcept {}
  void on_error(const error_record& record) noexcept { last_error = record.why; }

  byte_vector ram = byte_vector(1u << 20);
  std::uint64_t time_ns = 0;
  error last_error;
};

}  // namespace aerogpu::test
