/// \file Pipelines by key: created at first use, kept while their shaders live.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/pipeline_cache.hpp"
#include "vulkan/pipeline_key.hpp"
#include "vulkan/pipeline_layouts.hpp"
#include "vulkan/shader_store.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>

namespace aerogpu::vulkan {

/// The modules of a draw, by graphics_stage; null = no such stage.
using stage_variants = std::array<const shader_variant*, graphics_stage_count>;

class pipeline_store {
 public:
  pipeline_store(device_parts*& device, std::string cache_file)
      : device_(device), cache_file_(std::move(cache_file)) {}

  /// Opens the driver's cache. Errors: those of the calls.
  [[nodiscard]] auto initialize() -> result<void>;

  /// Errors: out_of_memory, device_lost; unsupported when the device refuses the pipeline.
  [[nodiscard]] auto find(const pipeline_key& key, const stage_variants& stages,
                          const pipeline_layout& layout) -> result<VkPipeline>;
  [[nodiscard]] auto find_compute(const shader_variant& shader, const pipeline_layout& layout)
      -> result<VkPipeline>;
  /// Drops the pipelines of variants that are gone.
  void forget(std::span<const std::uint32_t> variants);

  /// Gives all up, once the device's work is done. Saves the driver's cache.
  void destroy_objects();
  [[nodiscard]] auto made() const noexcept -> std::uint64_t { return made_; }

 private:
  [[nodiscard]] auto create(const pipeline_key& key, const stage_variants& stages,
                            VkPipelineLayout layout) -> result<VkPipeline>;

  device_parts*& device_;
  std::string cache_file_;
  std::unique_ptr<pipeline_cache> cache_;
  std::unordered_map<pipeline_key, VkPipeline, pipeline_key_hash> pipelines_;
  std::unordered_map<std::uint32_t, VkPipeline> compute_;
  std::uint64_t made_ = 0;
};

}  // namespace aerogpu::vulkan
