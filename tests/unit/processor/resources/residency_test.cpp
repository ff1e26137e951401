// SPDX-License-Identifier: MIT
#include "aerogpu/processor/resources/residency.hpp"

#include "tests/catch.hpp"
#include "tests/unit/processor/processor_fixture.hpp"

#include <cstddef>
#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::test;

namespace {

constexpr gpa first_memory{0x1000}, second_memory{0x20'0000'0000};
constexpr std::uint32_t write_back = AEROGPU_COPY_FLAG_WRITEBACK_DST;

}  // namespace

TEST_CASE("a buffer beyond one transfer arrives whole, each byte read once", "[residency]") {
  const std::size_t size = detail::transfer_chunk_bytes + 4096;
  processor_fixture f;
  f.give(1, second_memory, size);
  f.memory.poke(second_memory, counting(size, 3, 7));
  REQUIRE(f.run(stream_builder{}.create_buffer(10, size, {1, 0})) == error_code::none);
  CHECK(f.buffer(10, size) == counting(size, 3, 7));
  CHECK(f.memory.max_reads(second_memory, size) == 1);
}

TEST_CASE("a texture beyond one transfer arrives whole, its padding unread", "[residency]") {
  constexpr std::uint32_t width = 1024, height = 1200, pitch = 1024 * 4 + 64;
  processor_fixture f;
  f.give(1, second_memory, std::uint64_t{pitch} * height);
  f.give(2, first_memory, std::uint64_t{width} * height * 4);
  const byte_vector row = counting(width * 4, 9, 5);
  for (std::uint32_t y = 0; y < height; ++y) {
    f.memory.poke(advance(second_memory, std::uint64_t{y} * pitch), row);
  }
  REQUIRE(
      f.run(stream_builder{}
                .create_texture(
                    10, {.width = width, .height = height, .pitch = pitch, .memory = {1, 0}})
                .create_texture(
                    11, {.width = width, .height = height, .pitch = width * 4, .memory = {2, 0}})
                .copy_texture({11}, {10}, width, height, write_back)) == error_code::none);
  CHECK(f.memory.peek(advance(first_memory, std::uint64_t{height - 1} * width * 4), width * 4) ==
        row);
  CHECK(f.memory.max_reads(second_memory, std::uint64_t{pitch} * height) == 1);
  CHECK(f.memory.max_reads(advance(second_memory, width * 4), pitch - width * 4) == 0);
}

TEST_CASE("a packet that fails later leaves dirty what it had uploaded", "[residency]") {
  processor_fixture f;
  f.give(1, first_memory, 16);
  f.give(2, second_memory, 16);
  f.memory.poke(first_memory, filled(16, 1));
  REQUIRE(f.run(stream_builder{}.create_buffer(10, 16, {1, 0}).create_buffer(11, 16, {2, 0})) ==
          error_code::none);
  f.take(2);
  REQUIRE(f.run(stream_builder{}.copy_buffer(11, 0, 10, 0, 8)) == error_code::unknown_alloc_id);
  f.memory.poke(first_memory, filled(16, 2));
  CHECK(f.buffer(10, 16) == filled(16, 2));
}

TEST_CASE("a fault in guest memory fails the use, and the range stays dirty", "[residency]") {
  processor_fixture f;
  f.give(1, first_memory, 64);
  REQUIRE(f.run(stream_builder{}.create_buffer(10, 64, {1, 0}).create_buffer(11, 64)) ==
          error_code::none);
  f.memory.unmap(first_memory, 4);
  CHECK(f.run(stream_builder{}.copy_buffer(11, 0, 10, 0, 64)) == error_code::guest_memory_fault);
  CHECK(f.report.why.opcode == AEROGPU_CMD_COPY_BUFFER);
  f.memory.poke(first_memory, filled(64, 5));
  REQUIRE(f.run(stream_builder{}.copy_buffer(11, 0, 10, 0, 64)) == error_code::none);
  CHECK(f.buffer(11, 64) == filled(64, 5));
}

TEST_CASE("one dirty range too many uploads early, and spares what the GPU wrote", "[residency]") {
  processor_fixture f{{.dirty_ranges_per_resource = 2}};
  f.give(1, first_memory, 64);
  f.memory.poke(first_memory, filled(64, 1));
  REQUIRE(f.run(stream_builder{}
                    .create_buffer(10, 64, {1, 0})
                    .create_buffer(11, 64)
                    .upload(11, 0, filled(64, 9))
                    .copy_buffer(10, 0, 11, 0, 64)) == error_code::none);
  f.memory.poke(first_memory, filled(64, 2));
  REQUIRE(f.run(stream_builder{}.dirty(10, 0, 4).dirty(10, 16, 4).dirty(10, 32, 4)) ==
          error_code::none);
  byte_vector expected = filled(64, 9);
  for (const std::size_t at : {0u, 16u, 32u}) overwrite(expected, at, filled(4, 2));
  CHECK(f.buffer(10, 64) == expected);
}

TEST_CASE("a dirty buffer that moved to the host is read when it has memory again", "[residency]") {
  processor_fixture f;
  f.give(1, first_memory, 16);
  f.memory.poke(first_memory, filled(16, 7));
  REQUIRE(f.run(stream_builder{}.create_buffer(10, 16, {1, 0}).create_buffer(10, 16)) ==
          error_code::none);
  CHECK(f.buffer(10, 16) == filled(16, 0));
  REQUIRE(f.run(stream_builder{}.create_buffer(10, 16, {1, 0})) == error_code::none);
  CHECK(f.buffer(10, 16) == filled(16, 7));
}

TEST_CASE("D24S8 content is checked and never read from guest memory", "[residency]") {
  constexpr texture_spec d24{
      .format = AEROGPU_FORMAT_D24_UNORM_S8_UINT, .pitch = 16, .memory = {1, 0}};
  processor_fixture f;
  f.give(1, first_memory, 64);
  REQUIRE(f.run(stream_builder{}
                    .create_texture(10, d24)
                    .create_texture(11, {.format = AEROGPU_FORMAT_D24_UNORM_S8_UINT})
                    .dirty(10, 0, 64)
                    .upload(10, 0, filled(64, 3))
                    .copy_texture({11}, {10}, 4, 4)) == error_code::none);
  CHECK(f.memory.max_reads(first_memory, 64) == 0);
  CHECK(f.run(stream_builder{}.dirty(10, 60, 8)) == error_code::resource_out_of_bounds);
  CHECK(f.run(stream_builder{}.upload(10, 60, filled(8, 3))) == error_code::resource_out_of_bounds);
}

TEST_CASE("a buffer's dirty range grows to whole words", "[residency]") {
  processor_fixture f;
  f.give(1, first_memory, 16);
  REQUIRE(f.run(stream_builder{}.create_buffer(10, 16, {1, 0})) == error_code::none);
  CHECK(f.buffer(10, 16) == filled(16, 0));
  f.memory.poke(first_memory, filled(16, 6));
  REQUIRE(f.run(stream_builder{}.dirty(10, 5, 4)) == error_code::none);
  byte_vector expected = filled(16, 0);
  overwrite(expected, 4, filled(8, 6));
  CHECK(f.buffer(10, 16) == expected);
}

TEST_CASE("a backend that fails after an upload or a copy leaves dirty what was", "[residency]") {
  // Of the packet: upload: 1st and 2nd subresource; copy: source, copy, read-back.
  const bool is_upload = GENERATE(true, false);
  const std::uint64_t failing_call = is_upload ? 2u : GENERATE(3u, 4u);
  processor_fixture f;
  f.give(1, first_memory, 80);
  f.give(2, second_memory, 64);
  REQUIRE(f.run(stream_builder{}
                    .create_texture(10, {.mips = 2, .pitch = 16, .memory = {1, 0}})
                    .create_texture(11, {.pitch = 16, .memory = {2, 0}})) == error_code::none);
  stream_builder stream;
  if (is_upload) {
    stream.upload(10, 0, filled(80, 3));
  } else {
    stream.copy_texture({11}, {10}, 4, 4, write_back);
  }
  f.backend.plan({.at_call = 1 + failing_call});
  REQUIRE(f.run(stream) == error_code::out_of_memory);
  f.backend.plan({});
  f.memory.poke(first_memory, filled(80, 7));
  f.memory.poke(second_memory, filled(64, 8));
  f.give(3, gpa{0x9000}, 64);
  REQUIRE(f.run(stream_builder{}
                    .create_texture(12, {.pitch = 16, .memory = {3, 0}})
                    .copy_texture({12}, {is_upload ? 10u : 11u}, 4, 4, write_back)) ==
          error_code::none);
  CHECK(f.memory.peek(gpa{0x9000}, 64) == filled(64, is_upload ? 7 : 8));
}
