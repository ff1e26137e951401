// SPDX-License-Identifier: MIT
// The thread that waits for the device: what it tells, and that it can be stopped at any time. A
// program of its own, small enough for the thread sanitizer.
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"
#include "vulkan/engine.hpp"
#include "vulkan/vulkan_backend.hpp"

#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
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
