// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/toc.hpp.
#include "aerogpu/trace/toc.hpp"

#include "tests/catch.hpp"
#include "tests/unit/trace/trace_samples.hpp"

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto code_of(const byte_vector& file) -> error_code {
  const auto trace = trace_reader::open(file);
  REQUIRE(trace);
  return check_toc(*trace).why().code;
}

}  // namespace

TEST_CASE("the table of contents lists frames with their offsets", "[trace]") {
  const byte_vector file = version_2_trace();
  const auto trace = trace_reader::open(file);
  const auto toc = trace_toc::open(*trace);
  REQUIRE(toc);
  REQUIRE(toc->frame_count() == 2);
  const auto records = all_records(*trace);
  const trace_toc_frame first = toc->frame(0);
  CHECK(first.frame_index == 5);
  CHECK(first.start_offset == records[0].offset);
  CHECK(first.present_offset == records[5].offset);
  CHECK(first.end_offset == records[5].end_offset());
  const trace_toc_frame second = toc->frame(1);
  CHECK(second.frame_index == 6);
  CHECK(second.present_offset == 0);
  CHECK(second.end_offset == trace->toc_offset());
}

TEST_CASE("a table that agrees with the records passes, in both container versions", "[trace]") {
  CHECK(code_of(version_1_trace(counting(13))) == error_code::none);
  CHECK(code_of(version_2_trace()) == error_code::none);
}

TEST_CASE("a table whose frame ends ahead of its Present passes", "[trace]") {
  byte_vector file = version_1_trace(counting(13));
  const std::size_t frame = file.size() - 64;
  store(file.data() + frame + 24, load<std::uint64_t>(file.data() + frame + 16));
  CHECK(code_of(file) == error_code::none);
}

TEST_CASE("a table that disagrees with the records is reported", "[trace]") {
  byte_vector file = version_1_trace(counting(13));
  const std::size_t table_at = file.size() - 80;
  const auto [at, value] =
      GENERATE_COPY(table<std::size_t, std::uint32_t>({{0, 0},   // magic
                                                       {12, 0},  // frame_count
                                                       {12, 2},  // frame_count leaves the table
                                                       {12, 0xFFFFFFFF},     //
                                                       {16, 1},              // frame_index
                                                       {24, 0},              // start_offset
                                                       {32, 0},              // present_offset
                                                       {32, 1},              //
                                                       {40, 0},              // end_offset
                                                       {44, 1},              //
                                                       {40, 0xFFFFFFFF}}));  //
  store(file.data() + table_at + at, value);
  CHECK(code_of(file) == error_code::corrupt);
}

TEST_CASE("frames that reach behind the table are refused, wherever the file ends", "[trace]") {
  byte_vector file = version_1_trace({});
  const std::size_t table_at = file.size() - 80;
  file.insert(file.end() - 32, 16, std::byte{});  // Half a frame more.
  store(file.data() + file.size() - 8, std::uint64_t{16 + 32 + 16});
  const auto trace = trace_reader::open(file);
  REQUIRE(trace);
  REQUIRE(trace_toc::open(*trace));
  store(file.data() + table_at + 12, std::uint32_t{2});
  CHECK(trace_toc::open(*trace).why().code == error_code::corrupt);
}

TEST_CASE("a frame without Present must have no present_offset", "[trace]") {
  byte_vector file = version_2_trace();
  store(file.data() + file.size() - 64 + 16, std::uint64_t{100});
  CHECK(code_of(file) == error_code::corrupt);
}

TEST_CASE("a table of another version is refused by its version", "[trace]") {
  byte_vector file = version_1_trace({});
  store(file.data() + file.size() - 72, std::uint32_t{2});
  CHECK(code_of(file) == error_code::bad_version);
}

TEST_CASE("a missing table is reported and harms nothing else", "[trace]") {
  byte_vector file = version_1_trace({});
  store(file.data() + file.size() - 8, std::uint64_t{0});
  const auto trace = trace_reader::open(file);
  REQUIRE(trace);
  CHECK(all_records(*trace).size() == 3);
  CHECK(check_toc(*trace).why().code == error_code::corrupt);
}
