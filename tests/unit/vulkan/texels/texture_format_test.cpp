// SPDX-License-Identifier: MIT
// How each format of the wire lives on devices that have it, and on one that lacks it.
#include "vulkan/texels/texture_format.hpp"

#include "tests/catch.hpp"

#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

constexpr VkFormatFeatureFlags everything = ~VkFormatFeatureFlags{0};

/// While it lives, devices offer these features of every format but one.
struct described_device {
  described_device(VkFormatFeatureFlags features, bool has_bc) {
    offered = features;
    other = VK_FORMAT_UNDEFINED;
    device.features.compressed_bc = has_bc;
    vkGetPhysicalDeviceFormatProperties = [](VkPhysicalDevice, VkFormat format,
                                             VkFormatProperties* to) {
      *to = {};
      to->optimalTilingFeatures = format == other ? offered_of_other : offered;
    };
  }
  ~described_device() { vkGetPhysicalDeviceFormatProperties = real; }
  described_device(const described_device&) = delete;
  auto operator=(const described_device&) -> described_device& = delete;

  static inline VkFormatFeatureFlags offered = 0;
  static inline VkFormat other = VK_FORMAT_UNDEFINED;
  static inline VkFormatFeatureFlags offered_of_other = 0;
  PFN_vkGetPhysicalDeviceFormatProperties real = vkGetPhysicalDeviceFormatProperties;
  gpu device;
};

struct format_row {
  aerogpu_format wire;
  VkFormat native;
  VkFormat native_srgb;
  texel_path native_path;
  VkFormat other;  ///< On a device without the format.
  VkFormat other_srgb;
  texel_path other_path;
};

constexpr auto bgra = VK_FORMAT_B8G8R8A8_UNORM, bgra_srgb = VK_FORMAT_B8G8R8A8_SRGB;
constexpr auto rgba = VK_FORMAT_R8G8B8A8_UNORM, rgba_srgb = VK_FORMAT_R8G8B8A8_SRGB;
constexpr auto d24 = VK_FORMAT_D24_UNORM_S8_UINT, d32 = VK_FORMAT_D32_SFLOAT;
constexpr auto d32s8 = VK_FORMAT_D32_SFLOAT_S8_UINT;
constexpr auto r565 = VK_FORMAT_R5G6B5_UNORM_PACK16, r1555 = VK_FORMAT_A1R5G5B5_UNORM_PACK16;
constexpr auto bc1 = VK_FORMAT_BC1_RGBA_UNORM_BLOCK, bc1_srgb = VK_FORMAT_BC1_RGBA_SRGB_BLOCK;
constexpr auto bc7 = VK_FORMAT_BC7_UNORM_BLOCK, bc7_srgb = VK_FORMAT_BC7_SRGB_BLOCK;

// clang-format off
constexpr format_row rows[]{
    {AEROGPU_FORMAT_B8G8R8A8_UNORM, bgra, bgra_srgb, texel_path::direct, bgra, bgra_srgb, texel_path::direct},
    {AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, bgra, bgra_srgb, texel_path::direct, bgra, bgra_srgb, texel_path::direct},
    {AEROGPU_FORMAT_B8G8R8X8_UNORM, bgra, bgra_srgb, texel_path::opaque, bgra, bgra_srgb, texel_path::opaque},
    {AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB, rgba, rgba_srgb, texel_path::opaque, rgba, rgba_srgb, texel_path::opaque},
    {AEROGPU_FORMAT_B5G6R5_UNORM, r565, r565, texel_path::direct, rgba, rgba, texel_path::rgba_565},
    {AEROGPU_FORMAT_B5G5R5A1_UNORM, r1555, r1555, texel_path::direct, rgba, rgba, texel_path::rgba_1555},
    {AEROGPU_FORMAT_D24_UNORM_S8_UINT, d24, d24, texel_path::depth_24, d32s8, d32s8, texel_path::depth_24_as_float},
    {AEROGPU_FORMAT_D32_FLOAT, d32, d32, texel_path::direct, d32, d32, texel_path::direct},
    {AEROGPU_FORMAT_BC1_RGBA_UNORM, bc1, bc1_srgb, texel_path::direct, rgba, rgba_srgb, texel_path::rgba_blocks},
    {AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB, bc7, bc7_srgb, texel_path::direct, rgba, rgba_srgb, texel_path::rgba_blocks},
};
// clang-format on

}  // namespace

TEST_CASE("a format is the device's own where it has it, else what comes closest",
          "[vulkan][texels]") {
  const bool has_it = GENERATE(true, false);
  const described_device on{has_it ? everything : 0, has_it};
  const texture_formats formats{on.device, false};
  for (const format_row& row : rows) {
    const texture_format& plan = formats.of(row.wire);
    CAPTURE(row.wire, has_it);
    CHECK(plan.unorm == (has_it ? row.native : row.other));
    CHECK(plan.srgb == (has_it ? row.native_srgb : row.other_srgb));
    CHECK(plan.path == (has_it ? row.native_path : row.other_path));
    CHECK(plan.own() == (plan.wire->is_srgb ? plan.srgb : plan.unorm));
  }
}

TEST_CASE("a device can be treated as if it lacked the formats that some lack",
          "[vulkan][texels]") {
  const described_device on{everything, true};
  const texture_formats formats{on.device, true};
  for (const format_row& row : rows) {
    CAPTURE(row.wire);
    CHECK(formats.of(row.wire).path == row.other_path);
    CHECK(formats.of(row.wire).unorm == row.other);
  }
}

TEST_CASE("a format that lacks one feature is not the device's own", "[vulkan][texels]") {
  const auto [wire, lacks] = GENERATE(table<aerogpu_format, VkFormatFeatureFlags>({
      {AEROGPU_FORMAT_B5G6R5_UNORM, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT},
      {AEROGPU_FORMAT_B5G5R5A1_UNORM, VK_FORMAT_FEATURE_TRANSFER_SRC_BIT},
      {AEROGPU_FORMAT_BC1_RGBA_UNORM, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT},
      {AEROGPU_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_FEATURE_TRANSFER_DST_BIT},
  }));
  const described_device on{everything & ~lacks, true};
  CAPTURE(wire, lacks);
  const texel_path path = texture_formats{on.device, false}.of(wire).path;
  CHECK((path != texel_path::direct && path != texel_path::depth_24));
}

TEST_CASE("blocks need the device's feature beside the formats'", "[vulkan][texels]") {
  const described_device on{everything, false};
  CHECK(texture_formats{on.device, false}.of(AEROGPU_FORMAT_BC1_RGBA_UNORM).path ==
        texel_path::rgba_blocks);
}

TEST_CASE("blocks are no targets, and depth filters where the device says so", "[vulkan][texels]") {
  const described_device on{everything, true};
  const texture_formats rich{on.device, false};
  CHECK_FALSE(rich.of(AEROGPU_FORMAT_BC1_RGBA_UNORM).can_be_target);
  CHECK(rich.of(AEROGPU_FORMAT_B5G6R5_UNORM).can_be_target);
  CHECK(rich.of(AEROGPU_FORMAT_D24_UNORM_S8_UINT).can_be_target);
  CHECK(rich.of(AEROGPU_FORMAT_D32_FLOAT).can_filter);
  described_device::offered =
      everything & ~VkFormatFeatureFlags{VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT};
  CHECK_FALSE(texture_formats{on.device, false}.of(AEROGPU_FORMAT_D32_FLOAT).can_filter);
}

TEST_CASE("depth filters where the device does so in the format that stands in",
          "[vulkan][texels]") {
  constexpr VkFormatFeatureFlags filter = VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  const bool is_forced = GENERATE(false, true);
  const bool filters = GENERATE(false, true);
  const described_device on{filters ? everything : everything & ~filter, true};
  described_device::other = d24;
  described_device::offered_of_other = filters ? 0 : filter;
  if (is_forced) described_device::offered_of_other |= everything & ~filter;
  const texture_formats formats{on.device, is_forced};
  const texture_format& plan = formats.of(AEROGPU_FORMAT_D24_UNORM_S8_UINT);
  CAPTURE(is_forced, filters);
  CHECK(plan.unorm == d32s8);
  CHECK(plan.can_filter == filters);
}

TEST_CASE("an expanded texel takes four bytes on the device", "[vulkan][texels]") {
  const described_device on{0, false};
  const texture_formats poor{on.device, false};
  CHECK(poor.of(AEROGPU_FORMAT_B5G6R5_UNORM).image_bytes() == 4);
  CHECK(poor.of(AEROGPU_FORMAT_BC1_RGBA_UNORM).image_bytes() == 4);
  const described_device rich{everything, true};
  CHECK(texture_formats{rich.device, false}.of(AEROGPU_FORMAT_BC1_RGBA_UNORM).image_bytes() == 8);
}
