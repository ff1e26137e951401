// SPDX-License-Identifier: MIT
/// \file Table rows of the packets that create, fill, copy and destroy resources.
#pragma once

#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/stream/packet_traits.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace aerogpu {

template <>
struct packet_traits<aerogpu_cmd_create_buffer> : packet_defaults {
  using self = aerogpu_cmd_create_buffer;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_CREATE_BUFFER;
  static constexpr std::string_view wire_name = "CREATE_BUFFER";
  static constexpr std::string_view summary =
      "Creates a buffer, or moves the backing of an equal one.";
  static constexpr std::uint32_t minimum_size = 40;
  static constexpr std::array fields{
      field("buffer_handle", &self::buffer_handle, creates(handle_space::resource).fatal()),
      field("usage_flags", &self::usage_flags, flags_of(value_set::resource_usage)),
      field("size_bytes", &self::size_bytes, nonzero_word_multiple),
      field("backing_alloc_id", &self::backing_alloc_id, allocation),
      field("backing_offset_bytes", &self::backing_offset_bytes,
            number_of("bytes into the allocation")),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_create_texture2d> : packet_defaults {
  using self = aerogpu_cmd_create_texture2d;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_CREATE_TEXTURE2D;
  static constexpr std::string_view wire_name = "CREATE_TEXTURE2D";
  static constexpr std::string_view summary =
      "Creates a 2D texture or array, or moves the backing of an equal one.";
  static constexpr std::uint32_t minimum_size = 56;
  static constexpr std::array fields{
      field("texture_handle", &self::texture_handle, creates(handle_space::resource).fatal()),
      field("usage_flags", &self::usage_flags, flags_of(value_set::resource_usage)),
      field("format", &self::format, one_of(value_set::format)),
      field("width", &self::width, at_least(1).with("texels")),
      field("height", &self::height, at_least(1).with("texels")),
      field("mip_levels", &self::mip_levels, at_least(1)),
      field("array_layers", &self::array_layers, at_least(1)),
      field("row_pitch_bytes", &self::row_pitch_bytes,
            number_of("bytes from one row of mip 0 to the next; not 0 with an allocation")),
      field("backing_alloc_id", &self::backing_alloc_id, allocation),
      field("backing_offset_bytes", &self::backing_offset_bytes,
            number_of("bytes into the allocation")),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_destroy_resource> : packet_defaults {
  using self = aerogpu_cmd_destroy_resource;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_DESTROY_RESOURCE;
  static constexpr std::string_view wire_name = "DESTROY_RESOURCE";
  static constexpr std::string_view summary =
      "Drops a handle; the surface lives until its last handle goes.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::array fields{
      field("resource_handle", &self::resource_handle, drops(handle_space::resource)),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_resource_dirty_range> : packet_defaults {
  using self = aerogpu_cmd_resource_dirty_range;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_RESOURCE_DIRTY_RANGE;
  static constexpr std::string_view wire_name = "RESOURCE_DIRTY_RANGE";
  static constexpr std::string_view summary =
      "The guest CPU changed these bytes of a guest-backed resource.";
  static constexpr std::uint32_t minimum_size = 32;
  static constexpr table_need table = always_needed;  // Only the host knows what its resource is.
  static constexpr std::array fields{
      field("resource_handle", &self::resource_handle, needs(handle_space::resource)),
      field("reserved0", &self::reserved0, written_as_zero),
      field("offset_bytes", &self::offset_bytes, number_of("bytes from the start of the resource")),
      field("size_bytes", &self::size_bytes),
  };
};

template <>
struct packet_traits<aerogpu_cmd_upload_resource> : packet_with_bytes {
  using self = aerogpu_cmd_upload_resource;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_UPLOAD_RESOURCE;
  static constexpr std::string_view wire_name = "UPLOAD_RESOURCE";
  static constexpr std::string_view summary = "Writes inline bytes into a resource.";
  static constexpr std::string_view details =
      "Buffers take offsets and sizes in multiples of 4. Of a texture the offset counts "
      "through its layout in guest memory. 0 bytes do nothing.";
  static constexpr std::uint32_t minimum_size = 32;
  static constexpr std::array fields{
      field("resource_handle", &self::resource_handle, needs(handle_space::resource)),
      field("reserved0", &self::reserved0, written_as_zero),
      field("offset_bytes", &self::offset_bytes, number_of("bytes from the start of the resource")),
      field("size_bytes", &self::size_bytes, payload_count.when_zero(zero_meaning::no_op)),
  };
};

template <>
struct packet_traits<aerogpu_cmd_copy_buffer> : packet_defaults {
  using self = aerogpu_cmd_copy_buffer;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_COPY_BUFFER;
  static constexpr std::string_view wire_name = "COPY_BUFFER";
  static constexpr std::string_view summary = "Copies a range of one buffer to another.";
  static constexpr std::uint32_t minimum_size = 48;
  static constexpr std::uint32_t since_minor = 1;
  static constexpr table_need table = needed_with(&self::flags, AEROGPU_COPY_FLAG_WRITEBACK_DST);
  static constexpr std::array fields{
      field("dst_buffer", &self::dst_buffer, needs(handle_space::resource)),
      field("src_buffer", &self::src_buffer, needs(handle_space::resource)),
      field("dst_offset_bytes", &self::dst_offset_bytes, word_multiple.with("bytes")),
      field("src_offset_bytes", &self::src_offset_bytes, word_multiple.with("bytes")),
      field("size_bytes", &self::size_bytes, word_multiple.when_zero(zero_meaning::no_op)),
      field("flags", &self::flags,
            only_flags_of(value_set::copy_flags).fatal("copy flags are unknown")),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_copy_texture2d> : packet_defaults {
  using self = aerogpu_cmd_copy_texture2d;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_COPY_TEXTURE2D;
  static constexpr std::string_view wire_name = "COPY_TEXTURE2D";
  static constexpr std::string_view summary =
      "Copies a rectangle between two subresources of one format.";
  static constexpr std::uint32_t minimum_size = 64;
  static constexpr std::uint32_t since_minor = 1;
  static constexpr table_need table = needed_with(&self::flags, AEROGPU_COPY_FLAG_WRITEBACK_DST);
  static constexpr std::array fields{
      field("dst_texture", &self::dst_texture, needs(handle_space::resource)),
      field("src_texture", &self::src_texture, needs(handle_space::resource)),
      field("dst_mip_level", &self::dst_mip_level),
      field("dst_array_layer", &self::dst_array_layer),
      field("src_mip_level", &self::src_mip_level),
      field("src_array_layer", &self::src_array_layer),
      field("dst_x", &self::dst_x, number_of("texels")),
      field("dst_y", &self::dst_y, number_of("texels")),
      field("src_x", &self::src_x, number_of("texels")),
      field("src_y", &self::src_y, number_of("texels")),
      field("width", &self::width, number_of("texels").when_zero(zero_meaning::no_op)),
      field("height", &self::height, number_of("texels").when_zero(zero_meaning::no_op)),
      field("flags", &self::flags,
            only_flags_of(value_set::copy_flags).fatal("copy flags are unknown")),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_create_texture_view> : packet_defaults {
  using self = aerogpu_cmd_create_texture_view;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_CREATE_TEXTURE_VIEW;
  static constexpr std::string_view wire_name = "CREATE_TEXTURE_VIEW";
  static constexpr std::string_view summary =
      "Names a range of mips and layers of a texture, in a compatible format.";
  static constexpr std::uint32_t minimum_size = 44;
  static constexpr std::uint32_t since_minor = 4;
  static constexpr std::array fields{
      field("view_handle", &self::view_handle, creates(handle_space::resource).fatal()),
      field("texture_handle", &self::texture_handle, needs(handle_space::resource)),
      field("format", &self::format, one_of(value_set::format)),
      field("base_mip_level", &self::base_mip_level, number_of("first mip")),
      field("mip_level_count", &self::mip_level_count, at_least(1)),
      field("base_array_layer", &self::base_array_layer, number_of("first layer")),
      field("array_layer_count", &self::array_layer_count, at_least(1)),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

template <>
struct packet_traits<aerogpu_cmd_destroy_texture_view> : packet_defaults {
  using self = aerogpu_cmd_destroy_texture_view;
  static constexpr std::uint32_t opcode = AEROGPU_CMD_DESTROY_TEXTURE_VIEW;
  static constexpr std::string_view wire_name = "DESTROY_TEXTURE_VIEW";
  static constexpr std::string_view summary = "Drops a view.";
  static constexpr std::uint32_t minimum_size = 16;
  static constexpr std::uint32_t since_minor = 4;
  static constexpr std::array fields{
      field("view_handle", &self::view_handle, drops(handle_space::resource)),
      field("reserved0", &self::reserved0, written_as_zero),
  };
};

}  // namespace aerogpu
