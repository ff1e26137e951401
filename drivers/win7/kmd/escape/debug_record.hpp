// SPDX-License-Identifier: MIT
/// \file What CollectDbgInfo leaves in a minidump (kmd.md 2.10).
#pragma once

#include "aerogpu/core/bytes.hpp"

#include <cstdint>

namespace aerogpu::kmd {

class adapter;

inline constexpr std::uint32_t debug_record_magic = 0x44474741;  // 'AGGD'

/// Little-endian, without padding.
struct debug_record {
  std::uint32_t magic = debug_record_magic;
  std::uint32_t size_bytes = sizeof(debug_record);
  std::uint32_t reason = 0;  ///< A bug check code.
  std::uint32_t is_ready = 0;
  std::uint32_t power = 0;  ///< DEVICE_POWER_STATE.
  std::uint32_t abi_version = 0;
  std::uint32_t ring_head = 0;
  std::uint32_t ring_tail = 0;
  std::uint64_t submitted = 0;
  std::uint64_t completed = 0;
  std::uint64_t error_fence = 0;
  std::uint32_t error_code = 0;
  std::uint32_t error_count = 0;
  std::uint32_t error_interrupts = 0;
  std::uint32_t irq_enabled = 0;
  std::uint32_t irq_fence = 0;
  std::uint32_t irq_vblank = 0;
  std::uint32_t irq_spurious = 0;
  std::uint32_t resets = 0;
  std::uint64_t displayed_address = 0;
};
static_assert(sizeof(debug_record) == 96);

/// Any IRQL: no lock, no register.
[[nodiscard]] auto make_debug_record(adapter& adapter, std::uint32_t reason) noexcept
    -> debug_record;

}  // namespace aerogpu::kmd
