// SPDX-License-Identifier: MIT
/// \file Table rows of the packets that present and that share surfaces.
#pragma once

#include "aerogpu/abi/cmd_present.h"
#include "aerogpu/stream/packet_traits.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

template <>
struct packet_traits<aerogpu_cmd_present> : packet_defaults {
  using self = aerogpu_cmd_present;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_PRESENT;
  static constexpr std::string_view wire_name = "PRESENT";
  static constexpr std::string_view summary = "Shows the scanout as its registers say.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr bool presents = true;
  static constexpr std::array fields{
      field("scanout_id", &self::scanout_id, number_of("only 0 is shown")),
      field("flags", &self::flags, flags_of(value_set::present_flags)),
  };
};

template <>
struct packet_traits<aerogpu_cmd_present_ex> : packet_defaults {
  using self = aerogpu_cmd_present_ex;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_PRESENT_EX;
  static constexpr std::string_view wire_name = "PRESENT_EX";
  static constexpr std::string_view summary = "PRESENT with the flags of Direct3D 9Ex.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr bool presents = true;
  static constexpr std::array fields{
      field("scanout_id", &self::scanout_id, number_of("only 0 is shown")),
      field("flags", &self::flags, flags_of(value_set::present_flags)),
      field("d3d9_present_flags", &self::d3d9_present_flags,
            foreign_bits.with("dwFlags of PresentEx")),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_export_shared_surface> : packet_defaults {
  using self = aerogpu_cmd_export_shared_surface;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_EXPORT_SHARED_SURFACE;
  static constexpr std::string_view wire_name = "EXPORT_SHARED_SURFACE";
  static constexpr std::string_view summary = "Publishes a texture under a token.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("resource_handle", &self::resource_handle, needs(handle_space::resource)),
      field("reserved0", &self::reserved0, written_as_zero),
      field("share_token", &self::share_token, token(1)),
  };
};

template <>
struct packet_traits<aerogpu_cmd_import_shared_surface> : packet_defaults {
  using self = aerogpu_cmd_import_shared_surface;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_IMPORT_SHARED_SURFACE;
  static constexpr std::string_view wire_name = "IMPORT_SHARED_SURFACE";
  static constexpr std::string_view summary = "Makes another handle of a published texture.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("out_resource_handle", &self::out_resource_handle, creates(handle_space::resource)),
      field("reserved0", &self::reserved0, written_as_zero),
      field("share_token", &self::share_token, token(1)),
  };
};

template <>
struct packet_traits<aerogpu_cmd_release_shared_surface> : packet_defaults {
  using self = aerogpu_cmd_release_shared_surface;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_RELEASE_SHARED_SURFACE;
  static constexpr std::string_view wire_name = "RELEASE_SHARED_SURFACE";
  static constexpr std::string_view summary =
      "Retires a token for ever; unknown tokens are ignored.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("share_token", &self::share_token, token(0)),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

}  // namespace aerogpu
