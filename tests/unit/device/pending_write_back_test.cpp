// SPDX-License-Identifier: MIT
// Write-backs of all submissions together: the ring waits for room, and nobody fails for others.
#include "tests/support/device_harness.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <memory>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint64_t guest_bytes = 0x900000;
constexpr std::uint32_t from = 1, to = 2;

/// A device that holds completions, and writes back so much at the same time.
struct pending_rig : device_harness<null_backend> {
  explicit pending_rig(const limits& bounds)
      : device_harness{std::make_unique<null_backend>(), config_with(bounds)} {
    machine.ram.map(gpa{guest_bytes}, 4096);
    start(64);
    run(stream_builder{}.create_buffer(from, 64).create_buffer(to, 64, {1, 0}));
    dev->wait_idle();
    CHECK(completed() == 1);
    backend->set_completion(null_completion::held);
  }
  static auto config_with(const limits& bounds) -> device_config {
    device_config config = small_config();
    config.bounds = bounds;
    return config;
  }
  void run(const stream_builder& stream) {
    push(guest_submission{.fence = ++last_fence,
                          .stream = stream.bytes(),
                          .table = {{{1, AEROGPU_ALLOC_FLAG_NONE, guest_bytes, 4096, 0}}}});
    ring();
  }
  /// A submission with `count` write-backs of `size` bytes each.
  void write_back(std::uint32_t count, std::uint64_t size) {
    stream_builder stream;
    for (std::uint32_t i = 0; i < count; ++i) {
      stream.copy_buffer(to, 0, from, 0, size, AEROGPU_COPY_FLAG_WRITEBACK_DST);
    }
    run(stream);
  }
  void finish_one() {
    backend->release(1);
    dev->tick();
  }
  /// How many submissions the backend has.
  auto taken() -> std::uint64_t { return backend->pending_submissions(); }

  std::uint64_t last_fence = 0;
};

}  // namespace

TEST_CASE("the ring waits until a submission's write-backs fit beside those that are pending",
          "[write_back]") {
  pending_rig rig{{.write_back_bytes = 64, .pending_write_back_bytes = 128}};
  rig.write_back(1, 64);
  CHECK(rig.taken() == 1);
  rig.write_back(1, 4);
  CHECK(rig.taken() == 2);  // 64 of 128 bytes were free, which is what one may take.
  rig.write_back(1, 4);
  CHECK(rig.taken() == 2);  // 60 are free.
  rig.finish_one();
  CHECK(rig.taken() == 2);
  CHECK(rig.completed() == 2);
  rig.write_back(1, 64);
  CHECK(rig.taken() == 3);  // 8 bytes were pending.
  rig.backend->release_all();
  rig.dev->tick();
  rig.dev->wait_idle();
  CHECK(rig.completed() == rig.last_fence);
  CHECK(rig.error_count() == 0);
}

TEST_CASE("submissions without write-backs pass, whatever is pending", "[write_back]") {
  pending_rig rig{{.write_back_bytes = 64, .pending_write_back_bytes = 128}};
  rig.write_back(1, 64);
  for (int i = 0; i < 10; ++i) rig.run(stream_builder{}.copy_buffer(to, 0, from, 0, 64));
  CHECK(rig.taken() == 11);
  rig.dev->wait_idle();
  CHECK(rig.completed() == rig.last_fence);
}

TEST_CASE("a submission that alone writes back too much fails, and its fence advances",
          "[write_back]") {
  const auto [count, size] = GENERATE(table<std::uint32_t, std::uint64_t>({{3, 32}, {2, 36}}));
  pending_rig rig{{.write_back_bytes = 64, .write_backs = 3, .pending_write_back_bytes = 64}};
  rig.write_back(count, size);
  rig.dev->wait_idle();
  CHECK(rig.completed() == rig.last_fence);
  CHECK(rig.error_count() == 1);
  rig.write_back(2, 32);  // Nothing of the failed one is pending.
  rig.dev->wait_idle();
  CHECK(rig.completed() == rig.last_fence);
  CHECK(rig.error_count() == 1);
}

TEST_CASE("a submission whose write-backs find no memory counts as one that failed",
          "[write_back]") {
  pending_rig rig{{}};
  rig.write_back(3, 64);
  rig.machine.ram.unmap(gpa{guest_bytes}, 4096);
  rig.dev->wait_idle();
  CHECK(rig.completed() == rig.last_fence);
  CHECK(rig.error_count() == 1);
  CHECK(rig.dev->statistics().failed_submissions == 1);
}

TEST_CASE("the number of pending write-backs is bounded as their bytes are", "[write_back]") {
  pending_rig rig{{.write_backs = 4, .pending_write_backs = 8}};
  rig.write_back(4, 4);
  CHECK(rig.taken() == 1);
  rig.write_back(1, 4);
  CHECK(rig.taken() == 2);
  rig.write_back(1, 4);
  CHECK(rig.taken() == 2);
  rig.finish_one();
  CHECK(rig.taken() == 2);
  rig.dev->wait_idle();
  CHECK(rig.completed() == rig.last_fence);
}

TEST_CASE("a limit of pending write-backs below that of one submission holds for both",
          "[write_back]") {
  pending_rig rig{{.write_back_bytes = 64, .pending_write_back_bytes = 32}};
  rig.write_back(1, 36);
  rig.dev->wait_idle();
  CHECK(rig.error_count() == 1);
  rig.write_back(1, 32);
  rig.write_back(1, 32);
  CHECK(rig.taken() == 1);
  rig.dev->wait_idle();
  CHECK(rig.completed() == rig.last_fence);
  CHECK(rig.error_count() == 1);
}

TEST_CASE("a ring reset forgets pending write-backs", "[write_back]") {
  pending_rig rig{{.write_back_bytes = 64, .pending_write_back_bytes = 64}};
  rig.write_back(1, 64);
  rig.write_back(1, 64);
  CHECK(rig.taken() == 1);
  rig.reset_ring();
  rig.last_fence = 0;
  rig.backend->set_completion(null_completion::immediate);
  rig.run(stream_builder{}.create_buffer(from, 64).create_buffer(to, 64, {1, 0}));
  rig.dev->wait_idle();
  rig.backend->set_completion(null_completion::held);
  rig.write_back(1, 64);
  CHECK(rig.taken() == 1);
  rig.dev->wait_idle();
  CHECK(rig.completed() == rig.last_fence);
}
