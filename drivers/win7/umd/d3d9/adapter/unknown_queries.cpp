// SPDX-License-Identifier: MIT
#include "drivers/win7/umd/d3d9/adapter/unknown_queries.hpp"

#include "drivers/win7/umd/d3d9/core/log.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace aerogpu::umd {

namespace {

constexpr std::size_t unknown_types_logged = 16;

std::array<std::atomic<std::uint32_t>, unknown_types_logged> unknown_types;
once unknown_types_suppressed;

}  // namespace

void log_unknown_query(std::uint32_t type, std::uint32_t size_bytes) noexcept {
  for (std::atomic<std::uint32_t>& slot : unknown_types) {
    std::uint32_t seen = 0;
    if (slot.compare_exchange_strong(seen, type + 1)) {
      log_line{"GetCaps unknown type="}.number(type).text(" size=").number(size_bytes);
      return;
    }
    if (seen == type + 1) return;
  }
  if (unknown_types_suppressed.is_first()) log_line{"GetCaps unknown types: suppressing the rest"};
}

}  // namespace aerogpu::umd
