// SPDX-License-Identifier: MIT
/// \file Which textures SM4+ programs see under a shape that they declare. Textures of the protocol
/// have two dimensions.
#pragma once

#include "aerogpu/backend/objects.hpp"
#include "aerogpu/core/check.hpp"
#include "dxbc_to_spirv/compile.hpp"
#include "vulkan/resources/dummy_images.hpp"
#include "vulkan/resources/sampled_view.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

/// A shape of texture that programs name.
struct texture_shape_row {
  dxbc::image_dimension dimension;
  dummy_shape dummy;
  VkImageViewType view;      ///< Of textures that fit.
  std::uint32_t layer_step;  ///< Layers are a multiple of it; 0 = nothing can be bound.
  std::uint32_t most_layers;
};
inline constexpr std::uint32_t any_layers = UINT32_MAX;
inline constexpr std::array texture_shapes{
    texture_shape_row{dxbc::image_dimension::image_2d, dummy_shape::image_2d, VK_IMAGE_VIEW_TYPE_2D,
                      1, 1},
    texture_shape_row{dxbc::image_dimension::image_2d_array, dummy_shape::array_2d,
                      VK_IMAGE_VIEW_TYPE_2D_ARRAY, 1, any_layers},
    texture_shape_row{dxbc::image_dimension::cube, dummy_shape::cube, VK_IMAGE_VIEW_TYPE_CUBE,
                      cube_faces, cube_faces},
    texture_shape_row{dxbc::image_dimension::cube_array, dummy_shape::cube_array,
                      VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, cube_faces, any_layers},
    texture_shape_row{dxbc::image_dimension::image_3d, dummy_shape::volume, VK_IMAGE_VIEW_TYPE_3D,
                      0, 0},
    texture_shape_row{dxbc::image_dimension::image_1d, dummy_shape::image_1d, VK_IMAGE_VIEW_TYPE_1D,
                      0, 0},
    texture_shape_row{dxbc::image_dimension::image_1d_array, dummy_shape::array_1d,
                      VK_IMAGE_VIEW_TYPE_1D_ARRAY, 0, 0},
    texture_shape_row{dxbc::image_dimension::image_2d_multisampled, dummy_shape::multisampled,
                      VK_IMAGE_VIEW_TYPE_2D, 0, 0},
    texture_shape_row{dxbc::image_dimension::image_2d_multisampled_array,
                      dummy_shape::array_multisampled, VK_IMAGE_VIEW_TYPE_2D_ARRAY, 0, 0}};

[[nodiscard]] inline auto shape_of(dxbc::image_dimension dimension) noexcept
    -> const texture_shape_row& {
  const auto* const found =
      std::ranges::find(texture_shapes, dimension, &texture_shape_row::dimension);
  AEROGPU_CHECK(found != texture_shapes.end());
  return *found;
}

/// Whether such a range of a texture can be seen as this shape.
[[nodiscard]] constexpr auto fits(const texture_shape_row& shape, const texture_desc& desc,
                                  const texture_view_desc& range) noexcept -> bool {
  if (shape.layer_step == 0 || range.array_layer_count > shape.most_layers) return false;
  if (range.array_layer_count % shape.layer_step != 0) return false;
  return shape.layer_step == 1 || desc.width == desc.height;
}

}  // namespace aerogpu::vulkan
