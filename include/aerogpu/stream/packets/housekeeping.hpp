// SPDX-License-Identifier: MIT
/// \file Table rows of the packets that do nothing and of FLUSH.
#pragma once

#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/stream/packet_traits.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

template <>
struct packet_traits<nop_packet> : packet_defaults {
  using self = nop_packet;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_NOP;
  static constexpr std::string_view wire_name = "NOP";
  static constexpr std::string_view summary = "Does nothing; filler of any legal size.";
  static constexpr std::uint32_t minimum_size = 8;
  static constexpr std::array<packet_field, 0> fields{};
};

template <>
struct packet_traits<debug_marker_packet> : packet_defaults {
  using self = debug_marker_packet;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_DEBUG_MARKER;
  static constexpr std::string_view wire_name = "DEBUG_MARKER";
  static constexpr std::string_view summary = "Text for logs and captures; no effect.";
  static constexpr std::string_view details =
      "The text is UTF-8 by convention and not checked; trailing zeros are padding.";
  static constexpr std::uint32_t minimum_size = 8;
  static constexpr payload_kind payload = payload_kind::text;
  static constexpr std::array<packet_field, 0> fields{};
};

template <>
struct packet_traits<aerogpu_cmd_flush> : packet_defaults {
  using self = aerogpu_cmd_flush;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_FLUSH;
  static constexpr std::string_view wire_name = "FLUSH";
  static constexpr std::string_view summary = "Asks that everything before it is started now.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::array fields{
      field("reserved0", &self::reserved0, written_as_zero),
      field("reserved1", &self::reserved1, written_as_zero),
  };
};

}  // namespace aerogpu
