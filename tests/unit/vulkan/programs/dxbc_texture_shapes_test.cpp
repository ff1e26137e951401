// SPDX-License-Identifier: MIT
// Which textures a program of SM4+ sees under a shape that it declares.
#include "vulkan/programs/dxbc_texture_shapes.hpp"

#include "tests/catch.hpp"

using namespace aerogpu;
using namespace aerogpu::vulkan;
using dxbc::image_dimension;

namespace {

auto is_seen(image_dimension as, std::uint32_t width, std::uint32_t height, std::uint32_t layers)
    -> bool {
  texture_desc desc{};
  desc.width = width;
  desc.height = height;
  texture_view_desc range{};
  range.array_layer_count = layers;
  return fits(shape_of(as), desc, range);
}

}  // namespace

TEST_CASE("texture shapes: the view and the texture for nothing are of the shape that is declared",
          "[vulkan][shapes]") {
  struct row {
    image_dimension declared;
    VkImageViewType view;
    dummy_shape nothing;
  };
  const row r = GENERATE(values<row>({
      {image_dimension::image_1d, VK_IMAGE_VIEW_TYPE_1D, dummy_shape::image_1d},
      {image_dimension::image_1d_array, VK_IMAGE_VIEW_TYPE_1D_ARRAY, dummy_shape::array_1d},
      {image_dimension::image_2d, VK_IMAGE_VIEW_TYPE_2D, dummy_shape::image_2d},
      {image_dimension::image_2d_array, VK_IMAGE_VIEW_TYPE_2D_ARRAY, dummy_shape::array_2d},
      {image_dimension::image_2d_multisampled, VK_IMAGE_VIEW_TYPE_2D, dummy_shape::multisampled},
      {image_dimension::image_2d_multisampled_array, VK_IMAGE_VIEW_TYPE_2D_ARRAY,
       dummy_shape::array_multisampled},
      {image_dimension::image_3d, VK_IMAGE_VIEW_TYPE_3D, dummy_shape::volume},
      {image_dimension::cube, VK_IMAGE_VIEW_TYPE_CUBE, dummy_shape::cube},
      {image_dimension::cube_array, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, dummy_shape::cube_array},
  }));
  CAPTURE(static_cast<int>(r.declared));
  CHECK(shape_of(r.declared).view == r.view);
  CHECK(shape_of(r.declared).dummy == r.nothing);
}

TEST_CASE("texture shapes: a texture is seen where its layers make up the shape",
          "[vulkan][shapes]") {
  using in = image_dimension;
  struct row {
    in declared;
    std::uint32_t width, height, layers;
    bool is_seen;
  };
  const row r = GENERATE(values<row>({
      {in::image_2d, 8, 4, 1, true},
      {in::image_2d, 8, 4, 2, false},
      {in::image_2d_array, 8, 4, 1, true},
      {in::image_2d_array, 8, 4, 5, true},
      {in::cube, 8, 8, 6, true},
      {in::cube, 8, 4, 6, false},  // Faces are squares.
      {in::cube, 8, 8, 5, false},
      {in::cube, 8, 8, 12, false},
      {in::cube_array, 8, 8, 6, true},
      {in::cube_array, 8, 8, 12, true},
      {in::cube_array, 8, 8, 7, false},
      {in::cube_array, 4, 8, 12, false},
  }));
  CAPTURE(static_cast<int>(r.declared), r.width, r.height, r.layers);
  CHECK(is_seen(r.declared, r.width, r.height, r.layers) == r.is_seen);
}

TEST_CASE("texture shapes: no texture of the protocol is a line, a volume or multisampled",
          "[vulkan][shapes]") {
  const auto declared = GENERATE(image_dimension::image_1d, image_dimension::image_1d_array,
                                 image_dimension::image_3d, image_dimension::image_2d_multisampled,
                                 image_dimension::image_2d_multisampled_array);
  CHECK_FALSE(is_seen(declared, 1, 1, 1));
}
