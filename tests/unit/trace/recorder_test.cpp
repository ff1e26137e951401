// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/recorder.hpp.
#include "aerogpu/trace/recorder.hpp"

#include "aerogpu/stream/sinks.hpp"
#include "aerogpu/stream/writer.hpp"
#include "aerogpu/trace/submission.hpp"
#include "aerogpu/trace/toc.hpp"
#include "tests/catch.hpp"
#include "tests/support/alloc_table_bytes.hpp"
#include "tests/support/device_harness.hpp"
#include "tests/support/guest_memory_fakes.hpp"
#include "tests/support/processors/null_processor.hpp"
#include "tests/unit/trace/trace_samples.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

enum class presenting : std::uint8_t { no, yes };

auto stream_bytes(presenting want) -> byte_vector {
  byte_vector bytes;
  growing_sink<byte_vector> sink{bytes};
  stream_writer<growing_sink<byte_vector>> writer{sink};
  REQUIRE(writer.begin());
  if (want == presenting::yes) REQUIRE(writer.write(aerogpu_cmd_present{}));
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
  /// Returns the bytes of guest memory that the recorder says it looked at.
  auto submit(const byte_vector& stream, const std::vector<aerogpu_alloc_entry>& entries,
              std::uint64_t fence = 1) -> std::uint64_t {
    const byte_vector table = entries.empty() ? byte_vector{} : make_table(entries);
    std::array<alloc_table::slot, 16> slots{};
    alloc_table allocations{slots};
    if (!table.empty()) REQUIRE(allocations.parse(table));
    aerogpu_submit_desc desc{};
    desc.flags = 2;
    desc.context_id = 7;
    desc.signal_fence = fence;
    const submission_tap tap = recorder->tap();
    return tap.on_submission(tap.context, {desc, stream, table, allocations, memory});
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
  const byte_vector stream = stream_bytes(presenting::yes);
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
  for (const presenting want : {presenting::no, presenting::yes, presenting::no}) {
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
  const byte_vector stream = stream_bytes(presenting::no);
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
  r.submit(stream_bytes(presenting::no),
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
  r.submit(stream_bytes(presenting::no), {{1, 0, raw(page), 64, 0},
                                          {2, 0, raw(page), 65, 0},
                                          {3, 0, raw(page), 1ull << 40, 0},
                                          {4, 0, 0x1000, 16, 0}});
  r.finish();
  REQUIRE(r.submissions.size() == 1);
  CHECK(r.submissions[0].range_count() == 1);
  CHECK(r.recorder->statistics().skipped_ranges == 3);
}

TEST_CASE("ranges beyond what is read for one submission are left out and counted", "[trace]") {
  recording r{{.submission_bytes = 150}};
  r.memory.poke(page, counting(100));
  const std::vector<aerogpu_alloc_entry> entries{
      {1, 0, raw(page), 64, 0}, {2, 0, raw(page), 64, 0}, {3, 0, raw(page), 64, 0}};
  for (int i = 0; i < 2; ++i) CHECK(r.submit(stream_bytes(presenting::no), entries) == 128);
  r.finish();
  CHECK(r.recorder->why().code == error_code::none);
  CHECK(r.recorder->statistics().memory_ranges == 4);
  CHECK(r.recorder->statistics().unchanged_ranges == 2);
  CHECK(r.recorder->statistics().skipped_ranges == 2);
}

TEST_CASE("a recorder tells what it read, also where there is nothing", "[trace]") {
  recording r{{.allocation_bytes = 100}};
  r.memory.poke(page, counting(100));
  const byte_vector stream = stream_bytes(presenting::no);
  CHECK(r.submit(stream, {}) == 0);
  CHECK(r.submit(stream, {{1, 0, raw(page), 100, 0}, {2, 0, raw(page), 101, 0}}) == 100);
  CHECK(r.submit(stream, {{1, 0, raw(page), 100, 0}, {3, 0, raw(page) + 60, 50, 0}}) == 150);
}

TEST_CASE("a tick with a recorder reads what a tick may move, and pauses", "[trace]") {
  constexpr std::uint64_t range_bytes = 4096;
  auto config = device_harness<null_backend>::small_config();
  config.bounds.transfer_bytes_per_tick = 10 * range_bytes;
  device_harness<null_backend> guest{std::make_unique<null_backend>(), config};
  guest.start(16);
  guest.machine.ram.map(gpa{0x500000}, range_bytes);
  std::vector<aerogpu_alloc_entry> entries;
  for (std::uint32_t id = 1; id <= 4; ++id) entries.push_back({id, 0, 0x500000, range_bytes, 0});
  for (std::uint64_t fence = 1; fence <= 16; ++fence) {
    guest.push(guest_submission{.fence = fence, .table = entries});
  }
  memory_sink sink{1u << 20};
  auto writer = trace_writer<memory_sink>::create(sink);
  REQUIRE(writer);
  trace_recorder<memory_sink> recorder{*std::move(writer), 42};
  guest.dev->set_tap(recorder.tap());
  guest.ring();
  CHECK(guest.head() == 3);  // The third passes the limit.
  CHECK(recorder.statistics().memory_ranges == 12);
  CHECK(guest.dev->next_deadline_ns() == guest.machine.time_ns);
  for (std::uint32_t head = 6; head <= 15; head += 3) {
    guest.dev->tick();
    CHECK(guest.head() == head);
  }
  guest.dev->wait_idle();
  CHECK(guest.completed() == 16);
  CHECK(recorder.why().code == error_code::none);
}

TEST_CASE("at its limit a recording ends and stays readable", "[trace]") {
  recording r{{.trace_bytes = 2048}};
  r.memory.poke(page, counting(1024));
  const byte_vector stream = stream_bytes(presenting::yes);
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
  r.submit(stream_bytes(presenting::yes), {});
  r.submit(stream_bytes(presenting::yes), {});
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

TEST_CASE("a recording counts what it wrote", "[trace]") {
  recording r;
  r.memory.poke(page, counting(64));
  r.submit(stream_bytes(presenting::no), {{1, 0, raw(page), 64, 0}, {2, 0, raw(page), 64, 0}});
  r.submit(stream_bytes(presenting::yes), {{1, 0, raw(page), 64, 0}});
  r.submit(stream_bytes(presenting::no), {});
  r.finish();
  const recorder_statistics& done = r.recorder->statistics();
  CHECK(done.submissions == 3);
  CHECK(done.frames == 2);
  CHECK(done.memory_ranges == 3);
  CHECK(done.unchanged_ranges == 1);
  CHECK(done.skipped_ranges == 0);
}

TEST_CASE("content of an allocation beyond those that are remembered is written again", "[trace]") {
  recording r{{.allocations = 1}};
  r.memory.poke(page, counting(64));
  const std::vector<aerogpu_alloc_entry> entries{{1, 0, raw(page), 64, 0},
                                                 {2, 0, raw(page), 64, 0}};
  for (int i = 0; i < 2; ++i) r.submit(stream_bytes(presenting::no), entries);
  r.finish();
  CHECK(r.recorder->statistics().memory_ranges == 4);
  CHECK(r.recorder->statistics().unchanged_ranges == 1);
}

TEST_CASE("equal content of another size is written again", "[trace]") {
  recording r;
  r.memory.poke(page, byte_vector(64));
  for (const std::uint64_t size : {64u, 32u, 32u, 64u}) {
    r.submit(stream_bytes(presenting::no), {{1, 0, raw(page), size, 0}});
  }
  r.finish();
  CHECK(r.recorder->statistics().unchanged_ranges == 1);
  CHECK(r.submissions.at(1).range(0).blob == r.submissions.at(2).range(0).blob);
}

TEST_CASE("PRESENT_EX ends a frame as well, and a packet behind a malformed one does not",
          "[trace]") {
  const auto packets = [](const_bytes bytes) {
    byte_vector stream(24);
    stream.insert(stream.end(), bytes.begin(), bytes.end());
    const auto size = static_cast<std::uint32_t>(stream.size());
    store(stream.data(), aerogpu_cmd_stream_header{AEROGPU_CMD_STREAM_MAGIC,
                                                   AEROGPU_ABI_VERSION_U32, size, 0, 0, 0});
    return stream;
  };
  aerogpu_cmd_present_ex present{};
  present.hdr = {AEROGPU_CMD_PRESENT_EX, sizeof present};
  CHECK(detail::has_present(packets(bytes_of(present))));
  CHECK_FALSE(detail::has_present(packets({})));
  CHECK_FALSE(detail::has_present({}));
  byte_vector broken(8 + sizeof present);
  store(broken.data(), aerogpu_cmd_hdr{AEROGPU_CMD_NOP, 6});
  store(broken.data() + 8, present);
  CHECK_FALSE(detail::has_present(packets(broken)));
}

TEST_CASE("two words mix into both halves of their product", "[trace]") {
  const auto [a, b, mixed] = GENERATE(table<std::uint64_t, std::uint64_t, std::uint64_t>({
      {0, 5, 0},
      {3, 5, 15},
      {1ull << 63, 2, 1},
      {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, 0xffffffffffffffff},
      {0x123456789ABCDEF0, 0x0FEDCBA987654321, 0x2317228f48165bb2},
      {0x00000001FFFFFFFF, 0xFFFFFFFF00000001, 0x300000002},
      {0xFFFFFFFF, 0xFFFFFFFF00000000, 0x1fffffffe},
  }));
  CHECK(detail::fold_multiply(a, b) == mixed);
}

TEST_CASE("an array that grows keeps what it has", "[trace]") {
  detail::growing_array<std::uint32_t> numbers;
  CHECK(numbers.size() == 0);
  CHECK(numbers.extend(0).empty());
  for (std::uint32_t i = 0; i < 100; ++i) REQUIRE(numbers.push_back(i));
  REQUIRE(numbers.size() == 100);
  REQUIRE(numbers.view().size() == 100);
  for (std::uint32_t i = 0; i < 100; ++i) CHECK(numbers.view()[i] == i);
  CHECK(numbers.back() == 99);
  const std::span<std::uint32_t> room = numbers.extend(3);
  REQUIRE(room.size() == 3);
  CHECK(room.data() == numbers.view().data() + 100);
  CHECK(numbers.size() == 103);
  CHECK(numbers.extend(SIZE_MAX / 16 - 102).empty());
  CHECK(numbers.extend(SIZE_MAX).empty());
  CHECK(numbers.size() == 103);
  numbers.clear();
  CHECK(numbers.size() == 0);
  CHECK(numbers.view().empty());
}
