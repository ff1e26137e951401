// SPDX-License-Identifier: MIT
/// \file The blobs of CREATE_INPUT_LAYOUT: ILAY and Direct3D 9 declarations, in and out (wire.md
/// 11).
#pragma once

#include "aerogpu/abi/cmd_input_layout.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/stream/field.hpp"
#include "aerogpu/stream/packed_array.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aerogpu {

/// An element of a Direct3D 9 vertex declaration, as D3DVERTEXELEMENT9.
struct d3d9_vertex_element {
  std::uint16_t stream;
  std::uint16_t offset_bytes;
  std::uint8_t type;  ///< D3DDECLTYPE; 17 = unused.
  std::uint8_t method;
  std::uint8_t usage;  ///< D3DDECLUSAGE.
  std::uint8_t usage_index;
};
static_assert(sizeof(d3d9_vertex_element) == 8);

inline constexpr std::uint16_t d3d9_end_stream = 0xFF;  ///< Stream of the end marker.
inline constexpr std::uint8_t d3d9_unused_type = 17;
inline constexpr d3d9_vertex_element d3d9_end_element{
    d3d9_end_stream, 0, d3d9_unused_type, 0, 0, 0};

inline constexpr std::uint32_t d3d9_streams = 16;   ///< Streams 0..15 exist.
inline constexpr std::uint32_t d3d9_elements = 64;  ///< Before the end marker: MAXD3DDECLLENGTH.
inline constexpr std::uint32_t ilay_elements = 32;  ///< Most elements of a layout, as in D3D11.
inline constexpr std::uint32_t ilay_slots = 32;     ///< Vertex buffer slots.
inline constexpr std::uint32_t ilay_append =
    0xFFFFFFFF;  ///< `aligned_byte_offset`: after the last.

enum class input_layout_kind : std::uint8_t { ilay, d3d9_declaration };

/// Rows of the elements, as in the packet table.
struct ilay_element_rows : field_vocabulary {
  using self = aerogpu_input_layout_element_dxgi;
  static constexpr std::array fields{
      field("semantic_name_hash", &self::semantic_name_hash, foreign_bits),
      field("semantic_index", &self::semantic_index),
      field("dxgi_format", &self::dxgi_format),
      field("input_slot", &self::input_slot),
      field("aligned_byte_offset", &self::aligned_byte_offset),
      field("input_slot_class", &self::input_slot_class),
      field("instance_data_step_rate", &self::instance_data_step_rate),
  };
};
struct d3d9_element_rows : field_vocabulary {
  using self = d3d9_vertex_element;
  static constexpr std::array fields{
      field("stream", &self::stream), field("offset_bytes", &self::offset_bytes),
      field("type", &self::type),     field("method", &self::method),
      field("usage", &self::usage),   field("usage_index", &self::usage_index),
  };
};

/// A blob that passed the create-time checks of host.md 3.4, as a view of its elements.
struct input_layout_blob {
  input_layout_kind kind = input_layout_kind::ilay;
  packed_array<aerogpu_input_layout_element_dxgi> ilay;  ///< Empty for a declaration.
  packed_array<d3d9_vertex_element> d3d9;  ///< Without end marker; unused elements are in it.
};

namespace detail {

[[nodiscard]] inline auto layout_error(const char* what, std::uint64_t value,
                                       std::uint64_t limit) noexcept -> error {
  return make_error(error_code::invalid_parameter, what, value, limit);
}

[[nodiscard]] inline auto parse_ilay_blob(const_bytes blob) noexcept -> result<input_layout_blob> {
  using header = aerogpu_input_layout_blob_header;
  if (blob.size() < sizeof(header)) {
    return layout_error("the ILAY blob is smaller than its header", blob.size(), sizeof(header));
  }
  const auto h = load<header>(blob.data());
  if (h.version != AEROGPU_INPUT_LAYOUT_BLOB_VERSION) {
    return layout_error("version of the ILAY blob is unknown", h.version,
                        AEROGPU_INPUT_LAYOUT_BLOB_VERSION);
  }
  if (h.element_count > ilay_elements) {
    return layout_error("element_count is more than a layout holds", h.element_count,
                        ilay_elements);
  }
  const const_bytes rest = blob.subspan(sizeof(header));
  const std::size_t size = h.element_count * sizeof(aerogpu_input_layout_element_dxgi);
  if (size > rest.size()) {
    return layout_error("element_count is more than the ILAY blob holds", h.element_count,
                        rest.size() / sizeof(aerogpu_input_layout_element_dxgi));
  }
  const packed_array<aerogpu_input_layout_element_dxgi> elements{rest.first(size)};
  for (const auto& element : elements) {
    if (element.input_slot >= ilay_slots) {
      return layout_error("input_slot does not exist", element.input_slot, ilay_slots - 1);
    }
  }
  return input_layout_blob{input_layout_kind::ilay, elements, {}};
}

[[nodiscard]] inline auto parse_d3d9_declaration(const_bytes blob) noexcept
    -> result<input_layout_blob> {
  if (blob.size() % sizeof(d3d9_vertex_element) != 0) {
    return layout_error("the vertex declaration is not made of whole elements", blob.size(),
                        sizeof(d3d9_vertex_element));
  }
  const packed_array<d3d9_vertex_element> all{blob};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const d3d9_vertex_element element = all[i];
    if (element.stream == d3d9_end_stream) {
      const const_bytes used = blob.first(i * sizeof element);
      return input_layout_blob{
          input_layout_kind::d3d9_declaration, {}, packed_array<d3d9_vertex_element>{used}};
    }
    if (i == d3d9_elements) {
      return layout_error("the vertex declaration has too many elements", all.size(),
                          d3d9_elements);
    }
    if (element.type != d3d9_unused_type && element.stream >= d3d9_streams) {
      return layout_error("stream does not exist", element.stream, d3d9_streams - 1);
    }
  }
  return layout_error("the vertex declaration has no end marker", all.size(), 0);
}

}  // namespace detail

/// Checks a blob as CREATE_INPUT_LAYOUT does (host.md 3.4): the first word tells the kinds apart.
/// Bytes behind the last element are ignored. The bytes outlive the view.
/// Errors: invalid_parameter.
[[nodiscard]] inline auto parse_input_layout_blob(const_bytes blob) noexcept
    -> result<input_layout_blob> {
  const bool is_ilay = blob.size() >= sizeof(std::uint32_t) &&
                       load<std::uint32_t>(blob.data()) == AEROGPU_INPUT_LAYOUT_BLOB_MAGIC;
  return is_ilay ? detail::parse_ilay_blob(blob) : detail::parse_d3d9_declaration(blob);
}

/// Bytes of an ILAY blob of `count` elements.
[[nodiscard]] constexpr auto ilay_blob_size(std::size_t count) noexcept -> std::size_t {
  return sizeof(aerogpu_input_layout_blob_header) +
         count * sizeof(aerogpu_input_layout_element_dxgi);
}

/// Bytes of a declaration of `count` elements and its end marker.
[[nodiscard]] constexpr auto d3d9_declaration_size(std::size_t count) noexcept -> std::size_t {
  return (count + 1) * sizeof(d3d9_vertex_element);
}

/// Writes an ILAY blob of `elements` to the front of `to`; the written bytes come back.
/// Errors: no_space; invalid_parameter for what `parse_input_layout_blob` refuses.
[[nodiscard]] inline auto write_ilay_blob(
    std::span<const aerogpu_input_layout_element_dxgi> elements, mutable_bytes to) noexcept
    -> result<const_bytes> {
  if (elements.size() > ilay_elements) {
    return detail::layout_error("a layout has too many elements", elements.size(), ilay_elements);
  }
  const std::size_t size = ilay_blob_size(elements.size());
  if (size > to.size()) {
    return make_error(error_code::no_space, "the ILAY blob does not fit", size, to.size());
  }
  store(to.data(), aerogpu_input_layout_blob_header{
                       AEROGPU_INPUT_LAYOUT_BLOB_MAGIC, AEROGPU_INPUT_LAYOUT_BLOB_VERSION,
                       static_cast<std::uint32_t>(elements.size()), 0});
  copy_bytes(to.subspan(sizeof(aerogpu_input_layout_blob_header),
                        size - sizeof(aerogpu_input_layout_blob_header)),
             std::as_bytes(elements));
  const const_bytes blob = to.first(size);
  const auto parsed = detail::parse_ilay_blob(blob);
  if (!parsed) return parsed.why();
  return blob;
}

/// Writes a declaration of `elements`, which come without end marker, to the front of `to`.
/// Errors: as `write_ilay_blob`.
[[nodiscard]] inline auto write_d3d9_declaration(std::span<const d3d9_vertex_element> elements,
                                                 mutable_bytes to) noexcept -> result<const_bytes> {
  const std::size_t size = elements.size_bytes() + sizeof d3d9_end_element;
  if (size > to.size()) {
    return make_error(error_code::no_space, "the vertex declaration does not fit", size, to.size());
  }
  copy_bytes(to.first(elements.size_bytes()), std::as_bytes(elements));
  store(to.data() + elements.size_bytes(), d3d9_end_element);
  const const_bytes blob = to.first(size);
  const auto parsed = detail::parse_d3d9_declaration(blob);
  if (!parsed) return parsed.why();
  if (parsed->d3d9.size() != elements.size()) {
    return detail::layout_error("an element before the last is an end marker", parsed->d3d9.size(),
                                elements.size());
  }
  return blob;
}

}  // namespace aerogpu
