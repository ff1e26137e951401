// SPDX-License-Identifier: MIT
/// \file The framing rule of one packet, as a lookup in a row of eight bytes (wire.md 7.2, 7.3).
#pragma once

#include "aerogpu/abi/cmd_stream.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/error.hpp"
#include "aerogpu/stream/packet_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu::detail {

/// What framing asks of most packets, small enough for all types to share a few cache lines.
struct framing_row {
  std::uint32_t minimum_size;   ///< `no_size` where only `check_framing` can tell.
  std::uint8_t count_at;        ///< Offset of the payload count, a u32 inside the smallest packet.
  std::uint8_t stride;          ///< 0 without a counted payload.
  std::uint8_t unused[2] = {};  ///< Eight bytes a row: its address is one scaled index.
};
static_assert(sizeof(framing_row) == 8);

/// More than any packet has: sizes are multiples of 4.
inline constexpr std::uint32_t no_size = UINT32_MAX;

/// The flags of a present, or null.
[[nodiscard]] constexpr auto present_flags_of(const packet_row& row) noexcept
    -> const packet_field* {
  for (const packet_field& f : row.fields) {
    if (f.rule.values == value_set::present_flags) return &f;
  }
  return nullptr;
}

[[nodiscard]] consteval auto make_framing_row(const packet_row& row) noexcept -> framing_row {
  framing_row out{row.minimum_size, 0, 0};
  if (present_flags_of(row) != nullptr) out.minimum_size = no_size;
  if (row.count == nullptr) return out;
  if (row.count->type != field_type::u32) out.minimum_size = no_size;
  out.count_at = static_cast<std::uint8_t>(row.count->offset);
  out.stride = static_cast<std::uint8_t>(row.element_size);
  return out;
}

/// Rows by kind: 0 for unknown opcodes, else 1 + row of the packet table.
[[nodiscard]] consteval auto make_framing_rows() noexcept {
  std::array<framing_row, packet_count + 1> rows{};
  rows[0].minimum_size = no_size;
  for (std::size_t i = 0; i < packet_count; ++i) rows[i + 1] = make_framing_row(packet_table[i]);
  return rows;
}

inline constexpr auto framing_rows = make_framing_rows();

// The header's words are loaded apart: the size is on the walk's critical path, and taking it out
// of a wider load costs a cycle for each packet.
[[nodiscard]] inline auto packet_kind(const std::byte* at) noexcept -> std::uint32_t {
  return kind_index(load<std::uint32_t>(at + offsetof(aerogpu_cmd_hdr, opcode)));
}
[[nodiscard]] inline auto packet_size(const std::byte* at) noexcept -> std::uint32_t {
  return load<std::uint32_t>(at + offsetof(aerogpu_cmd_hdr, size_bytes));
}

/// Whether the packet at `at`, of which `left` bytes remain in the stream, is framed, as far as its
/// row of eight bytes tells. False also for unknown opcodes, presents, counts of 64 bits and
/// payloads in a second form, of which only `check_framing` knows. Every branch goes the same way
/// for well-formed packets of any other type. Precondition: a header is left.
[[nodiscard]] inline auto is_plain(const std::byte* at, std::size_t left) noexcept -> bool {
  const std::uint64_t size = packet_size(at);
  const framing_row& row = framing_rows[packet_kind(at)];
  const std::uint64_t room = size - row.minimum_size;
  const bool is_below_minimum = room > size;  // The subtraction wrapped.
  if (is_below_minimum || size > left || room % 4 != 0) [[unlikely]]
    return false;
  const std::uint64_t count = load<std::uint32_t>(at + row.count_at);
  // Minimum sizes are multiples of 4, so the room is one when the size is, and whether it holds the
  // payload does not depend on the padding.
  return count * row.stride <= room;
}

static_assert([] {
  for (const packet_row& row : packet_table) {
    if (row.count == nullptr) continue;
    if (row.minimum_size != row.fixed_size) return false;  // The payload follows the struct.
    if (row.count->type == field_type::u64 && row.element_size != 1) return false;
  }
  return true;
}());

/// Whether a packet of `size` bytes, its minimum or more, holds its payload in one of its forms.
[[nodiscard]] inline auto holds_payload(const packet_row& row, std::uint64_t count,
                                        std::uint32_t size) noexcept -> bool {
  const std::uint32_t room = size - row.minimum_size;
  // No overflow: a u64 count has the stride 1, and every other count has 32 bits.
  return count * row.element_size <= room ||
         (row.compact_element_size != 0 && count * row.compact_element_size == room);
}

/// Holds the packet at `at` to all of wire.md 7.2 and 7.3, in that order: the slow way, which also
/// tells what is wrong. `none` for unknown opcodes, whose size is right. Errors: framing. Not
/// inlined: walks over plain packets keep no registers for it.
[[nodiscard, gnu::noinline]] inline auto check_framing(const std::byte* at, std::size_t left,
                                                       std::uint32_t offset) noexcept -> error {
  if (left < sizeof(aerogpu_cmd_hdr)) {
    return {error_code::framing,
            0,
            offset,
            left,
            sizeof(aerogpu_cmd_hdr),
            "the stream ends inside a packet header"};
  }
  const auto header = load<aerogpu_cmd_hdr>(at);
  const auto fail = [&](const char* what, std::uint64_t detail, std::uint64_t limit) {
    return error{error_code::framing, header.opcode, offset, detail, limit, what};
  };
  const std::uint32_t size = header.size_bytes;
  if (size < sizeof header) {
    return fail("size_bytes is less than a packet header", size, sizeof header);
  }
  if (size % 4 != 0) return fail("size_bytes is not a multiple of 4", size, 4);
  if (size > left) return fail("size_bytes runs past the end of the stream", size, left);
  const packet_row* row = find_packet(header.opcode);
  if (row == nullptr) return {};
  if (size < row->minimum_size) {
    return fail("size_bytes is less than the packet's minimum", size, row->minimum_size);
  }
  if (row->count == nullptr) return {};
  const std::uint64_t count = load_number(at + row->count->offset, row->count->type);
  if (holds_payload(*row, count, size)) return {};
  return fail("the payload count is more than the packet holds", count,
              (size - row->minimum_size) / row->element_size);
}

/// Whether the packet at `at` is framed. Precondition: a header is left.
[[nodiscard]] inline auto is_framed(const std::byte* at, std::size_t left) noexcept -> bool {
  if (is_plain(at, left)) [[likely]]
    return true;
  return check_framing(at, left, 0).code == error_code::none;
}

}  // namespace aerogpu::detail
