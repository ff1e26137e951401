// SPDX-License-Identifier: MIT
/// \file What a draw or dispatch of these programs costs, and where a draw may be cut.
#pragma once

#include "vulkan/draw/draw_pieces.hpp"
#include "vulkan/draw/vertex_bindings.hpp"
#include "vulkan/pipeline/pipeline_store.hpp"

namespace aerogpu::vulkan {

/// By the modules' instructions and the pixels of the targets: an upper bound where neither a loop
/// runs nor a stage makes more primitives than is usual.
[[nodiscard]] auto cost_of_draw(const stage_variants& stages, VkExtent2D targets) noexcept
    -> draw_cost;

/// Of a dispatch: its threads, and its own start.
[[nodiscard]] auto cost_of_group(const shader_variant& compute) noexcept -> std::uint64_t;

/// `restarts`: an index may begin another strip. `key` and `vertices` are those of the draw.
[[nodiscard]] auto cuts_of_draw(aerogpu_primitive_topology topology, bool restarts,
                                const stage_variants& stages, const pipeline_key& key,
                                const vertex_bindings& vertices) noexcept -> draw_cuts;

}  // namespace aerogpu::vulkan
