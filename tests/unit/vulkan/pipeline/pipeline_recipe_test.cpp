// SPDX-License-Identifier: MIT
// What Vulkan is told of a pipeline.
#include "vulkan/pipeline/pipeline_recipe.hpp"

#include "d3d9_to_spirv/translate.hpp"
#include "tests/catch.hpp"
#include "vulkan/pipeline/dynamic_state.hpp"

#include <cstdint>
#include <cstring>
#include <functional>

using namespace aerogpu;
using namespace aerogpu::vulkan;

namespace {

std::function<void(const VkGraphicsPipelineCreateInfo&)> inspect;
VkResult answer = VK_SUCCESS;

/// A device that makes no pipeline, and lets a test inspect what it is asked for.
struct inspected_device {
  inspected_device() {
    device.vk.vkCreateGraphicsPipelines = [](VkDevice, VkPipelineCache, std::uint32_t count,
                                             const VkGraphicsPipelineCreateInfo* infos,
                                             const VkAllocationCallbacks*, VkPipeline*) {
      CHECK(count == 1);
      if (inspect) inspect(*infos);
      return answer;
    };
  }

  gpu device;
};

auto module_of(std::uintptr_t number) -> VkShaderModule {
  return reinterpret_cast<VkShaderModule>(number);
}

/// Describes the pipeline, and calls `claims` with what Vulkan gets.
void create(const pipeline_key& key, const stage_modules& stages,
            std::function<void(const VkGraphicsPipelineCreateInfo&)> claims) {
  bool is_inspected = false;
  inspect = [&](const VkGraphicsPipelineCreateInfo& info) {
    is_inspected = true;
    claims(info);
  };
  answer = VK_SUCCESS;
  const inspected_device inspected;
  pipeline_recipe recipe;
  recipe.describe(key, stages, VK_NULL_HANDLE);
  CHECK(recipe.create(inspected.device, VK_NULL_HANDLE));
  CHECK(is_inspected);
  inspect = nullptr;
}

const stage_modules vertex_and_pixel{module_of(1), module_of(2)};

}  // namespace

TEST_CASE("stages that are there come in order, and the pixel stage knows the alpha test",
          "[vulkan][recipe]") {
  pipeline_key key;
  key.alpha_function = 5;
  stage_modules stages = vertex_and_pixel;
  stages[static_cast<std::size_t>(graphics_stage::domain)] = module_of(5);
  create(key, stages, [](const VkGraphicsPipelineCreateInfo& info) {
    REQUIRE(info.stageCount == 3);
    CHECK(info.pStages[0].stage == VK_SHADER_STAGE_VERTEX_BIT);
    CHECK(info.pStages[1].stage == VK_SHADER_STAGE_FRAGMENT_BIT);
    CHECK(info.pStages[2].stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT);
    CHECK(info.pStages[2].module == module_of(5));
    CHECK(info.pStages[0].pSpecializationInfo == nullptr);
    const VkSpecializationInfo* const values = info.pStages[1].pSpecializationInfo;
    REQUIRE(values != nullptr);
    CHECK(values->pMapEntries[0].constantID == d3d9::alpha_function_spec_id);
    std::uint32_t function = 0;
    REQUIRE(values->dataSize == sizeof function);
    std::memcpy(&function, values->pData, sizeof function);
    CHECK(function == 5);
  });
}

TEST_CASE("streams go on by vertex or by so many instances", "[vulkan][recipe]") {
  pipeline_key key;
  key.binding_count = 4;
  key.instance_bindings = 0b1110;
  key.divisors = {0, 1, 3, 0};
  key.attribute_count = 1;
  key.attributes[0] = {7, 2, 0, 12, VK_FORMAT_R32G32_SFLOAT};
  create(key, vertex_and_pixel, [](const VkGraphicsPipelineCreateInfo& info) {
    const VkPipelineVertexInputStateCreateInfo& input = *info.pVertexInputState;
    REQUIRE(input.vertexBindingDescriptionCount == 4);
    CHECK(input.pVertexBindingDescriptions[0].inputRate == VK_VERTEX_INPUT_RATE_VERTEX);
    CHECK(input.pVertexBindingDescriptions[3].inputRate == VK_VERTEX_INPUT_RATE_INSTANCE);
    REQUIRE(input.vertexAttributeDescriptionCount == 1);
    CHECK(input.pVertexAttributeDescriptions[0].location == 7);
    CHECK(input.pVertexAttributeDescriptions[0].binding == 2);
    CHECK(input.pVertexAttributeDescriptions[0].offset == 12);
    REQUIRE(input.pNext != nullptr);
    const auto& divisors =
        *static_cast<const VkPipelineVertexInputDivisorStateCreateInfoEXT*>(input.pNext);
    REQUIRE(divisors.vertexBindingDivisorCount == 2);  // One is what Vulkan takes by itself.
    CHECK(divisors.pVertexBindingDivisors[0].binding == 2);
    CHECK(divisors.pVertexBindingDivisors[0].divisor == 3);
    CHECK(divisors.pVertexBindingDivisors[1].binding == 3);
    CHECK(divisors.pVertexBindingDivisors[1].divisor == 0);
  });
}

TEST_CASE("without streams Vulkan is promised no strides, and told of no divisors",
          "[vulkan][recipe]") {
  pipeline_key key;
  create(key, vertex_and_pixel, [](const VkGraphicsPipelineCreateInfo& info) {
    CHECK(info.pDynamicState->dynamicStateCount == dynamic_states.size() - 1);
    CHECK(info.pVertexInputState->pNext == nullptr);
  });
  key.binding_count = 1;
  create(key, vertex_and_pixel, [](const VkGraphicsPipelineCreateInfo& info) {
    CHECK(info.pDynamicState->dynamicStateCount == dynamic_states.size());
  });
}

TEST_CASE("patches have a tessellation state, and nothing else has", "[vulkan][recipe]") {
  pipeline_key key;
  create(key, vertex_and_pixel, [](const VkGraphicsPipelineCreateInfo& info) {
    CHECK(info.pTessellationState == nullptr);
  });
  key.patch_control_points = 3;
  create(key, vertex_and_pixel, [](const VkGraphicsPipelineCreateInfo& info) {
    REQUIRE(info.pTessellationState != nullptr);
    CHECK(info.pTessellationState->patchControlPoints == 3);
  });
}

TEST_CASE("targets have the formats and blending of the key", "[vulkan][recipe]") {
  const bool has_stencil = GENERATE(false, true);
  pipeline_key key;
  key.color_count = 2;
  key.color_formats = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32_SFLOAT};
  key.depth_format = VK_FORMAT_D24_UNORM_S8_UINT;
  key.has_stencil = has_stencil;
  key.is_wireframe = 1;
  key.clamps_depth = 1;
  key.blends[1] = {.is_enabled = 1,
                   .source = VK_BLEND_FACTOR_SRC_ALPHA,
                   .destination = VK_BLEND_FACTOR_ONE,
                   .op = VK_BLEND_OP_SUBTRACT,
                   .alpha_source = VK_BLEND_FACTOR_ZERO,
                   .alpha_destination = VK_BLEND_FACTOR_DST_ALPHA,
                   .alpha_op = VK_BLEND_OP_MAX,
                   .write_mask = 0b1010,
                   .padding = 0};
  create(key, vertex_and_pixel, [&](const VkGraphicsPipelineCreateInfo& info) {
    const auto& targets = *static_cast<const VkPipelineRenderingCreateInfo*>(info.pNext);
    REQUIRE(targets.colorAttachmentCount == 2);
    CHECK(targets.pColorAttachmentFormats[1] == VK_FORMAT_R32_SFLOAT);
    CHECK(targets.depthAttachmentFormat == VK_FORMAT_D24_UNORM_S8_UINT);
    CHECK(targets.stencilAttachmentFormat ==
          (has_stencil ? VK_FORMAT_D24_UNORM_S8_UINT : VK_FORMAT_UNDEFINED));
    REQUIRE(info.pColorBlendState->attachmentCount == 2);
    CHECK(info.pColorBlendState->pAttachments[0].blendEnable == VK_FALSE);
    const VkPipelineColorBlendAttachmentState& blend = info.pColorBlendState->pAttachments[1];
    CHECK(blend.blendEnable == VK_TRUE);
    CHECK(blend.srcColorBlendFactor == VK_BLEND_FACTOR_SRC_ALPHA);
    CHECK(blend.dstColorBlendFactor == VK_BLEND_FACTOR_ONE);
    CHECK(blend.colorBlendOp == VK_BLEND_OP_SUBTRACT);
    CHECK(blend.srcAlphaBlendFactor == VK_BLEND_FACTOR_ZERO);
    CHECK(blend.dstAlphaBlendFactor == VK_BLEND_FACTOR_DST_ALPHA);
    CHECK(blend.alphaBlendOp == VK_BLEND_OP_MAX);
    CHECK(blend.colorWriteMask == 0b1010);
    CHECK(info.pRasterizationState->polygonMode == VK_POLYGON_MODE_LINE);
    CHECK(info.pRasterizationState->depthClampEnable == VK_TRUE);
  });
}

TEST_CASE("lines by GDI's rule and clipped depth are chained where the key has them",
          "[vulkan][recipe]") {
  const bool has_lines = GENERATE(false, true), clips = GENERATE(false, true);
  pipeline_key key;
  key.has_bresenham_lines = has_lines;
  key.clips_depth = clips;
  create(key, vertex_and_pixel, [&](const VkGraphicsPipelineCreateInfo& info) {
    const auto* next = static_cast<const VkBaseInStructure*>(info.pRasterizationState->pNext);
    if (has_lines) {
      REQUIRE(next != nullptr);
      REQUIRE(next->sType == VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT);
      const auto& lines =
          *reinterpret_cast<const VkPipelineRasterizationLineStateCreateInfoEXT*>(next);
      CHECK(lines.lineRasterizationMode == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT);
      next = next->pNext;
    }
    REQUIRE((next != nullptr) == clips);
    if (!clips) return;
    CHECK(next->sType == VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
    CHECK(next->pNext == nullptr);
  });
}

TEST_CASE("a recipe that is described again keeps nothing of before", "[vulkan][recipe]") {
  const inspected_device inspected;
  pipeline_recipe recipe;
  pipeline_key key;
  key.binding_count = 1;
  key.instance_bindings = 1;
  key.patch_control_points = 3;
  recipe.describe(key, {module_of(1), module_of(2), module_of(3)}, VK_NULL_HANDLE);
  recipe.describe({}, vertex_and_pixel, VK_NULL_HANDLE);
  inspect = [](const VkGraphicsPipelineCreateInfo& info) {
    CHECK(info.stageCount == 2);
    CHECK(info.pTessellationState == nullptr);
    CHECK(info.pVertexInputState->vertexBindingDescriptionCount == 0);
    CHECK(info.pVertexInputState->pNext == nullptr);
  };
  CHECK(recipe.create(inspected.device, VK_NULL_HANDLE));
  inspect = nullptr;
}

TEST_CASE("a pipeline that the device does not make is an error with its VkResult",
          "[vulkan][recipe]") {
  const auto [code, wanted] = GENERATE(table<VkResult, error_code>({
      {VK_ERROR_OUT_OF_DEVICE_MEMORY, error_code::out_of_memory},
      {VK_ERROR_DEVICE_LOST, error_code::device_lost},
      {VK_ERROR_UNKNOWN, error_code::internal},
  }));
  const inspected_device inspected;
  pipeline_recipe recipe;
  recipe.describe({}, vertex_and_pixel, VK_NULL_HANDLE);
  answer = code;
  const auto made = recipe.create(inspected.device, VK_NULL_HANDLE);
  answer = VK_SUCCESS;
  REQUIRE_FALSE(made);
  CHECK(made.why().code == wanted);
  CHECK(made.why().detail == static_cast<std::uint32_t>(code));
}

TEST_CASE("a pipeline was cached when the driver says so, and says that it knows",
          "[vulkan][recipe]") {
  constexpr VkPipelineCreationFeedbackFlags knows = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT;
  constexpr VkPipelineCreationFeedbackFlags hit =
      VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
  const inspected_device inspected;
  pipeline_recipe recipe;
  recipe.describe({}, vertex_and_pixel, VK_NULL_HANDLE);
  for (const VkPipelineCreationFeedbackFlags said : {0u, knows | hit, hit, knows}) {
    CAPTURE(said);
    inspect = [said](const VkGraphicsPipelineCreateInfo& info) {
      const auto* const targets = static_cast<const VkBaseInStructure*>(info.pNext);
      REQUIRE(targets->pNext->sType == VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
      const auto* const asked =
          reinterpret_cast<const VkPipelineCreationFeedbackCreateInfo*>(targets->pNext);
      CHECK(asked->pPipelineCreationFeedback->flags == 0);
      asked->pPipelineCreationFeedback->flags = said;
    };
    CHECK(recipe.create(inspected.device, VK_NULL_HANDLE));
    CHECK(recipe.was_cached() == (said == (knows | hit)));
  }
  inspect = nullptr;
}
