/// \file Pipelines by key: created at first use, and kept as long as they are among those used
/// last.
#pragma once

#include "aerogpu/core/result.hpp"
#include "vulkan/bounded_cache.hpp"
#include "vulkan/pipeline_key.hpp"
#include "vulkan/pipeline_layouts.hpp"
#include "vulkan/shader_store.hpp"

#include <array>
#include <cstdint>

namespace aerogpu::vulkan {

/// The modules of a draw, by graphics_stage; null = no such stage.
using stage_variants = std::array<const shader_variant*, graphics_stage_count>;

class pipeline_store {
 public:
  pipeline_store(device_parts*& device, const backend_options& options);

  /// Opens the device's compiler. Errors: those of the calls; out_of_memory.
  [[nodiscard]] auto initialize() -> result<void>;

  /// Holds for the open batch. Errors: out_of_memory; device_lost, also when the driver takes too
  /// long; unsupported when the device refuses the pipeline.
  [[nodiscard]] auto find(const pipeline_key& key, const stage_variants& stages,
                          const pipeline_layout& layout) -> result<VkPipeline>;
  [[nodiscard]] auto find_compute(const shader_variant& shader, const pipeline_layout& layout)
      -> result<VkPipeline>;
  /// Gives all up, once the device's work is done. Saves the driver's cache, unless it is in use.
  void destroy_objects();
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

  [[nodiscard]] auto compile() -> result<VkPipeline>;
  template <class Cache, class Key>
  [[nodiscard]] auto keep(Cache& in, const Key& key, known_pipeline made) -> result<VkPipeline>;
  static void discard(void* store, known_pipeline& old) noexcept;

  device_parts*& device_;
  const backend_options& options_;
  graphics_cache pipelines_;
  compute_cache compute_;
  std::uint64_t made_ = 0;
};

}  // namespace aerogpu::vulkan
