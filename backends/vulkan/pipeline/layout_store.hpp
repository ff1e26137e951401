// SPDX-License-Identifier: MIT
/// \file Input layouts of the guest: what the processor does not resolve.
#pragma once

#include "aerogpu/stream/input_layout_blob.hpp"
#include "vulkan/memory/record_list.hpp"
#include "vulkan/programs/draw_programs.hpp"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace aerogpu::vulkan {

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

class layout_store {
 public:
  /// Errors: out_of_memory.
  [[nodiscard]] auto create(const input_layout_desc& desc) noexcept -> result<layout_record*> {
    return add_record(layouts_, make_record<layout_record>(input_layout_desc{desc.name, {}},
                                                           has_transformed_position(desc.blob)));
  }
  void destroy(layout_record* layout) { remove_record(layouts_, layout); }
  [[nodiscard]] auto live_objects() const noexcept -> std::size_t { return layouts_.size(); }

 private:
  record_list<layout_record> layouts_;
};

}  // namespace aerogpu::vulkan
