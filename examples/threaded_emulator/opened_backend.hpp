// SPDX-License-Identifier: MIT
/// \file The best backend that was built: Vulkan, or null, which draws clears and copies alone.
#pragma once

#include "aerogpu/core/result.hpp"

#include <functional>
#include <memory>
#include <utility>

#if AEROGPU_EXAMPLE_ON_VULKAN
#include "vulkan/device/host_allocator.hpp"
#include "vulkan/vulkan_backend.hpp"

using example_backend = aerogpu::vulkan::vulkan_backend;

/// `on_progress` is called from a thread of the backend, and must not call device or backend.
[[nodiscard]] inline auto open_backend(std::function<void()> on_progress)
    -> aerogpu::result<std::unique_ptr<example_backend>> {
  aerogpu::vulkan::tune_host_allocator();
  aerogpu::vulkan::backend_options options;
  options.on_progress = std::move(on_progress);
  return example_backend::create(options);
}
#else
#include "null/null_backend.hpp"

using example_backend = aerogpu::null_backend;

/// It finishes everything at once, and calls nobody.
[[nodiscard]] inline auto open_backend(const std::function<void()>&)
    -> aerogpu::result<std::unique_ptr<example_backend>> {
  return std::make_unique<example_backend>();
}
#endif
