/// \file A thread that waits for the device and tells the embedder.
#pragma once

#include "vulkan/gpu.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace aerogpu::vulkan {

/// Calls `on_progress` once or more after each batch that it was told of. Stops, without waiting
/// for the device, when it is destroyed.
class completion_watcher {
 public:
  completion_watcher(const gpu& device, VkSemaphore timeline, std::function<void()> on_progress);
  ~completion_watcher();
  completion_watcher(const completion_watcher&) = delete;
  auto operator=(const completion_watcher&) -> completion_watcher& = delete;

  /// A batch was submitted.
  void watch(std::uint64_t batch);

 private:
  void run();
  [[nodiscard]] auto wait_for(std::uint64_t batch) const noexcept -> bool;

  const gpu& gpu_;
  VkSemaphore timeline_;
  std::function<void()> on_progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t submitted_ = 0;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace aerogpu::vulkan
