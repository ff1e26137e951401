// SPDX-License-Identifier: MIT
#include "aerogpu/stream/generate.hpp"

#include "aerogpu/stream/dump.hpp"
#include "aerogpu/stream/validate.hpp"
#include "tests/unit/stream/streams.hpp"

#include <array>
#include <set>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

auto generate(std::uint64_t seed, std::uint32_t minor, std::uint32_t packets, std::size_t room)
    -> byte_vector {
  seeded_random random{seed};
  packet_generator generator{random, minor};
  byte_vector bytes(room);
  bytes.resize(generator.make_stream(bytes, packets));
  return bytes;
}

}  // namespace

TEST_CASE("generated streams keep every rule, in every minor", "[stream][generate]") {
  for (std::uint32_t minor = 0; minor < 6; ++minor) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const byte_vector bytes = generate(seed, minor, 40, 16384);
      INFO("minor " << minor << " seed " << seed);
      const validation counts =
          validate(view_of(bytes), [](const finding& f) noexcept { UNSCOPED_INFO(f.why.what); });
      CHECK(counts.errors == 0);
      CHECK(counts.warnings == 0);
    }
  }
}

TEST_CASE("generated streams hold every packet sooner or later", "[stream][generate]") {
  std::set<std::uint32_t> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const byte_vector bytes = generate(seed, AEROGPU_ABI_MINOR, 40, 16384);
    recording_visitor visitor;
    REQUIRE(visit(view_of(bytes), visitor).code == error_code::none);
    seen.insert(visitor.known.begin(), visitor.known.end());
  }
  CHECK(seen.size() == packet_count);
}

TEST_CASE("the same seed makes the same stream", "[stream][generate]") {
  CHECK(generate(7, 4, 30, 8192) == generate(7, 4, 30, 8192));
  CHECK(generate(7, 4, 30, 8192) != generate(8, 4, 30, 8192));
}

TEST_CASE("a stream ends where the next packet does not fit", "[stream][generate]") {
  for (std::size_t room = 24; room < 400; ++room) {
    const byte_vector bytes = generate(room, 4, 100, room);
    CHECK(bytes.size() <= room);
    CHECK(framing_error(bytes).code == error_code::none);
  }
}

TEST_CASE("mutated streams never make a reader, a validator or a dump leave the bytes",
          "[stream][generate]") {
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    byte_vector bytes = generate(seed, 4, 12, 4096);
    seeded_random random{seed};
    for (int i = 0; i < 3; ++i) bytes.resize(mutate_stream(random, bytes, bytes.size()));
    // An exact copy on the heap, so that a sanitizer sees a read beyond the end.
    const byte_vector exact(bytes);
    const auto stream = parse_stream_header(exact);
    if (!stream) {
      ++refused;
      continue;
    }
    recording_visitor visitor;
    const error direct = visit(*stream, visitor);
    const frame_report report = frame(*stream);
    CHECK(report.why.code == direct.code);
    CHECK(report.why.offset == direct.offset);
    CHECK(report.packet_count == visitor.known.size() + visitor.unknown.size());
    CHECK(report.unknown_count == visitor.unknown.size());
    string_sink text;
    CHECK(dump_text(text, *stream).offset == direct.offset);
    CHECK(dump_json(text, *stream).offset == direct.offset);
    const validation counts = validate(*stream, [](const finding&) noexcept {});
    if (!report) CHECK(counts.errors != 0);
    refused += !report;
  }
  CHECK(refused > 50);
}
