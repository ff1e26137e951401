// SPDX-License-Identifier: MIT
// Which state Vulkan is told, and that it is told no more than what changed.
#include "vulkan/pipeline/dynamic_state.hpp"

#include "tests/catch.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

constexpr VkExtent2D extent{640, 480};

auto usual_limits() -> VkPhysicalDeviceLimits {
  VkPhysicalDeviceLimits most{};
  most.maxViewportDimensions[0] = most.maxViewportDimensions[1] = 16'384;
  most.viewportBoundsRange[0] = -32'768;
  most.viewportBoundsRange[1] = 32'767;
  return most;
}

auto state_of(const fixed_function_state& fixed, const dynamic_inputs& inputs = {extent})
    -> dynamic_state {
  return make_dynamic_state(fixed, inputs, usual_limits());
}

auto with_viewport(float x, float y, float width, float height, float near, float far)
    -> fixed_function_state {
  fixed_function_state fixed;
  fixed.viewport = {true, x, y, width, height, near, far};
  return fixed;
}

/// Names of the commands that are recorded.
std::vector<std::string> recorded;

auto recording_table() -> VolkDeviceTable {
  VolkDeviceTable vk{};
  vk.vkCmdSetViewport = [](VkCommandBuffer, auto, auto, auto) { recorded.push_back("viewport"); };
  vk.vkCmdSetScissor = [](VkCommandBuffer, auto, auto, auto) { recorded.push_back("scissor"); };
  vk.vkCmdSetBlendConstants = [](VkCommandBuffer, const float*) { recorded.push_back("blend"); };
  vk.vkCmdSetCullMode = [](VkCommandBuffer, auto) { recorded.push_back("cull"); };
  vk.vkCmdSetFrontFace = [](VkCommandBuffer, auto) { recorded.push_back("front"); };
  vk.vkCmdSetPrimitiveTopology = [](VkCommandBuffer, auto) { recorded.push_back("topology"); };
  vk.vkCmdSetPrimitiveRestartEnable = [](VkCommandBuffer, auto) { recorded.push_back("restart"); };
  vk.vkCmdSetDepthBiasEnable = [](VkCommandBuffer, auto) { recorded.push_back("bias enable"); };
  vk.vkCmdSetDepthBias = [](VkCommandBuffer, auto, auto, auto) { recorded.push_back("bias"); };
  vk.vkCmdSetDepthTestEnable = [](VkCommandBuffer, auto) { recorded.push_back("depth test"); };
  vk.vkCmdSetDepthWriteEnable = [](VkCommandBuffer, auto) { recorded.push_back("depth write"); };
  vk.vkCmdSetDepthCompareOp = [](VkCommandBuffer, auto) { recorded.push_back("depth compare"); };
  vk.vkCmdSetStencilTestEnable = [](VkCommandBuffer, auto) { recorded.push_back("stencil test"); };
  vk.vkCmdSetStencilOp = [](VkCommandBuffer, VkStencilFaceFlags face, auto, auto, auto, auto) {
    recorded.push_back(face == VK_STENCIL_FACE_FRONT_BIT ? "front stencil" : "back stencil");
  };
  vk.vkCmdSetStencilCompareMask = [](VkCommandBuffer, auto, auto) { recorded.push_back("read"); };
  vk.vkCmdSetStencilWriteMask = [](VkCommandBuffer, auto, auto) { recorded.push_back("write"); };
  vk.vkCmdSetStencilReference = [](VkCommandBuffer, auto, auto) {
    recorded.push_back("reference");
  };
  return vk;
}

/// What is recorded for `now` behind `last`.
auto commands(const dynamic_state& now, const dynamic_state* last) -> std::vector<std::string> {
  recorded.clear();
  record_dynamic_state(recording_table(), VK_NULL_HANDLE, now, last);
  return recorded;
}

}  // namespace

TEST_CASE("without a viewport the whole target is one, turned over", "[vulkan][dynamic_state]") {
  const VkViewport viewport = state_of({}).viewport;
  CHECK(viewport.x == 0);
  CHECK(viewport.y == 480);
  CHECK(viewport.width == 640);
  CHECK(viewport.height == -480);
  CHECK(viewport.minDepth == 0);
  CHECK(viewport.maxDepth == 1);
}

TEST_CASE("Direct3D 9's pixel centres move a viewport by half a pixel", "[vulkan][dynamic_state]") {
  dynamic_inputs inputs{extent};
  inputs.has_d3d9_pixel_centers = true;
  const VkViewport viewport = state_of(with_viewport(10, 20, 100, 50, .25f, .75f), inputs).viewport;
  CHECK(viewport.x == 10.5f);
  CHECK(viewport.y == 70.5f);
  CHECK(viewport.width == 100);
  CHECK(viewport.height == -50);
  CHECK(viewport.minDepth == .25f);
  CHECK(viewport.maxDepth == .75f);
}

TEST_CASE("a viewport stays within what the device takes", "[vulkan][dynamic_state]") {
  const VkPhysicalDeviceLimits most = usual_limits();
  const float far_away = 1e30f;
  for (const float place : {-far_away, 0.0f, far_away}) {
    for (const float size : {1.0f, far_away}) {
      const VkViewport v = state_of(with_viewport(place, place, size, size, -1, 2)).viewport;
      CAPTURE(place, size);
      CHECK(v.x >= most.viewportBoundsRange[0]);
      CHECK(v.x + v.width <= most.viewportBoundsRange[1]);
      CHECK(v.y + v.height >= most.viewportBoundsRange[0]);
      CHECK(v.y <= most.viewportBoundsRange[1]);
      CHECK(v.width > 0);
      CHECK(v.width <= 16'384);
      CHECK(-v.height <= 16'384);
      CHECK(v.minDepth == 0);
      CHECK(v.maxDepth == 1);
    }
  }
}

TEST_CASE("a scissor counts when it is enabled, within the target", "[vulkan][dynamic_state]") {
  fixed_function_state fixed;
  fixed.scissor = {true, -10, 400, 100, 200};
  CHECK(state_of(fixed).scissor.extent.width == 640);
  fixed.rasterizer.scissor_enable = true;
  const VkRect2D scissor = state_of(fixed).scissor;
  CHECK(scissor.offset.x == 0);
  CHECK(scissor.offset.y == 400);
  CHECK(scissor.extent.width == 90);
  CHECK(scissor.extent.height == 80);
}

TEST_CASE("Direct3D 9 draws to no pixel that its viewport does not touch",
          "[vulkan][dynamic_state]") {
  const bool has_d3d9_pixel_centers = GENERATE(false, true);
  dynamic_inputs inputs{extent};
  inputs.has_d3d9_pixel_centers = has_d3d9_pixel_centers;
  fixed_function_state fixed = with_viewport(10.5f, 20, 100, 50, 0, 1);
  const auto scissor = [&] {
    const VkRect2D is = state_of(fixed, inputs).scissor;
    return std::array{static_cast<std::uint32_t>(is.offset.x),
                      static_cast<std::uint32_t>(is.offset.y), is.extent.width, is.extent.height};
  };
  using rectangle = std::array<std::uint32_t, 4>;
  CHECK(scissor() == rectangle{0, 0, 640, 480});  // Later versions draw wide points beyond it.
  inputs.is_d3d9 = true;
  CHECK(scissor() == rectangle{10, 20, 101, 50});
  fixed.rasterizer.scissor_enable = true;
  fixed.scissor = {true, 100, 0, 400, 30};
  CHECK(scissor() == rectangle{100, 20, 11, 10});
  fixed.scissor = {true, 200, 0, 400, 30};
  CHECK(scissor()[2] == 0);
  fixed.viewport = {};
  CHECK(scissor() == rectangle{200, 0, 400, 30});
}

TEST_CASE("a viewport of Direct3D 9 that reaches beyond the target leaves the rest of it",
          "[vulkan][dynamic_state]") {
  dynamic_inputs inputs{extent};
  inputs.is_d3d9 = true;
  static constexpr float huge = std::numeric_limits<float>::max();
  const auto [x, width, begin, size] =
      GENERATE(table<float, float, std::int32_t, std::uint32_t>({{-5, 20, 0, 15},
                                                                 {630, 20, 630, 10},
                                                                 {-huge, huge, 0, 0},
                                                                 {-1, huge, 0, 640},
                                                                 {huge, huge, 640, 0},
                                                                 {-9, 4, 0, 0},
                                                                 {639.5f, 1e-30f, 639, 1}}));
  CAPTURE(x, width);
  const VkRect2D scissor = state_of(with_viewport(x, 0, width, 480, 0, 1), inputs).scissor;
  CHECK(scissor.offset.x == begin);
  CHECK(scissor.extent.width == size);
  CHECK(scissor.extent.height == 480);
}

TEST_CASE("depth is written only where it is tested", "[vulkan][dynamic_state]") {
  fixed_function_state fixed;
  fixed.depth_stencil.depth_enable = false;
  CHECK(state_of(fixed).depth_test == VK_FALSE);
  CHECK(state_of(fixed).depth_write == VK_FALSE);
  fixed.depth_stencil.depth_enable = true;
  CHECK(state_of(fixed).depth_write == VK_TRUE);
  fixed.depth_stencil.depth_write = false;
  CHECK(state_of(fixed).depth_test == VK_TRUE);
  CHECK(state_of(fixed).depth_write == VK_FALSE);
}

TEST_CASE("the clockwise face has its stencil operations whichever face is the front",
          "[vulkan][dynamic_state]") {
  const auto [is_two_sided, is_front_other] =
      GENERATE(table<bool, bool>({{false, false}, {false, true}, {true, false}, {true, true}}));
  fixed_function_state fixed;
  fixed.depth_stencil.two_sided = is_two_sided;
  fixed.depth_stencil.clockwise.pass = stencil_op::replace;
  fixed.depth_stencil.counter_clockwise.pass = stencil_op::zero;
  fixed.rasterizer.front_counter_clockwise = is_front_other;
  const dynamic_state state = state_of(fixed);
  const auto& clockwise = is_front_other ? state.back_stencil : state.front_stencil;
  const auto& other = is_front_other ? state.front_stencil : state.back_stencil;
  CAPTURE(is_two_sided, is_front_other);
  CHECK(clockwise.pass == VK_STENCIL_OP_REPLACE);
  CHECK(other.pass == (is_two_sided ? VK_STENCIL_OP_ZERO : VK_STENCIL_OP_REPLACE));
}

TEST_CASE("a bias that is no number is none", "[vulkan][dynamic_state]") {
  dynamic_inputs inputs{extent};
  inputs.d3d9_depth_bias = 0x7FC00000;
  inputs.d3d9_slope_bias = 0x7F800000;
  CHECK(state_of({}, inputs).depth_bias == std::array<float, 2>{0, 0});
}

TEST_CASE("the first draw sets every state but the strides", "[vulkan][dynamic_state]") {
  // The bias is two commands and one state of the list, the stencil operations the other way round.
  CHECK(commands(state_of({}), nullptr).size() == dynamic_states.size());
}

TEST_CASE("an equal state records nothing, and a change its own command",
          "[vulkan][dynamic_state]") {
  using names = std::vector<std::string>;
  const dynamic_state last = state_of({});
  CHECK(commands(last, &last) == names{});
  const auto changed = [&](auto&& change) {
    dynamic_state now = last;
    change(now);
    return commands(now, &last);
  };
  CHECK(changed([](auto& s) { s.viewport.x += 1; }) == names{"viewport"});
  CHECK(changed([](auto& s) { s.scissor.extent.width -= 1; }) == names{"scissor"});
  CHECK(changed([](auto& s) { s.blend_constants[3] = .5f; }) == names{"blend"});
  CHECK(changed([](auto& s) { s.depth_bias[1] = 1; }) == names{"bias enable", "bias"});
  CHECK(changed([](auto& s) { s.cull = VK_CULL_MODE_NONE; }) == names{"cull"});
  CHECK(changed([](auto& s) { s.front = VK_FRONT_FACE_COUNTER_CLOCKWISE; }) == names{"front"});
  CHECK(changed([](auto& s) { s.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST; }) ==
        names{"topology"});
  CHECK(changed([](auto& s) { s.restarts = VK_TRUE; }) == names{"restart"});
  CHECK(changed([](auto& s) { s.depth_test = VK_FALSE; }) == names{"depth test"});
  CHECK(changed([](auto& s) { s.depth_write = VK_FALSE; }) == names{"depth write"});
  CHECK(changed([](auto& s) { s.depth_compare = VK_COMPARE_OP_NEVER; }) == names{"depth compare"});
  CHECK(changed([](auto& s) { s.stencil_test = VK_TRUE; }) == names{"stencil test"});
  CHECK(changed([](auto& s) { s.front_stencil.fail = VK_STENCIL_OP_ZERO; }) ==
        names{"front stencil"});
  CHECK(changed([](auto& s) { s.back_stencil.compare = VK_COMPARE_OP_LESS; }) ==
        names{"back stencil"});
  CHECK(changed([](auto& s) { s.stencil_read_mask = 1; }) == names{"read"});
  CHECK(changed([](auto& s) { s.stencil_write_mask = 1; }) == names{"write"});
  CHECK(changed([](auto& s) { s.stencil_reference = 1; }) == names{"reference"});
}
