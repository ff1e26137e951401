// SPDX-License-Identifier: MIT
#include "vulkan/commands/completion_watcher.hpp"

#include <chrono>
#include <new>
#include <utility>

namespace aerogpu::vulkan {

namespace {

/// How long the thread may take to notice that it should stop, and rests after a wait that failed.
constexpr std::chrono::nanoseconds wait_slice{50'000'000};

}  // namespace

auto completion_watcher::create(const gpu& device, VkSemaphore timeline,
                                const std::function<void()>& on_progress) noexcept
    -> result<std::unique_ptr<completion_watcher>> {
  std::unique_ptr<completion_watcher> made{new (std::nothrow)
                                               completion_watcher{device, timeline, on_progress}};
  if (made == nullptr) {
    return make_error(error_code::out_of_memory,
                      "no memory for the thread that watches the device");
  }
  auto started = checked_thread::create([watcher = made.get()]() noexcept { watcher->run(); });
  if (!started) return started.why();
  made->thread_ = *std::move(started);
  return made;
}

completion_watcher::~completion_watcher() {
  {
    const std::lock_guard lock{mutex_};
    is_stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void completion_watcher::watch(std::uint64_t batch) noexcept {
  {
    const std::lock_guard lock{mutex_};
    submitted_ = batch;
  }
  changed_.notify_one();
}

/// VK_TIMEOUT when it takes longer than a slice. Other failures than a lost device say nothing
/// about the batch.
auto completion_watcher::wait_for(std::uint64_t batch) const noexcept -> VkResult {
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &timeline_;
  info.pValues = &batch;
  return gpu_.vk.vkWaitSemaphores(gpu_.handle, &info,
                                  static_cast<std::uint64_t>(wait_slice.count()));
}

void completion_watcher::run() noexcept {
  std::uint64_t seen = 0;
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [&] { return is_stopping_ || submitted_ > seen; });
    if (is_stopping_) return;
    const std::uint64_t next = seen + 1;
    lock.unlock();
    const VkResult code = wait_for(next);
    const bool is_done = code == VK_SUCCESS || code == VK_ERROR_DEVICE_LOST;
    if (is_done) on_progress_();
    lock.lock();
    if (is_done) {
      seen = next;
    } else if (code != VK_TIMEOUT) {
      changed_.wait_for(lock, wait_slice, [this] { return is_stopping_; });
    }
  }
}

}  // namespace aerogpu::vulkan
