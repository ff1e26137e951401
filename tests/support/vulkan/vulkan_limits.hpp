// SPDX-License-Identifier: MIT
/// \file Limits of the Vulkan backend under which every operation meets one.
#pragma once

#include "vulkan/backend_limits.hpp"
#include "vulkan/backend_options.hpp"
#include "vulkan/draw/draw_pieces.hpp"

#include <cstdlib>
#include <string_view>

namespace aerogpu::test {

/// Each primitive gets a batch of its own, and so does each other command; staging memory is as
/// small as it may be, and a cache keeps one object.
[[nodiscard]] constexpr auto tight_limits() noexcept -> vulkan::backend_limits {
  vulkan::backend_limits bounds;
  bounds.commands_per_batch = 1;
  bounds.work_per_batch = 1;
  bounds.commands_in_flight = 8;
  bounds.batches_in_flight = bounds.descriptor_pools_in_flight = 2;
  bounds.staging_bytes_per_batch = 1u << 20;
  bounds.staging_bytes = 2u << 20;
  bounds.spare_staging_bytes = 1u << 20;
  bounds.retired_objects = 1;
  bounds.graphics_pipelines = bounds.compute_pipelines = 1;
  bounds.shader_variants = bounds.idle_shaders = 1;
  bounds.descriptor_set_layouts = bounds.pipeline_layouts = 1;
  bounds.samplers = bounds.image_views = bounds.buffer_views = 1;
  bounds.descriptor_pools_per_batch = bounds.texture_sets_per_batch = 1;
  return bounds;
}

/// Gives a backend those, where AEROGPU_VULKAN_LIMITS is "tight". With "tight_commands" a piece of
/// a draw or dispatch is 64 groups: conformance has dispatches of 65,535, which would take half a
/// minute one by one. How slow a machine is, is not what is tested.
inline void choose_limits(vulkan::backend_options& options) {
  const char* const chosen = std::getenv("AEROGPU_VULKAN_LIMITS");
  if (chosen == nullptr) return;
  const std::string_view name{chosen};
  if (name != "tight" && name != "tight_commands") return;
  options.bounds = tight_limits();
  if (name == "tight_commands") options.bounds.work_per_batch = 64 * vulkan::start_of_group;
  options.bounds.submission_ms = options.watchdog_ms = 600'000;
}

}  // namespace aerogpu::test
