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

/// What framing needs to know of a packet type, small enough for all types to share a few cache
/// lines. The word at `at`, shifted, is the payload count, or the flags of a present.
struct framing_row {
  std::uint8_t minimum_size;
  std::uint8_t at;     ///< Offset of a u64 that lies inside the smallest packet.
  std::uint8_t shift;  ///< 32 when the wanted u32 is the upper half of it, else 0.
  std::uint8_t stride;
  std::uint8_t noted;           ///< VSYNC of a present, all bits of an unknown opcode, else 0.
  std::uint8_t compact_stride;  ///< Of the second form, or 0.
  std::uint8_t unused[2] = {};  ///< Eight bytes a row: its address is one scaled index.
};
static_assert(sizeof(framing_row) == 8);

[[nodiscard]] consteval auto make_framing_row(const packet_row& row) noexcept -> framing_row {
  framing_row out{};
  out.minimum_size = static_cast<std::uint8_t>(row.minimum_size);
  if (row.count != nullptr) out.stride = static_cast<std::uint8_t>(row.element_size);
  out.compact_stride = static_cast<std::uint8_t>(row.compact_element_size);
  optional_field word = row.count;
  for (const packet_field& f : row.fields) {
    if (f.rule.values != value_set::present_flags) continue;
    word = f;
    out.noted = AEROGPU_PRESENT_FLAG_VSYNC;
  }
  if (word == nullptr) return out;
  const bool is_wide = word->type == field_type::u64;
  out.at = static_cast<std::uint8_t>(is_wide ? word->offset : word->offset - 4);
  out.shift = is_wide ? 0 : 32;
  return out;
}

/// Rows by kind: 0 for unknown opcodes, else 1 + row of the packet table.
[[nodiscard]] consteval auto make_framing_rows() noexcept {
  std::array<framing_row, packet_count + 1> rows{};
  rows[0].minimum_size = sizeof(aerogpu_cmd_hdr);
  rows[0].noted = 0xFF;
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

/// What is known of a packet after its check.
struct packet_check {
  bool is_framed;
  std::uint32_t kind;  ///< 0 unknown, else 1 + row.
  std::uint32_t size;  ///< Bytes of the packet.
  std::uint8_t noted;  ///< Of its row.
  std::uint64_t word;  ///< The payload count, or the flags of a present.
};

/// Whether a payload that is short in the documented form is whole in the second one.
[[nodiscard]] inline auto is_compact(const framing_row& row, std::uint64_t count,
                                     std::uint32_t room) noexcept -> bool {
  return row.compact_stride != 0 && count * row.compact_stride == room;  // 32 bits times 8
}

/// Checks the packet at `at`, of which `left` bytes remain in the stream. Every branch goes the
/// same way for well-formed packets of any type.
[[nodiscard]] inline auto check_packet(const std::byte* at, std::size_t left) noexcept
    -> packet_check {
  if (left < sizeof(aerogpu_cmd_hdr)) [[unlikely]]
    return {};
  const std::uint32_t size = packet_size(at);
  const std::uint32_t kind = packet_kind(at);
  const framing_row& row = framing_rows[kind];
  if (size < row.minimum_size || size > left || size % 4 != 0) [[unlikely]]
    return {};
  const std::uint64_t word = load<std::uint64_t>(at + row.at) >> row.shift;
  // The room is a multiple of 4, so whether it holds the payload does not depend on the padding.
  // No overflow: a u64 count has the stride 1, and every other count has 32 bits.
  if (word * row.stride > size - row.minimum_size) [[unlikely]] {
    if (!is_compact(row, word, size - row.minimum_size)) return {};
  }
  return {true, kind, size, row.noted, word};
}

static_assert([] {
  for (const packet_row& row : packet_table) {
    if (row.count == nullptr) continue;
    if (row.minimum_size != row.fixed_size) return false;  // The payload follows the struct.
    if (row.count->type == field_type::u64 && row.element_size != 1) return false;
  }
  return true;
}());

/// Why `check_packet` refused the packet at `at`; the slow way, in the order of wire.md 7.2.
[[nodiscard]] inline auto describe_misframed(const std::byte* at, std::size_t left,
                                             std::uint32_t offset) noexcept -> error {
  error why{error_code::framing,
            0,
            offset,
            left,
            sizeof(aerogpu_cmd_hdr),
            "the stream ends inside a packet header"};
  if (left < sizeof(aerogpu_cmd_hdr)) return why;
  const auto header = load<aerogpu_cmd_hdr>(at);
  const auto say = [&](const char* what, std::uint64_t limit) {
    return error{error_code::framing, header.opcode, offset, header.size_bytes, limit, what};
  };
  if (header.size_bytes < sizeof header) {
    return say("size_bytes is less than a packet header", sizeof header);
  }
  if (header.size_bytes % 4 != 0) return say("size_bytes is not a multiple of 4", 4);
  if (header.size_bytes > left) return say("size_bytes runs past the end of the stream", left);
  const packet_row* row = find_packet(header.opcode);
  if (row == nullptr) return {};
  if (header.size_bytes < row->minimum_size) {
    return say("size_bytes is less than the packet's minimum", row->minimum_size);
  }
  const framing_row f = framing_rows[kind_index(header.opcode)];
  return {error_code::framing,
          header.opcode,
          offset,
          load<std::uint64_t>(at + f.at) >> f.shift,
          f.stride == 0 ? 0 : (header.size_bytes - row->minimum_size) / f.stride,
          "the payload count is more than the packet holds"};
}

}  // namespace aerogpu::detail
