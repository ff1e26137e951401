// SPDX-License-Identifier: MIT
/// \file The packet table: every packet type, its row, and the way from an opcode to the row.
#pragma once

#include "aerogpu/stream/packets/binding.hpp"
#include "aerogpu/stream/packets/draw.hpp"
#include "aerogpu/stream/packets/housekeeping.hpp"
#include "aerogpu/stream/packets/input_assembler.hpp"
#include "aerogpu/stream/packets/input_layout.hpp"
#include "aerogpu/stream/packets/present.hpp"
#include "aerogpu/stream/packets/resource.hpp"
#include "aerogpu/stream/packets/shader.hpp"
#include "aerogpu/stream/packets/state.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace aerogpu {

template <wire_packet... P>
struct packet_type_list {
  static constexpr std::size_t size = sizeof...(P);
};

/// Every packet type, by rising opcode.
using packet_types = packet_type_list<
    nop_packet, debug_marker_packet, aerogpu_cmd_create_buffer, aerogpu_cmd_create_texture2d,
    aerogpu_cmd_destroy_resource, aerogpu_cmd_resource_dirty_range, aerogpu_cmd_upload_resource,
    aerogpu_cmd_copy_buffer, aerogpu_cmd_copy_texture2d, aerogpu_cmd_create_texture_view,
    aerogpu_cmd_destroy_texture_view, aerogpu_cmd_create_shader_dxbc, aerogpu_cmd_destroy_shader,
    aerogpu_cmd_bind_shaders, aerogpu_cmd_set_shader_constants_f, aerogpu_cmd_create_input_layout,
    aerogpu_cmd_destroy_input_layout, aerogpu_cmd_set_input_layout,
    aerogpu_cmd_set_shader_constants_i, aerogpu_cmd_set_shader_constants_b,
    aerogpu_cmd_set_blend_state, aerogpu_cmd_set_depth_stencil_state,
    aerogpu_cmd_set_rasterizer_state, aerogpu_cmd_set_render_targets, aerogpu_cmd_set_viewport,
    aerogpu_cmd_set_scissor, aerogpu_cmd_set_vertex_buffers, aerogpu_cmd_set_index_buffer,
    aerogpu_cmd_set_primitive_topology, aerogpu_cmd_set_texture, aerogpu_cmd_set_sampler_state,
    aerogpu_cmd_set_render_state, aerogpu_cmd_create_sampler, aerogpu_cmd_destroy_sampler,
    aerogpu_cmd_set_samplers, aerogpu_cmd_set_constant_buffers,
    aerogpu_cmd_set_shader_resource_buffers, aerogpu_cmd_set_unordered_access_buffers,
    aerogpu_cmd_clear, aerogpu_cmd_draw, aerogpu_cmd_draw_indexed, aerogpu_cmd_dispatch,
    aerogpu_cmd_present, aerogpu_cmd_present_ex, aerogpu_cmd_export_shared_surface,
    aerogpu_cmd_import_shared_surface, aerogpu_cmd_release_shared_surface, aerogpu_cmd_flush>;

inline constexpr std::size_t packet_count = packet_types::size;

/// A packet's traits at run time.
struct packet_row {
  std::uint32_t opcode = 0;
  std::uint32_t minimum_size = 0;  ///< Smallest packet a reader accepts, bytes.
  std::uint32_t fixed_size = 0;    ///< Bytes of the struct, and smallest packet a writer makes.
  std::uint32_t since_minor = 0;
  payload_kind payload = payload_kind::none;
  std::uint32_t element_size = 0;  ///< Bytes; 0 without a payload.
  std::string_view wire_name;      ///< "CREATE_TEXTURE2D".
  std::string_view name;           ///< "CreateTexture2D".
  std::string_view summary;        ///< One sentence.
  std::string_view details;        ///< Sentences on what the fields cannot say, or empty.
  std::span<const packet_field> fields;
  std::span<const packet_field> element_fields;
  optional_field count;                    ///< Field that counts the payload, or null.
  optional_field stage;                    ///< Base stage field, or null.
  optional_field stage_ex;                 ///< Its extension; alone it implies COMPUTE.
  std::uint32_t compact_element_size = 0;  ///< Of a second form that readers accept, or 0.
};

namespace detail {

template <wire_packet P>
[[nodiscard]] consteval auto make_row() noexcept -> packet_row {
  using traits = packet_traits<P>;
  static_assert(std::is_trivially_copyable_v<P> && alignof(P) <= alignof(std::uint32_t));
  static_assert(fields_tile(traits::fields, sizeof(aerogpu_cmd_hdr), sizeof(P)),
                "the rows of a packet cover its struct");
  static_assert(traits::minimum_size <= sizeof(P) && traits::minimum_size % 4 == 0);
  static_assert(sizeof(P) % 4 == 0);
  static_assert((count_field<P> != nullptr) == (traits::payload == payload_kind::bytes ||
                                                traits::payload == payload_kind::elements));
  static_assert(traits::compact_element_size == 0 ||
                (traits::payload == payload_kind::elements &&
                 traits::compact_element_size < element_size<P> &&
                 traits::compact_element_size % 4 == 0 && count_field<P>->type == field_type::u32 &&
                 traits::minimum_size == sizeof(P)));
  static_assert(traits::payload != payload_kind::elements ||
                fields_tile(traits::element_fields, 0, element_size<P>));
  return {traits::opcode,  traits::minimum_size, sizeof(P),         traits::since_minor,
          traits::payload, element_size<P>,      traits::wire_name, spoken_name<P>,
          traits::summary, traits::details,      traits::fields,    traits::element_fields,
          count_field<P>,  stage_field<P>,       stage_ex_field<P>, traits::compact_element_size};
}

template <wire_packet... P>
[[nodiscard]] consteval auto make_rows(packet_type_list<P...>) noexcept {
  return std::array{make_row<P>()...};
}

}  // namespace detail

/// The table, by rising opcode.
inline constexpr auto packet_table = detail::make_rows(packet_types{});

/// Opcodes below this are looked up; all others are unknown.
inline constexpr std::uint32_t opcode_limit = 0x800;

namespace detail {

/// opcode -> 1 + row, 0 = unknown.
[[nodiscard]] consteval auto make_opcode_index() noexcept {
  std::array<std::uint8_t, opcode_limit> index{};
  for (std::size_t i = 0; i < packet_table.size(); ++i) {
    index[packet_table[i].opcode] = static_cast<std::uint8_t>(i + 1);
  }
  return index;
}

inline constexpr auto opcode_index = make_opcode_index();

[[nodiscard]] consteval auto opcodes_rise() noexcept -> bool {
  for (std::size_t i = 1; i < packet_table.size(); ++i) {
    if (packet_table[i - 1].opcode >= packet_table[i].opcode) return false;
  }
  return packet_table.back().opcode < opcode_limit;
}
static_assert(opcodes_rise());
static_assert(packet_table.size() < 255);

/// 1 + row of `opcode`, or 0. One branch, which goes the same way for every known opcode.
[[nodiscard]] constexpr auto kind_index(std::uint32_t opcode) noexcept -> std::uint32_t {
  if (opcode >= opcode_limit) [[unlikely]]
    return 0;
  return opcode_index[opcode];
}

}  // namespace detail

/// Row of `opcode`, or null when this library does not know it. O(1).
[[nodiscard]] constexpr auto find_packet(std::uint32_t opcode) noexcept -> const packet_row* {
  const std::uint32_t kind = detail::kind_index(opcode);
  return kind == 0 ? nullptr : &packet_table[kind - 1];
}

/// Row of packet type `P`.
template <wire_packet P>
inline constexpr const packet_row& row_of_packet =
    packet_table[detail::kind_index(packet_traits<P>::opcode) - 1];

}  // namespace aerogpu
