// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/module_features.hpp"

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
