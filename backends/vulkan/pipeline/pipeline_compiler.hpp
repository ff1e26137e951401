// SPDX-License-Identifier: MIT
/// \file A thread that compiles pipelines, so that nobody waits for a driver without an end.
#pragma once

#include "vulkan/device/checked_thread.hpp"
#include "vulkan/pipeline/pipeline_cache.hpp"
#include "vulkan/pipeline/pipeline_recipe.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace aerogpu::vulkan {

/// Of one device. Whoever compiles waits for the thread, for a time: a compilation that takes
/// longer is not stopped, because Vulkan cannot, and all that it uses must live until `is_busy`
/// says no: the device, its modules and layouts, and the compiler itself.
class pipeline_compiler {
 public:
  /// Opens the driver's cache, with the file at `cache_file` unless that is empty. `device`
  /// outlives the compiler. Errors: those of the calls; out_of_memory.
  [[nodiscard]] static auto create(gpu& device, const std::string& cache_file)
      -> result<std::unique_ptr<pipeline_compiler>>;
  /// Precondition: not busy.
  ~pipeline_compiler();
  pipeline_compiler(const pipeline_compiler&) = delete;
  auto operator=(const pipeline_compiler&) -> pipeline_compiler& = delete;

  /// To describe the next pipeline in. Precondition: not busy.
  [[nodiscard]] auto recipe() noexcept -> pipeline_recipe& { return recipe_; }
  /// Compiles what `recipe` describes. Precondition: not busy. Errors: those of
  /// `pipeline_recipe::create`; out_of_memory without a thread; device_lost when it takes longer
  /// than `limit`, which is the error's limit then: the compiler stays busy.
  [[nodiscard]] auto compile(std::chrono::milliseconds limit) noexcept -> result<VkPipeline>;
  /// Counts what was compiled last into the driver's cache, unless that had it; it starts over
  /// above `most_bytes`. Precondition: not busy. Errors: those of `pipeline_cache::start_over`.
  [[nodiscard]] auto count_cached(std::uint64_t size_bytes, std::uint64_t most_bytes)
      -> result<void>;
  /// What the file held, and the estimates that were counted.
  [[nodiscard]] auto cached_bytes() const noexcept -> std::uint64_t { return cached_bytes_; }
  /// Whether a compilation runs that nobody waits for.
  [[nodiscard]] auto is_busy() const noexcept -> bool;
  /// Waits until it is over, until `deadline` at most.
  void wait(std::chrono::steady_clock::time_point deadline) const noexcept;

  /// Writes the driver's cache to its file, if it has one. Precondition: not busy.
  void save_cache() noexcept;

 private:
  enum class progress : std::uint8_t { idle, wanted, done };

  pipeline_compiler(gpu& device, std::unique_ptr<pipeline_cache> cache) noexcept;
  void run() noexcept;

  gpu& device_;
  std::unique_ptr<pipeline_cache> cache_;
  std::uint64_t cached_bytes_;
  pipeline_recipe recipe_;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  progress progress_ = progress::idle;
  bool is_stopping_ = false;
  VkPipeline made_ = VK_NULL_HANDLE;  ///< Of a compilation that is done.
  error why_;                         ///< Of one that failed.
  checked_thread thread_;             ///< Started by the first compilation.
};

}  // namespace aerogpu::vulkan
