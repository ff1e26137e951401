// SPDX-License-Identifier: MIT
/// \file What the parts of draws and dispatches come from.
#pragma once

#include "vulkan/pipeline/pipeline_store.hpp"
#include "vulkan/pipeline/shader_store.hpp"
#include "vulkan/resources/dummy_images.hpp"
#include "vulkan/resources/resource_objects.hpp"
#include "vulkan/resources/sampler_cache.hpp"

namespace aerogpu::vulkan {

struct program_sources {
  const backend_options& options;
  device_parts& device;
  resource_objects& resources;
  shader_store& shaders;
  sampler_cache& samplers;
  dummy_images& dummies;
  pipeline_layouts& layouts;
  pipeline_store& pipelines;
};

}  // namespace aerogpu::vulkan
