// SPDX-License-Identifier: MIT
#include "vulkan/device/driver_threads.hpp"

#include "tests/catch.hpp"
#include "tests/unit/vulkan/test_gpu.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <pthread.h>
#include <string_view>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace aerogpu::vulkan;

namespace {

/// A thread that lives as long as this, under a name.
class named_thread {
 public:
  explicit named_thread(const char* name) : thread_([this] { run(); }) {
    rename(name);
    while (id_ == 0) std::this_thread::yield();
  }
  ~named_thread() {
    is_over_ = true;
    thread_.join();
    while (getpriority(PRIO_PROCESS, static_cast<id_t>(id_.load())) != -1) {
      std::this_thread::yield();  // The kernel lists it a little longer.
    }
  }
  void rename(const char* name) { pthread_setname_np(thread_.native_handle(), name); }
  [[nodiscard]] auto priority() const -> int {
    return getpriority(PRIO_PROCESS, static_cast<id_t>(id_.load()));
  }

 private:
  void run() {
    id_ = static_cast<int>(syscall(SYS_gettid));
    while (!is_over_) std::this_thread::yield();
  }
  std::atomic<int> id_ = 0;
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

}  // namespace

TEST_CASE("workers that begin while a device is opened get the lowest priority, and no others",
          "[vulkan][threads]") {
  const named_thread before{"llvmpipe-7"};
  std::unique_ptr<named_thread> worker, other;
  driver_threads threads;
  threads.watch([&] {
    worker = std::make_unique<named_thread>("llvmpipe-0");
    other = std::make_unique<named_thread>("embedder");
    return true;
  });
  REQUIRE(threads.count() == 1);
  CHECK(threads.lower_priority() == 1);
  CHECK(worker->priority() == 19);
  const int usual = getpriority(PRIO_PROCESS, 0);  // The tests may run under nice.
  CHECK(other->priority() == usual);
  CHECK(before.priority() == usual);
}

TEST_CASE("workers that ended are not taken for others", "[vulkan][threads]") {
  driver_threads threads;
  auto worker = std::make_unique<named_thread>("llvmpipe-0");
  worker.reset();
  threads.watch([&] {
    worker = std::make_unique<named_thread>("llvmpipe-0");
    return true;
  });
  CHECK(threads.count() == 1);
  worker.reset();
  CHECK(threads.count() == 0);
  CHECK(threads.lower_priority() == 0);
}

TEST_CASE("a worker that gets to run after the device was opened is known", "[vulkan][threads]") {
  std::unique_ptr<named_thread> worker;
  driver_threads threads;
  threads.watch([&] {
    worker = std::make_unique<named_thread>("unit_vulkan");
    return true;
  });
  CHECK(threads.count() == 0);
  worker->rename("llvmpipe-0");
  CHECK(threads.count() == 1);
  CHECK(threads.lower_priority() == 1);
  CHECK(worker->priority() == 19);
}

TEST_CASE("each device knows the threads that draw for it", "[vulkan][threads]") {
  test_gpu first, second;
  const bool is_llvmpipe =
      std::string_view{first->properties.deviceName}.find("llvmpipe") != std::string_view::npos;
  const auto is_known = [&] {
    const std::size_t count = first->threads.count();
    return (count != 0) == is_llvmpipe && count == second->threads.count();
  };
  const auto begun = std::chrono::steady_clock::now();
  while (!is_known() && std::chrono::steady_clock::now() - begun < std::chrono::seconds{30}) {
    std::this_thread::yield();  // Workers name themselves.
  }
  CHECK(is_known());
}
