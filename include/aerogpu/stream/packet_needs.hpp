// SPDX-License-Identifier: MIT
/// \file What a packet asks of the submission that carries it: an allocation table, the present
/// flag.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/stream/packet_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace aerogpu {

/// Bytes of a packet's start that the functions below look at.
inline constexpr std::uint32_t packet_needs_bytes = 64;

namespace detail {

/// What the row of `P` says, or its allocation field.
template <wire_packet P>
[[nodiscard]] consteval auto table_need_of() noexcept -> table_need {
  if (packet_traits<P>::table.mask != 0) return packet_traits<P>::table;
  const optional_field allocation = find_role(packet_traits<P>::fields, field_role::allocation);
  return allocation == nullptr ? table_need{} : table_need{allocation->offset, UINT32_MAX};
}

struct opcode_need {
  std::uint32_t opcode;
  table_need need;
};

/// The packets that may need a table. Apart from the packet table, whose texts a kernel driver can
/// do without.
template <wire_packet... P>
[[nodiscard]] consteval auto make_table_needs(packet_type_list<P...>) noexcept {
  constexpr std::size_t count = (std::size_t{0} + ... + (table_need_of<P>().mask != 0 ? 1 : 0));
  std::array<opcode_need, count> needs{};
  std::size_t i = 0;
  for (const opcode_need one : {opcode_need{packet_traits<P>::opcode, table_need_of<P>()}...}) {
    if (one.need.mask != 0) needs[i++] = one;
  }
  return needs;
}

inline constexpr auto table_needs = make_table_needs(packet_types{});
static_assert([] {
  for (const opcode_need& one : table_needs) {
    if (one.need.offset + sizeof(std::uint32_t) > packet_needs_bytes) return false;
  }
  return true;
}());

}  // namespace detail

/// Whether the packet names guest memory, so that its submission needs a table (kmd.md 3.6). `head`
/// is the packet's start, header included: all of it or at least `packet_needs_bytes`. A packet
/// that ends before the field does not need one.
[[nodiscard]] inline auto needs_alloc_table(const_bytes head) noexcept -> bool {
  if (head.size() < sizeof(aerogpu_cmd_hdr)) return false;
  const auto opcode = load<std::uint32_t>(head.data());
  for (const auto& [known, need] : detail::table_needs) {
    if (known != opcode) continue;
    if (head.size() < need.offset + sizeof(std::uint32_t)) return false;
    return (load<std::uint32_t>(head.data() + need.offset) & need.mask) != 0;
  }
  return false;
}

/// Whether the packet presents: its submission then carries AEROGPU_SUBMIT_FLAG_PRESENT.
[[nodiscard]] constexpr auto presents(std::uint32_t opcode) noexcept -> bool {
  return [opcode]<wire_packet... P>(packet_type_list<P...>) {
    return ((packet_traits<P>::presents && packet_traits<P>::opcode == opcode) || ...);
  }
  (packet_types{});
}

}  // namespace aerogpu
