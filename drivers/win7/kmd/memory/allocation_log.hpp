// SPDX-License-Identifier: MIT
/// \file The newest allocations that were created, for DUMP_CREATEALLOCATION.
#pragma once

#include "aerogpu/abi/dbgctl_escape.h"
#include "drivers/win7/kmd/system/os.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::kmd {

/// Any thread; a spin lock of its own, that no other is taken under.
class allocation_log {
 public:
  static constexpr std::uint32_t capacity = 64;

  /// The number of a CreateAllocation call, for its records' `call_seq`. DISPATCH.
  [[nodiscard]] auto begin_call() noexcept -> std::uint32_t;
  /// Appends; `seq` is filled in. DISPATCH.
  void add(const aerogpu_dbgctl_createallocation_desc& record) noexcept;
  /// The newest records, oldest first, and how many there ever were. DISPATCH.
  void copy_to(aerogpu_escape_dump_createallocation_inout& out) noexcept;

 private:
  os::spin_lock lock_;
  std::uint32_t calls_ = 0;
  std::uint32_t written_ = 0;
  std::array<aerogpu_dbgctl_createallocation_desc, capacity> records_{};
};

}  // namespace aerogpu::kmd
