// SPDX-License-Identifier: MIT
/// \file Input layouts: an ILAY blob or a D3D9 declaration as elements with places (host.md 3.4).
#pragma once

#include "aerogpu/abi/cmd_input_layout.h"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/backend/vertex_format.hpp"
#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "aerogpu/shader/shader_inputs.hpp"
#include "aerogpu/stream/input_layout_blob.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace aerogpu {

static_assert(ilay_slots == vertex_buffer_slots);

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

struct input_layout {
  input_layout_kind kind = input_layout_kind::ilay;
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

/// The first rule of host.md 3.4 that the element breaks.
[[nodiscard]] constexpr auto find_fault(const aerogpu_input_layout_element_dxgi& from,
                                        const ilay_slot& slot, vertex_format format,
                                        std::uint64_t offset) noexcept -> layout_fault {
  const bool appends = from.aligned_byte_offset == ilay_append;
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
  const bool appends = from.aligned_byte_offset == ilay_append;
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

[[nodiscard]] inline auto place_elements(packed_array<aerogpu_input_layout_element_dxgi> from,
                                         input_layout& layout) noexcept -> result<void> {
  if (!layout.elements.resize(from.size())) return no_layout_memory();
  std::array<ilay_slot, ilay_slots> slots{};
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto element = from[i];
    layout.elements[i] = place_element(element, slots[element.input_slot]);
  }
  return {};
}

[[nodiscard]] inline auto place_elements(packed_array<d3d9_vertex_element> from,
                                         input_layout& layout) noexcept -> result<void> {
  if (!layout.elements.resize(from.size())) return no_layout_memory();
  std::size_t used = 0;
  for (const d3d9_vertex_element element : from) {
    if (element.type == d3d9_unused_type) continue;
    layout.elements[used++] = {.semantic = semantic_of_d3d9(element.usage, element.usage_index),
                               .offset_bytes = element.offset_bytes,
                               .format = vertex_format_of_d3d9(element.type),
                               .slot = static_cast<std::uint8_t>(element.stream)};
  }
  if (!layout.elements.resize(used)) return no_layout_memory();
  return {};
}

}  // namespace detail

/// Parses the blob of CREATE_INPUT_LAYOUT; its first dword tells the kinds apart.
/// Errors: invalid_parameter for what host.md 3.4 checks at creation; out_of_memory.
[[nodiscard]] inline auto parse_input_layout(const_bytes blob) noexcept -> result<input_layout> {
  const auto parsed = parse_input_layout_blob(blob);
  if (!parsed) return parsed.why();
  const bool is_ilay = parsed->kind == input_layout_kind::ilay;
  input_layout layout;
  layout.kind = parsed->kind;
  layout.blob_size_bytes =
      is_ilay ? ilay_blob_size(parsed->ilay.size()) : d3d9_declaration_size(parsed->d3d9.size());
  const auto placed = is_ilay ? detail::place_elements(parsed->ilay, layout)
                              : detail::place_elements(parsed->d3d9, layout);
  if (!placed) return placed.why();
  return layout;
}

}  // namespace aerogpu
