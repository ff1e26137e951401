// SPDX-License-Identifier: MIT
/// \file Descriptors as the ring holds them, for dumps.
#pragma once

#include "aerogpu/abi/ring.h"
#include "aerogpu/core/bytes.hpp"
#include "drivers/win7/kmd/submission/engine.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::kmd {

/// The descriptor of a free-running index; zeros without a ring. A slot that is filled meanwhile is
/// seen half. PASSIVE: the ring stays as long as the caller is in the driver.
[[nodiscard]] inline auto load_slot(const engine& engine, std::uint32_t index) noexcept
    -> aerogpu_submit_desc {
  const os::contiguous_memory& ring = engine.ring_memory();
  const std::size_t offset =
      sizeof(aerogpu_ring_header) + std::size_t{index % ring_entries} * ring_stride_bytes;
  if (ring.size_bytes < offset + sizeof(aerogpu_submit_desc)) return {};
  return load<aerogpu_submit_desc>(ring.bytes + offset);
}

/// How many of the `most` slots before `tail` were ever filled.
[[nodiscard]] inline auto count_newest(const engine& engine, std::uint32_t tail,
                                       std::uint32_t most) noexcept -> std::uint32_t {
  std::uint32_t count = 0;
  while (count < most && count < ring_entries &&
         load_slot(engine, tail - count - 1).desc_size_bytes != 0)
    ++count;
  return count;
}

}  // namespace aerogpu::kmd
