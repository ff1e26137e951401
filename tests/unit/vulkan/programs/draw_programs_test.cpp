// SPDX-License-Identifier: MIT
// What a pipeline's key says of a draw. Modules take a device: the golden tests draw with them.
#include "vulkan/programs/draw_programs.hpp"

#include "aerogpu/memory/format.hpp"
#include "aerogpu/stream/d3d9_state_ids.hpp"
#include "tests/catch.hpp"
#include "vulkan/resources/resource_objects.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

constexpr std::uint32_t outputs_0_and_2 = 0b101;

/// An image of a target that no device knows.
struct target_image {
  explicit target_image(VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT)
      : record(*tight_layout({resource_handle{1}, 0, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 1})) {
    format.aspects = aspects;
    record.format = &format;
  }
  texture_format format;
  image_record record;
};

/// A draw of SM1-3 programs to one target, of which a test changes some.
struct described_draw {
  described_draw() {
    vertex_code.language = shader_language::d3d9_tokens;
    vertex_record.code = &vertex_code;
    vertex.record = &vertex_record;
    state.fixed = &fixed;
    state.d3d9 = &d3d9;
    state.stages[static_cast<std::size_t>(shader_stage::vertex)].shader = &vertex;
    pixel.id = 12;
    pixel.translated.color_outputs = 0xFF;
    take(graphics_stage::pixel, pixel);
    set_target(0);
  }
  void take(graphics_stage stage, const shader_variant& variant) {
    stages[static_cast<std::size_t>(stage)] = &variant;
  }
  void set_target(std::size_t place, aerogpu_format wire = AEROGPU_FORMAT_R8G8B8A8_UNORM,
                  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM) {
    state.targets.colors[place].format = wire;
    targets.colors[place] = {&color.record, VK_NULL_HANDLE, format};
    targets.color_count = static_cast<std::uint32_t>(place) + 1;
  }
  [[nodiscard]] auto key() const -> pipeline_key {
    pipeline_key made;
    describe_pipeline(state, stages, targets, device, made);
    return made;
  }
  [[nodiscard]] auto mask(std::size_t place) const -> std::uint32_t {
    return key().blends[place].write_mask;
  }

  shader_code vertex_code;
  shader_record vertex_record;
  vulkan_shader vertex;
  shader_variant pixel;
  target_image color;
  fixed_function_state fixed;
  d3d9_state d3d9{};
  draw_state_of state{};
  stage_variants stages{};
  pass_targets targets;
  gpu device;
};

}  // namespace

TEST_CASE("draw_programs: a key has the modules of its stages, and 0 where there is none",
          "[vulkan][draw_programs]") {
  described_draw draw;
  shader_variant hull;
  hull.id = 30;
  draw.take(graphics_stage::hull, hull);
  pipeline_key key;
  key.shaders.fill(99);
  describe_pipeline(draw.state, draw.stages, draw.targets, draw.device, key);
  CHECK(key.shaders == std::array<std::uint64_t, graphics_stage_count>{0, 12, 0, 30, 0});
}

TEST_CASE("draw_programs: targets have their formats, and gaps and unused places none",
          "[vulkan][draw_programs]") {
  described_draw draw;
  draw.set_target(2, AEROGPU_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM);
  const pipeline_key key = draw.key();
  CHECK(key.color_count == 3);
  CHECK(key.color_formats[0] == VK_FORMAT_R8G8B8A8_UNORM);
  CHECK(key.color_formats[1] == VK_FORMAT_UNDEFINED);
  CHECK(key.color_formats[2] == VK_FORMAT_B8G8R8A8_UNORM);
  CHECK(draw.mask(0) == 0xF);
  CHECK(draw.mask(1) == 0);
  CHECK(draw.mask(2) == 0xF);
  CHECK(draw.mask(3) == 0);
}

TEST_CASE("draw_programs: what a key said of a target before is gone", "[vulkan][draw_programs]") {
  described_draw draw;
  draw.fixed.blend.enable = true;
  draw.set_target(1);
  pipeline_key key;
  describe_pipeline(draw.state, draw.stages, draw.targets, draw.device, key);
  REQUIRE(key.blends[1].is_enabled == 1);
  draw.targets.colors[1] = {};
  draw.targets.color_count = 1;
  describe_pipeline(draw.state, draw.stages, draw.targets, draw.device, key);
  CHECK(key == draw.key());
}

TEST_CASE("draw_programs: only colours that the pixel shader writes are written",
          "[vulkan][draw_programs]") {
  described_draw draw;
  for (std::size_t i = 0; i < 3; ++i) draw.set_target(i);
  SECTION("of SM1-3") {
    draw.pixel.translated.color_outputs = outputs_0_and_2;
    draw.pixel.compiled.outputs[1].mask = 0xF;  // Of the other language.
  }
  SECTION("of SM4+") {
    REQUIRE(draw.pixel.compiled.words.push_back(0));
    draw.pixel.compiled.outputs[0].mask = 0x8;
    draw.pixel.compiled.outputs[2].mask = 0x1;
    draw.pixel.translated.color_outputs = 0b010;
  }
  CHECK(draw.mask(0) == 0xF);
  CHECK(draw.mask(1) == 0);
  CHECK(draw.mask(2) == 0xF);
}

TEST_CASE("draw_programs: without a pixel shader no colour is written", "[vulkan][draw_programs]") {
  described_draw draw;
  draw.stages = {};
  CHECK(draw.mask(0) == 0);
  CHECK(draw.key().color_formats[0] == VK_FORMAT_R8G8B8A8_UNORM);
}

TEST_CASE("draw_programs: each target has a write mask, and X8 keeps its alpha",
          "[vulkan][draw_programs]") {
  described_draw draw;
  draw.set_target(1, AEROGPU_FORMAT_B8G8R8X8_UNORM);
  draw.fixed.blend.write_masks = {0b1010, 0b1101};
  CHECK(draw.mask(0) == 0b1010);
  CHECK(draw.mask(1) == 0b0101);
}

TEST_CASE("draw_programs: a target is blended by the factors and operations of both equations",
          "[vulkan][draw_programs]") {
  described_draw draw;
  draw.fixed.blend.enable = true;
  draw.fixed.blend.color = {blend_factor::src_color, blend_factor::inv_constant,
                            AEROGPU_BLEND_OP_SUBTRACT};
  draw.fixed.blend.alpha = {blend_factor::dest_alpha, blend_factor::inv_src_alpha,
                            AEROGPU_BLEND_OP_MAX};
  const blend_key key = draw.key().blends[0];
  CHECK(key.is_enabled == 1);
  CHECK(key.source == VK_BLEND_FACTOR_SRC_COLOR);
  CHECK(key.destination == VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR);
  CHECK(key.op == VK_BLEND_OP_SUBTRACT);
  CHECK(key.alpha_source == VK_BLEND_FACTOR_DST_ALPHA);
  CHECK(key.alpha_destination == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA);
  CHECK(key.alpha_op == VK_BLEND_OP_MAX);
  CHECK(key.write_mask == 0xF);
}

TEST_CASE("draw_programs: blending takes the alpha of an X8 target for one",
          "[vulkan][draw_programs]") {
  described_draw draw;
  draw.set_target(0, AEROGPU_FORMAT_B8G8R8X8_UNORM);
  draw.fixed.blend.enable = true;
  draw.fixed.blend.color.source = blend_factor::dest_alpha;
  draw.fixed.blend.color.destination = blend_factor::inv_dest_alpha;
  const blend_key key = draw.key().blends[0];
  CHECK(key.source == VK_BLEND_FACTOR_ONE);
  CHECK(key.destination == VK_BLEND_FACTOR_ZERO);
}

TEST_CASE("draw_programs: factors make no difference to a target that is not blended",
          "[vulkan][draw_programs]") {
  described_draw plain;
  described_draw with_factors;
  with_factors.fixed.blend.color = {blend_factor::src_alpha, blend_factor::one,
                                    AEROGPU_BLEND_OP_MIN};
  SECTION("because blending is off") {}
  SECTION("because nothing of it is written") {
    with_factors.fixed.blend.enable = true;
    plain.fixed.blend.write_masks[0] = with_factors.fixed.blend.write_masks[0] = 0;
  }
  SECTION("because only the alpha that it lacks would be written") {
    with_factors.fixed.blend.enable = true;
    for (described_draw* const draw : {&plain, &with_factors}) {
      draw->set_target(0, AEROGPU_FORMAT_B8G8R8X8_UNORM);
      draw->fixed.blend.write_masks[0] = 0b1000;
    }
  }
  CHECK(with_factors.key() == plain.key());
  CHECK(with_factors.key().blends[0].is_enabled == 0);
}

TEST_CASE("draw_programs: a stencil is there where the depth target has one",
          "[vulkan][draw_programs]") {
  described_draw draw;
  CHECK(draw.key().depth_format == VK_FORMAT_UNDEFINED);
  CHECK(draw.key().has_stencil == 0);
  target_image depth{VK_IMAGE_ASPECT_DEPTH_BIT};
  draw.targets.depth_stencil = {&depth.record, VK_NULL_HANDLE, VK_FORMAT_D32_SFLOAT};
  CHECK(draw.key().depth_format == VK_FORMAT_D32_SFLOAT);
  CHECK(draw.key().has_stencil == 0);
  depth.format.aspects |= VK_IMAGE_ASPECT_STENCIL_BIT;
  CHECK(draw.key().has_stencil == 1);
}

TEST_CASE("draw_programs: a key has the class of a topology, and a patch's control points",
          "[vulkan][draw_programs]") {
  const auto [topology, topology_class, control_points] =
      GENERATE(table<aerogpu_primitive_topology, VkPrimitiveTopology, int>({
          {AEROGPU_TOPOLOGY_POINTLIST, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 0},
          {AEROGPU_TOPOLOGY_LINESTRIP, VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 0},
          {AEROGPU_TOPOLOGY_LINELIST_ADJ, VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 0},
          {AEROGPU_TOPOLOGY_TRIANGLEFAN, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 0},
          {AEROGPU_TOPOLOGY_PATCHLIST_1, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, 1},
          {AEROGPU_TOPOLOGY_PATCHLIST_32, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST, 32},
      }));
  CAPTURE(topology);
  described_draw draw;
  draw.fixed.topology = topology;
  CHECK(draw.key().topology_class == topology_class);
  CHECK(draw.key().patch_control_points == control_points);
}

TEST_CASE("draw_programs: an alpha test is a D3DCMPFUNC, which is one more than the protocol's",
          "[vulkan][draw_programs]") {
  const auto [func, d3d_func] = GENERATE(table<aerogpu_compare_func, int>({
      {AEROGPU_COMPARE_NEVER, 1},
      {AEROGPU_COMPARE_LESS, 2},
      {AEROGPU_COMPARE_GREATER_EQUAL, 7},
      {AEROGPU_COMPARE_ALWAYS, 8},
  }));
  CAPTURE(func);
  described_draw draw;
  draw.fixed.alpha_test.enable = true;
  draw.fixed.alpha_test.func = func;
  CHECK(draw.key().alpha_function == d3d_func);
}

TEST_CASE("draw_programs: alpha always passes while no test is enabled, and in Direct3D 10",
          "[vulkan][draw_programs]") {
  described_draw draw;
  draw.fixed.alpha_test.func = AEROGPU_COMPARE_NEVER;
  CHECK(draw.key().alpha_function == d3d9::alpha_always);
  draw.fixed.alpha_test.enable = true;
  draw.vertex_code.language = shader_language::dxbc_container;
  CHECK(draw.key().alpha_function == d3d9::alpha_always);
}

TEST_CASE("draw_programs: wires are drawn where they are asked for and the device can",
          "[vulkan][draw_programs]") {
  described_draw draw;
  draw.fixed.rasterizer.fill = AEROGPU_FILL_WIREFRAME;
  CHECK(draw.key().is_wireframe == 0);
  draw.device.features.wireframe = true;
  CHECK(draw.key().is_wireframe == 1);
  draw.fixed.rasterizer.fill = AEROGPU_FILL_SOLID;
  CHECK(draw.key().is_wireframe == 0);
}

TEST_CASE("draw_programs: render state 8 asks for wires in Direct3D 9 alone",
          "[vulkan][draw_programs]") {
  described_draw draw;
  draw.device.features.wireframe = true;
  draw.d3d9.render_states[d3drs_fillmode] = 2;
  CHECK(draw.key().is_wireframe == 1);
  draw.device.features.wireframe = false;
  CHECK(draw.key().is_wireframe == 0);
  draw.device.features.wireframe = true;
  SECTION("whose points are solid") {
    draw.d3d9.render_states[d3drs_fillmode] = 1;
  }
  SECTION("which the programs of Direct3D 10 do not look at") {
    draw.vertex_code.language = shader_language::dxbc_container;
  }
  CHECK(draw.key().is_wireframe == 0);
}

TEST_CASE("draw_programs: lines are GDI's where Direct3D 9's rules are asked for",
          "[vulkan][draw_programs]") {
  const bool are_wires = GENERATE(false, true);
  described_draw draw;
  draw.device.features.bresenham_lines = draw.device.features.wireframe = true;
  draw.d3d9.render_states[aerogpurs_pixel_centers] = 1;
  CHECK(draw.key().has_bresenham_lines == 0);
  if (are_wires) {
    draw.fixed.rasterizer.fill = AEROGPU_FILL_WIREFRAME;
  } else {
    draw.fixed.topology = GENERATE(AEROGPU_TOPOLOGY_LINELIST, AEROGPU_TOPOLOGY_LINESTRIP);
  }
  CHECK(draw.key().has_bresenham_lines == 1);
  SECTION("not where nobody asks") {
    draw.d3d9.render_states[aerogpurs_pixel_centers] = 0;
  }
  SECTION("not of Direct3D 10") {
    draw.vertex_code.language = shader_language::dxbc_container;
  }
  SECTION("not where the device cannot") {
    draw.device.features.bresenham_lines = false;
  }
  CHECK(draw.key().has_bresenham_lines == 0);
}

TEST_CASE("draw_programs: depth is clamped for draws that do not clip it, on a device that can",
          "[vulkan][draw_programs]") {
  described_draw draw;
  layout_record layout;
  vulkan_input_layout input{&layout};
  draw.state.input_layout = &input;
  draw.device.features.depth_clamp = true;
  CHECK(draw.key().clamps_depth == 0);
  SECTION("because they say so") {
    draw.fixed.rasterizer.depth_clip = false;
  }
  SECTION("because their vertices were transformed") {
    layout.has_transformed_position = true;
    draw.d3d9.render_states[aerogpurs_transformed_clip] = 1;
    CHECK(draw.key().clamps_depth == 0);
    draw.d3d9.render_states[aerogpurs_transformed_clip] = 2;
  }
  CHECK(draw.key().clamps_depth == 1);
  draw.device.features.depth_clamp = false;
  CHECK(draw.key().clamps_depth == 0);
}
