// SPDX-License-Identifier: MIT
// Rows of the wire as rectangles of an image, and large ones in strips.
#include "vulkan/resources/transfer_strips.hpp"

#include "aerogpu/memory/format.hpp"
#include "tests/catch.hpp"
#include "vulkan/resources/resource_objects.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

constexpr subresource mip_0{};

/// An image, ten texels high, that no device knows.
struct known_image {
  known_image(aerogpu_format wire, std::uint32_t width, texel_path path = texel_path::direct)
      : record(*tight_layout({resource_handle{1}, 0, wire, width, 10, 1, 1})) {
    format.wire = find_format(wire);
    format.path = path;
    record.format = &format;
  }
  texture_format format;
  image_record record;
};

struct color_image : known_image {
  color_image() : known_image(AEROGPU_FORMAT_R8G8B8A8_UNORM, 20) {}
};
/// BC1: 5x3 blocks.
struct block_image : known_image {
  explicit block_image(texel_path path = texel_path::direct)
      : known_image(AEROGPU_FORMAT_BC1_RGBA_UNORM, 18, path) {}
};

/// First row and count of each strip.
using strips = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

auto strips_of(const image_record& image, const texture_rows& rows, std::size_t most_bytes)
    -> strips {
  strips made;
  REQUIRE(for_each_strip(image, rows, most_bytes, [&](const texture_rows& strip) -> result<void> {
    made.emplace_back(strip.first_row, strip.row_count);
    return {};
  }));
  return made;
}

}  // namespace

TEST_CASE("vulkan::texture_region: bytes of rows are texels of an image",
          "[vulkan][texture_region]") {
  const color_image image;
  const texture_region region =
      region_of(image.record, rows_of(image.record.layout, mip_0, {3, 4, 5, 6}));
  CHECK(region.x == 3);
  CHECK(region.y == 4);
  CHECK(region.width == 5);
  CHECK(region.height == 6);
  CHECK(region.texels() == 30);
}

TEST_CASE("vulkan::texture_region: a texel that rows cut belongs to them",
          "[vulkan][texture_region]") {
  const color_image image;
  texture_rows rows = rows_of(image.record.layout, mip_0, {3, 4, 5, 6});
  CHECK_FALSE(cuts_texels(image.record, rows));
  rows.first_byte += 3;
  CHECK(cuts_texels(image.record, rows));
  CHECK(region_of(image.record, rows).x == 3);
  CHECK(region_of(image.record, rows).width == 6);
  rows.row_size_bytes = 1;
  CHECK(region_of(image.record, rows).width == 1);
}

TEST_CASE("vulkan::texture_region: blocks at the edge end with the image",
          "[vulkan][texture_region]") {
  const block_image image;
  const texture_region whole = region_of(image.record, rows_of(image.record.layout, mip_0));
  CHECK(whole.columns == 5);
  CHECK(whole.rows == 3);
  CHECK(whole.width == 18);
  CHECK(whole.height == 10);
  const texture_region corner =
      region_of(image.record, rows_of(image.record.layout, mip_0, {16, 8, 2, 2}));
  CHECK(corner.x == 16);
  CHECK(corner.y == 8);
  CHECK(corner.width == 2);
  CHECK(corner.height == 2);
}

TEST_CASE("vulkan::transfer_strips: a row takes what the device's form of it takes",
          "[vulkan][transfer_strips]") {
  const auto bytes = [](const known_image& image) {
    return staged_row_bytes(image.record, rows_of(image.record.layout, mip_0));
  };
  CHECK(bytes(color_image{}) == 20 * 4);
  CHECK(bytes(block_image{}) == 5 * 8);
  CHECK(bytes(block_image{texel_path::rgba_blocks}) == 18 * 4 * 4);  // Four rows of texels.
  color_image deep;
  deep.format.aspects = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  CHECK(bytes(deep) == 20 * 5);
}

TEST_CASE("vulkan::transfer_strips: strips are as high as their bytes allow, and one row at least",
          "[vulkan][transfer_strips]") {
  const color_image image;  // 80 bytes a row.
  const texture_rows rows = rows_of(image.record.layout, mip_0, {0, 2, 20, 7});
  CHECK(strips_of(image.record, rows, 560) == strips{{2, 7}});
  CHECK(strips_of(image.record, rows, 559) == strips{{2, 6}, {8, 1}});
  CHECK(strips_of(image.record, rows, 240) == strips{{2, 3}, {5, 3}, {8, 1}});
  CHECK(strips_of(image.record, rows, 1).size() == 7);
  texture_rows none = rows;
  none.row_count = 0;
  CHECK(strips_of(image.record, none, 1).empty());
}

TEST_CASE("vulkan::transfer_strips: the first error ends a transfer", "[vulkan][transfer_strips]") {
  const color_image image;
  int calls = 0;
  const auto moved = for_each_strip(
      image.record, rows_of(image.record.layout, mip_0), 80, [&](const texture_rows&) {
        ++calls;
        return result<void>{make_error(error_code::out_of_memory, "refused by a test")};
      });
  REQUIRE_FALSE(moved);
  CHECK(moved.why().code == error_code::out_of_memory);
  CHECK(calls == 1);
}

TEST_CASE("vulkan::transfer_strips: a copy goes in whole rows of blocks, the last as high as it is",
          "[vulkan][transfer_strips]") {
  const block_image image;
  const texture_copy whole{.destination = mip_0,
                           .source = mip_0,
                           .destination_x = 0,
                           .destination_y = 0,
                           .source_x = 0,
                           .source_y = 4,
                           .width = 18,
                           .height = 10};
  std::vector<texture_copy> parts;
  REQUIRE(for_each_strip(image.record, whole, 40, [&](const texture_copy& part) -> result<void> {
    parts.push_back(part);
    return {};
  }));
  REQUIRE(parts.size() == 3);
  CHECK(parts[1].destination_y == 4);
  CHECK(parts[1].source_y == 8);
  CHECK(parts[1].height == 4);
  CHECK(parts[2].destination_y == 8);
  CHECK(parts[2].source_y == 12);
  CHECK(parts[2].height == 2);
}
