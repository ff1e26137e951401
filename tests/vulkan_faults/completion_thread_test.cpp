// SPDX-License-Identifier: MIT
// The thread that waits for the device: what it tells, and that it can be stopped at any time. A
// program of its own, small enough for the thread sanitizer.
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"
#include "vulkan/commands/completion_watcher.hpp"
#include "vulkan/engine.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Counts what the backend's thread says.
class progress {
 public:
  void tell() {
    {
      const std::lock_guard lock{mutex_};
      ++count_;
    }
    changed_.notify_one();
  }
  /// Waits until there is news since the last call.
  void wait() {
    std::unique_lock lock{mutex_};
    changed_.wait(lock, [&] { return count_ != seen_; });
    seen_ = count_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t count_ = 0;
  std::uint64_t seen_ = 0;
};

struct completions {
  std::vector<std::pair<submission_id, error_code>> all;

  void on_write_back(submission_id, const guest_rows&, const_bytes) noexcept {}
  void on_complete(submission_id id, const error& why) noexcept { all.emplace_back(id, why.code); }
};

/// A backend with a thread, and a buffer to write to.
struct threaded_rig {
  threaded_rig() {
    vulkan::backend_options options;
    options.on_progress = [this] { news.tell(); };
    auto made = vulkan::vulkan_backend::create(options);
    if (!made) {
      std::fprintf(stderr, "these tests need a Vulkan device: %s\n", made.why().what);
      std::exit(1);
    }
    backend = *std::move(made);
    auto created = backend->create_buffer({resource_handle{1}, 0, 65'536});
    REQUIRE(created);
    buffer = *created;
  }
  ~threaded_rig() {
    if (backend != nullptr) backend->destroy(std::move(buffer));
  }
  auto submit() -> submission_id {
    const submission_id id{++last_id};
    REQUIRE(backend->begin_submission({id, context_id{}, fence_value{}}));
    REQUIRE(backend->upload_buffer(buffer, 0, filled(65'536, static_cast<unsigned>(last_id))));
    REQUIRE(backend->end_submission(submission_end::commit));
    return id;
  }
  /// Polls whenever there is news, until the submission is reported.
  void wait_for(submission_id id) {
    while (heard.all.empty() || heard.all.back().first != id) {
      news.wait();
      backend->poll(heard);
    }
  }

  progress news;
  std::unique_ptr<vulkan::vulkan_backend> backend;
  vulkan::vulkan_buffer buffer;
  completions heard;
  std::uint64_t last_id = 0;
};

/// A thread on a device whose waits end as a test wants.
struct watched_waits {
  explicit watched_waits(PFN_vkWaitSemaphores wait) {
    count = 0;
    device.vk.vkWaitSemaphores = wait;
    auto made = vulkan::completion_watcher::create(device, VK_NULL_HANDLE, on_progress);
    REQUIRE(made);
    watcher = *std::move(made);
    watcher->watch(1);
  }
  /// How many waits there were at the first news.
  auto waits_until_news() -> std::uint64_t {
    news.wait();
    return at_news;
  }

  static inline std::atomic<std::uint64_t> count = 0;
  vulkan::gpu device;
  progress news;
  std::atomic<std::uint64_t> at_news = 0;
  std::function<void()> on_progress = [this] {
    at_news = count.load();
    news.tell();
  };
  std::unique_ptr<vulkan::completion_watcher> watcher;  ///< Goes first.
};

auto fails_twice(VkDevice, const VkSemaphoreWaitInfo*, std::uint64_t) -> VkResult {
  return ++watched_waits::count <= 2 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}
auto always_fails(VkDevice, const VkSemaphoreWaitInfo*, std::uint64_t) -> VkResult {
  ++watched_waits::count;
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}
auto is_lost(VkDevice, const VkSemaphoreWaitInfo*, std::uint64_t) -> VkResult {
  ++watched_waits::count;
  return VK_ERROR_DEVICE_LOST;
}

}  // namespace

TEST_CASE("there is news when a submission can be reported", "[thread]") {
  threaded_rig rig;
  for (int i = 0; i < 50; ++i) rig.wait_for(rig.submit());
  CHECK(rig.heard.all.size() == 50);
}

TEST_CASE("several submissions on their way are reported in order", "[thread]") {
  threaded_rig rig;
  for (int i = 0; i < 9; ++i) rig.submit();
  rig.wait_for(rig.submit());
  REQUIRE(rig.heard.all.size() == 10);
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(rig.heard.all[i] == std::pair{submission_id{i + 1}, error_code::none});
  }
}

TEST_CASE("a backend can go while work is in flight and news is told", "[thread]") {
  for (int i = 0; i < 20; ++i) {
    threaded_rig rig;
    for (int j = 0; j < i; ++j) rig.submit();
    rig.backend->destroy(std::move(rig.buffer));
    rig.backend.reset();
  }
}

TEST_CASE("a device that replaces a lost one is waited for too", "[thread]") {
  threaded_rig rig;
  const submission_id before = rig.submit();
  vulkan::engine& inside = rig.backend->inside();
  inside.note(make_error(error_code::device_lost, "lost by a test"));
  rig.backend->poll(rig.heard);
  REQUIRE(rig.heard.all.size() == 1);
  CHECK(rig.heard.all[0] == std::pair{before, error_code::device_lost});
  rig.wait_for(rig.submit());
  CHECK(rig.heard.all.back().second == error_code::none);
  byte_vector bytes(65'536);
  REQUIRE(rig.backend->read_buffer(rig.buffer, 0, bytes));
  CHECK((bytes == filled(65'536, 2)));
}

TEST_CASE("a wait that fails is no news, and is tried again after a rest", "[thread]") {
  const auto start = std::chrono::steady_clock::now();
  watched_waits rig{fails_twice};
  CHECK(rig.waits_until_news() == 3);
  CHECK(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds{100});
}

TEST_CASE("a lost device is news at once", "[thread]") {
  watched_waits rig{is_lost};
  CHECK(rig.waits_until_news() == 1);
}

TEST_CASE("a thread whose waits all fail can be stopped, and told nothing", "[thread]") {
  watched_waits rig{always_fails};
  while (watched_waits::count < 2) std::this_thread::yield();
  rig.watcher.reset();
  CHECK(rig.at_news == 0);
}
