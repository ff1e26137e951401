// SPDX-License-Identifier: MIT
#include "vulkan/device/gpu_features.hpp"

#include "vulkan/device/instance.hpp"

#include <array>

namespace aerogpu::vulkan {

namespace {

using feature_field = auto(*)(feature_chain&) -> VkBool32&;

template <auto Member>
auto core(feature_chain& chain) -> VkBool32& {
  return chain.core.features.*Member;
}

template <auto Structure, auto Member>
auto in(feature_chain& chain) -> VkBool32& {
  return (chain.*Structure).*Member;
}

using chain = feature_chain;
using features_10 = VkPhysicalDeviceFeatures;
using features_11 = VkPhysicalDeviceVulkan11Features;
using features_12 = VkPhysicalDeviceVulkan12Features;
using features_13 = VkPhysicalDeviceVulkan13Features;
using robustness_features = VkPhysicalDeviceRobustness2FeaturesEXT;
using border_features = VkPhysicalDeviceCustomBorderColorFeaturesEXT;
using divisor_features = VkPhysicalDeviceVertexAttributeDivisorFeaturesEXT;
using clip_features = VkPhysicalDeviceDepthClipEnableFeaturesEXT;
using line_features = VkPhysicalDeviceLineRasterizationFeaturesEXT;
using portability_features = VkPhysicalDevicePortabilitySubsetFeaturesKHR;

struct required_feature {
  feature_field field;
  const char* lack;
};

constexpr std::array required_features{
    required_feature{core<&features_10::independentBlend>, "the device lacks independentBlend"},
    required_feature{in<&chain::v12, &features_12::timelineSemaphore>,
                     "the device lacks timelineSemaphore"},
    required_feature{in<&chain::v13, &features_13::dynamicRendering>,
                     "the device lacks dynamicRendering"},
    required_feature{in<&chain::v13, &features_13::synchronization2>,
                     "the device lacks synchronization2"},
    required_feature{in<&chain::v13, &features_13::shaderDemoteToHelperInvocation>,
                     "the device lacks shaderDemoteToHelperInvocation"},
};

/// Without these, what a shader reads and writes out of range is up to the driver. They are enabled
/// wherever they exist; a device without them is used only on demand.
constexpr std::array safety_features{
    required_feature{core<&features_10::robustBufferAccess>,
                     "the device lacks robustBufferAccess, so that a guest's shaders could reach "
                     "memory of others"},
    required_feature{in<&chain::v13, &features_13::robustImageAccess>,
                     "the device lacks robustImageAccess, so that a guest's shaders could reach "
                     "memory of others"},
};

/// One feature that is enabled where it exists. A member of `gpu_features` is true when each of the
/// rows that name it is.
struct optional_feature {
  feature_field field;
  bool gpu_features::*told = nullptr;
};

constexpr std::array optional_features{
    optional_feature{in<&chain::robustness, &robustness_features::robustBufferAccess2>,
                     &gpu_features::robust_buffer_access_2},
    optional_feature{in<&chain::robustness, &robustness_features::robustImageAccess2>,
                     &gpu_features::robust_image_access_2},
    optional_feature{in<&chain::robustness, &robustness_features::nullDescriptor>,
                     &gpu_features::null_descriptor},
    optional_feature{in<&chain::border, &border_features::customBorderColors>,
                     &gpu_features::custom_border_color},
    optional_feature{in<&chain::border, &border_features::customBorderColorWithoutFormat>,
                     &gpu_features::custom_border_color},
    optional_feature{in<&chain::v12, &features_12::samplerMirrorClampToEdge>,
                     &gpu_features::mirror_clamp_to_edge},
    optional_feature{core<&features_10::samplerAnisotropy>, &gpu_features::anisotropy},
    optional_feature{core<&features_10::fillModeNonSolid>, &gpu_features::wireframe},
    optional_feature{core<&features_10::depthClamp>, &gpu_features::depth_clamp},
    optional_feature{in<&chain::depth_clip, &clip_features::depthClipEnable>,
                     &gpu_features::depth_clip},
    optional_feature{in<&chain::lines, &line_features::bresenhamLines>,
                     &gpu_features::bresenham_lines},
    optional_feature{in<&chain::divisor, &divisor_features::vertexAttributeInstanceRateDivisor>,
                     &gpu_features::instance_divisor},
    optional_feature{in<&chain::divisor, &divisor_features::vertexAttributeInstanceRateZeroDivisor>,
                     &gpu_features::instance_divisor_zero},
    optional_feature{core<&features_10::shaderClipDistance>, &gpu_features::clip_distance},
    optional_feature{core<&features_10::geometryShader>, &gpu_features::geometry},
    optional_feature{core<&features_10::tessellationShader>, &gpu_features::tessellation},
    optional_feature{core<&features_10::largePoints>, &gpu_features::large_points},
    optional_feature{core<&features_10::textureCompressionBC>, &gpu_features::compressed_bc},
    optional_feature{in<&chain::v11, &features_11::shaderDrawParameters>,
                     &gpu_features::draw_parameters},
    optional_feature{in<&chain::v13, &features_13::shaderDemoteToHelperInvocation>,
                     &gpu_features::demote_to_helper},
    optional_feature{core<&features_10::imageCubeArray>, &gpu_features::cube_arrays},
    optional_feature{core<&features_10::shaderTessellationAndGeometryPointSize>,
                     &gpu_features::sized_points},
    optional_feature{core<&features_10::vertexPipelineStoresAndAtomics>,
                     &gpu_features::vertex_stores},
    optional_feature{core<&features_10::fragmentStoresAndAtomics>, &gpu_features::fragment_stores},
    optional_feature{core<&features_10::shaderCullDistance>, &gpu_features::cull_distance},
    optional_feature{core<&features_10::multiViewport>, &gpu_features::viewport_arrays},
    optional_feature{core<&features_10::sampleRateShading>, &gpu_features::sample_shading},
    optional_feature{core<&features_10::shaderImageGatherExtended>,
                     &gpu_features::extended_gathers},
    optional_feature{core<&features_10::shaderStorageImageExtendedFormats>,
                     &gpu_features::extended_image_formats},
    optional_feature{core<&features_10::shaderStorageImageReadWithoutFormat>,
                     &gpu_features::formatless_reads},
    optional_feature{core<&features_10::shaderStorageImageWriteWithoutFormat>,
                     &gpu_features::formatless_writes},
    optional_feature{in<&chain::portability, &portability_features::triangleFans>,
                     &gpu_features::triangle_fans},

    optional_feature{core<&features_10::fullDrawIndexUint32>},
    optional_feature{core<&features_10::dualSrcBlend>},
    optional_feature{in<&chain::v13, &features_13::maintenance4>},
    // What a subset restricts is enabled where it is not restricted, as on a whole implementation.
    optional_feature{
        in<&chain::portability, &portability_features::constantAlphaColorBlendFactors>},
    optional_feature{
        in<&chain::portability, &portability_features::imageViewFormatReinterpretation>},
    optional_feature{in<&chain::portability, &portability_features::imageViewFormatSwizzle>},
    optional_feature{in<&chain::portability, &portability_features::imageView2DOn3DImage>},
    optional_feature{in<&chain::portability, &portability_features::mutableComparisonSamplers>},
    optional_feature{in<&chain::portability, &portability_features::pointPolygons>},
    optional_feature{in<&chain::portability, &portability_features::samplerMipLodBias>},
    optional_feature{in<&chain::portability, &portability_features::separateStencilMaskRef>},
    optional_feature{
        in<&chain::portability, &portability_features::vertexAttributeAccessBeyondStride>},
};

struct optional_extension {
  const char* name;
  VkStructureType type;
  auto(*features)(feature_chain&) -> void*;
};

template <auto Structure>
auto structure(feature_chain& chain) -> void* {
  return &(chain.*Structure);
}

constexpr std::array optional_extensions{
    optional_extension{VK_EXT_ROBUSTNESS_2_EXTENSION_NAME,
                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
                       structure<&chain::robustness>},
    optional_extension{VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME,
                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
                       structure<&chain::border>},
    optional_extension{VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_FEATURES_EXT,
                       structure<&chain::divisor>},
    optional_extension{VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME,
                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
                       structure<&chain::depth_clip>},
    optional_extension{VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME,
                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
                       structure<&chain::lines>},
    optional_extension{VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME,
                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR,
                       structure<&chain::portability>},
};

static_assert(optional_extensions.size() <= decltype(chain::extensions)::capacity());

}  // namespace

feature_chain::feature_chain(std::span<const VkExtensionProperties> offered) noexcept {
  core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  core.pNext = &v11;
  v11.pNext = &v12;
  v12.pNext = &v13;
  auto* last = reinterpret_cast<VkBaseOutStructure*>(&v13);
  for (const auto& row : optional_extensions) {
    if (!has_extension(offered, row.name)) continue;
    auto* const next = static_cast<VkBaseOutStructure*>(row.features(*this));
    next->sType = row.type;
    last->pNext = next;
    last = next;
    AEROGPU_CHECK(extensions.push_back(row.name));
  }
  // A device that is no portability subset has all that a subset may lack.
  const bool is_whole =
      portability.sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PORTABILITY_SUBSET_FEATURES_KHR;
  portability.triangleFans = is_whole ? VK_TRUE : VK_FALSE;
}

auto missing_feature(feature_chain& offered) noexcept -> const char* {
  for (const auto& row : required_features) {
    if (row.field(offered) == VK_FALSE) return row.lack;
  }
  return nullptr;
}

auto missing_safety(feature_chain& offered) noexcept -> const char* {
  for (const auto& row : safety_features) {
    if (row.field(offered) == VK_FALSE) return row.lack;
  }
  return nullptr;
}

auto enable_features(feature_chain& offered, feature_chain& enabled) noexcept -> gpu_features {
  gpu_features told;
  for (const auto& row : required_features) row.field(enabled) = VK_TRUE;
  for (const auto& row : safety_features) row.field(enabled) = row.field(offered);
  told.is_safe = missing_safety(offered) == nullptr;
  for (const auto& row : optional_features) {
    if (row.told != nullptr) told.*row.told = true;
  }
  for (const auto& row : optional_features) {
    const VkBool32 is_offered = row.field(offered);
    row.field(enabled) = is_offered;
    if (is_offered == VK_FALSE && row.told != nullptr) told.*row.told = false;
  }
  return told;
}

}  // namespace aerogpu::vulkan
