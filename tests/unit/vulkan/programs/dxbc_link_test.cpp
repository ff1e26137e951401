// SPDX-License-Identifier: MIT
// Which SM4+ programs a device can run, and what their registers are to Vulkan. How modules are
// fitted to each other takes a device: the golden tests draw with them.
#include "vulkan/programs/dxbc_link.hpp"

#include "tests/catch.hpp"

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string_view>

using namespace aerogpu;
using namespace aerogpu::vulkan;
using dxbc::binding_kind;
using dxbc::component_class;
using dxbc::image_dimension;

namespace {

constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

/// A device without optional features that bounds nothing.
struct unbounded_device {
  unbounded_device() {
    most.maxUniformBufferRange = no_limit;
    most.maxPerStageDescriptorUniformBuffers = no_limit;
    most.maxPerStageDescriptorSampledImages = no_limit;
    most.maxPerStageDescriptorSamplers = no_limit;
    most.maxPerStageDescriptorStorageImages = no_limit;
    most.maxPerStageResources = no_limit;
  }
  [[nodiscard]] auto why_not(const shader_variant& shader) const -> error {
    return check_device(shader, device).why();
  }

  gpu device;
  VkPhysicalDeviceLimits& most = device.properties.limits;
};

auto program_with(std::initializer_list<dxbc::binding> bindings,
                  shader_stage stage = shader_stage::compute) -> shader_variant {
  shader_variant shader;
  shader.compiled.stage = stage;
  for (const dxbc::binding& binding : bindings) {
    REQUIRE(shader.compiled.bindings.push_back(binding));
  }
  return shader;
}

auto runs(const error& why) -> bool {
  return why.code == error_code::none;
}

}  // namespace

TEST_CASE("dxbc_link: a program without registers runs on any device", "[vulkan][dxbc_link]") {
  CHECK(runs(unbounded_device{}.why_not(program_with({}))));
}

TEST_CASE("dxbc_link: points of other primitives need a feature, and nothing else does",
          "[vulkan][dxbc_link]") {
  const auto [geometry_topology, hull_primitive, is_plain] =
      GENERATE(table<std::uint8_t, std::uint8_t, bool>({
          {0, 0, true},
          {1, 0, false},
          {3, 0, true},
          {5, 0, true},
          {0, 1, false},
          {0, 2, true},
          {0, 3, true},
          {0, 4, true},
      }));
  CAPTURE(geometry_topology, hull_primitive);
  shader_variant shader;
  shader.compiled.geometry.output_topology = geometry_topology;
  shader.compiled.tessellation.output_primitive = hull_primitive;
  unbounded_device on;
  CHECK(on.why_not(shader).code == (is_plain ? error_code::none : error_code::unsupported));
  on.device.features.sized_points = true;
  CHECK(runs(on.why_not(shader)));
}

TEST_CASE("dxbc_link: a stage stores to buffers where the device lets it", "[vulkan][dxbc_link]") {
  struct row {
    shader_stage stage;
    bool without, with_vertex_stores, with_fragment_stores;
  };
  const row stage_row = GENERATE(values<row>({
      {shader_stage::vertex, false, true, false},
      {shader_stage::pixel, false, false, true},
      {shader_stage::geometry, false, true, false},
      {shader_stage::hull, false, true, false},
      {shader_stage::domain, false, true, false},
      {shader_stage::compute, true, true, true},
  }));
  CAPTURE(stage_row.stage);
  const auto shader = program_with({{.kind = binding_kind::uav_buffer}}, stage_row.stage);
  unbounded_device on;
  CHECK(runs(on.why_not(shader)) == stage_row.without);
  on.device.features.vertex_stores = true;
  CHECK(runs(on.why_not(shader)) == stage_row.with_vertex_stores);
  on.device.features.vertex_stores = false;
  on.device.features.fragment_stores = true;
  CHECK(runs(on.why_not(shader)) == stage_row.with_fragment_stores);
}

TEST_CASE("dxbc_link: a stage that only reads needs no stores", "[vulkan][dxbc_link]") {
  const auto kind = GENERATE(binding_kind::constant_buffer, binding_kind::texture,
                             binding_kind::buffer_resource, binding_kind::sampler);
  CAPTURE(kind);
  CHECK(runs(unbounded_device{}.why_not(program_with({{.kind = kind}}, shader_stage::vertex))));
}

TEST_CASE("dxbc_link: constant buffers are as large as the device's uniform buffers at most",
          "[vulkan][dxbc_link]") {
  unbounded_device on;
  on.most.maxUniformBufferRange = 0x4000;
  CHECK(runs(on.why_not(program_with({{.size_bytes = 0x4000}}))));
  const error why = on.why_not(program_with({{.size_bytes = 16}, {.size_bytes = 0x4010}}));
  CHECK(why.code == error_code::unsupported);
  CHECK(why.detail == 0x4010);
  CHECK(why.limit == 0x4000);
}

TEST_CASE("dxbc_link: textures deliver fractions, and buffers integers as well",
          "[vulkan][dxbc_link]") {
  const auto integers =
      GENERATE(component_class::signed_integer, component_class::unsigned_integer);
  const unbounded_device on;
  const error why = on.why_not(program_with({{},
                                             {.kind = binding_kind::texture,
                                              .register_index = 7,
                                              .dimension = image_dimension::image_2d,
                                              .delivers = integers}}));
  CHECK(why.code == error_code::unsupported);
  CHECK(why.detail == 7);
  CHECK(runs(on.why_not(program_with({{.kind = binding_kind::buffer_resource, .delivers = integers},
                                      {.kind = binding_kind::uav_buffer, .delivers = integers}}))));
}

TEST_CASE("dxbc_link: only flat textures and cubes are compared with", "[vulkan][dxbc_link]") {
  const auto [dimension, can_compare] = GENERATE(table<image_dimension, bool>({
      {image_dimension::image_1d, false},
      {image_dimension::image_2d, true},
      {image_dimension::image_2d_multisampled, false},
      {image_dimension::image_3d, false},
      {image_dimension::cube, true},
      {image_dimension::image_1d_array, false},
      {image_dimension::image_2d_array, true},
      {image_dimension::image_2d_multisampled_array, false},
      {image_dimension::cube_array, true},
  }));
  CAPTURE(dimension);
  dxbc::binding texture{.kind = binding_kind::texture, .register_index = 5, .dimension = dimension};
  const unbounded_device on;
  CHECK(runs(on.why_not(program_with({texture}))));
  texture.is_comparison = true;
  const error why = on.why_not(program_with({texture}));
  CHECK(runs(why) == can_compare);
  CHECK(why.detail == (can_compare ? 0 : 5));
}

TEST_CASE("dxbc_link: a sampler may compare whatever the textures are", "[vulkan][dxbc_link]") {
  CHECK(runs(unbounded_device{}.why_not(
      program_with({{.kind = binding_kind::sampler, .is_comparison = true}}))));
}

TEST_CASE("dxbc_link: each limit of a device counts the registers of its kind",
          "[vulkan][dxbc_link]") {
  struct row {
    std::uint32_t VkPhysicalDeviceLimits::*most;
    const char* lack;
  };
  const row limit = GENERATE(values<row>({
      {&VkPhysicalDeviceLimits::maxPerStageDescriptorUniformBuffers, "constant buffers"},
      {&VkPhysicalDeviceLimits::maxPerStageDescriptorSampledImages, "resources"},
      {&VkPhysicalDeviceLimits::maxPerStageDescriptorSamplers, "samplers"},
      {&VkPhysicalDeviceLimits::maxPerStageDescriptorStorageImages, "unordered access views"},
  }));
  CAPTURE(limit.lack);
  // Two of each; a resource is a texture or a buffer.
  const auto shader = program_with({{.kind = binding_kind::constant_buffer},
                                    {.kind = binding_kind::texture},
                                    {.kind = binding_kind::sampler},
                                    {.kind = binding_kind::uav_buffer},
                                    {.kind = binding_kind::constant_buffer},
                                    {.kind = binding_kind::buffer_resource},
                                    {.kind = binding_kind::sampler},
                                    {.kind = binding_kind::uav_buffer}});
  unbounded_device on;
  on.most.*limit.most = 2;
  CHECK(runs(on.why_not(shader)));
  on.most.*limit.most = 1;
  const error why = on.why_not(shader);
  CHECK(why.code == error_code::unsupported);
  CHECK(why.detail == 2);
  CHECK(why.limit == 1);
  CHECK(std::string_view{why.what}.find(limit.lack) != std::string_view::npos);
}

TEST_CASE("dxbc_link: registers of all kinds together have a limit", "[vulkan][dxbc_link]") {
  const auto shader = program_with({{.kind = binding_kind::constant_buffer},
                                    {.kind = binding_kind::texture},
                                    {.kind = binding_kind::sampler}});
  unbounded_device on;
  on.most.maxPerStageResources = 3;
  CHECK(runs(on.why_not(shader)));
  on.most.maxPerStageResources = 2;
  const error why = on.why_not(shader);
  CHECK(why.code == error_code::unsupported);
  CHECK(why.detail == 3);
  CHECK(why.limit == 2);
}

TEST_CASE("dxbc_link: each kind of register is a descriptor of its type", "[vulkan][dxbc_link]") {
  const auto [kind, type] = GENERATE(table<binding_kind, VkDescriptorType>({
      {binding_kind::constant_buffer, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
      {binding_kind::texture, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
      {binding_kind::buffer_resource, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
      {binding_kind::sampler, VK_DESCRIPTOR_TYPE_SAMPLER},
      {binding_kind::uav_buffer, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER},
  }));
  CAPTURE(kind);
  CHECK(descriptor_type_of(kind) == type);
}

TEST_CASE("dxbc_link: a set has a binding for each register, at its slot and for its stage alone",
          "[vulkan][dxbc_link]") {
  const auto shader = program_with({{.kind = binding_kind::sampler, .register_index = 1, .slot = 9},
                                    {.register_index = 2, .set = 3, .slot = 4}});
  const auto bindings = set_bindings_of(shader, VK_SHADER_STAGE_GEOMETRY_BIT);
  REQUIRE(bindings);
  REQUIRE(bindings->size() == 2);
  CHECK((*bindings)[0] == set_binding{9, VK_DESCRIPTOR_TYPE_SAMPLER, VK_SHADER_STAGE_GEOMETRY_BIT});
  CHECK((*bindings)[1] ==
        set_binding{4, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_SHADER_STAGE_GEOMETRY_BIT});
}
