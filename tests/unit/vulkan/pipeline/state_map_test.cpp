// SPDX-License-Identifier: MIT
// Which vertex format stands for a guest's, on devices that lack some.
#include "vulkan/pipeline/state_map.hpp"

#include "tests/catch.hpp"
#include "vulkan/device/gpu.hpp"

#include <utility>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

/// While it lives, devices read vertices of one format alone.
struct poor_device {
  explicit poor_device(VkFormat only) {
    known = only;
    vkGetPhysicalDeviceFormatProperties = [](VkPhysicalDevice, VkFormat format,
                                             VkFormatProperties* offered) {
      *offered = {};
      if (format == known) offered->bufferFeatures = VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT;
    };
  }
  ~poor_device() { vkGetPhysicalDeviceFormatProperties = real; }
  poor_device(const poor_device&) = delete;
  auto operator=(const poor_device&) -> poor_device& = delete;

  static inline VkFormat known = VK_FORMAT_UNDEFINED;
  PFN_vkGetPhysicalDeviceFormatProperties real = vkGetPhysicalDeviceFormatProperties;
  gpu device;
};

constexpr vertex_format udec3{vertex_type::uscaled10_10_10, 3, 4};

}  // namespace

TEST_CASE("a scaled vertex format is read as it is, or as integers", "[vulkan][vertices]") {
  const poor_device scaled{VK_FORMAT_A2B10G10R10_USCALED_PACK32};
  const auto as_is = vertex_format_of(udec3, scaled.device);
  CHECK(as_is.format == VK_FORMAT_A2B10G10R10_USCALED_PACK32);
  CHECK_FALSE(as_is.is_unsigned);
  const poor_device integers{VK_FORMAT_A2B10G10R10_UINT_PACK32};
  const auto converted = vertex_format_of(udec3, integers.device);
  CHECK(converted.format == VK_FORMAT_A2B10G10R10_UINT_PACK32);
  CHECK(converted.is_unsigned);
}

TEST_CASE("a vertex format of which the device reads nothing is none", "[vulkan][vertices]") {
  const poor_device nothing{VK_FORMAT_UNDEFINED};
  CHECK(vertex_format_of(udec3, nothing.device).format == VK_FORMAT_UNDEFINED);
}
