// SPDX-License-Identifier: MIT
/// \file All that the guest has, on whatever device: it outlives a lost one.
#pragma once

#include "vulkan/pipeline/shader_store.hpp"
#include "vulkan/programs/layout_record.hpp"
#include "vulkan/resources/resource_records.hpp"
#include "vulkan/resources/sampler_cache.hpp"

#include <cstdint>

namespace aerogpu::vulkan {

struct guest_records {
  resource_records resources;
  shader_store shaders;
  record_store<sampler_record> samplers;
  record_store<layout_record> layouts;

  /// `options` outlive the records.
  explicit guest_records(const backend_options& options) noexcept : shaders(options) {}

  [[nodiscard]] auto live_objects() const noexcept -> std::uint64_t {
    return resources.live_objects() + shaders.live_objects() + samplers.live_objects() +
           layouts.live_objects();
  }
};

}  // namespace aerogpu::vulkan
