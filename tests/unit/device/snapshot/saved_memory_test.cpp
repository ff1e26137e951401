// SPDX-License-Identifier: MIT
// What a save writes to guest memory: who saves RAM behind it has the whole machine.
#include "tests/support/device_harness.hpp"
#include "tests/support/processors/null_processor.hpp"

#include <memory>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr std::uint64_t write_back_at = 0x900000;
constexpr std::uint64_t only_fence = 7;
constexpr std::size_t content_size = 64;

/// A device whose completions the backend holds.
struct saving_rig : device_harness<null_backend> {
  saving_rig() : device_harness{std::make_unique<null_backend>()} {
    machine.ram.map(gpa{write_back_at}, 4096);
    start();
    backend->set_completion(null_completion::held);
  }
  auto ram() -> byte_vector { return machine.ram.peek(gpa{write_back_at}, content_size); }
};

/// Copies a pattern from a buffer of the host's into guest memory.
auto write_back(const byte_vector& pattern) -> guest_submission {
  return {.fence = only_fence,
          .stream = stream_builder{}
                        .create_buffer(1, content_size)
                        .upload(1, 0, pattern)
                        .create_buffer(2, content_size, {1, 0})
                        .copy_buffer(2, 0, 1, 0, content_size, AEROGPU_COPY_FLAG_WRITEBACK_DST)
                        .bytes(),
          .table = {{{1, AEROGPU_ALLOC_FLAG_NONE, write_back_at, 4096, 0}}}};
}

}  // namespace

TEST_CASE("a save stores what is in flight in guest memory, and raises the line",
          "[snapshot][write_back]") {
  const byte_vector pattern = filled(content_size, 7);
  saving_rig first;
  first.push(write_back(pattern));
  first.ring();
  CHECK(first.ram() == filled(content_size, 0));
  CHECK(first.page_fence() == 0);
  CHECK_FALSE(first.machine.line);

  snapshot_writer saved;
  REQUIRE(first.dev->save(saved));
  CHECK(first.ram() == pattern);
  CHECK(first.page_fence() == only_fence);
  CHECK(first.machine.line);

  saving_rig second;  // With RAM as it is behind the save.
  second.machine.ram.poke(gpa{write_back_at}, first.ram());
  second.machine.ram.poke_object(gpa{fence_page_gpa + 8}, first.page_fence());
  REQUIRE(second.dev->load(saved.bytes()));
  second.dev->wait_idle();
  CHECK(second.ram() == pattern);
  CHECK(second.page_fence() == only_fence);
  CHECK(second.completed() == only_fence);
}
