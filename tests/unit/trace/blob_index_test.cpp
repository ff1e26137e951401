// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/blob_index.hpp.
#include "aerogpu/trace/blob_index.hpp"

#include "tests/catch.hpp"
#include "tests/unit/trace/trace_samples.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr auto memory = trace_blob_kind::memory;

/// A version 2 trace of Blob records `{id, kind, first byte}`.
struct blob_line {
  std::uint64_t id;
  trace_blob_kind kind;
  std::uint8_t first;
};
auto trace_of(std::initializer_list<blob_line> lines) -> byte_vector {
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::create(sink);
  for (const blob_line& line : lines) {
    const byte_vector payload = field_writer{}
                                    .u64(line.id)
                                    .u32(static_cast<std::uint32_t>(line.kind))
                                    .u32(0)
                                    .u8(line.first)
                                    .bytes();
    REQUIRE(writer->record(trace_record_kind::blob, {payload}));
  }
  REQUIRE(writer->finish());
  return {sink.bytes().begin(), sink.bytes().end()};
}

}  // namespace

TEST_CASE("a blob is found by its id whatever order the ids have", "[trace]") {
  const byte_vector file = trace_of({{UINT64_MAX, memory, 1}, {3, memory, 2}, {7, memory, 3}});
  const auto trace = trace_reader::open(file);
  const auto blobs = trace_blob_index::create(*trace);
  REQUIRE(blobs);
  CHECK(blobs->blobs().size() == 3);
  CHECK(blobs->find(trace_blob_id{3}, memory, file.size())->bytes[0] == std::byte{2});
  CHECK(blobs->find(trace_blob_id{UINT64_MAX}, memory, file.size())->bytes[0] == std::byte{1});
  CHECK_FALSE(blobs->find(trace_blob_id{4}, memory, file.size()));
  CHECK_FALSE(blobs->find(trace_blob_id{0}, memory, file.size()));
}

TEST_CASE("a blob counts only ahead of the record that names it", "[trace]") {
  const byte_vector file = trace_of({{3, memory, 1}, {3, memory, 2}});
  const auto trace = trace_reader::open(file);
  const auto blobs = trace_blob_index::create(*trace);
  REQUIRE(blobs);
  const auto records = all_records(*trace);
  CHECK_FALSE(blobs->find(trace_blob_id{3}, memory, records[0].offset));
  CHECK(blobs->find(trace_blob_id{3}, memory, records[1].offset)->bytes[0] == std::byte{1});
  CHECK(blobs->find(trace_blob_id{3}, memory, trace->toc_offset())->bytes[0] == std::byte{2});
}

TEST_CASE("an empty blob right ahead of the record that names it is found", "[trace]") {
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::create(sink);
  const auto id = writer->blob(memory, {});
  REQUIRE(id);
  REQUIRE(writer->submission({}, {}));
  REQUIRE(writer->finish());
  const auto trace = trace_reader::open(sink.bytes());
  const auto blobs = trace_blob_index::create(*trace);
  REQUIRE(blobs);
  const auto blob = blobs->find(*id, memory, all_records(*trace)[1].offset);
  REQUIRE(blob);
  CHECK(blob->bytes.empty());
}

TEST_CASE("a blob of another kind is refused", "[trace]") {
  const byte_vector file = trace_of({{3, trace_blob_kind::dxbc, 1}});
  const auto trace = trace_reader::open(file);
  const auto blobs = trace_blob_index::create(*trace);
  REQUIRE(blobs);
  const auto blob = blobs->find(trace_blob_id{3}, memory, file.size());
  CHECK(blob.why().code == error_code::corrupt);
  CHECK(blob.why().detail == 3);
}

TEST_CASE("an index of a trace with a broken record is refused", "[trace]") {
  byte_vector file = trace_of({{3, memory, 1}});
  const auto trace = trace_reader::open(file);
  const std::uint64_t at = all_records(*trace)[0].payload_offset();
  overwrite(file, at, byte_vector(8));
  CHECK(trace_blob_index::create(*trace).why().code == error_code::corrupt);
}

TEST_CASE("an index of more blobs than its limit is refused", "[trace]") {
  const byte_vector file = trace_of({{3, memory, 1}, {4, memory, 2}, {3, memory, 3}});
  const auto trace = trace_reader::open(file);
  CHECK(trace_blob_index::create(*trace, 3)->blobs().size() == 3);
  const error why = trace_blob_index::create(*trace, 2).why();
  CHECK(why.code == error_code::out_of_memory);
  CHECK(why.offset == all_records(*trace)[2].offset);
  CHECK(why.detail == 3);
  CHECK(why.limit == 2);
}
