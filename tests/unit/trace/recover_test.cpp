// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/recover.hpp, and of writers that go on where a recording was cut off.
#include "aerogpu/trace/recover.hpp"

#include "aerogpu/trace/submission.hpp"
#include "aerogpu/trace/toc.hpp"
#include "tests/catch.hpp"
#include "tests/unit/trace/trace_samples.hpp"

#include <algorithm>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Where each record of a whole trace ends, behind where the first one starts.
auto record_ends(const byte_vector& whole) -> std::vector<std::uint64_t> {
  const auto trace = trace_reader::open(whole);
  REQUIRE(trace);
  std::vector<std::uint64_t> ends{trace->records().offset()};
  for (const trace_record& record : all_records(*trace)) ends.push_back(record.end_offset());
  return ends;
}

/// `file`, made whole by a writer that goes on behind its last record.
auto finished(const byte_vector& file) -> byte_vector {
  const auto found = recover_trace(file);
  REQUIRE(found);
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::continue_from(sink, found->trace);
  REQUIRE(writer);
  REQUIRE(writer->finish());
  return {sink.bytes().begin(), sink.bytes().end()};
}

auto with_bytes(byte_vector file, std::size_t at, const byte_vector& bytes) -> byte_vector {
  std::copy(bytes.begin(), bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(at));
  return file;
}

}  // namespace

TEST_CASE("a whole trace is recovered as it is", "[trace]") {
  const byte_vector file = GENERATE(version_1_trace(counting(13)), version_2_trace());
  const auto found = recover_trace(file);
  REQUIRE(found);
  CHECK(found->is_whole());
  CHECK(found->trace.toc_offset() == trace_reader::open(file)->toc_offset());
  CHECK(check_toc(found->trace));
}

TEST_CASE("a trace cut anywhere is read up to its last whole record", "[trace]") {
  const byte_vector whole = version_2_trace();
  const std::vector<std::uint64_t> ends = record_ends(whole);
  for (std::size_t size = ends.front(); size < whole.size(); ++size) {
    CAPTURE(size);
    const auto found = recover_trace(const_bytes{whole}.first(size));
    REQUIRE(found);
    CHECK_FALSE(found->is_whole());
    const std::uint64_t end = *std::prev(std::upper_bound(ends.begin(), ends.end(), size));
    CHECK(found->cut.offset == end);
    CHECK(found->trace.toc_offset() == end);
    CHECK(found->cut.lost_bytes == (end == ends.back() ? 0 : size - end));
    const auto read = all_records(found->trace);
    CHECK((read.empty() ? ends.front() : read.back().end_offset()) == end);
  }
}

TEST_CASE("a trace cut inside its header or metadata is refused", "[trace]") {
  const byte_vector whole = version_2_trace();
  const std::uint64_t start = record_ends(whole).front();
  for (std::size_t size = 0; size < start; ++size) {
    CAPTURE(size);
    CHECK(recover_trace(const_bytes{whole}.first(size)).why().code == error_code::corrupt);
  }
}

TEST_CASE("a newer container is refused whether it was cut or not", "[trace]") {
  byte_vector file = version_2_trace();
  store(file.data() + 12, std::uint32_t{3});
  const std::size_t less = GENERATE(0u, 40u);
  CHECK(recover_trace(const_bytes{file}.first(file.size() - less)).why().code ==
        error_code::bad_version);
}

TEST_CASE("zeros behind the last record are none", "[trace]") {
  const byte_vector whole = version_2_trace();
  const std::uint64_t end = record_ends(whole).back();
  byte_vector file{whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(end)};
  file.resize(file.size() + 4096);
  const auto found = recover_trace(file);
  REQUIRE(found);
  CHECK(found->cut.offset == end);
  CHECK(found->cut.lost_bytes == 4096);
}

TEST_CASE("a broken record ends what is read, whatever the footer says", "[trace]") {
  const byte_vector whole = version_2_trace();
  const std::vector<std::uint64_t> ends = record_ends(whole);
  // The third record is a Blob.
  const std::size_t header = static_cast<std::size_t>(ends[2]);
  const byte_vector bad = GENERATE_COPY(
      with_bytes(whole, header + 4, bytes_from({0xFF, 0xFF, 0xFF, 0x7F})),
      with_bytes(with_bytes(whole, header + 4, bytes_from({3, 0, 0, 0})), whole.size() - 32,
                 bytes_from({0})),
      with_bytes(with_bytes(whole, header, bytes_from({4, 1})), whole.size() - 32, bytes_from({0})),
      with_bytes(with_bytes(whole, header + 2, bytes_from({1})), whole.size() - 32,
                 bytes_from({0})));
  const auto found = recover_trace(bad);
  REQUIRE(found);
  CHECK_FALSE(found->is_whole());
  CHECK(found->cut.offset == ends[2]);
  CHECK(all_records(found->trace).size() == 2);
}

TEST_CASE("a submission of a newer writer is whole, and one of version 0 is not", "[trace]") {
  const byte_vector whole = version_2_trace();
  const std::vector<std::uint64_t> ends = record_ends(whole);
  const std::size_t submission = static_cast<std::size_t>(ends[4]);
  const auto [version, records] = GENERATE(table<unsigned, std::size_t>({{0, 4}, {1, 8}, {2, 8}}));
  byte_vector file = with_bytes(whole, submission + 8, bytes_from({version}));
  file.resize(static_cast<std::size_t>(ends.back()));
  const auto found = recover_trace(file);
  REQUIRE(found);
  CHECK(all_records(found->trace).size() == records);
}

TEST_CASE("what type 5 holds is not looked at in a version 1 trace", "[trace]") {
  const byte_vector whole = version_1_trace(counting(13));
  field_writer file;
  for (std::size_t i = 0; i < record_ends(whole).back(); ++i) {
    file.u8(std::to_integer<std::uint8_t>(whole[i]));
  }
  put_record(file, 5, counting(3));
  put_record(file, 3, counting(4));
  const auto found = recover_trace(file.bytes());
  REQUIRE(found);
  CHECK(found->cut.offset == file.size());
  CHECK(all_records(found->trace).size() == 5);
}

TEST_CASE("a writer makes a trace whole wherever it was cut", "[trace]") {
  const byte_vector whole = version_2_trace();
  const std::uint64_t start = record_ends(whole).front();
  for (std::size_t size = start; size <= whole.size(); ++size) {
    CAPTURE(size);
    const byte_vector file{whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)};
    const std::uint64_t end = recover_trace(file)->trace.toc_offset();
    const byte_vector repaired = finished(file);
    CHECK(std::equal(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(end),
                     repaired.begin()));
    const auto trace = trace_reader::open(repaired);
    REQUIRE(trace);
    CHECK(trace->toc_offset() == end);
    CHECK(check_toc(*trace));
  }
}

TEST_CASE("a writer that only lacked its end writes the same end", "[trace]") {
  const byte_vector whole = GENERATE(version_1_trace(counting(13)), version_2_trace());
  byte_vector file = whole;
  file.resize(static_cast<std::size_t>(record_ends(whole).back()));
  CHECK(finished(file) == whole);
}

TEST_CASE("a writer that goes on gives new blobs new ids", "[trace]") {
  const byte_vector whole = version_2_trace();
  const auto found = recover_trace(whole);
  REQUIRE(found);
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::continue_from(sink, found->trace);
  REQUIRE(writer);
  const auto added = writer->blob(trace_blob_kind::memory, counting(4));
  REQUIRE(added);
  const auto before = trace_blob_index::create(found->trace);
  REQUIRE(before);
  CHECK(raw(*added) == before->blobs().size() + 1);
}

TEST_CASE("no changed byte makes a recovered walk leave the file", "[trace]") {
  const byte_vector good = version_2_trace();
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const unsigned flip : {0x01u, 0x80u, 0xFFu}) {
      byte_vector file = good;
      file[at] ^= static_cast<std::byte>(flip);
      const auto found = recover_trace(file);
      if (!found) continue;
      for (const trace_record& record : all_records(found->trace)) {
        REQUIRE(record.end_offset() <= file.size());
      }
    }
  }
}
