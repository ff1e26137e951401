#include "vulkan/completion_watcher.hpp"

#include <utility>

namespace aerogpu::vulkan {

namespace {

/// How long the thread may take to notice that it should stop.
constexpr std::uint64_t wait_slice_ns = 50'000'000;

}  // namespace

completion_watcher::completion_watcher(const gpu& device, VkSemaphore timeline,
                                       std::function<void()> on_progress)
    : gpu_(device),
      timeline_(timeline),
      on_progress_(std::move(on_progress)),
      thread_([this] { run(); }) {}

completion_watcher::~completion_watcher() {
  {
    const std::lock_guard lock{mutex_};
    is_stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void completion_watcher::watch(std::uint64_t batch) {
  {
    const std::lock_guard lock{mutex_};
    submitted_ = batch;
  }
  changed_.notify_one();
}

/// True when the batch is done or the device lost; false when it takes longer than a slice.
auto completion_watcher::wait_for(std::uint64_t batch) const noexcept -> bool {
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &timeline_;
  info.pValues = &batch;
  return gpu_.vk.vkWaitSemaphores(gpu_.handle, &info, wait_slice_ns) != VK_TIMEOUT;
}

void completion_watcher::run() {
  std::uint64_t seen = 0;
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [&] { return is_stopping_ || submitted_ > seen; });
    if (is_stopping_) return;
    const std::uint64_t next = seen + 1;
    lock.unlock();
    const bool is_done = wait_for(next);
    if (is_done) on_progress_();
    lock.lock();
    if (is_done) seen = next;
  }
}

}  // namespace aerogpu::vulkan
