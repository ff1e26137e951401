// SPDX-License-Identifier: MIT
/// \file A host without optional members, for the cases that add wrong ones.
#pragma once

#include "aerogpu/device/device.hpp"
#include "null/null_backend.hpp"

#include <cstdint>

struct plain_host {
  auto read(aerogpu::gpa, aerogpu::mutable_bytes) noexcept -> bool { return false; }
  auto write(aerogpu::gpa, aerogpu::const_bytes) noexcept -> bool { return false; }
  auto now_ns() noexcept -> std::uint64_t { return 0; }
  void set_irq_line(bool) noexcept {}
};
