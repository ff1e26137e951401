// SPDX-License-Identifier: MIT
/// \file The Vulkan devices of an instance: found, ranked, and one of them chosen.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/device/gpu.hpp"

#include <span>
#include <string_view>

namespace aerogpu::vulkan {

struct device_candidate {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties{};
  std::uint32_t queue_family = 0;  ///< The first with graphics and compute.
  const char* missing = nullptr;   ///< Sentence that says what is lacking, or null.
  const char* unsafe = nullptr;    ///< Sentence that says why no guest should use it, or null.
};

/// "discrete", "integrated", "virtual", "cpu" or "other".
[[nodiscard]] auto kind_of(VkPhysicalDeviceType type) noexcept -> const char*;

/// Best kind first; in the loader's order within a kind. Errors: out_of_memory.
[[nodiscard]] auto list_candidates(VkInstance instance) noexcept
    -> result<heap_array<device_candidate>>;

/// Puts the best kinds first and keeps the order within a kind.
void rank_candidates(std::span<device_candidate> candidates) noexcept;

/// The place of the first usable candidate that `wanted.device` fits; safe ones only, unless
/// `wanted` says otherwise. Errors: unsupported, also with the lack of the first that fits when
/// none that fits is usable.
[[nodiscard]] auto choose_candidate(std::span<const device_candidate> candidates,
                                    const gpu_options& wanted) noexcept -> result<std::size_t>;

}  // namespace aerogpu::vulkan
