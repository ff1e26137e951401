// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/records.hpp.
#include "aerogpu/trace/records.hpp"

#include "tests/catch.hpp"
#include "tests/unit/trace/trace_samples.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto record_of(trace_record_kind kind, const byte_vector& payload) -> trace_record {
  return {kind, 100, payload};
}

/// A Submission payload with `ranges` empty ranges behind a header of `header_size` bytes.
auto submission_payload(std::uint32_t version, std::uint32_t header_size, std::uint32_t ranges,
                        std::size_t bytes_behind) -> byte_vector {
  field_writer out;
  out.u32(version).u32(header_size).u32(2).u32(7).u32(0).u32(0).u64(41).u64(1).u64(0);
  out.u32(ranges).u32(0);
  for (std::size_t i = 0; i < bytes_behind; ++i) out.u8(static_cast<std::uint8_t>(i));
  return out.bytes();
}

}  // namespace

TEST_CASE("a frame record shorter than its index is refused", "[trace]") {
  CHECK(*parse_frame_index(record_of(trace_record_kind::present, counting(4, 1, 0))) == 0x01010101);
  CHECK_FALSE(parse_frame_index(record_of(trace_record_kind::present, counting(3))));
}

TEST_CASE("a blob has an id, a kind and the bytes behind its header", "[trace]") {
  const byte_vector payload =
      field_writer{}.u64(0x1122334455).u32(0x102).u32(0).u8(9).u8(8).bytes();
  const auto blob = parse_blob(record_of(trace_record_kind::blob, payload));
  REQUIRE(blob);
  CHECK(raw(blob->id) == 0x1122334455);
  CHECK(blob->kind == trace_blob_kind::memory);
  CHECK(blob->bytes.size() == 2);
  CHECK(blob->bytes[0] == std::byte{9});
  CHECK(blob->offset == 100 + 8 + 16);
}

TEST_CASE("a blob without an id or a whole header is refused", "[trace]") {
  const byte_vector payload = GENERATE(counting(15), byte_vector(16));
  CHECK(parse_blob(record_of(trace_record_kind::blob, payload)).why().code == error_code::corrupt);
}

TEST_CASE("a submission's fields and ranges are read from their places", "[trace]") {
  field_writer out;
  out.u32(1).u32(56).u32(3).u32(4).u32(5).u32(0).u64(6).u64(7).u64(8).u32(2).u32(0);
  out.u32(1).u32(0).u64(0x1000).u64(16).u64(30);
  out.u32(2).u32(1).u64(0x2000).u64(32).u64(31);
  const byte_vector payload = out.bytes();
  const auto submission = parse_submission(record_of(trace_record_kind::submission, payload));
  REQUIRE(submission);
  CHECK(submission->header.submit_flags == 3);
  CHECK(submission->header.context_id == 4);
  CHECK(submission->header.engine_id == 5);
  CHECK(submission->header.signal_fence == 6);
  CHECK(raw(submission->header.cmd_stream_blob) == 7);
  CHECK(raw(submission->header.alloc_table_blob) == 8);
  REQUIRE(submission->range_count() == 2);
  const trace_memory_range range = submission->range(1);
  CHECK(range.alloc_id == 2);
  CHECK(range.flags == 1);
  CHECK(range.gpa == 0x2000);
  CHECK(range.size_bytes == 32);
  CHECK(raw(range.blob) == 31);
}

TEST_CASE("a longer submission header of a newer writer is skipped", "[trace]") {
  const byte_vector payload = submission_payload(1, 64, 1, 8 + 32);
  const auto submission = parse_submission(record_of(trace_record_kind::submission, payload));
  REQUIRE(submission);
  CHECK(submission->range(0).alloc_id == 0x0B0A0908);  // The first byte behind 64 is number 8.
}

TEST_CASE("a submission that does not fit its record is refused", "[trace]") {
  const auto [header_size, ranges, behind] =
      GENERATE(table<std::uint32_t, std::uint32_t, std::size_t>({{55, 0, 0},
                                                                 {57, 0, 0},
                                                                 {0xFFFFFFFF, 0, 0},
                                                                 {56, 1, 31},
                                                                 {64, 1, 32},
                                                                 {56, 0xFFFFFFFF, 64},
                                                                 {56, 0x08000000, 64}}));
  const byte_vector payload = submission_payload(1, header_size, ranges, behind);
  const auto submission = parse_submission(record_of(trace_record_kind::submission, payload));
  CHECK(submission.why().code == error_code::corrupt);
  const byte_vector cut = part_of(payload, 0, 55);
  CHECK_FALSE(parse_submission(record_of(trace_record_kind::submission, cut)));
}

TEST_CASE("a submission record of another version is refused by its version", "[trace]") {
  const byte_vector payload = submission_payload(2, 56, 0, 0);
  const auto submission = parse_submission(record_of(trace_record_kind::submission, payload));
  CHECK(submission.why().code == error_code::bad_version);
  CHECK(submission.why().detail == 2);
}
