// SPDX-License-Identifier: MIT
/// \file Which vertex bytes feed which shader input: a layout matched with a vertex shader.
#pragma once

#include "aerogpu/backend/input_layout.hpp"
#include "aerogpu/backend/pipeline_state.hpp"
#include "aerogpu/core/fixed_vector.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/shader/shader_inputs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aerogpu {

/// One input register with the element that feeds it.
struct vertex_attribute {
  std::uint8_t register_index = 0;
  std::uint8_t slot = 0;
  bool per_instance = false;
  vertex_format format;
  std::uint32_t offset_bytes = 0;
  std::uint32_t step_rate = 0;  ///< With per_instance; 0 = one element for all instances.
};

/// A layout as one vertex shader sees it. Inputs without an attribute read zero.
struct vertex_fetch {
  input_layout_kind kind = input_layout_kind::ilay;
  fixed_vector<vertex_attribute, vertex_input_limit> attributes;
  std::uint32_t slots = 0;  ///< Bit for each slot that an attribute reads.
  /// End of the furthest element of each slot, bytes from the start of a vertex.
  std::array<std::uint32_t, vertex_buffer_slots> ends{};
};

namespace detail {

/// The element that feeds `input`. Of a declaration the first match wins; ILAY allows one only.
[[nodiscard]] inline auto find_element(const input_layout& layout,
                                       const vertex_input& input) noexcept
    -> result<const layout_element*> {
  const auto elements = layout.elements.view();
  if (!input.has_semantic) {
    return input.register_index < elements.size() ? &elements[input.register_index] : nullptr;
  }
  const layout_element* found = nullptr;
  for (const layout_element& element : elements) {
    if (element.semantic != input.semantic) continue;
    if (found != nullptr) {
      return make_error(error_code::invalid_parameter, "two elements feed one shader input",
                        input.register_index);
    }
    found = &element;
    if (layout.kind == input_layout_kind::d3d9_declaration) break;
  }
  return found;
}

}  // namespace detail

/// Matches a layout with a vertex shader's inputs (host.md 3.4). Elements that the shader does not
/// read are left out, their faults with them.
/// Errors: unsupported_format, invalid_parameter.
[[nodiscard]] inline auto resolve_vertex_fetch(const input_layout& layout,
                                               std::span<const vertex_input> inputs) noexcept
    -> result<vertex_fetch> {
  vertex_fetch fetch;
  fetch.kind = layout.kind;
  for (const vertex_input& input : inputs) {
    const auto found = detail::find_element(layout, input);
    if (!found) return found.why();
    const layout_element* element = *found;
    if (element == nullptr) continue;
    if (element->fault != layout_fault::none) return describe(element->fault, element->slot);
    fetch.slots |= 1u << element->slot;
    std::uint32_t& end = fetch.ends[element->slot];
    end = std::max(end, element->offset_bytes + element->format.size_bytes);
    AEROGPU_CHECK(
        fetch.attributes.push_back({input.register_index, element->slot, element->per_instance,
                                    element->format, element->offset_bytes, element->step_rate}));
  }
  return fetch;
}

}  // namespace aerogpu
