// SPDX-License-Identifier: MIT
#include "vulkan/modules/module_features.hpp"

#include "spirv_bounds/module_index.hpp"
#include "tests/catch.hpp"

#include <cstdint>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;
using spv::Capability;

namespace {

auto module_of(Capability capability) -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> words(spirv::header_words);
  const auto declare = [&](Capability which) {
    words.push_back(2u << 16 | static_cast<std::uint32_t>(spv::Op::OpCapability));
    words.push_back(static_cast<std::uint32_t>(which));
  };
  declare(Capability::Shader);
  declare(capability);
  return words;
}

struct need {
  Capability capability;
  bool gpu_features::*feature;
};

}  // namespace

TEST_CASE("a capability is had exactly where its feature is", "[vulkan][features]") {
  const auto [capability, feature] =
      GENERATE(need{Capability::Geometry, &gpu_features::geometry},
               need{Capability::Tessellation, &gpu_features::tessellation},
               need{Capability::GeometryPointSize, &gpu_features::sized_points},
               need{Capability::TessellationPointSize, &gpu_features::sized_points},
               need{Capability::ClipDistance, &gpu_features::clip_distance},
               need{Capability::CullDistance, &gpu_features::cull_distance},
               need{Capability::MultiViewport, &gpu_features::viewport_arrays},
               need{Capability::SampleRateShading, &gpu_features::sample_shading},
               need{Capability::SampledCubeArray, &gpu_features::cube_arrays},
               need{Capability::ImageCubeArray, &gpu_features::cube_arrays},
               need{Capability::ImageGatherExtended, &gpu_features::extended_gathers},
               need{Capability::StorageImageExtendedFormats, &gpu_features::extended_image_formats},
               need{Capability::StorageImageReadWithoutFormat, &gpu_features::formatless_reads},
               need{Capability::StorageImageWriteWithoutFormat, &gpu_features::formatless_writes},
               need{Capability::DrawParameters, &gpu_features::draw_parameters},
               need{Capability::DemoteToHelperInvocationEXT, &gpu_features::demote_to_helper});
  CAPTURE(static_cast<std::uint32_t>(capability));
  const auto module = module_of(capability);
  gpu_features features;
  CHECK(check_features(module, features).why().code == error_code::unsupported);
  features.*feature = true;
  CHECK(check_features(module, features));
}

TEST_CASE("what every device has needs no feature", "[vulkan][features]") {
  CHECK(check_features(module_of(Capability::Sampled1D), {}));
}

TEST_CASE("a geometry module may make what the device lets it, and no more", "[vulkan][features]") {
  struct row {
    module_outputs made;
    bool fits;
  };
  const auto [made, fits] =
      GENERATE(row{{.vertices = 10, .invocations = 32, .components = 100}, true},
               row{{.vertices = 11, .invocations = 1, .components = 100}, false},
               row{{.vertices = 257, .invocations = 1, .components = 1}, false},
               row{{.vertices = 1, .invocations = 33, .components = 1}, false},
               row{{.vertices = 1, .invocations = 1, .components = 129}, false},
               row{{.vertices = UINT64_MAX, .invocations = 1, .components = 4}, false});
  VkPhysicalDeviceLimits limits{};
  limits.maxGeometryOutputVertices = 256;
  limits.maxGeometryShaderInvocations = 32;
  limits.maxGeometryOutputComponents = 128;
  limits.maxGeometryTotalOutputComponents = 1024;
  CAPTURE(made.vertices, made.invocations, made.components);
  const auto checked = check_outputs(made, limits);
  CHECK(checked.why().code == (fits ? error_code::none : error_code::unsupported));
}

TEST_CASE("modules that are no geometry modules have no limits of those", "[vulkan][features]") {
  CHECK(check_outputs({.components = 128, .vectors = 32}, {}));
}
