// SPDX-License-Identifier: MIT
// Tests of null/null_submissions.hpp.
#include "null/null_submissions.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>
#include <string>
#include <vector>

using namespace aerogpu;

namespace {

/// Writes down what it hears: "w<id>:<first byte>" and "c<id>".
struct order_listener {
  std::vector<std::string> heard;

  void on_write_back(submission_id id, const guest_rows&, const_bytes rows) noexcept {
    heard.push_back("w" + std::to_string(raw_of(id)) + ":" +
                    std::to_string(std::to_integer<int>(rows[0])));
  }
  void on_complete(submission_id id, const error& why) noexcept {
    heard.push_back((why.code == error_code::none ? "c" : "f") + std::to_string(raw_of(id)));
  }
  static auto raw_of(submission_id id) -> std::uint64_t { return static_cast<std::uint64_t>(id); }
};

auto poll(null_submissions& submissions) -> std::vector<std::string> {
  order_listener sink;
  submissions.poll(sink);
  return sink.heard;
}

void run(null_submissions& submissions, std::uint64_t id, std::vector<unsigned> write_backs = {},
         submission_end end = submission_end::commit) {
  REQUIRE(submissions.begin({submission_id{id}, {}, {}}));
  for (const unsigned value : write_backs) {
    auto rows = null_bytes::create(1);
    REQUIRE(rows);
    rows->view()[0] = static_cast<std::byte>(value);
    REQUIRE(submissions.add_write_back({gpa{0x1000}, 1, 1, 1}, *std::move(rows)));
  }
  REQUIRE(submissions.end(end));
}

using heard = std::vector<std::string>;

}  // namespace

TEST_CASE("an ended submission is reported once, after its write-backs in order", "[null]") {
  null_submissions submissions;
  run(submissions, 1, {7, 8});
  run(submissions, 2);
  CHECK(poll(submissions) == heard{"w1:7", "w1:8", "c1", "c2"});
  CHECK(poll(submissions).empty());
}

TEST_CASE("an open submission is not reported", "[null]") {
  null_submissions submissions;
  REQUIRE(submissions.begin({submission_id{1}, {}, {}}));
  CHECK(poll(submissions).empty());
  REQUIRE(submissions.end(submission_end::commit));
  CHECK(poll(submissions) == heard{"c1"});
}

TEST_CASE("an aborted submission completes without its write-backs", "[null]") {
  null_submissions submissions;
  run(submissions, 1, {7}, submission_end::abort);
  run(submissions, 2, {8});
  CHECK(poll(submissions) == heard{"c1", "w2:8", "c2"});
}

TEST_CASE("held submissions wait for release and keep their order", "[null]") {
  null_submissions submissions;
  submissions.set_mode(null_completion::held);
  run(submissions, 1, {7});
  run(submissions, 2);
  run(submissions, 3);
  CHECK(poll(submissions).empty());
  CHECK(submissions.pending() == 3);
  submissions.release(1);
  CHECK(poll(submissions) == heard{"w1:7", "c1"});
  submissions.release_ended();
  CHECK(poll(submissions) == heard{"c2", "c3"});
  CHECK(submissions.pending() == 0);
}

TEST_CASE("a release counts for a submission that ends later", "[null]") {
  null_submissions submissions;
  submissions.set_mode(null_completion::held);
  submissions.release(1);
  run(submissions, 1);
  run(submissions, 2);
  CHECK(poll(submissions) == heard{"c1"});
}

TEST_CASE("turning holding off releases what is held", "[null]") {
  null_submissions submissions;
  submissions.set_mode(null_completion::held);
  run(submissions, 1);
  submissions.set_mode(null_completion::immediate);
  CHECK(poll(submissions) == heard{"c1"});
}

TEST_CASE("a reset forgets ended and open submissions", "[null]") {
  null_submissions submissions;
  run(submissions, 1, {7});
  REQUIRE(submissions.begin({submission_id{2}, {}, {}}));
  submissions.reset();
  CHECK(poll(submissions).empty());
  CHECK(submissions.pending() == 0);
  run(submissions, 3);
  CHECK(poll(submissions) == heard{"c3"});
}

TEST_CASE("calls out of order are internal errors", "[null]") {
  null_submissions submissions;
  CHECK(submissions.end(submission_end::commit).why().code == error_code::internal);
  CHECK(submissions.add_write_back({}, {}).why().code == error_code::internal);
  REQUIRE(submissions.begin({submission_id{1}, {}, {}}));
  CHECK(submissions.begin({submission_id{2}, {}, {}}).why().code == error_code::internal);
}
