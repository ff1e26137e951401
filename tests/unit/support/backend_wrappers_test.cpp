// SPDX-License-Identifier: MIT
// Tests of tests/support/failing_backend.hpp and threaded_backend.hpp.
#include "aerogpu/abi/cmd_draw.h"
#include "null/null_backend.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"
#include "tests/support/failing_backend.hpp"
#include "tests/support/threaded_backend.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

static_assert(backend<failing_backend<null_backend>>);
static_assert(backend<threaded_backend<null_backend>>);
static_assert(!detail::names_annotate<failing_backend<null_backend>>);
static_assert(!detail::names_whole_texture<failing_backend<null_backend>>);

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

/// A null backend with all that is optional.
class remarking_backend : public wrapped_backend<remarking_backend, null_backend> {
  friend wrapped_backend<remarking_backend, null_backend>;

 public:
  [[nodiscard]] auto inner() noexcept -> null_backend& { return inner_; }
  [[nodiscard]] auto inner() const noexcept -> const null_backend& { return inner_; }

  auto begin_submission(const submission_info& info) noexcept -> result<void> {
    return inner_.begin_submission(info);
  }
  auto end_submission(submission_end end) noexcept -> result<void> {
    return inner_.end_submission(end);
  }
  template <completion_sink Sink>
  void poll(Sink& sink) noexcept {
    inner_.poll(sink);
  }
  void wait_idle() noexcept { inner_.wait_idle(); }
  void reset() noexcept { inner_.reset(); }

  void annotate(std::string_view text) noexcept { heard = text; }
  auto read_whole_texture(texture&, mutable_bytes out) noexcept -> result<void> {
    ++whole_reads;
    std::fill(out.begin(), out.end(), std::byte{7});
    return {};
  }

  std::string heard;
  int whole_reads = 0;

 private:
  template <call_kind, class Call>
  auto around(Call&& call) noexcept -> decltype(call()) {
    return call();
  }

  null_backend inner_;
};

static_assert(annotated_backend<failing_backend<remarking_backend>>);
static_assert(annotated_backend<threaded_backend<remarking_backend>>);
static_assert(whole_texture_backend<failing_backend<remarking_backend>>);
static_assert(whole_texture_backend<threaded_backend<remarking_backend>>);

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

TEST_CASE("what is optional reaches the inner backend that has it", "[support]") {
  remarking_backend inner;
  failing_backend<remarking_backend> backend{inner};
  auto texture = inner.create_texture({{}, 0, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1, 1, 1});
  REQUIRE(texture);
  byte_vector out(4);
  backend.annotate("a draw");
  CHECK(inner.heard == "a draw");
  CHECK(backend.calls() == 0);
  CHECK(backend.read_whole_texture(*texture, out));
  CHECK(inner.whole_reads == 1);
  CHECK(out == byte_vector(4, std::byte{7}));
  backend.plan({.at_call = 1, .code = error_code::device_lost});
  CHECK(backend.read_whole_texture(*texture, out).why().code == error_code::device_lost);
  CHECK(inner.whole_reads == 1);
  inner.destroy(*std::move(texture));
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
