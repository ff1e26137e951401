// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/recorder.hpp.
#include "aerogpu/trace/recorder.hpp"

#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "aerogpu/trace/submission.hpp"
#include "aerogpu/trace/toc.hpp"
#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/unit/trace/trace_samples.hpp"

#include <array>
#include <optional>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

enum class presents : std::uint8_t { no, yes };

auto stream_bytes(presents want) -> byte_vector {
  byte_vector bytes;
  growing_sink<byte_vector> sink{bytes};
  stream_writer<growing_sink<byte_vector>> writer{sink};
  REQUIRE(writer.begin());
  if (want == presents::yes) REQUIRE(writer.write(aerogpu_cmd_present{}));
  (void)writer.finish();
  return bytes;
}

/// A recorder over a guest of one page-sized memory, and what it recorded.
struct recording {
  explicit recording(const recorder_limits& limits = {}, std::size_t sink_bytes = 1u << 20)
      : sink(sink_bytes) {
    auto writer = trace_writer<memory_sink>::create(sink);
    REQUIRE(writer);
    recorder.emplace(*std::move(writer), 42, limits);
  }
  void submit(const byte_vector& stream, const std::vector<aerogpu_alloc_entry>& entries,
              std::uint64_t fence = 1) {
    const byte_vector table = entries.empty() ? byte_vector{} : make_table(entries);
    std::array<alloc_table::slot, 16> slots{};
    alloc_table allocations{slots};
    if (!table.empty()) REQUIRE(allocations.parse(table));
    aerogpu_submit_desc desc{};
    desc.flags = 2;
    desc.context_id = 7;
    desc.signal_fence = fence;
    const submission_tap tap = recorder->tap();
    tap.on_submission(tap.context, {desc, stream, table, allocations, memory});
  }
  void finish() {
    REQUIRE(recorder->finish());
    const auto opened = trace_reader::open(sink.bytes());
    REQUIRE(opened);
    CHECK(check_toc(*opened));
    trace.emplace(*opened);
    for (const trace_record& record : all_records(*trace)) {
      if (record.kind == trace_record_kind::submission)
        submissions.push_back(*parse_submission(record));
    }
  }

  memory_sink sink;
  fake_memory memory;
  std::optional<trace_recorder<memory_sink>> recorder;
  std::optional<trace_reader> trace;
  std::vector<trace_submission> submissions;
};

constexpr gpa page{0x10'0000'0000};

}  // namespace

TEST_CASE("a recorded submission comes back whole", "[trace]") {
  recording r;
  r.memory.poke(page, counting(64));
  const byte_vector stream = stream_bytes(presents::yes);
  r.submit(stream, {{5, AEROGPU_ALLOC_FLAG_READONLY, raw(page), 64, 0}}, 99);
  r.finish();
  const auto blobs = trace_blob_index::create(*r.trace);
  REQUIRE(blobs);
  REQUIRE(r.submissions.size() == 1);
  const auto submission = resolve(*blobs, r.submissions[0]);
  REQUIRE(submission);
  CHECK(submission->submit_flags == 2);
  CHECK(raw(submission->context) == 7);
  CHECK(raw(submission->fence) == 99);
  CHECK(byte_vector(submission->stream.begin(), submission->stream.end()) == stream);
  REQUIRE(r.submissions[0].range_count() == 1);
  const auto range = resolve_range(*blobs, r.submissions[0], 0);
  REQUIRE(range);
  CHECK(raw(range->id) == 5);
  CHECK(range->flags == AEROGPU_ALLOC_FLAG_READONLY);
  CHECK(range->at == page);
  CHECK(byte_vector(range->bytes.begin(), range->bytes.end()) == counting(64));
}

TEST_CASE("an empty submission is recorded without blobs", "[trace]") {
  recording r;
  r.submit({}, {}, 3);
  r.finish();
  REQUIRE(r.submissions.size() == 1);
  CHECK(r.submissions[0].header.signal_fence == 3);
  CHECK(raw(r.submissions[0].header.cmd_stream_blob) == 0);
  CHECK(raw(r.submissions[0].header.alloc_table_blob) == 0);
}

TEST_CASE("a frame ends with the submission that presents", "[trace]") {
  recording r;
  for (const presents want : {presents::no, presents::yes, presents::no}) {
    r.submit(stream_bytes(want), {});
  }
  r.finish();
  std::vector<trace_record_kind> kinds;
  for (const trace_record& record : all_records(*r.trace)) kinds.push_back(record.kind);
  using enum trace_record_kind;
  CHECK(kinds == std::vector{begin_frame, blob, submission, blob, submission, present, begin_frame,
                             blob, submission});
  CHECK(r.recorder->statistics().frames == 2);
}

TEST_CASE("unchanged content of an allocation is stored once, changed content again", "[trace]") {
  recording r;
  r.memory.poke(page, counting(64));
  const std::vector<aerogpu_alloc_entry> entries{{5, 0, raw(page), 64, 0}};
  const byte_vector stream = stream_bytes(presents::no);
  r.submit(stream, entries);
  r.submit(stream, entries);
  r.memory.poke(page, counting(1, 0xEE));
  r.submit(stream, entries);
  r.finish();
  REQUIRE(r.submissions.size() == 3);
  CHECK(r.submissions[0].range(0).blob == r.submissions[1].range(0).blob);
  CHECK(r.submissions[1].range(0).blob != r.submissions[2].range(0).blob);
  CHECK(r.recorder->statistics().memory_ranges == 3);
  CHECK(r.recorder->statistics().unchanged_ranges == 1);
}

TEST_CASE("ranges come in the order of their ids", "[trace]") {
  recording r;
  r.memory.poke(page, counting(64));
  r.submit(stream_bytes(presents::no),
           {{900, 0, raw(page), 64, 0}, {5, 0, raw(page), 8, 0}, {70, 0, raw(page), 16, 0}});
  r.finish();
  const trace_submission& s = r.submissions.at(0);
  REQUIRE(s.range_count() == 3);
  CHECK(s.range(0).alloc_id == 5);
  CHECK(s.range(1).alloc_id == 70);
  CHECK(s.range(2).alloc_id == 900);
}

TEST_CASE("an allocation that is too large or not there is left out and counted", "[trace]") {
  recording r{{.allocation_bytes = 64}};
  r.memory.poke(page, counting(65));
  r.submit(stream_bytes(presents::no), {{1, 0, raw(page), 64, 0},
                                        {2, 0, raw(page), 65, 0},
                                        {3, 0, raw(page), 1ull << 40, 0},
                                        {4, 0, 0x1000, 16, 0}});
  r.finish();
  REQUIRE(r.submissions.size() == 1);
  CHECK(r.submissions[0].range_count() == 1);
  CHECK(r.recorder->statistics().skipped_ranges == 3);
}

TEST_CASE("at its limit a recording ends and stays readable", "[trace]") {
  recording r{{.trace_bytes = 2048}};
  r.memory.poke(page, counting(1024));
  const byte_vector stream = stream_bytes(presents::yes);
  r.submit(stream, {{1, 0, raw(page), 1024, 0}});
  r.memory.poke(page, counting(1, 0xEE));
  r.submit(stream, {{1, 0, raw(page), 1024, 0}});
  CHECK(r.recorder->why().code == error_code::no_space);
  r.submit(stream, {});
  r.finish();
  CHECK(r.submissions.size() == 1);
  CHECK(r.sink.bytes().size() <= 2048);
}

TEST_CASE("a sink that fails ends the recording", "[trace]") {
  recording r{{}, 200};
  r.submit(stream_bytes(presents::yes), {});
  r.submit(stream_bytes(presents::yes), {});
  CHECK(r.recorder->why().code == error_code::no_space);
  CHECK(r.recorder->finish().why().code == error_code::no_space);
}

TEST_CASE("content hashes depend on every byte, the length and the seed", "[trace]") {
  for (std::size_t size = 1; size < 40; ++size) {
    byte_vector bytes(size);
    const std::uint64_t before = detail::content_hash(bytes, 1);
    CHECK(before != detail::content_hash(bytes, 2));
    CHECK(before != detail::content_hash(byte_vector(size + 1), 1));
    for (std::size_t i = 0; i < size; ++i) {
      bytes[i] = std::byte{1};
      CHECK(detail::content_hash(bytes, 1) != before);
      bytes[i] = std::byte{0};
    }
  }
}
