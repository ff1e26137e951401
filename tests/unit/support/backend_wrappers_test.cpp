// SPDX-License-Identifier: MIT
// Tests of tests/support/failing_backend.hpp and threaded_backend.hpp.
#include "aerogpu/abi/cmd_draw.h"
#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/failing_backend.hpp"
#include "tests/support/threaded_backend.hpp"

#include <cstdint>
#include <thread>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

static_assert(backend<failing_backend<null_backend>>);
static_assert(backend<threaded_backend<null_backend>>);

namespace {

struct listener {
  std::vector<std::uint64_t> completed;
  std::vector<byte_vector> write_backs;

  void on_write_back(submission_id, const guest_rows&, const_bytes rows) noexcept {
    write_backs.emplace_back(rows.begin(), rows.end());
  }
  void on_complete(submission_id id, const error&) noexcept {
    completed.push_back(static_cast<std::uint64_t>(id));
  }
};

auto info(std::uint64_t id) -> submission_info {
  return {submission_id{id}, {}, {}};
}

}  // namespace

TEST_CASE("a failing backend fails the planned call and no other", "[support]") {
  null_backend inner;
  failing_backend<null_backend> backend{inner};
  backend.plan({.at_call = 2, .code = error_code::out_of_memory});
  REQUIRE(backend.begin_submission(info(1)));
  CHECK(backend.flush().why().code == error_code::out_of_memory);
  CHECK(backend.flush());
  CHECK(backend.end_submission(submission_end::commit));
  CHECK(backend.calls() == 4);
  CHECK(inner.counters().flushes == 1);
  CHECK(backend.broken_rules() == 0);
}

TEST_CASE("a lasting failure ends with the reset", "[support]") {
  null_backend inner;
  failing_backend<null_backend> backend{inner};
  backend.plan({1, error_code::device_lost, true});
  CHECK(backend.create_sampler({}).why().code == error_code::device_lost);
  CHECK(backend.create_sampler({}).why().code == error_code::device_lost);
  backend.reset();
  auto sampler = backend.create_sampler({});
  REQUIRE(sampler);
  CHECK(backend.live_objects() == 1);
  backend.destroy(*std::move(sampler));
  CHECK(backend.live_objects() == 0);
}

TEST_CASE("a submission whose end failed is never reported", "[support]") {
  null_backend inner;
  failing_backend<null_backend> backend{inner};
  backend.plan({.at_call = 2});
  REQUIRE(backend.begin_submission(info(1)));
  CHECK_FALSE(backend.end_submission(submission_end::commit));
  REQUIRE(backend.begin_submission(info(2)));
  REQUIRE(backend.end_submission(submission_end::commit));
  listener sink;
  backend.poll(sink);
  CHECK(sink.completed == std::vector<std::uint64_t>{2});
}

TEST_CASE("a failing backend notices commands outside a submission", "[support]") {
  null_backend inner;
  failing_backend<null_backend> backend{inner};
  CHECK(backend.flush());
  CHECK(backend.broken_rules() == 1);
  REQUIRE(backend.begin_submission(info(1)));
  CHECK_FALSE(backend.begin_submission(info(2)));
  CHECK(backend.broken_rules() == 2);
}

TEST_CASE("a wrapped clear reaches the inner backend with its targets", "[support]") {
  null_backend inner;
  failing_backend<null_backend> backend{inner};
  auto texture = backend.create_texture({{}, 0, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1, 1, 1});
  REQUIRE(texture);
  target_set<failing_backend<null_backend>> targets;
  targets.color_count = 1;
  targets.colors[0] = {&*texture, nullptr, AEROGPU_FORMAT_R8G8B8A8_UNORM, {0, 0}, 1, 1};
  REQUIRE(backend.begin_submission(info(1)));
  REQUIRE(backend.clear({targets, false, {}, AEROGPU_CLEAR_COLOR, {1, 0, 1, 1}, false, 0, 0}));
  byte_vector texel(4);
  REQUIRE(backend.read_texture(*texture, {0, 0}, texel));
  CHECK(texel == bytes_from({255, 0, 255, 255}));
}

TEST_CASE("a threaded backend reports in order, from poll, after its thread finished",
          "[support]") {
  threaded_backend<null_backend> backend;
  auto buffer = backend.create_buffer({{}, 0, 4});
  REQUIRE(buffer);
  listener sink;
  for (std::uint64_t id = 1; id <= 100; ++id) {
    REQUIRE(backend.begin_submission(info(id)));
    REQUIRE(backend.upload_buffer(*buffer, 0, filled(4, static_cast<unsigned>(id))));
    REQUIRE(backend.read_back_buffer(*buffer, 0, {gpa{0}, 4, 4, 1}));
    REQUIRE(backend.end_submission(submission_end::commit));
    backend.poll(sink);
  }
  backend.wait_idle();
  backend.poll(sink);
  REQUIRE(sink.completed.size() == 100);
  REQUIRE(sink.write_backs.size() == 100);
  for (std::size_t i = 0; i < 100; ++i) {
    CHECK(sink.completed[i] == i + 1);
    CHECK(sink.write_backs[i] == filled(4, static_cast<unsigned>(i + 1)));
  }
  backend.destroy(*std::move(buffer));
}

TEST_CASE("after a reset a threaded backend reports nothing of before", "[support]") {
  threaded_backend<null_backend> backend;
  listener sink;
  for (std::uint64_t id = 1; id <= 10; ++id) {
    REQUIRE(backend.begin_submission(info(id)));
    REQUIRE(backend.end_submission(submission_end::commit));
  }
  backend.reset();
  std::this_thread::yield();
  backend.poll(sink);
  CHECK(sink.completed.empty());
}
