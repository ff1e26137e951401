/// \file What the parts of draws and dispatches come from.
#pragma once

#include "vulkan/dummy_images.hpp"
#include "vulkan/pipeline_store.hpp"
#include "vulkan/resource_store.hpp"
#include "vulkan/sampler_store.hpp"
#include "vulkan/shader_store.hpp"

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
