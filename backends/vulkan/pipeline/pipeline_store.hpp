// SPDX-License-Identifier: MIT
/// \file Pipelines by key: created at first use, and kept as long as they are among those used
/// last.
#pragma once

#include "aerogpu/core/result.hpp"
#include "aerogpu/hosted/bounded_cache.hpp"
#include "vulkan/pipeline/pipeline_key.hpp"
#include "vulkan/pipeline/pipeline_layouts.hpp"
#include "vulkan/pipeline/shader_store.hpp"
#include "vulkan/pipeline/slow_shaders.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

/// The modules of a draw, by graphics_stage; null = no such stage.
using stage_variants = std::array<const shader_variant*, graphics_stage_count>;

class pipeline_store {
 public:
  pipeline_store(device_parts& device, slow_shaders& slow, const backend_options& options) noexcept;
  /// Saves the driver's cache, unless it is in use.
  ~pipeline_store();
  pipeline_store(const pipeline_store&) = delete;
  auto operator=(const pipeline_store&) -> pipeline_store& = delete;

  /// Opens the device's compiler. Errors: those of the calls; out_of_memory.
  [[nodiscard]] auto initialize() -> result<void>;

  /// Holds for the open batch. Errors: out_of_memory; device_lost, also when the driver takes too
  /// long; internal when it refuses the pipeline, which is remembered; unsupported when a driver
  /// took too long for the same shaders a while ago.
  [[nodiscard]] auto resolve(const pipeline_key& key, const stage_variants& stages,
                             const pipeline_layout& layout) -> result<VkPipeline>;
  [[nodiscard]] auto resolve_compute(const shader_variant& shader, const pipeline_layout& layout)
      -> result<VkPipeline>;
  [[nodiscard]] auto made() const noexcept -> std::uint64_t { return made_; }
  [[nodiscard]] auto kept() const noexcept -> std::size_t {
    return pipelines_.size() + compute_.size();
  }
  /// By the estimate.
  [[nodiscard]] auto kept_bytes() const noexcept -> std::uint64_t {
    return pipelines_.idle_bytes() + compute_.idle_bytes();
  }

 private:
  struct known_pipeline {
    VkPipeline handle = VK_NULL_HANDLE;
    std::uint64_t size_bytes = 0;  ///< Estimated.
    error why;                     ///< Of one that the driver refused: then there is no handle.

    [[nodiscard]] auto outcome() const noexcept -> result<VkPipeline> {
      if (why.code != error_code::none) return why;
      return handle;
    }
  };
  struct compute_key {
    std::uint64_t shader = 0;  ///< Id of the variant.
    std::uint64_t layout = 0;

    void hash_into(keyed_hash& hash) const noexcept {
      hash.add(shader);
      hash.add(layout);
    }
    friend auto operator==(const compute_key&, const compute_key&) -> bool = default;
  };
  using graphics_cache = bounded_cache<pipeline_key, known_pipeline>;
  using compute_cache = bounded_cache<compute_key, known_pipeline>;

  /// Compiles what the recipe describes, unless these shaders took too long lately.
  [[nodiscard]] auto compile(const shader_ids& shaders) -> result<VkPipeline>;
  template <class Cache, class Key>
  [[nodiscard]] auto refuse(Cache& in, const Key& key, const error& why) -> error;
  template <class Cache, class Key>
  [[nodiscard]] auto keep(Cache& in, const Key& key, known_pipeline made) -> result<VkPipeline>;
  static void discard(void* store, known_pipeline& old) noexcept;

  device_parts& device_;
  slow_shaders& slow_;
  const backend_options& options_;
  graphics_cache pipelines_;
  compute_cache compute_;
  std::uint64_t made_ = 0;
};

}  // namespace aerogpu::vulkan
