// SPDX-License-Identifier: MIT
/// \file The Vulkan loader and instances of it.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/device/gpu.hpp"

#include <span>

namespace aerogpu::vulkan {

/// An instance for `options`, and with it volk's instance functions. They stay valid for every
/// other instance, because the loader's functions dispatch on their first argument. Thread-safe.
/// `messages` outlives the instance.
/// Errors: unsupported (no loader, no driver, no validation layer); out_of_memory; those of the
/// call.
[[nodiscard]] auto create_instance(const gpu_options& options, gpu_messages& messages)
    -> result<VkInstance>;

/// Whether the list holds the extension.
[[nodiscard]] auto has_extension(std::span<const VkExtensionProperties> offered,
                                 const char* name) noexcept -> bool;

/// The device's own extensions. Errors: out_of_memory.
[[nodiscard]] auto device_extensions(VkPhysicalDevice device) noexcept
    -> result<heap_array<VkExtensionProperties>>;

/// A function of an extension, or null when this instance is without it. volk's globals do not
/// serve for those: they belong to one instance.
template <class Function>
[[nodiscard]] auto instance_function(VkInstance instance, const char* name) noexcept -> Function {
  return reinterpret_cast<Function>(vkGetInstanceProcAddr(instance, name));
}

}  // namespace aerogpu::vulkan
