// SPDX-License-Identifier: MIT
/// \file All that is made on a device for the guest, and goes with it.
#pragma once

#include "vulkan/device_parts.hpp"
#include "vulkan/draw/dispatch_recorder.hpp"
#include "vulkan/draw/draw_recorder.hpp"
#include "vulkan/pipeline/pipeline_store.hpp"
#include "vulkan/pipeline/shader_store.hpp"
#include "vulkan/resources/buffer_transfer.hpp"
#include "vulkan/resources/dummy_images.hpp"
#include "vulkan/resources/pending_copy.hpp"
#include "vulkan/resources/resource_objects.hpp"
#include "vulkan/resources/sampler_cache.hpp"
#include "vulkan/resources/texture_transfer.hpp"

namespace aerogpu::vulkan {

/// The guest's records, which outlive a lost device, lie elsewhere and are given these to work
/// with. Members are in the order of their dependence; what they destroy goes into the garbage of
/// the device.
struct device_objects {
  device_parts& device;
  resource_objects resources;
  sampler_cache samplers;
  dummy_images dummies;
  pipeline_layouts layouts;
  pipeline_store pipelines;
  buffer_transfer buffers;
  texture_transfer textures;
  pending_copy copy;
  draw_recorder draws;
  dispatch_recorder dispatches;

  /// All outlive the objects.
  device_objects(device_parts& on, shader_store& shaders, slow_shaders& slow,
                 const backend_options& options) noexcept
      : device(on),
        resources(device, options),
        samplers(device, options),
        dummies(device),
        layouts(device, options),
        pipelines(device, slow, options),
        buffers(device, resources),
        textures(device, resources),
        copy(textures),
        draws({options, device, resources, shaders, samplers, dummies, layouts, pipelines}),
        dispatches({options, device, resources, shaders, samplers, dummies, layouts, pipelines}) {}
  device_objects(const device_objects&) = delete;
  auto operator=(const device_objects&) -> device_objects& = delete;

  /// Makes what every draw may need, in the open batch. Errors: out_of_memory, device_lost.
  [[nodiscard]] auto initialize() -> result<void> {
    if (auto made = resources.initialize(); !made) return made;
    if (auto made = dummies.initialize(); !made) return made;
    return pipelines.initialize();
  }
};

}  // namespace aerogpu::vulkan
