// SPDX-License-Identifier: MIT
/// \file CP-001..010 and CP-118: stream and packet structure.
#pragma once

#include "aerogpu/stream/packet_table.hpp"
#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/packet_samples.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <cstdint>
#include <limits>
#include <random>

namespace aerogpu::conformance {

TEMPLATE_LIST_TEST_CASE("CP-001 a stream that is only its header succeeds",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-002 a wrong magic, major or size of the stream is a framing error",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto [offset, value] = GENERATE(table<std::uint32_t, std::uint32_t>({
      {0, AEROGPU_CMD_STREAM_MAGIC ^ 1},  // magic
      {0, 0},
      {4, 0x00000004},  // major 0
      {4, 0x00020004},  // major 2
      {8, 0},           // size_bytes below the header
      {8, 20},
      {8, 23},
      {8, 36},  // size_bytes past the buffer of 32
      {8, 0xFFFFFFFC},
      {8, 25},  // size_bytes not a multiple of 4
      {8, 30},
  }));
  stream_builder stream;
  stream.nop();
  REQUIRE(stream.size() == 32);
  CHECK(host.run(stream.patch(offset, value)) == error_code::framing);
}

TEMPLATE_LIST_TEST_CASE("CP-003 a stream of any minor is accepted", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  const auto minor = GENERATE(0u, 1u, 2u, 3u, 4u, 5u, 99u, 0xFFFFu);
  CHECK(host.run(stream_builder{minor}.create_buffer(1, 16)) == error_code::none);
  CHECK(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE("CP-004 a packet size of 4, 10 or past the end means that nothing ran",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto size = GENERATE(0u, 4u, 7u, 10u, 16u, 0x10000u, 0xFFFFFFFCu);
  stream_builder stream;
  stream.create_buffer(1, 16).nop();
  stream.patch(stream.last_packet() + 4, size);
  CHECK(host.run(stream) == error_code::framing);
  CHECK_FALSE(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE("CP-004 half a packet header at the end means that nothing ran",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}.create_buffer(1, 16).append_words({0})) == error_code::framing);
  CHECK_FALSE(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE("CP-004 a stream of more than packets_per_submission packets has no effect",
                        "[conformance][processor]", backends) {
  limits most;
  most.packets_per_submission = 3;
  processor_host<TestType> host{most};
  const auto extra = GENERATE(0, 1, 2, 3);
  stream_builder stream;
  stream.create_buffer(1, 16);
  for (int i = 0; i < extra; ++i) stream.nop();
  CHECK(host.run(stream) == (extra <= 2 ? error_code::none : error_code::out_of_memory));
  CHECK(host.counts().contexts == (extra <= 2 ? 1 : 0));
  CHECK(host.is_live(1) == (extra <= 2));
}

TEMPLATE_LIST_TEST_CASE("CP-005 an unknown opcode is skipped, whatever it carries",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto opcode = GENERATE(0x002u, 0x0FFu, 0x109u, 0x721u, 0x7FFu, 0x800u, 0x7FFF0001u,
                               std::numeric_limits<std::uint32_t>::max());
  const auto size = GENERATE(0u, 4u, 400u);
  CHECK(host.run(stream_builder{}.raw(opcode, filled(size, 0xEE)).create_buffer(1, 16)) ==
        error_code::none);
  CHECK(host.is_live(1));
}

TEMPLATE_LIST_TEST_CASE("CP-006 a known opcode one dword short is a framing error",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  for (const packet_row& row : packet_table) {
    CAPTURE(row.name);
    stream_builder stream;
    stream.create_buffer(1, 16).raw(row.opcode, filled(row.minimum_size - 8, 0));
    CHECK(host.run(stream.patch(stream.last_packet() + 4, row.minimum_size - 4)) ==
          error_code::framing);
    CHECK_FALSE(host.is_live(1));
  }
}

TEMPLATE_LIST_TEST_CASE("CP-007 every known opcode may carry bytes that this version ignores",
                        "[conformance][processor]", backends) {
  const auto sample = GENERATE(from_range(packet_samples()));
  CAPTURE(sample.name);
  processor_host<TestType> host;
  REQUIRE(host.run(sample_objects(host)) == error_code::none);
  stream_builder stream;
  sample.add(stream);
  REQUIRE(host.run(stream) == error_code::none);
  host.reset();
  REQUIRE(host.run(sample_objects(host)) == error_code::none);
  const std::uint32_t tail = sample.opcode == AEROGPU_CMD_BIND_SHADERS ? 12 : 0;
  stream.append(filled(tail, 0)).append(filled(20, 0xFF));
  stream.patch(stream.last_packet() + 4, stream.size() - stream.last_packet());
  CHECK(host.run(stream) == error_code::none);
}

TEST_CASE("CP-007 the samples hold every known opcode once", "[conformance][processor]") {
  const auto samples = packet_samples();
  REQUIRE(samples.size() == packet_table.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    stream_builder stream;
    samples[i].add(stream);
    CHECK(samples[i].opcode == packet_table[i].opcode);
    CHECK(load<std::uint32_t>(stream.bytes().data() + stream.last_packet()) ==
          packet_table[i].opcode);
  }
}

TEMPLATE_LIST_TEST_CASE("CP-008 a counted payload one element short is a framing error",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  for (const packet_row& row : packet_table) {
    if (row.count == nullptr) continue;
    CAPTURE(row.name);
    // Five elements: five bytes are one dword too many for a dword, too.
    const std::uint32_t held = row.payload == payload_kind::bytes ? 4 : 4 * row.element_size;
    byte_vector body = filled(row.fixed_size - 8 + held, 0);
    body[row.count->offset - 8] = std::byte{5};
    CHECK(host.run(stream_builder{}.create_buffer(1, 16).raw(row.opcode, body)) ==
          error_code::framing);
    CHECK_FALSE(host.is_live(1));
  }
}

TEMPLATE_LIST_TEST_CASE("CP-008 the largest count does not overflow", "[conformance][processor]",
                        backends) {
  processor_host<TestType> host;
  for (const packet_row& row : packet_table) {
    if (row.count == nullptr) continue;
    CAPTURE(row.name);
    byte_vector body = filled(row.fixed_size - 8 + 64, 0);
    for (std::uint32_t i = 0; i < row.count->size_bytes(); ++i) {
      body[row.count->offset - 8 + i] = std::byte{0xFF};
    }
    CHECK(host.run(stream_builder{}.raw(row.opcode, body)) == error_code::framing);
    // A count whose bytes come to a small number modulo 2^32.
    if (row.element_size != 16) continue;
    store(body.data() + row.count->offset - 8, 0x10000001u);
    CHECK(host.run(stream_builder{}.raw(row.opcode, body)) == error_code::framing);
  }
}

TEMPLATE_LIST_TEST_CASE("CP-009 NOP of any size and a marker that is not UTF-8 are accepted",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}
                     .nop()
                     .raw(AEROGPU_CMD_NOP, filled(100, 0xAB))
                     .marker({})
                     .marker(bytes_from({0xFF, 0xFE, 0x80, 0xC0, 0xAF}))
                     .marker(filled(1000, 0x80))) == error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-010 a failing packet keeps what ran before it and ends the submission",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  stream_builder stream;
  stream.create_buffer(1, 16).upload(1, 0, counting(16));
  stream.dirty(99, 0, 4).upload(1, 0, filled(16, 0)).create_buffer(2, 16);
  CHECK(host.run(stream) == error_code::unknown_handle);
  CHECK(host.last_error().opcode == AEROGPU_CMD_RESOURCE_DIRTY_RANGE);
  CHECK(host.buffer(1, 16) == counting(16));
  CHECK_FALSE(host.is_live(2));
  CHECK(host.unfinished_submissions() == 0);
}

namespace detail {

/// A stream that is plausible at first sight: known opcodes, small handles, some damage.
[[nodiscard]] inline auto random_stream(std::mt19937& random) -> stream_builder {
  const auto pick = [&](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  stream_builder stream{pick(6)};
  const std::uint32_t packets = 1 + pick(12);
  for (std::uint32_t i = 0; i < packets; ++i) {
    const packet_row& row = packet_table[pick(packet_table.size())];
    byte_vector body = filled(row.fixed_size - 8 + 4 * pick(20), 0);
    for (std::size_t at = 0; at + 4 <= body.size(); at += 4) {
      const std::uint32_t word = pick(4) == 0 ? static_cast<std::uint32_t>(random()) : pick(8);
      store(body.data() + at, word);
    }
    stream.raw(row.opcode, body);
    if (pick(30) == 0) stream.patch(stream.last_packet() + 4, static_cast<std::uint32_t>(random()));
  }
  // Damage anywhere but in size_bytes: a larger one may reach into what follows the stream.
  const std::uint32_t hurt = 4 * pick(stream.size() / 4);
  if (pick(10) == 0 && hurt != 8) stream.patch(hurt, static_cast<std::uint32_t>(random()));
  return stream;
}

}  // namespace detail

TEMPLATE_LIST_TEST_CASE(
    "CP-118 random streams end with the same error every time, and no byte "
    "outside the stream matters",
    "[conformance][processor]", backends) {
  const auto seed = GENERATE(range(1u, 41u));
  CAPTURE(seed);
  std::mt19937 random{seed};
  processor_host<TestType> first, second;
  for (auto* host : {&first, &second}) host->give(1, gpa{0x10000}, 0x1000);
  for (int i = 0; i < 20; ++i) {
    const stream_builder stream = detail::random_stream(random);
    const error_code code = first.run(stream);
    byte_vector with_slack = stream.bytes();
    with_slack.insert(with_slack.end(), 64, std::byte{0xCC});
    CHECK(second.run_bytes(with_slack) == code);
    CHECK(first.unfinished_submissions() == 0);
  }
}

}  // namespace aerogpu::conformance
