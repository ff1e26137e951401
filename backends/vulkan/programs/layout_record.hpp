// SPDX-License-Identifier: MIT
/// \file Input layouts of the guest: what the processor does not resolve.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/stream/input_layout_blob.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu::vulkan {

/// What an input layout handle names.
struct layout_record {
  input_layout_desc desc{};
  bool has_transformed_position = false;  ///< POSITIONT: the driver placed the vertices itself.
  std::size_t place = 0;
};

/// Whether a declaration's vertices are placed by the driver (shaders.md 2.1).
[[nodiscard]] inline auto has_transformed_position(const_bytes blob) noexcept -> bool {
  constexpr std::uint8_t positiont = 9;
  const auto parsed = parse_input_layout_blob(blob);
  if (!parsed || parsed->kind == input_layout_kind::ilay) return false;
  for (const d3d9_vertex_element element : parsed->d3d9) {
    if (element.usage == positiont) return true;
  }
  return false;
}

}  // namespace aerogpu::vulkan
