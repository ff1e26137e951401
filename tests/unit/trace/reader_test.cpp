// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/reader.hpp.
#include "aerogpu/trace/reader.hpp"

#include "tests/catch.hpp"
#include "tests/unit/trace/trace_samples.hpp"

#include <string_view>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Where the footer's fields lie.
auto footer_of(const byte_vector& file) -> std::size_t {
  return file.size() - 32;
}

auto with_u32(byte_vector file, std::size_t at, std::uint32_t value) -> byte_vector {
  store(file.data() + at, value);
  return file;
}
auto with_u64(byte_vector file, std::size_t at, std::uint64_t value) -> byte_vector {
  store(file.data() + at, value);
  return file;
}

}  // namespace

TEST_CASE("a version 1 trace opens and its records come in order", "[trace]") {
  const byte_vector payload = counting(13);
  const byte_vector file = version_1_trace(payload);
  const auto trace = trace_reader::open(file);
  REQUIRE(trace);
  CHECK(trace->container_version() == 1);
  CHECK(trace->command_abi_version() == 65540);
  CHECK(trace->holds_command_streams());
  CHECK(trace->metadata() == R"({"emulator_version":"x","command_abi_version":65540})");
  const auto records = all_records(*trace);
  REQUIRE(records.size() == 3);
  CHECK(records[0].kind == trace_record_kind::begin_frame);
  CHECK(records[0].offset == 32 + trace->metadata().size());
  CHECK(records[1].kind == trace_record_kind::packet);
  CHECK(byte_vector(records[1].payload.begin(), records[1].payload.end()) == payload);
  CHECK(records[1].end_offset() == records[2].offset);
  CHECK(records[2].kind == trace_record_kind::present);
}

TEST_CASE("a toy ABI trace opens and says that it holds no command streams", "[trace]") {
  const byte_vector file = with_u32(version_1_trace({}), 16, trace_toy_abi_version);
  const auto trace = trace_reader::open(file);
  REQUIRE(trace);
  CHECK_FALSE(trace->holds_command_streams());
}

TEST_CASE("a newer container is refused by its version", "[trace]") {
  const std::uint32_t version = GENERATE(3u, 4u, 0xFFFFFFFFu);
  const auto trace = trace_reader::open(with_u32(version_2_trace(), 12, version));
  REQUIRE_FALSE(trace);
  CHECK(trace.why().code == error_code::bad_version);
  CHECK(trace.why().detail == version);
  CHECK(trace.why().limit == 2);
  CHECK(trace.why().offset == 12);
  CHECK(std::string_view{trace.why().what} == "container_version is newer than this reader");
}

TEST_CASE("a broken header or footer is refused", "[trace]") {
  const byte_vector good = version_2_trace();
  const std::size_t foot = footer_of(good);
  const auto meta_len = load<std::uint32_t>(good.data() + 24);
  const auto toc_len = load<std::uint64_t>(good.data() + foot + 24);
  const byte_vector bad = GENERATE_COPY(
      with_u32(good, 0, 0), with_u32(good, 12, 0), with_u32(good, 8, 31), with_u32(good, 8, 64),
      with_u32(good, 24, 0xFFFFFFFF), with_u32(good, foot, 0), with_u32(good, foot + 8, 33),
      with_u32(good, foot + 12, 1), with_u64(good, foot + 16, 31),
      with_u64(good, foot + 16, UINT64_MAX), with_u64(good, foot + 16, good.size() - 32 + 1),
      with_u64(good, foot + 24, UINT64_MAX), with_u64(good, foot + 24, good.size()),
      with_u64(good, foot + 16, 32 + meta_len - 1), with_u64(good, foot + 24, toc_len + 1));
  const auto trace = trace_reader::open(bad);
  REQUIRE_FALSE(trace);
  CHECK(trace.why().code == error_code::corrupt);
}

TEST_CASE("every shortened file is refused", "[trace]") {
  const byte_vector good = version_2_trace();
  for (std::size_t size = 0; size < good.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(trace_reader::open(const_bytes{good}.first(size)));
  }
}

TEST_CASE("a record that leaves the record area ends the walk with its offset", "[trace]") {
  byte_vector file = version_1_trace(counting(13));
  const std::size_t first = 32 + 52;
  const auto [at, value] = GENERATE_COPY(table<std::size_t, std::uint32_t>(
      {{first + 4, 0xFFFFFFFFu}, {first + 4, 46u}, {first + 12 + 4, 40u}, {first + 4, 42u}}));
  store(file.data() + at, value);
  const auto trace = trace_reader::open(file);
  REQUIRE(trace);
  trace_cursor cursor = trace->records();
  error why{};
  while (!cursor.done() && why.code == error_code::none) {
    const std::uint64_t offset = cursor.offset();
    const auto record = cursor.next();
    why = record.why();
    if (!record) CHECK(why.offset == offset);
  }
  CHECK(why.code == error_code::corrupt);
  CHECK(cursor.done());
}

TEST_CASE("no changed byte makes the walk leave the file", "[trace]") {
  const byte_vector good = version_2_trace();
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const unsigned flip : {0x01u, 0x80u, 0xFFu}) {
      byte_vector file = good;
      file[at] ^= static_cast<std::byte>(flip);
      const auto trace = trace_reader::open(file);
      if (!trace) continue;
      for (trace_cursor cursor = trace->records(); !cursor.done();) {
        const auto record = cursor.next();
        if (record) REQUIRE(record->end_offset() <= trace->toc_offset());
      }
    }
  }
}
