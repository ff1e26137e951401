// SPDX-License-Identifier: MIT
/// \file The driver's cache of compiled pipelines, kept from run to run where there is a file.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/heap_array.hpp"
#include "vulkan/device/gpu.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace aerogpu::vulkan {

/// Owns a VkPipelineCache.
class pipeline_cache {
 public:
  /// Starts from the file at `path` where it fits the device; an empty path is a cache without a
  /// file. `device` and `path` outlive the cache.
  /// Errors: out_of_memory; those of vkCreatePipelineCache.
  [[nodiscard]] static auto create(gpu& device, const std::string& path) noexcept
      -> result<std::unique_ptr<pipeline_cache>>;
  static auto create(gpu& device, const std::string&& path) = delete;
  ~pipeline_cache();
  pipeline_cache(const pipeline_cache&) = delete;
  auto operator=(const pipeline_cache&) -> pipeline_cache& = delete;

  [[nodiscard]] auto handle() const noexcept -> VkPipelineCache { return handle_; }
  /// Goes on with an empty cache: Vulkan lets nothing of one go. What was kept is lost. Nothing
  /// else uses the cache meanwhile. Errors: those of vkCreatePipelineCache; then it stays as it is.
  [[nodiscard]] auto start_over() -> result<void>;
  /// The driver's, in the file.
  [[nodiscard]] auto file_bytes() const noexcept -> std::uint64_t { return saved_.size(); }
  /// Why the file was not used, or empty.
  [[nodiscard]] auto warning() const noexcept -> const char* { return warning_; }
  /// Writes the file when the driver's bytes differ from it. Nothing else uses the cache meanwhile.
  /// Errors: out_of_memory; those of `save_pipeline_cache` and of vkGetPipelineCacheData.
  [[nodiscard]] auto save() noexcept -> result<void>;

 private:
  pipeline_cache(gpu& device, const std::string& path) noexcept : device_(device), path_(path) {}

  gpu& device_;
  const std::string& path_;
  heap_array<std::byte> saved_;  ///< What the file holds.
  VkPipelineCache handle_ = VK_NULL_HANDLE;
  const char* warning_ = "";
};

}  // namespace aerogpu::vulkan
