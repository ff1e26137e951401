// SPDX-License-Identifier: MIT
// Tests of aerogpu/ring/ring_layout.hpp.
#include "aerogpu/ring/ring_layout.hpp"

#include "tests/catch.hpp"
#include "tests/unit/ring/ring_memory.hpp"

using namespace aerogpu;
using test::ring_case;

TEST_CASE("pending entries and slots follow wire.md 5.2's table for eight entries", "[ring]") {
  struct row {
    std::uint32_t head, tail, pending;
    std::vector<std::uint32_t> slots;
  };
  const std::vector<row> rows{
      {0x00000000, 0x00000000, 0, {}},        {0x00000005, 0x00000006, 1, {5}},
      {0x00000006, 0x00000009, 3, {6, 7, 0}}, {0xFFFFFFFE, 0x00000003, 5, {6, 7, 0, 1, 2}},
      {0xFFFFFFFF, 0x00000000, 1, {7}},       {0xFFFFFFFC, 0x00000004, 8, {4, 5, 6, 7, 0, 1, 2, 3}},
      {0x00000010, 0x00000019, 9, {}},        {0x00000001, 0x00000000, 4294967295u, {}},
  };
  const auto layout = ring_layout::create(8, 64, 64 + 8 * 64, 4096);
  REQUIRE(layout);
  for (const row& r : rows) {
    CAPTURE(r.head, r.tail);
    CHECK(pending_entries(r.head, r.tail) == r.pending);
    if (r.pending > 8) continue;
    std::uint32_t index = r.head;
    for (const std::uint32_t slot : r.slots) {
      CHECK(layout->slot_offset(index++) == 64 + std::uint64_t{slot} * 64);
    }
    CHECK(index == r.tail);
  }
}

TEST_CASE("an index has reached a target across the wrap of 2^32", "[ring]") {
  const auto [index, target, reached] = GENERATE(table<std::uint32_t, std::uint32_t, bool>(
      {{5, 5, true}, {6, 5, true}, {4, 5, false}, {0, 0xFFFFFFFF, true}, {0xFFFFFFFF, 0, false}}));
  CHECK(index_reached(index, target) == reached);
}

TEST_CASE("a ring header is checked in the order of the doorbell table", "[ring]") {
  struct row {
    const char* why;
    void (*spoil)(ring_case&);
    bool is_good;
  };
  const row rows[] = {
      {"nothing wrong", [](ring_case&) {}, true},
      {"magic", [](ring_case& c) { c.header.magic ^= 1; }, false},
      {"major 0", [](ring_case& c) { c.header.abi_version = 4; }, false},
      {"major 2", [](ring_case& c) { c.header.abi_version = 0x20004; }, false},
      {"minor 0", [](ring_case& c) { c.header.abi_version = 0x10000; }, true},
      {"minor 99", [](ring_case& c) { c.header.abi_version = 0x10063; }, true},
      {"entry_count 0", [](ring_case& c) { c.header.entry_count = 0; }, false},
      {"entry_count 6", [](ring_case& c) { c.header.entry_count = 6; }, false},
      {"entry_count 1", [](ring_case& c) { c.header.entry_count = 1; }, true},
      {"stride 63", [](ring_case& c) { c.header.entry_stride_bytes = 63; }, false},
      {"stride 0", [](ring_case& c) { c.header.entry_stride_bytes = 0; }, false},
      {"stride 128 does not fit", [](ring_case& c) { c.header.entry_stride_bytes = 128; }, false},
      {"stride 128 fits",
       [](ring_case& c) {
         c.header.entry_stride_bytes = 128;
         c.header.size_bytes = 64 + 8 * 128;
       },
       true},
      {"size one short", [](ring_case& c) { --c.header.size_bytes; }, false},
      {"size larger than the slots", [](ring_case& c) { c.header.size_bytes += 100; }, true},
      {"size equals the mapping", [](ring_case& c) { c.mapped_bytes = c.header.size_bytes; }, true},
      {"size above the mapping", [](ring_case& c) { c.mapped_bytes = c.header.size_bytes - 1; },
       false},
      {"product above 32 bits",
       [](ring_case& c) {
         c.header.entry_count = 0x80000000;
         c.header.entry_stride_bytes = 0x80000000;
       },
       false},
      {"flags and reserved fields",
       [](ring_case& c) {
         c.header.flags = ~0u;
         c.header.reserved0 = c.header.reserved1 = ~0u;
         c.header.reserved2[2] = ~0ull;
       },
       true},
  };
  for (const row& r : rows) {
    CAPTURE(r.why);
    ring_case c;
    r.spoil(c);
    const auto layout = parse_ring_header(c.header, c.mapped_bytes);
    CHECK(static_cast<bool>(layout) == r.is_good);
    if (!r.is_good) CHECK(layout.why().code == error_code::cmd_decode);
  }
}

TEST_CASE("the largest ring that fits 32 bits has no overflow", "[ring]") {
  CHECK(ring_layout::bytes_for(UINT32_MAX, UINT32_MAX) ==
        64 + std::uint64_t{UINT32_MAX} * UINT32_MAX);
  const auto layout = ring_layout::create(1u << 25, 64, 64 + (1u << 31), UINT32_MAX);
  REQUIRE(layout);
  CHECK(layout->slot_offset(UINT32_MAX) == 64 + std::uint64_t{(1u << 25) - 1} * 64);
}

TEST_CASE("a made header passes the check that a device makes", "[ring]") {
  const auto layout = ring_layout::create(256, 64, 16448, 20480);
  REQUIRE(layout);
  const aerogpu_ring_header header = make_ring_header(*layout, 7);
  const auto parsed = parse_ring_header(header, 20480);
  REQUIRE(parsed);
  CHECK(*parsed == *layout);
  CHECK(header.head == 7);
  CHECK(header.tail == 7);
}
