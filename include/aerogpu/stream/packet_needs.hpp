// SPDX-License-Identifier: MIT
/// \file What a packet asks of the submission that carries it: an allocation table, the present
/// flag.
#pragma once

#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/core/bytes.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Bytes of a packet's start that the functions below look at.
inline constexpr std::uint32_t packet_needs_bytes = 64;

namespace detail {

/// A packet that needs a table when a bit of `mask` is set in the u32 at `at`; `mask` 0: always.
struct table_need {
  std::uint32_t opcode;
  std::uint32_t at;
  std::uint32_t mask;
};

inline constexpr table_need table_needs[] = {
    {AEROGPU_CMD_CREATE_BUFFER, offsetof(aerogpu_cmd_create_buffer, backing_alloc_id), UINT32_MAX},
    {AEROGPU_CMD_CREATE_TEXTURE2D, offsetof(aerogpu_cmd_create_texture2d, backing_alloc_id),
     UINT32_MAX},
    {AEROGPU_CMD_RESOURCE_DIRTY_RANGE, 0, 0},
    {AEROGPU_CMD_COPY_BUFFER, offsetof(aerogpu_cmd_copy_buffer, flags),
     AEROGPU_COPY_FLAG_WRITEBACK_DST},
    {AEROGPU_CMD_COPY_TEXTURE2D, offsetof(aerogpu_cmd_copy_texture2d, flags),
     AEROGPU_COPY_FLAG_WRITEBACK_DST},
};
static_assert([] {
  for (const table_need& need : table_needs) {
    if (need.at + sizeof(std::uint32_t) > packet_needs_bytes) return false;
  }
  return true;
}());

}  // namespace detail

/// Whether the packet names guest memory, so that its submission needs a table (kmd.md 3.6).
/// RESOURCE_DIRTY_RANGE counts always: only the host knows what its resource is. `head` is the
/// packet's start, header included: all of it or at least `packet_needs_bytes`. A packet that ends
/// before the field does not need one.
[[nodiscard]] inline auto needs_alloc_table(const_bytes head) noexcept -> bool {
  if (head.size() < sizeof(aerogpu_cmd_hdr)) return false;
  const auto opcode = load<std::uint32_t>(head.data());
  for (const detail::table_need& need : detail::table_needs) {
    if (need.opcode != opcode) continue;
    if (need.mask == 0) return true;
    if (head.size() < need.at + sizeof(std::uint32_t)) return false;
    return (load<std::uint32_t>(head.data() + need.at) & need.mask) != 0;
  }
  return false;
}

/// Whether the packet presents: its submission then carries AEROGPU_SUBMIT_FLAG_PRESENT.
[[nodiscard]] constexpr auto is_present(std::uint32_t opcode) noexcept -> bool {
  return opcode == AEROGPU_CMD_PRESENT || opcode == AEROGPU_CMD_PRESENT_EX;
}

}  // namespace aerogpu
