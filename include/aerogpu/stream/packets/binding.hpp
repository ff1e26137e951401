// SPDX-License-Identifier: MIT
/// \file Table rows of the packets that bind textures, samplers and buffer views, and of raw D3D9
/// states.
#pragma once

#include "aerogpu/abi/cmd_binding.h"
#include "aerogpu/stream/packet_traits.hpp"
#include "aerogpu/stream/slot_counts.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

template <>
struct packet_traits<aerogpu_cmd_set_texture> : packet_defaults {
  using self = aerogpu_cmd_set_texture;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_TEXTURE;
  static constexpr std::string_view wire_name = "SET_TEXTURE";
  static constexpr std::string_view summary = "Binds one texture, view or buffer for reading.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("shader_stage", &self::shader_stage, base_stage.fatal()),
      field("slot", &self::slot, single_slot(shader_resource_slots)),
      field("texture", &self::texture, binds(handle_space::resource)),
      field("reserved0", &self::reserved0, extended_stage),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_sampler_state> : packet_defaults {
  using self = aerogpu_cmd_set_sampler_state;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_SAMPLER_STATE;
  static constexpr std::string_view wire_name = "SET_SAMPLER_STATE";
  static constexpr std::string_view summary = "Sets a raw D3DSAMP state.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("shader_stage", &self::shader_stage, base_stage),
      field("slot", &self::slot),
      field("state", &self::state, number_of("number of the state in Direct3D 9")),
      field("value", &self::value, foreign_bits.with("value of Direct3D 9")),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_render_state> : packet_defaults {
  using self = aerogpu_cmd_set_render_state;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_RENDER_STATE;
  static constexpr std::string_view wire_name = "SET_RENDER_STATE";
  static constexpr std::string_view summary = "Sets a raw D3DRS state.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::array fields{
      field("state", &self::state, number_of("number of the state in Direct3D 9")),
      field("value", &self::value, foreign_bits.with("value of Direct3D 9")),
  };
};

template <>
struct packet_traits<aerogpu_cmd_create_sampler> : packet_defaults {
  using self = aerogpu_cmd_create_sampler;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_CREATE_SAMPLER;
  static constexpr std::string_view wire_name = "CREATE_SAMPLER";
  static constexpr std::string_view summary = "Creates or replaces a sampler.";
  static constexpr std::uint32_t minimum_size = 28;
  static constexpr std::array fields{
      field("sampler_handle", &self::sampler_handle, creates(handle_space::sampler).fatal()),
      field("filter", &self::filter, one_of(value_set::sampler_filter).fatal("filter is unknown")),
      field("address_u", &self::address_u,
            one_of(value_set::sampler_address_mode).fatal("an address mode is unknown")),
      field("address_v", &self::address_v,
            one_of(value_set::sampler_address_mode).fatal("an address mode is unknown")),
      field("address_w", &self::address_w,
            one_of(value_set::sampler_address_mode).fatal("an address mode is unknown")),
  };
};

template <>
struct packet_traits<aerogpu_cmd_destroy_sampler> : packet_defaults {
  using self = aerogpu_cmd_destroy_sampler;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_DESTROY_SAMPLER;
  static constexpr std::string_view wire_name = "DESTROY_SAMPLER";
  static constexpr std::string_view summary = "Drops a sampler.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::array fields{
      field("sampler_handle", &self::sampler_handle, drops(handle_space::sampler)),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_samplers> : packet_with_elements<aerogpu_handle_t> {
  using self = aerogpu_cmd_set_samplers;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_SAMPLERS;
  static constexpr std::string_view wire_name = "SET_SAMPLERS";
  static constexpr std::string_view summary = "Binds a run of samplers.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("shader_stage", &self::shader_stage, base_stage.fatal()),
      field("start_slot", &self::start_slot, run_of_slots(sampler_slots)),
      field("sampler_count", &self::sampler_count, payload_count),
      field("reserved0", &self::reserved0, extended_stage),
  };
  static constexpr std::array element_fields{
      element_of(field_type::u32, 1, binds(handle_space::sampler)),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_constant_buffers>
    : packet_with_elements<aerogpu_constant_buffer_binding> {
  using self = aerogpu_cmd_set_constant_buffers;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_CONSTANT_BUFFERS;
  static constexpr std::string_view wire_name = "SET_CONSTANT_BUFFERS";
  static constexpr std::string_view summary = "Binds a run of constant buffers.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("shader_stage", &self::shader_stage, base_stage.fatal()),
      field("start_slot", &self::start_slot, run_of_slots(constant_buffer_slots)),
      field("buffer_count", &self::buffer_count, payload_count),
      field("reserved0", &self::reserved0, extended_stage),
  };
  static constexpr std::array element_fields{
      field("buffer", &element::buffer, binds(handle_space::resource)),
      field("offset_bytes", &element::offset_bytes, number_of("bytes into the buffer")),
      field("size_bytes", &element::size_bytes, number_of("bytes, 0 = to the end of the buffer")),
      field("reserved0", &element::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_shader_resource_buffers>
    : packet_with_elements<aerogpu_shader_resource_buffer_binding> {
  using self = aerogpu_cmd_set_shader_resource_buffers;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_SHADER_RESOURCE_BUFFERS;
  static constexpr std::string_view wire_name = "SET_SHADER_RESOURCE_BUFFERS";
  static constexpr std::string_view summary = "Binds a run of buffers for reading.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("shader_stage", &self::shader_stage, base_stage.fatal()),
      field("start_slot", &self::start_slot, run_of_slots(shader_resource_slots)),
      field("buffer_count", &self::buffer_count, payload_count),
      field("reserved0", &self::reserved0, extended_stage),
  };
  static constexpr std::array element_fields{
      field("buffer", &element::buffer, binds(handle_space::resource)),
      field("offset_bytes", &element::offset_bytes, number_of("bytes into the buffer")),
      field("size_bytes", &element::size_bytes, number_of("bytes, 0 = to the end of the buffer")),
      field("reserved0", &element::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_set_unordered_access_buffers>
    : packet_with_elements<aerogpu_unordered_access_buffer_binding> {
  using self = aerogpu_cmd_set_unordered_access_buffers;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_SET_UNORDERED_ACCESS_BUFFERS;
  static constexpr std::string_view wire_name = "SET_UNORDERED_ACCESS_BUFFERS";
  static constexpr std::string_view summary = "Binds a run of buffers for reading and writing.";
  static constexpr std::uint32_t minimum_size = 24;
  static constexpr std::array fields{
      field("shader_stage", &self::shader_stage,
            stage_among("the stage has no unordered access slots", shader_stage::compute,
                        shader_stage::geometry, shader_stage::hull, shader_stage::domain)),
      field("start_slot", &self::start_slot, run_of_slots(unordered_access_slots)),
      field("uav_count", &self::uav_count, payload_count),
      field("reserved0", &self::reserved0, extended_stage),
  };
  static constexpr std::array element_fields{
      field("buffer", &element::buffer, binds(handle_space::resource)),
      field("offset_bytes", &element::offset_bytes, number_of("bytes into the buffer")),
      field("size_bytes", &element::size_bytes, number_of("bytes")),
      field("initial_count", &element::initial_count,
            foreign_bits.with("append or consume counter, 0xFFFFFFFF keeps it")),
  };
};

}  // namespace aerogpu
