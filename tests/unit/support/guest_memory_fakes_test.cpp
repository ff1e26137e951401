// SPDX-License-Identifier: MIT
// Tests of tests/support/guest_memory_fakes.hpp.
#include "tests/support/guest_memory_fakes.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("fake memory exists where it was mapped or poked, to the byte", "[support]") {
  fake_memory memory;
  memory.map(gpa{0xFFE}, 4);
  byte_vector out(4);
  CHECK(memory.read(gpa{0xFFE}, out));
  CHECK_FALSE(memory.read(gpa{0xFFD}, out));
  CHECK_FALSE(memory.read(gpa{0xFFF}, out));
  CHECK_FALSE(memory.write(gpa{0x1000}, out));
  memory.unmap(gpa{0x1000}, 1);
  CHECK_FALSE(memory.read(gpa{0xFFE}, out));
}

TEST_CASE("fake memory refuses ranges that wrap, and holds the last byte there is", "[support]") {
  fake_memory memory;
  memory.map(gpa{UINT64_MAX}, 1);
  byte_vector one(1), two(2);
  CHECK(memory.write(gpa{UINT64_MAX}, one));
  CHECK_FALSE(memory.read(gpa{UINT64_MAX}, two));
}

TEST_CASE("a refused access touches nothing", "[support]") {
  fake_memory memory;
  memory.poke(gpa{0}, counting(4));
  byte_vector out(8);
  CHECK_FALSE(memory.read(gpa{0}, out));
  CHECK(out == filled(8, 0));
  CHECK_FALSE(memory.write(gpa{0}, counting(8, 100)));
  CHECK(memory.peek(gpa{0}, 4) == counting(4));
  CHECK(memory.max_reads(gpa{0}, 8) == 0);
}

TEST_CASE("hostile memory changes a byte after each read until it is written again", "[support]") {
  fake_memory memory{memory_mood::hostile};
  memory.poke(gpa{0x10}, bytes_from({7}));
  byte_vector first(1), second(1), third(1);
  REQUIRE(memory.read(gpa{0x10}, first));
  REQUIRE(memory.read(gpa{0x10}, second));
  REQUIRE(memory.read(gpa{0x10}, third));
  CHECK(first == bytes_from({7}));
  CHECK(second != first);
  CHECK(third != second);
  CHECK(memory.max_reads(gpa{0x10}, 1) == 3);
  memory.poke(gpa{0x10}, bytes_from({7}));
  CHECK(memory.max_reads(gpa{0x10}, 1) == 0);
  REQUIRE(memory.read(gpa{0x10}, first));
  CHECK(first == bytes_from({7}));
}

TEST_CASE("peek neither counts nor changes", "[support]") {
  fake_memory memory{memory_mood::hostile};
  memory.poke(gpa{0x10}, counting(4));
  CHECK(memory.peek(gpa{0x10}, 4) == counting(4));
  CHECK(memory.peek(gpa{0x10}, 4) == counting(4));
  CHECK(memory.max_reads(gpa{0x10}, 4) == 0);
}

TEST_CASE("fake memory counts the host's writes", "[support]") {
  fake_memory memory;
  memory.map(gpa{0}, 16);
  REQUIRE(memory.write(gpa{4}, counting(4)));
  REQUIRE(memory.write(gpa{6}, counting(4)));
  CHECK(memory.writes(gpa{0}, 16) == 8);
  CHECK(memory.writes(gpa{0}, 4) == 0);
}
