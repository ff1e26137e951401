// SPDX-License-Identifier: MIT
/// \file Table rows of the packets for input layouts.
#pragma once

#include "aerogpu/abi/cmd_input_layout.h"
#include "aerogpu/stream/packet_traits.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

template <>
struct packet_traits<aerogpu_cmd_create_input_layout> : packet_with_bytes {
  using self = aerogpu_cmd_create_input_layout;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_CREATE_INPUT_LAYOUT;
  static constexpr std::string_view wire_name = "CREATE_INPUT_LAYOUT";
  static constexpr std::string_view summary =
      "Creates an input layout from an ILAY blob or a Direct3D 9 declaration.";
  static constexpr std::string_view details =
      "The blob is an ILAY when its first word is 0x59414C49, else a Direct3D 9 "
      "declaration with its end marker.";
  static constexpr std::uint32_t minimum_size = 20;
  static constexpr std::array fields{
      field("input_layout_handle", &self::input_layout_handle,
            creates(handle_space::input_layout).fatal("handle is zero")),
      field("blob_size_bytes", &self::blob_size_bytes, nonzero_count),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_destroy_input_layout> : packet_defaults {
  using self = aerogpu_cmd_destroy_input_layout;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_DESTROY_INPUT_LAYOUT;
  static constexpr std::string_view wire_name = "DESTROY_INPUT_LAYOUT";
  static constexpr std::string_view summary = "Drops an input layout.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::array fields{
      field("input_layout_handle", &self::input_layout_handle, drops(handle_space::input_layout)),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_input_layout> : packet_defaults {
  using self = aerogpu_cmd_set_input_layout;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_INPUT_LAYOUT;
  static constexpr std::string_view wire_name = "SET_INPUT_LAYOUT";
  static constexpr std::string_view summary = "Binds an input layout.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::array fields{
      field("input_layout_handle", &self::input_layout_handle, binds(handle_space::input_layout)),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

}  // namespace aerogpu
