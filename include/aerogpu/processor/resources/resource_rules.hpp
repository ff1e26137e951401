// SPDX-License-Identifier: MIT
/// \file What a buffer, a texture and a view may be; for packets and for snapshots.
#pragma once

#include "aerogpu/abi/cmd_resource.h"
#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/checked.hpp"
#include "aerogpu/core/ids.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/limits.hpp"
#include "aerogpu/memory/format.hpp"
#include "aerogpu/memory/texture_layout.hpp"

#include <cstdint>

namespace aerogpu {

/// Usages that a block-compressed texture cannot have (host.md 2.7).
inline constexpr std::uint32_t output_usages = AEROGPU_RESOURCE_USAGE_RENDER_TARGET |
                                               AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL |
                                               AEROGPU_RESOURCE_USAGE_SCANOUT;

/// Error: invalid_parameter.
[[nodiscard]] constexpr auto check_buffer_size(std::uint64_t size_bytes) noexcept -> result<void> {
  if (size_bytes == 0 || size_bytes % 4 != 0) {
    return make_error(error_code::invalid_parameter, "size_bytes is not a positive multiple of 4",
                      size_bytes, 4);
  }
  return {};
}

/// The layout of a texture, with the errors in host.md 2.12's order: invalid_parameter,
/// unsupported_format, invalid_parameter, size_overflow.
[[nodiscard]] constexpr auto plan_layout(const texture_shape& shape,
                                         std::uint32_t usage_flags) noexcept
    -> result<texture_layout> {
  const auto layout = texture_layout::create(shape);
  if (!layout && layout.why().code != error_code::size_overflow) return layout.why();
  if (find_format(shape.format)->is_block_compressed() && (usage_flags & output_usages) != 0) {
    return make_error(error_code::invalid_parameter,
                      "a block-compressed texture has an output usage",
                      usage_flags & output_usages);
  }
  if (!layout) return layout.why();
  return *layout;
}

/// Error: unsupported, for what the host's graphics API cannot hold.
[[nodiscard]] constexpr auto check_api_limits(const texture_shape& shape,
                                              const limits& most) noexcept -> result<void> {
  const auto unsupported = [](const char* what, std::uint64_t detail, std::uint64_t limit) {
    return make_error(error_code::unsupported, what, detail, limit);
  };
  if (shape.width > most.texture_dimension) {
    return unsupported("width exceeds the host's limit", shape.width, most.texture_dimension);
  }
  if (shape.height > most.texture_dimension) {
    return unsupported("height exceeds the host's limit", shape.height, most.texture_dimension);
  }
  if (shape.array_layers > most.array_layers) {
    return unsupported("array_layers exceeds the host's limit", shape.array_layers,
                       most.array_layers);
  }
  return {};
}

/// A view as CREATE_TEXTURE_VIEW describes it; untrusted until `check_view`.
struct view_shape {
  std::uint32_t format;  ///< aerogpu_format.
  std::uint32_t base_mip_level;
  std::uint32_t mip_level_count;
  std::uint32_t base_array_layer;
  std::uint32_t array_layer_count;
};

/// Ranges and format of a view of `texture` (host.md 2.9).
/// Errors: invalid_parameter, unsupported_format.
[[nodiscard]] constexpr auto check_view(const view_shape& view,
                                        const texture_layout& texture) noexcept -> result<void> {
  const texture_shape& shape = texture.shape();
  if (view.mip_level_count == 0 ||
      !range_fits(view.base_mip_level, view.mip_level_count, shape.mip_levels)) {
    return make_error(error_code::invalid_parameter, "the view's mip levels leave the texture",
                      std::uint64_t{view.base_mip_level} + view.mip_level_count, shape.mip_levels);
  }
  if (view.array_layer_count == 0 ||
      !range_fits(view.base_array_layer, view.array_layer_count, shape.array_layers)) {
    return make_error(error_code::invalid_parameter, "the view's layers leave the texture",
                      std::uint64_t{view.base_array_layer} + view.array_layer_count,
                      shape.array_layers);
  }
  const format_info* format = find_format(view.format);
  if (format == nullptr || !is_view_compatible(texture.format(), *format)) {
    return make_error(error_code::unsupported_format, "the view's format does not fit the texture",
                      view.format, shape.format);
  }
  return {};
}

/// What a backend is told about a texture whose layout is checked.
[[nodiscard]] constexpr auto desc_of(resource_handle name, std::uint32_t usage_flags,
                                     const texture_layout& layout) noexcept -> texture_desc {
  const texture_shape& shape = layout.shape();
  return {.name = name,
          .usage_flags = usage_flags,
          .format = static_cast<aerogpu_format>(shape.format),
          .width = shape.width,
          .height = shape.height,
          .mip_levels = shape.mip_levels,
          .array_layers = shape.array_layers};
}

/// What a backend is told about a view. Precondition: check_view.
[[nodiscard]] constexpr auto desc_of(resource_handle name, const view_shape& view) noexcept
    -> texture_view_desc {
  return {.name = name,
          .format = static_cast<aerogpu_format>(view.format),
          .base_mip_level = view.base_mip_level,
          .mip_level_count = view.mip_level_count,
          .base_array_layer = view.base_array_layer,
          .array_layer_count = view.array_layer_count};
}

}  // namespace aerogpu
