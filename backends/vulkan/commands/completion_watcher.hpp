// SPDX-License-Identifier: MIT
/// \file A thread that waits for the device and tells the embedder.
#pragma once

#include "vulkan/device/checked_thread.hpp"
#include "vulkan/device/gpu.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace aerogpu::vulkan {

/// Calls `on_progress` once or more after each batch that it was told of. Stops, without waiting
/// for the device, when it is destroyed.
class completion_watcher {
 public:
  /// Starts the thread. `on_progress` outlives it. Errors: out_of_memory.
  [[nodiscard]] static auto create(const gpu& device, VkSemaphore timeline,
                                   const std::function<void()>& on_progress) noexcept
      -> result<std::unique_ptr<completion_watcher>>;
  ~completion_watcher();
  completion_watcher(const completion_watcher&) = delete;
  auto operator=(const completion_watcher&) -> completion_watcher& = delete;

  /// A batch was submitted.
  void watch(std::uint64_t batch) noexcept;

 private:
  completion_watcher(const gpu& device, VkSemaphore timeline,
                     const std::function<void()>& on_progress) noexcept
      : gpu_(device), timeline_(timeline), on_progress_(on_progress) {}

  void run() noexcept;
  [[nodiscard]] auto wait_for(std::uint64_t batch) const noexcept -> VkResult;

  const gpu& gpu_;
  VkSemaphore timeline_;
  const std::function<void()>& on_progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t submitted_ = 0;
  bool is_stopping_ = false;
  checked_thread thread_;
};

}  // namespace aerogpu::vulkan
