// SPDX-License-Identifier: MIT
#include "vulkan/device/gpu_features.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstring>
#include <initializer_list>
#include <string>

using namespace aerogpu::vulkan;

namespace {

auto extensions_named(std::initializer_list<const char*> names)
    -> std::vector<VkExtensionProperties> {
  std::vector<VkExtensionProperties> extensions;
  for (const char* const name : names) {
    VkExtensionProperties extension{};
    std::strncpy(extension.extensionName, name, sizeof extension.extensionName - 1);
    extensions.push_back(extension);
  }
  return extensions;
}

const auto no_extensions = std::vector<VkExtensionProperties>{};
const auto all_extensions =
    extensions_named({VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME,
                      VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
                      VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME, "VK_EXT_that_nobody_asked_for"});

void offer_required(feature_chain& chain) {
  chain.core.features.robustBufferAccess = VK_TRUE;
  chain.v13.robustImageAccess = VK_TRUE;
  chain.core.features.independentBlend = VK_TRUE;
  chain.v12.timelineSemaphore = VK_TRUE;
  chain.v13.dynamicRendering = VK_TRUE;
  chain.v13.synchronization2 = VK_TRUE;
  chain.v13.shaderDemoteToHelperInvocation = VK_TRUE;
}

void offer_optional(feature_chain& chain) {
  auto& core = chain.core.features;
  for (VkBool32* const field : {&core.samplerAnisotropy,
                                &core.fillModeNonSolid,
                                &core.depthClamp,
                                &core.depthBiasClamp,
                                &core.shaderClipDistance,
                                &core.geometryShader,
                                &core.tessellationShader,
                                &core.largePoints,
                                &core.textureCompressionBC,
                                &core.shaderStorageImageWriteWithoutFormat,
                                &core.vertexPipelineStoresAndAtomics,
                                &core.fragmentStoresAndAtomics,
                                &core.imageCubeArray,
                                &core.shaderTessellationAndGeometryPointSize,
                                &chain.v11.shaderDrawParameters,
                                &chain.v12.samplerMirrorClampToEdge,
                                &chain.robustness.robustBufferAccess2,
                                &chain.robustness.robustImageAccess2,
                                &chain.robustness.nullDescriptor,
                                &chain.border.customBorderColors,
                                &chain.border.customBorderColorWithoutFormat,
                                &chain.lines.bresenhamLines,
                                &chain.divisor.vertexAttributeInstanceRateDivisor,
                                &chain.divisor.vertexAttributeInstanceRateZeroDivisor}) {
    *field = VK_TRUE;
  }
}

/// Each flag of `features` that says what a device can do.
auto flags_of(const gpu_features& features) -> std::array<bool, 23> {
  return {features.robust_buffer_access_2,
          features.robust_image_access_2,
          features.null_descriptor,
          features.custom_border_color,
          features.mirror_clamp_to_edge,
          features.anisotropy,
          features.wireframe,
          features.depth_clamp,
          features.bresenham_lines,
          features.instance_divisor,
          features.instance_divisor_zero,
          features.clip_distance,
          features.geometry,
          features.tessellation,
          features.large_points,
          features.compressed_bc,
          features.draw_parameters,
          features.demote_to_helper,
          features.vertex_stores,
          features.fragment_stores,
          features.cube_arrays,
          features.sized_points,
          features.triangle_fans};
}

auto chain_length(const feature_chain& chain) -> int {
  int length = 0;
  const auto* node = reinterpret_cast<const VkBaseInStructure*>(&chain.core);
  for (; node != nullptr; node = node->pNext) ++length;
  return length;
}

}  // namespace

TEST_CASE("a device that lacks a required feature is told which", "[vulkan][features]") {
  feature_chain offered{no_extensions};
  offer_required(offered);
  REQUIRE(missing_feature(offered) == nullptr);

  struct lack {
    VkBool32* field;
    std::string sentence;
  };
  for (const auto& [field, sentence] :
       {lack{&offered.core.features.independentBlend, "the device lacks independentBlend"},
        lack{&offered.v12.timelineSemaphore, "the device lacks timelineSemaphore"},
        lack{&offered.v13.dynamicRendering, "the device lacks dynamicRendering"},
        lack{&offered.v13.synchronization2, "the device lacks synchronization2"},
        lack{&offered.v13.shaderDemoteToHelperInvocation,
             "the device lacks shaderDemoteToHelperInvocation"}}) {
    *field = VK_FALSE;
    const char* const missing = missing_feature(offered);
    REQUIRE(missing != nullptr);
    CHECK(missing == sentence);
    *field = VK_TRUE;
  }
}

TEST_CASE("a device that cannot keep shaders inside their resources is told, and why",
          "[vulkan][features][safety]") {
  feature_chain offered{all_extensions};
  offer_required(offered);
  REQUIRE(missing_safety(offered) == nullptr);
  CHECK(missing_feature(offered) == nullptr);
  VkBool32* const field =
      GENERATE_REF(&offered.core.features.robustBufferAccess, &offered.v13.robustImageAccess);
  *field = VK_FALSE;
  const bool is_buffer = field == &offered.core.features.robustBufferAccess;
  const char* const unsafe = missing_safety(offered);
  REQUIRE(unsafe != nullptr);
  CHECK(std::string{unsafe} == std::string{"the device lacks "} +
                                   (is_buffer ? "robustBufferAccess" : "robustImageAccess") +
                                   ", so that a guest's shaders could reach memory of others");
  CHECK(missing_feature(offered) == nullptr);
  // What there is of it is enabled all the same.
  feature_chain enabled{all_extensions};
  CHECK_FALSE(enable_features(offered, enabled).is_safe);
  CHECK(enabled.core.features.robustBufferAccess == offered.core.features.robustBufferAccess);
  CHECK(enabled.v13.robustImageAccess == offered.v13.robustImageAccess);
}

TEST_CASE("every robustness feature that a device has is enabled", "[vulkan][features][safety]") {
  feature_chain offered{all_extensions};
  feature_chain enabled{all_extensions};
  offer_required(offered);
  offer_optional(offered);
  const auto told = enable_features(offered, enabled);
  CHECK(told.is_safe);
  CHECK(enabled.core.features.robustBufferAccess == VK_TRUE);
  CHECK(enabled.v13.robustImageAccess == VK_TRUE);
  CHECK(enabled.robustness.robustBufferAccess2 == VK_TRUE);
  CHECK(enabled.robustness.robustImageAccess2 == VK_TRUE);
  CHECK(enabled.robustness.nullDescriptor == VK_TRUE);
}

TEST_CASE("only structures of extensions that are there are linked", "[vulkan][features]") {
  const feature_chain bare{no_extensions};
  CHECK(chain_length(bare) == 4);
  CHECK(bare.extensions.empty());
  const feature_chain full{all_extensions};
  CHECK(chain_length(full) == 8);
  CHECK(full.extensions.size() == 4);
}

TEST_CASE("a device with everything gives every optional feature", "[vulkan][features]") {
  feature_chain offered{all_extensions};
  feature_chain enabled{all_extensions};
  offer_required(offered);
  offer_optional(offered);
  const auto told = enable_features(offered, enabled);
  for (const bool flag : flags_of(told)) CHECK(flag);
  CHECK(missing_feature(enabled) == nullptr);
  CHECK(enabled.robustness.robustBufferAccess2 == VK_TRUE);
  CHECK(enabled.v11.shaderDrawParameters == VK_TRUE);
}

TEST_CASE("a device with only the required features enables nothing else", "[vulkan][features]") {
  feature_chain offered{no_extensions};
  feature_chain enabled{no_extensions};
  offer_required(offered);
  const auto told = enable_features(offered, enabled);
  int count = 0;
  for (const bool flag : flags_of(told)) count += flag ? 1 : 0;
  CHECK(count == 2);
  CHECK(told.triangle_fans);
  CHECK(told.demote_to_helper);
  CHECK(enabled.core.features.geometryShader == VK_FALSE);
  CHECK(missing_feature(enabled) == nullptr);
}

TEST_CASE("custom border colours need both halves", "[vulkan][features]") {
  feature_chain offered{all_extensions};
  feature_chain enabled{all_extensions};
  offered.border.customBorderColors = VK_TRUE;
  CHECK_FALSE(enable_features(offered, enabled).custom_border_color);
  offered.border.customBorderColorWithoutFormat = VK_TRUE;
  CHECK(enable_features(offered, enabled).custom_border_color);
}

TEST_CASE("a portability subset is enabled and says whether it has triangle fans",
          "[vulkan][features]") {
  const auto subset = extensions_named({VK_KHR_PORTABILITY_SUBSET_EXTENSION_NAME});
  feature_chain offered{subset};
  feature_chain enabled{subset};
  REQUIRE(enabled.extensions.size() == 1);
  CHECK(std::string{enabled.extensions[0]} == "VK_KHR_portability_subset");
  CHECK_FALSE(enable_features(offered, enabled).triangle_fans);
  offered.portability.triangleFans = VK_TRUE;
  CHECK(enable_features(offered, enabled).triangle_fans);
}
