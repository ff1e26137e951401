// SPDX-License-Identifier: MIT
// Tests of aerogpu/trace/writer.hpp and aerogpu/trace/sink.hpp.
#include "aerogpu/trace/writer.hpp"

#include "aerogpu/trace/toc.hpp"
#include "tests/catch.hpp"
#include "tests/unit/trace/trace_samples.hpp"

#include <cstdint>
#include <sys/mman.h>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

/// Takes any number of bytes and looks at none.
struct bottomless_sink {
  auto append(const_bytes bytes) noexcept -> bool {
    size += bytes.size();
    return true;
  }
  std::uint64_t size = 0;
};

}  // namespace

TEST_CASE("the writer writes byte for byte what trace.md describes", "[trace]") {
  const byte_vector payload = counting(13);
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::create(
      sink, {.emulator_version = "x", .container_version = 1, .command_abi_version = 65540});
  REQUIRE(writer);
  REQUIRE(writer->begin_frame(0));
  REQUIRE(writer->packet(payload));
  REQUIRE(writer->present());
  REQUIRE(writer->finish());
  CHECK(byte_vector(sink.bytes().begin(), sink.bytes().end()) == version_1_trace(payload));
}

TEST_CASE("what needs escaping in the metadata is escaped", "[trace]") {
  const byte_vector file = version_2_trace();
  const auto trace = trace_reader::open(file);
  REQUIRE(trace);
  CHECK(trace->metadata() ==
        R"({"emulator_version":"sample \u00221\u0022\u000a","command_abi_version":65540})");
}

TEST_CASE("an unknown container version is not written", "[trace]") {
  memory_sink sink;
  const std::uint32_t version = GENERATE(0u, 3u);
  CHECK(trace_writer<memory_sink>::create(sink, {.container_version = version}).why().code ==
        error_code::bad_version);
}

TEST_CASE("a full sink is an error at every size, and it sticks", "[trace]") {
  const std::size_t whole = [] {
    memory_sink sink;
    auto writer = trace_writer<memory_sink>::create(sink);
    REQUIRE(writer->begin_frame(0));
    REQUIRE(writer->blob(trace_blob_kind::memory, counting(40)));
    REQUIRE(writer->submission({}, {}));
    REQUIRE(writer->present());
    REQUIRE(writer->finish());
    CHECK(writer->size_bytes() == sink.bytes().size());
    return sink.bytes().size();
  }();
  for (std::size_t size = 0; size < whole; ++size) {
    CAPTURE(size);
    memory_sink sink{size};
    auto writer = trace_writer<memory_sink>::create(sink);
    if (!writer) {
      CHECK(writer.why().code == error_code::no_space);
      continue;
    }
    (void)writer->begin_frame(0);
    (void)writer->blob(trace_blob_kind::memory, counting(40));
    (void)writer->submission({}, {});
    if (writer->in_frame()) (void)writer->present();
    const auto finished = writer->finish();
    CHECK(finished.why().code == error_code::no_space);
    CHECK(sink.bytes().size() <= size);
  }
}

TEST_CASE("the writer knows how many bytes finishing adds", "[trace]") {
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::create(sink);
  REQUIRE(writer->begin_frame(0));
  REQUIRE(writer->begin_frame(1));
  const std::uint64_t expected = writer->size_bytes() + writer->closing_bytes();
  REQUIRE(writer->finish());
  CHECK(sink.bytes().size() == expected);
}

TEST_CASE("records outside any frame belong to none", "[trace]") {
  memory_sink sink;
  auto writer = trace_writer<memory_sink>::create(sink);
  REQUIRE(writer->submission({}, {}));
  REQUIRE(writer->begin_frame(0));
  REQUIRE(writer->present());
  REQUIRE(writer->submission({}, {}));
  REQUIRE(writer->finish());
  const auto trace = trace_reader::open(sink.bytes());
  REQUIRE(trace);
  const auto records = all_records(*trace);
  const auto toc = trace_toc::open(*trace);
  REQUIRE(toc);
  CHECK(toc->frame_count() == 1);
  CHECK(toc->frame(0).start_offset == records[1].offset);
  CHECK(toc->frame(0).end_offset == records[2].end_offset());
  CHECK(check_toc(*trace));
}

TEST_CASE("a trace goes on behind 4 GiB", "[trace]") {
  if constexpr (sizeof(std::size_t) < 8) return;
  constexpr std::size_t size = 0xC000'0000;
  void* const at =
      mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(at != MAP_FAILED);
  const const_bytes content{static_cast<const std::byte*>(at), size};
  bottomless_sink sink;
  auto writer = trace_writer<bottomless_sink>::create(sink);
  REQUIRE(writer->blob(trace_blob_kind::memory, content));
  REQUIRE(writer->blob(trace_blob_kind::memory, content));
  CHECK(writer->finish());
  CHECK(writer->size_bytes() == sink.size);
  CHECK(sink.size > 2 * std::uint64_t{size});
  munmap(at, size);
}

TEST_CASE("a payload of 4 GiB fits in no record", "[trace]") {
  if constexpr (sizeof(std::size_t) < 8) return;
  bottomless_sink sink;
  auto writer = trace_writer<bottomless_sink>::create(sink);
  const const_bytes large{reinterpret_cast<const std::byte*>(&sink), std::size_t{1} << 32};
  CHECK(writer->blob(trace_blob_kind::memory, large).why().code == error_code::no_space);
  CHECK(writer->finish().why().code == error_code::no_space);
}
