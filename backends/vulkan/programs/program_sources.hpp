// SPDX-License-Identifier: MIT
/// \file What the parts of draws and dispatches come from.
#pragma once

#include "vulkan/pipeline/pipeline_store.hpp"
#include "vulkan/pipeline/shader_store.hpp"
#include "vulkan/resources/dummy_images.hpp"
#include "vulkan/resources/resource_store.hpp"
#include "vulkan/resources/sampler_store.hpp"

namespace aerogpu::vulkan {

struct program_sources {
  const backend_options& options;
  device_parts*& device;
  resource_store& resources;
  shader_store& shaders;
  sampler_store& samplers;
  dummy_images& dummies;
  pipeline_layouts& layouts;
  pipeline_store& pipelines;
};

}  // namespace aerogpu::vulkan
