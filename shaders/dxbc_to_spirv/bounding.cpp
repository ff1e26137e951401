// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/bounding.hpp"

#include "aerogpu/hosted/heap_array.hpp"
#include "spirv_bounds/bounds.hpp"
#include "spirv_bounds/cost.hpp"
#include "spirv_bounds/expected_module.hpp"

#include <array>
#include <utility>

namespace aerogpu::dxbc {
namespace {

/// By `shader_stage`.
constexpr std::array execution_models{spv::ExecutionModel::Vertex,
                                      spv::ExecutionModel::Fragment,
                                      spv::ExecutionModel::GLCompute,
                                      spv::ExecutionModel::Geometry,
                                      spv::ExecutionModel::TessellationControl,
                                      spv::ExecutionModel::TessellationEvaluation};
static_assert(static_cast<std::size_t>(shader_stage::domain) + 1 == execution_models.size());

/// By `binding_kind`.
constexpr std::array descriptor_kinds{
    spirv::descriptor_kind::constant_buffer, spirv::descriptor_kind::texture,
    spirv::descriptor_kind::sampled_buffer, spirv::descriptor_kind::sampler,
    spirv::descriptor_kind::storage_buffer};

/// By `image_dimension`.
struct image_form {
  spv::Dim dimension;
  bool is_arrayed;
  bool is_multisampled;
};
constexpr std::array image_forms{
    image_form{spv::Dim::Buffer, false, false}, image_form{spv::Dim::Buffer, false, false},
    image_form{spv::Dim::Dim1D, false, false},  image_form{spv::Dim::Dim2D, false, false},
    image_form{spv::Dim::Dim2D, false, true},   image_form{spv::Dim::Dim3D, false, false},
    image_form{spv::Dim::Cube, false, false},   image_form{spv::Dim::Dim1D, true, false},
    image_form{spv::Dim::Dim2D, true, false},   image_form{spv::Dim::Dim2D, true, true},
    image_form{spv::Dim::Cube, true, false}};

auto expected_of(const binding& from) noexcept -> spirv::expected_binding {
  const image_form& form = image_forms[static_cast<std::size_t>(from.dimension)];
  return {.set = from.set,
          .slot = from.slot,
          .kind = descriptor_kinds[static_cast<std::size_t>(from.kind)],
          .size_bytes = from.size_bytes,
          .texels = static_cast<spirv::texel_class>(from.delivers),
          .dimension = form.dimension,
          .is_arrayed = form.is_arrayed,
          .is_multisampled = form.is_multisampled};
}

/// D3D10_SB_PRIMITIVE.
auto points_of_primitive(std::uint8_t primitive) noexcept -> std::uint32_t {
  constexpr std::array<std::uint8_t, 8> points{0, 1, 2, 3, 0, 0, 4, 6};
  return primitive < points.size() ? points[primitive] : 0;
}

auto expected_of(const compiled& facts, std::span<const spirv::expected_binding> bindings) noexcept
    -> spirv::expected_module {
  const bool is_geometry = facts.stage == shader_stage::geometry;
  return {.stage = execution_models[static_cast<std::size_t>(facts.stage)],
          .bindings = bindings,
          .group_size = facts.group_size,
          .shared_bytes = facts.group_shared_bytes,
          .input_points = is_geometry ? points_of_primitive(facts.geometry.input_primitive)
                                      : facts.tessellation.input_control_points,
          .output_points = facts.tessellation.output_control_points,
          .max_vertices = facts.geometry.max_vertices,
          .instances = facts.geometry.instances};
}

auto check_cost(const spirv::module_index& module) -> result<void> {
  const auto cost = spirv::measure(module);
  if (!cost) return cost.why();
  return spirv::check_cost(*cost);
}

}  // namespace

auto bound_compiled(std::span<const std::uint32_t> words, const compiled& facts,
                    const compile_options& options) -> result<heap_array<std::uint32_t>> {
  const auto module = spirv::module_index::create(words);
  if (!module) return module.why();
  heap_array<spirv::expected_binding> bindings;
  for (const binding& from : facts.bindings) {
    if (!bindings.push_back(expected_of(from))) {
      return make_error(error_code::out_of_memory, "no memory to check a shader");
    }
  }
  const auto checked = spirv::check_module(*module, expected_of(facts, bindings.view()));
  if (!checked) return checked.why();
  if (const auto cheap = check_cost(*module); !cheap) return cheap.why();
  auto made =
      spirv::bound_module(*module, {.device_zeroes_workgroup = options.device_zeroes_workgroup});
  if (!made) return made.why();
  // What bounding adds is handed on as well.
  if (const auto cheap = spirv::check_cost(made->view()); !cheap) return cheap.why();
  return *std::move(made);
}

}  // namespace aerogpu::dxbc
