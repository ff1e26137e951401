/// \file Input layouts: an ILAY blob or a D3D9 declaration as elements with places (host.md 3.4).
#pragma once

#include "aerogpu/abi/cmd_input_layout.h"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/processor/heap_array.hpp"
#include "aerogpu/processor/pipeline_state.hpp"
#include "aerogpu/processor/shader_inputs.hpp"
#include "aerogpu/processor/vertex_format.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

/// What is wrong with an element; reported by a draw whose vertex shader reads it.
enum class layout_fault : std::uint8_t {
  none,
  unknown_format,
  unaligned_offset,
  unknown_class,
  mixed_classes,
  offset_too_large,
};

/// One element of a layout.
struct layout_element {
  vertex_semantic semantic;
  std::uint32_t offset_bytes = 0;
  std::uint32_t step_rate = 0;  ///< Instances for each step; 0 = one element for all of them.
  vertex_format format;
  std::uint8_t slot = 0;
  bool per_instance = false;
  layout_fault fault = layout_fault::none;
};

inline constexpr std::uint32_t ilay_element_limit = 32;
inline constexpr std::uint32_t d3d9_element_limit = 64;  ///< MAXD3DDECLLENGTH.
inline constexpr std::uint32_t d3d9_stream_limit = 16;

enum class layout_kind : std::uint8_t { ilay, d3d9_declaration };

struct input_layout {
  layout_kind kind = layout_kind::ilay;
  heap_array<layout_element> elements;
  std::size_t blob_size_bytes = 0;  ///< Of the blob; what follows has no meaning.
};

/// A fault as the error of a draw; `slot` is its detail.
[[nodiscard]] constexpr auto describe(layout_fault fault, std::uint32_t slot) noexcept -> error {
  constexpr std::array texts{
      "the element is sound",
      "dxgi_format is not a vertex format",
      "aligned_byte_offset is not a multiple of 4",
      "input_slot_class is neither vertex nor instance",
      "elements of one slot differ in input_slot_class",
      "aligned_byte_offset leaves no room for the element",
  };
  const auto code = fault == layout_fault::unknown_format ? error_code::unsupported_format
                                                          : error_code::invalid_parameter;
  return make_error(code, texts[static_cast<std::size_t>(fault)], slot);
}

namespace detail {

[[nodiscard]] constexpr auto bad_blob(const char* what, std::uint64_t value,
                                      std::uint64_t limit) noexcept -> error {
  return make_error(error_code::invalid_parameter, what, value, limit);
}

[[nodiscard]] constexpr auto no_layout_memory() noexcept -> error {
  return make_error(error_code::out_of_memory, "host memory for an input layout is exhausted");
}

/// What the elements of one slot have in common so far.
struct ilay_slot {
  std::uint64_t end_bytes = 0;  ///< Where an appended element goes, before alignment.
  std::uint32_t input_class = 0;
  bool is_used = false;
  bool has_unknown_end = false;  ///< An element of unknown size came before.
};

inline constexpr std::uint32_t append_aligned = 0xFFFFFFFF;

/// The first rule of host.md 3.4 that the element breaks.
[[nodiscard]] constexpr auto find_fault(const aerogpu_input_layout_element_dxgi& from,
                                        const ilay_slot& slot, vertex_format format,
                                        std::uint64_t offset) noexcept -> layout_fault {
  const bool appends = from.aligned_byte_offset == append_aligned;
  if (!format || (appends && slot.has_unknown_end)) return layout_fault::unknown_format;
  if (offset % 4 != 0) return layout_fault::unaligned_offset;
  if (from.input_slot_class > 1) return layout_fault::unknown_class;
  if (slot.is_used && slot.input_class != from.input_slot_class) return layout_fault::mixed_classes;
  if (!range_fits(offset, format.size_bytes, UINT32_MAX)) return layout_fault::offset_too_large;
  return layout_fault::none;
}

[[nodiscard]] constexpr auto place_element(const aerogpu_input_layout_element_dxgi& from,
                                           ilay_slot& slot) noexcept -> layout_element {
  const vertex_format format = vertex_format_of_dxgi(from.dxgi_format);
  const bool appends = from.aligned_byte_offset == append_aligned;
  const std::uint64_t offset = appends ? align4(slot.end_bytes) : from.aligned_byte_offset;
  const layout_fault fault = find_fault(from, slot, format, offset);
  slot.end_bytes = offset + format.size_bytes;
  slot.has_unknown_end = !format || (appends && slot.has_unknown_end);
  if (!std::exchange(slot.is_used, true)) slot.input_class = from.input_slot_class;
  return {.semantic = {from.semantic_name_hash, from.semantic_index},
          .offset_bytes = static_cast<std::uint32_t>(offset),
          .step_rate = from.instance_data_step_rate,
          .format = format,
          .slot = static_cast<std::uint8_t>(from.input_slot),
          .per_instance = from.input_slot_class == 1,
          .fault = fault};
}

[[nodiscard]] inline auto parse_ilay(const_bytes blob) noexcept -> result<input_layout> {
  using header = aerogpu_input_layout_blob_header;
  using element = aerogpu_input_layout_element_dxgi;
  if (blob.size() < sizeof(header)) {
    return bad_blob("the ILAY blob is smaller than its header", blob.size(), sizeof(header));
  }
  const auto h = load<header>(blob.data());
  if (h.version != AEROGPU_INPUT_LAYOUT_BLOB_VERSION) {
    return bad_blob("version of the ILAY blob is unknown", h.version,
                    AEROGPU_INPUT_LAYOUT_BLOB_VERSION);
  }
  if (h.element_count > ilay_element_limit) {
    return bad_blob("element_count exceeds its limit", h.element_count, ilay_element_limit);
  }
  const std::size_t needed = sizeof(header) + sizeof(element) * std::size_t{h.element_count};
  if (blob.size() < needed) return bad_blob("the ILAY blob cuts its elements", blob.size(), needed);
  input_layout layout;
  layout.blob_size_bytes = needed;
  if (!layout.elements.resize(h.element_count)) return no_layout_memory();
  std::array<ilay_slot, vertex_buffer_slots> slots{};
  for (std::size_t i = 0; i < h.element_count; ++i) {
    const auto e = load<element>(blob.data() + sizeof(header) + i * sizeof(element));
    if (e.input_slot >= slots.size()) {
      return bad_blob("input_slot exceeds its limit", e.input_slot, slots.size());
    }
    layout.elements[i] = place_element(e, slots[e.input_slot]);
  }
  return layout;
}

/// D3DVERTEXELEMENT9.
struct d3d9_element {
  std::uint16_t stream, offset;
  std::uint8_t type, method, usage, usage_index;
};
static_assert(sizeof(d3d9_element) == 8);

inline constexpr std::uint16_t d3d9_end_stream = 0xFF;
inline constexpr std::uint8_t d3d9_unused_type = 17;

/// Elements before the end marker, which must be there.
[[nodiscard]] inline auto count_declaration(const_bytes blob) noexcept -> result<std::size_t> {
  if (blob.size() % sizeof(d3d9_element) != 0) {
    return bad_blob("the declaration is not a multiple of its element size", blob.size(),
                    sizeof(d3d9_element));
  }
  for (std::size_t i = 0; i < blob.size() / sizeof(d3d9_element); ++i) {
    const auto e = load<d3d9_element>(blob.data() + i * sizeof(d3d9_element));
    if (e.stream == d3d9_end_stream) return i;
    if (i == d3d9_element_limit) {
      return bad_blob("the declaration has too many elements", i + 1, d3d9_element_limit);
    }
    if (e.stream >= d3d9_stream_limit) {
      return bad_blob("stream of the declaration exceeds its limit", e.stream, d3d9_stream_limit);
    }
  }
  return bad_blob("the declaration has no end marker", blob.size(), 0);
}

[[nodiscard]] inline auto parse_declaration(const_bytes blob) noexcept -> result<input_layout> {
  const auto count = count_declaration(blob);
  if (!count) return count.why();
  input_layout layout;
  layout.kind = layout_kind::d3d9_declaration;
  layout.blob_size_bytes = (*count + 1) * sizeof(d3d9_element);
  if (!layout.elements.resize(*count)) return no_layout_memory();
  std::size_t used = 0;
  for (std::size_t i = 0; i < *count; ++i) {
    const auto e = load<d3d9_element>(blob.data() + i * sizeof(d3d9_element));
    if (e.type == d3d9_unused_type) continue;
    layout.elements[used++] = {.semantic = semantic_of_d3d9(e.usage, e.usage_index),
                               .offset_bytes = e.offset,
                               .format = vertex_format_of_d3d9(e.type),
                               .slot = static_cast<std::uint8_t>(e.stream)};
  }
  if (!layout.elements.resize(used)) return no_layout_memory();
  return layout;
}

}  // namespace detail

/// Parses the blob of CREATE_INPUT_LAYOUT; its first dword tells the kinds apart.
/// Errors: invalid_parameter for what host.md 3.4 checks at creation; out_of_memory.
[[nodiscard]] inline auto parse_input_layout(const_bytes blob) noexcept -> result<input_layout> {
  const bool is_ilay = blob.size() >= sizeof(std::uint32_t) &&
                       load<std::uint32_t>(blob.data()) == AEROGPU_INPUT_LAYOUT_BLOB_MAGIC;
  return is_ilay ? detail::parse_ilay(blob) : detail::parse_declaration(blob);
}

}  // namespace aerogpu
