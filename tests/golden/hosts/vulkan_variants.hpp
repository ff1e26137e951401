// SPDX-License-Identifier: MIT
/// \file Vulkan backends as the variants of a host want them, with validation.
#pragma once

#include "tests/catch.hpp"
#include "tests/golden/hosts/host.hpp"
#include "tests/support/vulkan/vulkan_limits.hpp"
#include "tests/support/vulkan/vulkan_processor.hpp"
#include "vulkan/engine.hpp"

#include <memory>
#include <utility>

namespace aerogpu::golden {

/// The device keeps what it has; the backend believes that it has not.
inline void forget_features(vulkan::vulkan_backend& backend) {
  vulkan::gpu_features& features = backend.inside().device()->gpu->features;
  features.geometry = features.tessellation = false;
  features.null_descriptor = false;
  features.draw_parameters = false;
}

[[nodiscard]] inline auto features_of(vulkan::vulkan_backend& backend) -> host_features {
  const vulkan::gpu_features& features = backend.inside().device()->gpu->features;
  return {.wireframe = features.wireframe, .anisotropy = features.anisotropy};
}

/// Null when this machine has no device that will do.
[[nodiscard]] inline auto open_variant(host_variant variant)
    -> std::unique_ptr<vulkan::vulkan_backend> {
  vulkan::backend_options options;
  options.validate = true;
  test::choose_limits(options);
  options.force_format_expansion = variant == host_variant::expanded_formats;
  options.fast_shader_math = variant == host_variant::fast_math;
  options.applies_fog = variant == host_variant::host_fog;
  auto made = vulkan::vulkan_backend::create(options);
  if (!made) {
    UNSCOPED_INFO(made.why().what);
    return nullptr;
  }
  if (variant == host_variant::bare_device) forget_features(**made);
  return *std::move(made);
}

}  // namespace aerogpu::golden
