// SPDX-License-Identifier: MIT
/// \file The driver's pipeline cache as a file that may be stale, cut short or damaged.
#pragma once

#include "aerogpu/core/bytes.hpp"
#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/device/api.hpp"

#include <cstddef>
#include <string>

namespace aerogpu::vulkan {

/// What a cache file holds for a device.
struct cached_pipelines {
  heap_array<std::byte> bytes;  ///< For vkCreatePipelineCache. Empty: start with nothing.
  const char* warning = "";     ///< Why a file that is there is not used, or empty.
};

/// More than any driver writes; a larger file is not ours.
inline constexpr std::size_t largest_pipeline_cache_bytes = std::size_t{256} << 20;

/// Reads the cache of this very device and driver. A file that is not there is no reason to warn.
[[nodiscard]] auto load_pipeline_cache(const std::string& path,
                                       const VkPhysicalDeviceProperties& device) noexcept
    -> cached_pipelines;

/// Replaces the file at once: a reader sees the old file or the new one.
/// Errors: no_space, when the file or its folder cannot be written; size_overflow above
/// `largest_pipeline_cache_bytes`; out_of_memory.
[[nodiscard]] auto save_pipeline_cache(const std::string& path, const_bytes bytes) noexcept
    -> result<void>;

}  // namespace aerogpu::vulkan
