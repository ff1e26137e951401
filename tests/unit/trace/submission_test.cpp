// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/submission.hpp.
#include "aerogpu/trace/submission.hpp"

#include "tests/catch.hpp"
#include "tests/unit/trace/trace_samples.hpp"

#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto equal(const_bytes a, const byte_vector& b) -> bool {
  return byte_vector(a.begin(), a.end()) == b;
}

auto submissions_of(const trace_reader& trace) -> std::vector<trace_submission> {
  std::vector<trace_submission> found;
  for (const trace_record& record : all_records(trace)) {
    if (record.kind != trace_record_kind::submission) continue;
    const auto submission = parse_submission(record);
    REQUIRE(submission);
    found.push_back(*submission);
  }
  return found;
}

/// A trace of one submission with one memory range, after `change` had its way with the range.
template <class Change>
auto trace_with_range(Change change) -> byte_vector {
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::create(sink);
  const auto blob = writer->blob(trace_blob_kind::memory, counting(16));
  trace_memory_range range{1, 0, 0x1000, 16, *blob};
  change(range);
  REQUIRE(writer->submission({}, std::span{&range, 1}));
  REQUIRE(writer->finish());
  return {sink.bytes().begin(), sink.bytes().end()};
}

}  // namespace

TEST_CASE("a submission comes back with its stream, table and memory", "[trace]") {
  const sample_contents contents;
  const byte_vector file = version_2_trace(contents);
  const auto trace = trace_reader::open(file);
  const auto blobs = trace_blob_index::create(*trace);
  const auto found = submissions_of(*trace);
  REQUIRE(found.size() == 2);
  const auto first = resolve(*blobs, found[0]);
  REQUIRE(first);
  CHECK(first->submit_flags == 3);
  CHECK(raw(first->context) == 4);
  CHECK(raw(first->fence) == sample_fence);
  CHECK(equal(first->stream, contents.stream));
  CHECK(equal(first->alloc_table, contents.table));
  const auto range = resolve_range(*blobs, found[0], 0);
  REQUIRE(range);
  CHECK(raw(range->id) == 9);
  CHECK(range->flags == 1);
  CHECK(raw(range->at) == contents.gpa);
  CHECK(equal(range->bytes, contents.memory));
}

TEST_CASE("a submission without blobs has neither stream nor table", "[trace]") {
  const byte_vector file = version_2_trace();
  const auto trace = trace_reader::open(file);
  const auto blobs = trace_blob_index::create(*trace);
  const auto second = resolve(*blobs, submissions_of(*trace)[1]);
  REQUIRE(second);
  CHECK(second->stream.empty());
  CHECK(second->alloc_table.empty());
}

TEST_CASE("a submission that names a missing blob or one of another kind is refused", "[trace]") {
  const auto [stream, allocs] =
      GENERATE(table<std::uint64_t, std::uint64_t>({{9, 0}, {0, 9}, {1, 0}}));
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::create(sink);
  REQUIRE(writer->blob(trace_blob_kind::memory, counting(16)));
  REQUIRE(writer->submission(
      {.stream = trace_blob_id{stream}, .alloc_table = trace_blob_id{allocs}}, {}));
  REQUIRE(writer->finish());
  const auto trace = trace_reader::open(sink.bytes());
  const auto blobs = trace_blob_index::create(*trace);
  CHECK(resolve(*blobs, submissions_of(*trace)[0]).why().code == error_code::corrupt);
}

TEST_CASE("a range must have its blob's size, an address that does not wrap and a blob",
          "[trace]") {
  using change = void (*)(trace_memory_range&);
  const change make = GENERATE(change{[](auto& range) { range.size_bytes = 15; }},
                               change{[](auto& range) { range.size_bytes = UINT64_MAX; }},
                               change{[](auto& range) { range.gpa = UINT64_MAX - 15; }},
                               change{[](auto& range) { range.blob = trace_blob_id{0}; }},
                               change{[](auto& range) { range.blob = trace_blob_id{2}; }});
  const byte_vector file = trace_with_range(make);
  const auto trace = trace_reader::open(file);
  const auto blobs = trace_blob_index::create(*trace);
  const auto range = resolve_range(*blobs, submissions_of(*trace)[0], 0);
  CHECK(range.why().code == error_code::corrupt);
}

TEST_CASE("a range may end on the last byte of the address space", "[trace]") {
  const byte_vector file = trace_with_range([](auto& range) { range.gpa = UINT64_MAX - 16; });
  const auto trace = trace_reader::open(file);
  const auto blobs = trace_blob_index::create(*trace);
  CHECK(resolve_range(*blobs, submissions_of(*trace)[0], 0));
}
