// SPDX-License-Identifier: MIT
/// \file CP-052..059 and CP-068: COPY_BUFFER and what every write-back holds.
#pragma once

#include "tests/catch.hpp"
#include "tests/conformance/backends.hpp"
#include "tests/conformance/printing.hpp"
#include "tests/conformance/processor/processor_host.hpp"

#include <cstdint>

namespace aerogpu::conformance {

namespace copy_case {

inline constexpr std::uint32_t write_back = AEROGPU_COPY_FLAG_WRITEBACK_DST;

}  // namespace copy_case

TEMPLATE_LIST_TEST_CASE("CP-052 COPY_BUFFER of nothing succeeds with whatever handles and flags",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  CHECK(host.run(stream_builder{}
                     .copy_buffer(98, 1, 99, 3, 0)
                     .copy_buffer(0, UINT64_MAX, 0, UINT64_MAX, 0, 0xFFFFFFFF)) ==
        error_code::none);
}

TEMPLATE_LIST_TEST_CASE("CP-053 COPY_BUFFER checks flags, handles, ranges and alignment",
                        "[conformance][processor]", backends) {
  struct row {
    std::uint32_t to;
    std::uint64_t to_offset;
    std::uint32_t from;
    std::uint64_t from_offset, size;
    std::uint32_t flags;
    error_code expected;
  };
  const auto c = GENERATE(values<row>({
      {2, 0, 1, 0, 16, 2, error_code::invalid_parameter},
      {2, 0, 1, 0, 16, 0x80000000, error_code::invalid_parameter},
      {99, 0, 1, 0, 16, 2, error_code::invalid_parameter},  // flags come before handles
      {99, 0, 1, 0, 16, 0, error_code::unknown_handle},
      {2, 0, 99, 0, 16, 0, error_code::unknown_handle},
      {0, 0, 1, 0, 16, 0, error_code::invalid_handle},
      {2, 0, 0, 0, 16, 0, error_code::invalid_handle},
      {3, 0, 1, 0, 16, 0, error_code::wrong_kind},
      {2, 0, 3, 0, 16, 0, error_code::wrong_kind},
      {2, 4, 1, 0, 16, 0, error_code::resource_out_of_bounds},
      {2, 0, 1, 4, 16, 0, error_code::resource_out_of_bounds},
      {2, 16, 1, 0, 4, 0, error_code::resource_out_of_bounds},
      {2, 0, 1, 0, 0xFFFFFFFC, 0, error_code::resource_out_of_bounds},
      {2, UINT64_MAX - 3, 1, 0, 4, 0, error_code::size_overflow},
      {2, 0, 1, UINT64_MAX - 3, 4, 0, error_code::size_overflow},
      {2, 4, 1, 4, UINT64_MAX, 0, error_code::size_overflow},
      {2, 2, 1, 0, 4, 0, error_code::invalid_parameter},
      {2, 0, 1, 2, 4, 0, error_code::invalid_parameter},
      {2, 0, 1, 0, 6, 0, error_code::invalid_parameter},
      // Of two faults it is the first one in the order of the checks.
      {3, 20, 1, 0, 16, 0, error_code::wrong_kind},
      {99, 2, 1, 0, 16, copy_case::write_back, error_code::unknown_handle},
      {2, 2, 1, 0, 16, 0, error_code::resource_out_of_bounds},
      {2, UINT64_MAX, 1, 0, 4, 0, error_code::size_overflow},
      {1, 8, 1, 4, 12, 0, error_code::resource_out_of_bounds},
      {2, 4, 1, 0, 16, copy_case::write_back, error_code::resource_out_of_bounds},
      {2, 0, 1, 4, 16, copy_case::write_back, error_code::resource_out_of_bounds},
      {2, 2, 1, 0, 4, copy_case::write_back, error_code::invalid_parameter},
      {1, 0, 1, 4, 8, copy_case::write_back, error_code::invalid_parameter},
      {2, 0, 1, 0, 16, 0, error_code::none},
  }));
  processor_host<TestType> host;
  REQUIRE(
      host.run(
          stream_builder{}.create_buffer(1, 16).create_buffer(2, 16).create_texture(3, {}).upload(
              1, 0, counting(16))) == error_code::none);
  CHECK(host.run(stream_builder{}.copy_buffer(c.to, c.to_offset, c.from, c.from_offset, c.size,
                                              c.flags)) == c.expected);
  CHECK(host.buffer(2, 16) == (c.expected == error_code::none ? counting(16) : filled(16, 0)));
}

TEMPLATE_LIST_TEST_CASE("CP-054 COPY_BUFFER inside one buffer works between disjoint ranges",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  const auto [to, from, size, expected] =
      GENERATE(table<std::size_t, std::size_t, std::size_t, error_code>({
          {16, 0, 16, error_code::none},
          {0, 16, 16, error_code::none},
          {8, 0, 8, error_code::none},
          {0, 0, 16, error_code::invalid_parameter},
          {8, 0, 12, error_code::invalid_parameter},
          {0, 8, 12, error_code::invalid_parameter},
          {4, 0, 8, error_code::invalid_parameter},
      }));
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 32).upload(1, 0, counting(32))) ==
          error_code::none);
  CHECK(host.run(stream_builder{}.copy_buffer(1, to, 1, from, size)) == expected);
  byte_vector content = counting(32);
  if (expected == error_code::none) overwrite(content, to, part_of(counting(32), from, size));
  CHECK(host.buffer(1, 32) == content);
}

TEMPLATE_LIST_TEST_CASE("CP-055 a buffer write-back stores exactly the copied bytes",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 64);
  host.poke(gpa{0x10000}, filled(64, 0xEE));
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 32)
                       .upload(1, 0, counting(32))
                       .create_buffer(2, 32, {1, 16})) == error_code::none);
  REQUIRE(host.run(stream_builder{}.copy_buffer(2, 4, 1, 8, 12, copy_case::write_back)) ==
          error_code::none);
  byte_vector expected = filled(12, 0);
  overwrite(expected, 0, counting(12, 9));
  CHECK(host.peek(gpa{0x10014}, 12) == expected);
  CHECK(host.rig().memory().writes(gpa{0x10000}, 64) == 12);
  CHECK(host.rig().memory().writes(gpa{0x10014}, 12) == 12);
}

TEMPLATE_LIST_TEST_CASE("CP-056 a write-back needs a backed destination that may be written",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 64);
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 16)
                       .create_buffer(2, 16, {1, 0})
                       .create_texture(3, {})
                       .create_texture(4, {.pitch = 16, .memory = {1, 0}})) == error_code::none);
  const auto buffer_to = [](std::uint32_t to) {
    return stream_builder{}.copy_buffer(to, 0, 1, 0, 16, copy_case::write_back);
  };
  const auto texture_to = [](std::uint32_t to) {
    return stream_builder{}.create_texture(5, {}).copy_texture({to}, {5}, 4, 4,
                                                               copy_case::write_back);
  };
  CHECK(host.run(stream_builder{}.create_buffer(6, 16).copy_buffer(
            6, 0, 1, 0, 16, copy_case::write_back)) == error_code::not_guest_backed);
  CHECK(host.run(texture_to(3)) == error_code::not_guest_backed);
  CHECK(host.run_without_table(buffer_to(2)) == error_code::missing_alloc_table);
  CHECK(host.run_without_table(texture_to(4)) == error_code::missing_alloc_table);
  host.give(1, gpa{0x10000}, 64, AEROGPU_ALLOC_FLAG_READONLY);
  CHECK(host.run(buffer_to(2)) == error_code::read_only);
  CHECK(host.run(texture_to(4)) == error_code::read_only);
  host.give(1, gpa{0x10000}, 12, AEROGPU_ALLOC_FLAG_READONLY);  // Too small as well.
  CHECK(host.run(buffer_to(2)) == error_code::read_only);
  CHECK(host.run(texture_to(4)) == error_code::read_only);
  host.give(1, gpa{0x10000}, 12);
  CHECK(host.run(buffer_to(2)) == error_code::alloc_out_of_bounds);
  host.give(1, gpa{0x10000}, 63);
  CHECK(host.run(texture_to(4)) == error_code::alloc_out_of_bounds);
  host.take(1);
  CHECK(host.run(buffer_to(2)) == error_code::unknown_alloc_id);
  CHECK(host.run(texture_to(4)) == error_code::unknown_alloc_id);
  host.finish();
  CHECK(host.rig().memory().writes(gpa{0x10000}, 64) == 0);
}

TEMPLATE_LIST_TEST_CASE("CP-057 a write-back is in guest memory when its submission completes",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  host.poke(gpa{0x10000}, filled(16, 0xEE));
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 16)
                       .upload(1, 0, counting(16))
                       .create_buffer(2, 16, {1, 0})) == error_code::none);
  host.finish();
  int completions = 0;
  host.rig().observe_completions([&] {
    ++completions;
    CHECK(host.peek_now(gpa{0x10000}, 16) == counting(16));
  });
  CHECK(host.start(stream_builder{}
                       .copy_buffer(2, 0, 1, 0, 8, copy_case::write_back)
                       .copy_buffer(2, 8, 1, 8, 8, copy_case::write_back)) == error_code::none);
  host.finish();
  CHECK(completions == 1);
  host.rig().observe_completions({});
}

TEMPLATE_LIST_TEST_CASE("CP-058 of two write-backs to the same bytes the later one wins",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 16)
                       .upload(1, 0, filled(16, 1))
                       .create_buffer(2, 16)
                       .upload(2, 0, filled(16, 2))
                       .create_buffer(3, 16, {1, 0})) == error_code::none);
  REQUIRE(host.run(stream_builder{}
                       .copy_buffer(3, 0, 1, 0, 16, copy_case::write_back)
                       .copy_buffer(3, 8, 2, 0, 8, copy_case::write_back)) == error_code::none);
  byte_vector expected = filled(16, 1);
  overwrite(expected, 8, filled(8, 2));
  CHECK(host.peek(gpa{0x10000}, 16) == expected);
  REQUIRE(host.run(stream_builder{}
                       .copy_buffer(3, 8, 2, 0, 8, copy_case::write_back)
                       .copy_buffer(3, 0, 1, 0, 16, copy_case::write_back)) == error_code::none);
  CHECK(host.peek(gpa{0x10000}, 16) == filled(16, 1));
}

TEMPLATE_LIST_TEST_CASE("CP-058 a write-back holds the bytes of its moment, not of a later packet",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 16)
                       .upload(1, 0, filled(16, 1))
                       .create_buffer(2, 16, {1, 0})) == error_code::none);
  REQUIRE(host.run(stream_builder{}
                       .copy_buffer(2, 0, 1, 0, 16, copy_case::write_back)
                       .upload(2, 0, filled(16, 2))) == error_code::none);
  CHECK(host.peek(gpa{0x10000}, 16) == filled(16, 1));
}

TEMPLATE_LIST_TEST_CASE("CP-059 a stream that fails writes nothing back, though its copies stay",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  host.poke(gpa{0x10000}, filled(16, 0xEE));
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 16)
                       .upload(1, 0, counting(16))
                       .create_buffer(2, 16, {1, 0})) == error_code::none);
  CHECK(host.run(stream_builder{}
                     .copy_buffer(2, 0, 1, 0, 16, copy_case::write_back)
                     .flush()
                     .present()
                     .dirty(99, 0, 0)) == error_code::unknown_handle);
  CHECK(host.peek(gpa{0x10000}, 16) == filled(16, 0xEE));
  CHECK(host.buffer(2, 16) == counting(16));
}

TEMPLATE_LIST_TEST_CASE("CP-068 COPY_BUFFER reads the source's dirty ranges first",
                        "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  REQUIRE(host.run(stream_builder{}.create_buffer(1, 16, {1, 0}).create_buffer(2, 16)) ==
          error_code::none);
  host.poke(gpa{0x10000}, counting(16));
  REQUIRE(host.run(stream_builder{}.copy_buffer(2, 0, 1, 4, 8)) == error_code::none);
  byte_vector expected = filled(16, 0);
  overwrite(expected, 0, counting(8, 5));
  CHECK(host.buffer(2, 16) == expected);
}

TEMPLATE_LIST_TEST_CASE(
    "CP-068 a partial COPY reads the destination's dirty ranges first, and a full one "
    "discards it",
    "[conformance][processor]", backends) {
  processor_host<TestType> host;
  host.give(1, gpa{0x10000}, 16);
  host.give(2, gpa{0x20000}, 64);
  const texture_spec spec{.pitch = 16, .memory = {2, 0}};
  REQUIRE(host.run(stream_builder{}
                       .create_buffer(1, 16, {1, 0})
                       .create_texture(2, spec)
                       .create_buffer(3, 16)
                       .upload(3, 0, filled(16, 0xEE))
                       .create_texture(4, {})
                       .upload(4, 0, filled(64, 0xDD))) == error_code::none);
  host.poke(gpa{0x10000}, counting(16));
  host.poke(gpa{0x20000}, counting(64));
  REQUIRE(host.run(stream_builder{}.copy_buffer(1, 4, 3, 0, 8).copy_texture({2}, {4}, 4, 1)) ==
          error_code::none);
  byte_vector buffer = counting(16), texture = counting(64);
  overwrite(buffer, 4, filled(8, 0xEE));
  overwrite(texture, 0, filled(16, 0xDD));
  CHECK(host.buffer(1, 16) == buffer);
  CHECK(host.texture(2, spec) == texture);

  REQUIRE(host.run(stream_builder{}.dirty(1, 0, 16).dirty(2, 0, 64)) == error_code::none);
  REQUIRE(host.run_without_table(
              stream_builder{}.copy_buffer(1, 0, 3, 0, 16).copy_texture({2}, {4}, 4, 4)) ==
          error_code::none);
  CHECK(host.buffer(1, 16) == filled(16, 0xEE));
  CHECK(host.texture(2, spec) == filled(64, 0xDD));
}

}  // namespace aerogpu::conformance
