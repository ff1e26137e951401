// SPDX-License-Identifier: MIT
/// \file Table rows of the packets for vertex buffers, index buffer and topology.
#pragma once

#include "aerogpu/abi/cmd_input_assembler.h"
#include "aerogpu/stream/packet_traits.hpp"
#include "aerogpu/stream/slot_counts.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

template <>
struct packet_traits<aerogpu_cmd_set_vertex_buffers>
    : packet_with_elements<aerogpu_vertex_buffer_binding> {
  using self = aerogpu_cmd_set_vertex_buffers;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_VERTEX_BUFFERS;
  static constexpr std::string_view wire_name = "SET_VERTEX_BUFFERS";
  static constexpr std::string_view summary = "Binds a run of vertex buffers.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::array fields{
      field("start_slot", &self::start_slot, run_of_slots(vertex_buffer_slots)),
      field("buffer_count", &self::buffer_count, payload_count),
  };
  static constexpr std::array element_fields{
      field("buffer", &element::buffer, binds(handle_space::resource)),
      field("stride_bytes", &element::stride_bytes, number_of("bytes from one vertex to the next")),
      field("offset_bytes", &element::offset_bytes, number_of("bytes into the buffer")),
      field("reserved0", &element::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_index_buffer> : packet_defaults {
  using self = aerogpu_cmd_set_index_buffer;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_INDEX_BUFFER;
  static constexpr std::string_view wire_name = "SET_INDEX_BUFFER";
  static constexpr std::string_view summary = "Binds the index buffer.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("buffer", &self::buffer, binds(handle_space::resource).when_zero(zero_meaning::exempt)),
      field("format", &self::format,
            one_of(value_set::index_format).fatal("index format is unknown")),
      field("offset_bytes", &self::offset_bytes, number_of("bytes into the buffer")),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_primitive_topology> : packet_defaults {
  using self = aerogpu_cmd_set_primitive_topology;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_PRIMITIVE_TOPOLOGY;
  static constexpr std::string_view wire_name = "SET_PRIMITIVE_TOPOLOGY";
  static constexpr std::string_view summary = "Sets how vertices form primitives.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::array fields{
      field("topology", &self::topology,
            one_of(value_set::primitive_topology).fatal("topology is unknown")),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

}  // namespace aerogpu
