// SPDX-License-Identifier: MIT
#include "vulkan/pipeline/pipeline_compiler.hpp"

#include "vulkan/memory/record_list.hpp"

#include <cstdio>
#include <utility>

namespace aerogpu::vulkan {

auto pipeline_compiler::create(gpu& device, const std::string& cache_file)
    -> result<std::unique_ptr<pipeline_compiler>> {
  auto opened = pipeline_cache::create(device, cache_file);
  if (!opened) return opened.why();
  auto cache = *std::move(opened);
  if (*cache->warning() != '\0') {
    std::fprintf(stderr, "vulkan: %s is not used: %s\n", cache_file.c_str(), cache->warning());
  }
  std::unique_ptr<pipeline_compiler> made{new (std::nothrow)
                                              pipeline_compiler{device, std::move(cache)}};
  if (made == nullptr) return no_memory_for_record();
  return made;
}

pipeline_compiler::pipeline_compiler(gpu& device, std::unique_ptr<pipeline_cache> cache) noexcept
    : device_(device), cache_(std::move(cache)), cached_bytes_(cache_->file_bytes()) {}

pipeline_compiler::~pipeline_compiler() {
  {
    const std::lock_guard lock{mutex_};
    AEROGPU_CHECK(progress_ != progress::wanted);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  device_.vk.vkDestroyPipeline(device_.handle, made_, nullptr);  // Nobody waited for it.
}

void pipeline_compiler::save_cache() noexcept {
  if (const auto saved = cache_->save(); !saved) {
    std::fprintf(stderr, "vulkan: the pipeline cache is not saved: %s\n", saved.why().what);
  }
}

auto pipeline_compiler::compile(std::chrono::milliseconds limit) noexcept -> result<VkPipeline> {
  if (!thread_.is_running()) {
    auto started = checked_thread::create([this]() noexcept { run(); });
    if (!started) return started.why();
    thread_ = *std::move(started);
  }
  std::unique_lock lock{mutex_};
  AEROGPU_CHECK(progress_ == progress::idle);
  progress_ = progress::wanted;
  changed_.notify_all();
  if (!changed_.wait_for(lock, limit, [this] { return progress_ == progress::done; })) {
    const auto limit_ms = static_cast<std::uint64_t>(limit.count());
    return make_error(error_code::device_lost, "the driver takes too long to compile a pipeline",
                      limit_ms, limit_ms);
  }
  progress_ = progress::idle;
  if (why_.code != error_code::none) return std::exchange(why_, {});
  return std::exchange(made_, VK_NULL_HANDLE);
}

auto pipeline_compiler::count_cached(std::uint64_t size_bytes, std::uint64_t most_bytes)
    -> result<void> {
  if (recipe_.was_cached()) return {};
  cached_bytes_ += size_bytes;
  if (cached_bytes_ <= most_bytes) return {};
  if (auto emptied = cache_->start_over(); !emptied) return emptied.why();
  cached_bytes_ = 0;
  return {};
}

auto pipeline_compiler::is_busy() const noexcept -> bool {
  const std::lock_guard lock{mutex_};
  return progress_ == progress::wanted;
}

void pipeline_compiler::wait(std::chrono::steady_clock::time_point deadline) const noexcept {
  std::unique_lock lock{mutex_};
  changed_.wait_until(lock, deadline, [this] { return progress_ != progress::wanted; });
}

void pipeline_compiler::run() noexcept {
  std::unique_lock lock{mutex_};
  for (;;) {
    changed_.wait(lock, [this] { return is_stopping_ || progress_ == progress::wanted; });
    if (is_stopping_) return;
    lock.unlock();
    const auto made = recipe_.create(device_, cache_->handle());
    lock.lock();
    if (made) {
      made_ = *made;
    } else {
      why_ = made.why();
    }
    progress_ = progress::done;
    changed_.notify_all();
  }
}

}  // namespace aerogpu::vulkan
