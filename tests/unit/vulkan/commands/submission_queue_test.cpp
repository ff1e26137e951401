// SPDX-License-Identifier: MIT
// Which submissions are done, and what they keep, without a device.
#include "vulkan/commands/submission_queue.hpp"

#include "tests/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

using namespace aerogpu;
using vulkan::read_back_rows;
using vulkan::submission_queue;

namespace {

constexpr std::uint64_t plenty = 1 << 20;
constexpr guest_rows to{
    .first_row = gpa{4096}, .pitch_bytes = 64, .row_size_bytes = 64, .row_count = 1};

auto host_rows() -> read_back_rows {
  read_back_rows rows;
  REQUIRE(rows.kept.resize(64));
  rows.size_bytes = 64;
  return rows;
}

/// Rows in memory of a device that the test says is there.
auto device_rows(mutable_bytes memory) -> read_back_rows {
  read_back_rows rows;
  rows.texels = memory;
  rows.size_bytes = memory.size();
  return rows;
}

void open(submission_queue& queue, std::uint64_t id, std::uint64_t first_batch) {
  REQUIRE(queue.open(submission_id{id}, first_batch, {}));
}

/// One that began with `first_batch` and ended with `last_batch`.
void add(submission_queue& queue, std::uint64_t id, std::uint64_t first_batch,
         std::uint64_t last_batch) {
  open(queue, id, first_batch);
  queue.close(submission_end::commit, last_batch);
}

auto lost() -> error {
  return make_error(error_code::unsupported, "lost by a test");
}

}  // namespace

TEST_CASE("vulkan::submission_queue: a submission is done when its last batch is",
          "[vulkan][submission_queue]") {
  submission_queue queue;
  add(queue, 1, 1, 2);
  CHECK(queue.done(1) == nullptr);
  REQUIRE(queue.done(2) != nullptr);
  CHECK(queue.done(2)->id == submission_id{1});
  CHECK(queue.done(2)->why.code == error_code::none);
}

TEST_CASE("vulkan::submission_queue: what recorded nothing waits for those before it",
          "[vulkan][submission_queue]") {
  submission_queue queue;
  add(queue, 1, 1, 1);
  add(queue, 2, 2, 0);
  CHECK(queue.ended() == 2);
  CHECK(queue.done(0) == nullptr);
  queue.forget_done();
  REQUIRE(queue.done(0) != nullptr);
  CHECK(queue.done(0)->id == submission_id{2});
}

TEST_CASE("vulkan::submission_queue: an open submission is not done",
          "[vulkan][submission_queue]") {
  submission_queue queue;
  open(queue, 1, 1);
  CHECK(queue.is_open());
  CHECK(queue.ended() == 0);
  CHECK(queue.done(9) == nullptr);
}

TEST_CASE("vulkan::submission_queue: rows need an open submission", "[vulkan][submission_queue]") {
  submission_queue queue;
  add(queue, 1, 1, 1);
  const auto added = queue.add_write_back(to, host_rows(), 0, plenty);
  REQUIRE_FALSE(added);
  CHECK(added.why().code == error_code::internal);
}

TEST_CASE("vulkan::submission_queue: rows are bounded together with those that batches hold",
          "[vulkan][submission_queue]") {
  submission_queue queue;
  open(queue, 1, 1);
  const std::uint64_t own = sizeof(vulkan::pending_write_back) + host_rows().kept.capacity();
  const auto refused = queue.add_write_back(to, host_rows(), 100, own + 99);
  REQUIRE_FALSE(refused);
  CHECK(refused.why().code == error_code::out_of_memory);
  CHECK(refused.why().detail == own + 100);
  CHECK(refused.why().limit == own + 99);
  CHECK(queue.add_write_back(to, host_rows(), 100, own + 100));
  CHECK_FALSE(queue.add_write_back(to, host_rows(), 0, own + own - 1));
  CHECK(queue.add_write_back(to, host_rows(), 0, own + own));
}

TEST_CASE("vulkan::submission_queue: rows no longer count once they were reported, dropped or lost",
          "[vulkan][submission_queue]") {
  const std::uint64_t own = sizeof(vulkan::pending_write_back) + host_rows().kept.capacity();
  submission_queue queue;
  const auto fill = [&] {
    open(queue, 1, 1);
    return static_cast<bool>(queue.add_write_back(to, host_rows(), 0, own));
  };
  REQUIRE(fill());
  queue.close(submission_end::commit, 1);
  queue.forget_done();
  REQUIRE(fill());
  queue.close(submission_end::commit, 1);
  queue.drop_newest();
  REQUIRE(fill());
  queue.close(submission_end::abort, 1);
  CHECK(queue.done(1)->write_backs.empty());
  REQUIRE(fill());
  queue.lose_device(lost(), 1);
  queue.close(submission_end::commit, 0);
  REQUIRE(fill());
  queue.clear();
  CHECK_FALSE(queue.is_open());
  CHECK(queue.ended() == 0);
  CHECK(fill());
}

TEST_CASE("vulkan::submission_queue: what a lost device had done keeps its rows",
          "[vulkan][submission_queue]") {
  submission_queue queue;
  heap_array<std::byte> memory;
  REQUIRE(memory.resize(4));
  memory[3] = std::byte{7};
  open(queue, 1, 1);
  REQUIRE(queue.add_write_back(to, device_rows(memory.view()), 4, plenty));
  queue.close(submission_end::commit, 1);
  add(queue, 2, 2, 2);
  open(queue, 3, 3);
  queue.lose_device(lost(), 1);
  memory[3] = std::byte{0};  // Of the next device.

  CHECK(queue.is_open_one_lost());
  queue.close(submission_end::commit, 0);
  REQUIRE(queue.done(0) != nullptr);
  CHECK(queue.done(0)->why.code == error_code::none);
  REQUIRE(queue.done(0)->write_backs.size() == 1);
  CHECK(queue.done(0)->write_backs[0].rows.wire()[3] == std::byte{7});
  for (std::uint64_t id = 2; id <= 3; ++id) {
    queue.forget_done();
    REQUIRE(queue.done(0) != nullptr);
    CHECK(queue.done(0)->id == submission_id{id});
    CHECK(queue.done(0)->why.code == error_code::device_lost);
  }
}

TEST_CASE("vulkan::submission_queue: rows that come after the device was lost are not reported",
          "[vulkan][submission_queue]") {
  submission_queue queue;
  heap_array<std::byte> memory;
  REQUIRE(memory.resize(4));
  open(queue, 1, 1);
  queue.lose_device(lost(), 0);
  REQUIRE(queue.add_write_back(to, device_rows(memory.view()), 4, plenty));
  queue.close(submission_end::commit, 0);
  REQUIRE(queue.done(0) != nullptr);
  CHECK(queue.done(0)->why.code == error_code::device_lost);
  CHECK(queue.done(0)->write_backs.empty());
}

TEST_CASE("vulkan::submission_queue: an aborted submission does not tell of the loss again",
          "[vulkan][submission_queue]") {
  submission_queue queue;
  open(queue, 1, 1);
  queue.lose_device(lost(), 0);
  queue.close(submission_end::abort, 0);
  REQUIRE(queue.done(0) != nullptr);
  CHECK(queue.done(0)->why.code == error_code::none);
}

TEST_CASE("vulkan::submission_queue: batches from a submission's first on wait for its report",
          "[vulkan][submission_queue]") {
  submission_queue queue;
  CHECK(queue.reported(5) == 5);
  add(queue, 1, 3, 4);
  add(queue, 2, 5, 5);
  CHECK(queue.reported(1) == 1);
  CHECK(queue.reported(5) == 2);
  queue.forget_done();
  CHECK(queue.reported(5) == 4);
  queue.lose_device(lost(), 5);
  CHECK(queue.reported(5) == 5);
}
