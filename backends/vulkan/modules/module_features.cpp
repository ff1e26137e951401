// SPDX-License-Identifier: MIT
#include "vulkan/modules/module_features.hpp"

#include "spirv_bounds/module_index.hpp"
#include "spirv_bounds/saturating.hpp"

#include <algorithm>
#include <array>

namespace aerogpu::vulkan {

namespace {

using spv::Capability;

struct capability_row {
  Capability capability;
  bool gpu_features::*feature;
  const char* lack;
};

/// Those that are not here come with every device that is opened.
constexpr std::array rows{
    capability_row{Capability::Geometry, &gpu_features::geometry,
                   "the device has no geometry shaders"},
    capability_row{Capability::Tessellation, &gpu_features::tessellation,
                   "the device has no hull and domain shaders"},
    capability_row{Capability::GeometryPointSize, &gpu_features::sized_points,
                   "the device has no sizes of points that geometry shaders make"},
    capability_row{Capability::TessellationPointSize, &gpu_features::sized_points,
                   "the device has no sizes of points that domain shaders make"},
    capability_row{Capability::ClipDistance, &gpu_features::clip_distance,
                   "the device has no clip distances"},
    capability_row{Capability::CullDistance, &gpu_features::cull_distance,
                   "the device has no cull distances"},
    capability_row{Capability::MultiViewport, &gpu_features::viewport_arrays,
                   "the device has no arrays of viewports"},
    capability_row{Capability::SampleRateShading, &gpu_features::sample_shading,
                   "the device does not shade single samples"},
    capability_row{Capability::SampledCubeArray, &gpu_features::cube_arrays,
                   "the device has no arrays of cube textures"},
    capability_row{Capability::ImageCubeArray, &gpu_features::cube_arrays,
                   "the device has no arrays of cube textures"},
    capability_row{Capability::ImageGatherExtended, &gpu_features::extended_gathers,
                   "the device gathers no texels at offsets"},
    capability_row{Capability::StorageImageExtendedFormats, &gpu_features::extended_image_formats,
                   "the device stores in few formats only"},
    capability_row{Capability::StorageImageReadWithoutFormat, &gpu_features::formatless_reads,
                   "the device reads from no view without a format"},
    capability_row{Capability::StorageImageWriteWithoutFormat, &gpu_features::formatless_writes,
                   "the device writes to no view without a format"},
    capability_row{Capability::DrawParameters, &gpu_features::draw_parameters,
                   "the device does not number vertices from zero"},
    capability_row{Capability::DemoteToHelperInvocationEXT, &gpu_features::demote_to_helper,
                   "the device demotes no invocations"},
};

}  // namespace

auto check_features(std::span<const std::uint32_t> spirv, const gpu_features& features) noexcept
    -> result<void> {
  constexpr std::uint32_t declaration =
      2u << 16 | static_cast<std::uint32_t>(spv::Op::OpCapability);
  // Capabilities come first in a module.
  for (std::size_t at = spirv::header_words; at + 1 < spirv.size() && spirv[at] == declaration;
       at += 2) {
    const auto row = std::ranges::find(rows, static_cast<Capability>(spirv[at + 1]),
                                       &capability_row::capability);
    if (row != rows.end() && !(features.*row->feature)) {
      return make_error(error_code::unsupported, row->lack, spirv[at + 1]);
    }
  }
  return {};
}

auto check_outputs(const module_outputs& made, const VkPhysicalDeviceLimits& most) noexcept
    -> result<void> {
  if (made.invocations == 0) return {};  // No geometry module.
  struct limit_row {
    std::uint64_t value;
    std::uint64_t most;
    const char* lack;
  };
  const std::array limits{
      limit_row{made.vertices, most.maxGeometryOutputVertices,
                "a geometry shader makes more vertices than the device"},
      limit_row{made.invocations, most.maxGeometryShaderInvocations,
                "a geometry shader runs more often for a primitive than the device lets it"},
      limit_row{made.components, most.maxGeometryOutputComponents,
                "a geometry shader's vertices are larger than the device's"},
      limit_row{spirv::saturating_multiply(made.vertices, made.components),
                most.maxGeometryTotalOutputComponents,
                "a geometry shader makes more numbers than the device"}};
  const auto over =
      std::ranges::find_if(limits, [](const limit_row& row) { return row.value > row.most; });
  if (over == limits.end()) return {};
  return make_error(error_code::unsupported, over->lack, over->value, over->most);
}

}  // namespace aerogpu::vulkan
