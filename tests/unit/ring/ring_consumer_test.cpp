// SPDX-License-Identifier: MIT
// Tests of aerogpu/ring/ring_consumer.hpp.
#include "aerogpu/ring/ring_consumer.hpp"

#include "tests/catch.hpp"
#include "tests/unit/ring/ring_memory.hpp"

#include <deque>
#include <random>

using namespace aerogpu;
using test::empty_descriptor;
using test::fake_memory;
using test::memory_mood;
using test::ring_case;

namespace {

constexpr std::size_t head_offset = offsetof(aerogpu_ring_header, head);
constexpr std::size_t tail_offset = offsetof(aerogpu_ring_header, tail);

}  // namespace

TEST_CASE("a ring without address or size is malformed and not touched", "[ring]") {
  fake_memory memory;
  memory.map(gpa{0}, 0x2000);
  CHECK(open_ring(memory, gpa{0}, 0x1000).why().code == error_code::cmd_decode);
  CHECK(open_ring(memory, gpa{0x1000}, 0).why().code == error_code::cmd_decode);
  CHECK(memory.max_reads(gpa{0}, 0x2000) == 0);
  CHECK(memory.writes(gpa{0}, 0x2000) == 0);
}

TEST_CASE("a ring that wraps past 2^64 is out of bounds; what is addressable is dropped",
          "[ring]") {
  struct row {
    std::uint64_t at;
    std::uint32_t mapped;
    bool is_dropped;
  };
  const row rows[] = {
      {UINT64_MAX - 0xFFF, 0x1000, true},  // the end itself does not fit 64 bits
      {UINT64_MAX - 0xFFF, 0x2000, true},
      {UINT64_MAX - 63, 0x10, true},  // header + 64 wraps, the indices do not
      {UINT64_MAX - 32, 0x10, true},
      {UINT64_MAX - 31, 0x10, false},  // tail's end does not fit 64 bits
      {UINT64_MAX - 27, 0x10, false},
      {UINT64_MAX, 0x1000, false},
  };
  for (const row& r : rows) {
    CAPTURE(r.at, r.mapped);
    fake_memory memory;
    memory.map(gpa{UINT64_MAX - 0xFFF}, 0x1000);
    memory.map(gpa{0}, 0x2000);
    const auto at = static_cast<gpa>(r.at);
    if (r.is_dropped) memory.poke_object(advance(at, tail_offset), std::uint32_t{77});
    CHECK(open_ring(memory, at, r.mapped).why().code == error_code::out_of_bounds);
    if (r.is_dropped) {
      CHECK(memory.peek_object<std::uint32_t>(advance(at, head_offset)) == 77);
      CHECK(memory.writes(at, 24) == 0);
    } else {
      CHECK(memory.writes(gpa{UINT64_MAX - 0xFFF}, 0x1000) == 0);
    }
    CHECK(memory.writes(gpa{0}, 0x2000) == 0);
    CHECK(memory.max_reads(gpa{0}, 0x2000) == 0);
  }
}

TEST_CASE("a malformed header leaves head untouched", "[ring]") {
  void (*const spoils[])(ring_case&) = {
      [](ring_case& c) { c.header.magic = 0; },
      [](ring_case& c) { c.header.abi_version = 0x20000; },
      [](ring_case& c) { c.header.entry_count = 0; },
      [](ring_case& c) { c.header.entry_count = 7; },
      [](ring_case& c) { c.header.entry_stride_bytes = 63; },
      [](ring_case& c) { c.header.size_bytes = 64 + 8 * 64 - 1; },
      [](ring_case& c) { c.mapped_bytes = 64 + 8 * 64 - 1; },
  };
  for (const auto spoil : spoils) {
    ring_case c;
    c.header.tail = 1;
    spoil(c);
    fake_memory memory;
    c.write(memory);
    CHECK(open_ring(memory, c.at, c.mapped_bytes).why().code == error_code::cmd_decode);
    CHECK(memory.writes(c.at, 0x1000) == 0);
  }
}

TEST_CASE("a ring without memory behind it is malformed", "[ring]") {
  fake_memory memory;
  CHECK(open_ring(memory, gpa{0x10000}, 0x1000).why().code == error_code::cmd_decode);
}

TEST_CASE("an empty ring is no error and has nothing to take", "[ring]") {
  ring_case c;
  c.header.head = c.header.tail = 0xFFFFFFFF;
  fake_memory memory;
  c.write(memory);
  const auto view = open_ring(memory, c.at, c.mapped_bytes);
  REQUIRE(view);
  CHECK(view->remaining() == 0);
  CHECK(memory.writes(c.at, 0x1000) == 0);
}

TEST_CASE("more pending entries than slots are dropped", "[ring]") {
  const auto [head, tail] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{0x10, 0x19}, {1, 0}, {0, 0x80000000}, {0xFFFFFFFF, 8}}));
  ring_case c;
  c.header.head = head;
  c.header.tail = tail;
  fake_memory memory;
  c.write(memory);
  CHECK(open_ring(memory, c.at, c.mapped_bytes).why().code == error_code::cmd_decode);
  CHECK(c.head(memory) == tail);
  CHECK(memory.writes(c.at, 0x1000) == 4);
}

TEST_CASE("entries come oldest first and head is stored after each", "[ring]") {
  ring_case c;
  c.header.head = 0xFFFFFFFE;
  c.header.tail = 3;
  fake_memory memory;
  c.write(memory);
  for (std::uint32_t i = 0; i < 5; ++i) {
    c.write_entry(memory, 0xFFFFFFFE + i, empty_descriptor(10 + i));
  }
  auto view = open_ring(memory, c.at, c.mapped_bytes);
  REQUIRE(view);
  for (std::uint32_t i = 0; i < 5; ++i) {
    REQUIRE(view->remaining() == 5 - i);
    const auto entry = view->fetch();
    REQUIRE(entry);
    CHECK(entry->is_valid());
    CHECK(raw(entry->fence()) == 10 + i);
    CHECK(c.head(memory) == 0xFFFFFFFE + i);
    view->consume();
    CHECK(c.head(memory) == 0xFFFFFFFF + i);
  }
  CHECK(view->remaining() == 0);
  CHECK(memory.writes(advance(c.at, head_offset), 4) == 5 * 4);
  CHECK(memory.writes(c.at, 0x1000) == 5 * 4);
}

TEST_CASE("a descriptor's size lies between 64 and the stride; what is wrong keeps its fence",
          "[ring]") {
  const auto [stride, size, good] =
      GENERATE(table<std::uint32_t, std::uint32_t, bool>({{64, 64, true},
                                                          {64, 63, false},
                                                          {64, 32, false},
                                                          {64, 0, false},
                                                          {64, 65, false},
                                                          {128, 96, true},
                                                          {128, 128, true},
                                                          {128, 129, false},
                                                          {128, UINT32_MAX, false}}));
  ring_case c;
  c.header.entry_stride_bytes = stride;
  c.header.size_bytes = 64 + 8 * stride;
  c.header.tail = 2;
  fake_memory memory;
  c.write(memory);
  aerogpu_submit_desc desc = empty_descriptor(0x100000005);
  desc.desc_size_bytes = size;
  c.write_entry(memory, 0, desc);
  c.write_entry(memory, 1, empty_descriptor(0x100000006));
  auto view = open_ring(memory, c.at, c.mapped_bytes);
  REQUIRE(view);
  const auto entry = view->fetch();
  REQUIRE(entry);
  CAPTURE(stride, size);
  CHECK(entry->is_valid() == good);
  CHECK(entry->why.code == (good ? error_code::none : error_code::cmd_decode));
  CHECK(raw(entry->fence()) == 0x100000005);
  view->consume();
  CHECK(c.head(memory) == 1);
  CHECK(raw(view->fetch()->fence()) == 0x100000006);
}

TEST_CASE("unknown descriptor flags, the engine and reserved fields are ignored", "[ring]") {
  ring_case c;
  c.header.tail = 1;
  c.header.flags = ~0u;
  fake_memory memory;
  c.write(memory);
  aerogpu_submit_desc desc = empty_descriptor(1);
  desc.flags = ~0u;
  desc.engine_id = 9;
  desc.cmd_reserved0 = desc.alloc_table_reserved0 = ~0u;
  desc.reserved0 = ~0ull;
  c.write_entry(memory, 0, desc);
  auto view = open_ring(memory, c.at, c.mapped_bytes);
  REQUIRE(view);
  CHECK(view->fetch()->is_valid());
}

TEST_CASE("a slot that wraps past 2^64 is out of bounds and drops everything", "[ring]") {
  fake_memory memory;
  const gpa at{UINT64_MAX - 0xFFF};
  memory.map(at, 0x1000);
  memory.map(gpa{0}, 0x1000);
  const auto layout = ring_layout::create(128, 64, 64 + 128 * 64, UINT32_MAX);
  REQUIRE(layout);
  ring_view view{memory, at, *layout, 60, 70};  // slot 63 begins where addresses end
  for (int i = 0; i < 2; ++i) {
    CHECK(view.fetch());
    view.consume();
  }
  CHECK(view.fetch().why().code == error_code::out_of_bounds);
  CHECK(view.remaining() == 0);
  CHECK(memory.peek_object<std::uint32_t>(advance(at, head_offset)) == 70);
  CHECK(memory.max_reads(gpa{0}, 0x1000) == 0);
  CHECK(memory.writes(gpa{0}, 0x1000) == 0);
}

TEST_CASE("a slot without memory behind it is malformed and names no fence", "[ring]") {
  ring_case c;
  c.header.tail = 1;
  fake_memory memory;
  c.write(memory);
  memory.unmap(advance(c.at, 100), 1);
  auto view = open_ring(memory, c.at, c.mapped_bytes);
  REQUIRE(view);
  const auto entry = view->fetch();
  REQUIRE(entry);
  CHECK(entry->why.code == error_code::cmd_decode);
  CHECK(entry->fence() == fence_value{0});
  view->consume();
  CHECK(c.head(memory) == 1);
}

TEST_CASE("the host reads each byte of header and descriptors once, and never the reserved slots",
          "[ring]") {
  ring_case c;
  c.header.head = 6;
  c.header.tail = 11;
  fake_memory memory{memory_mood::hostile};
  c.write(memory);
  for (std::uint32_t i = 6; i < 11; ++i) c.write_entry(memory, i, empty_descriptor(i));
  auto view = open_ring(memory, c.at, c.mapped_bytes);
  REQUIRE(view);  // had it read anything twice, it would have seen another value
  for (std::uint64_t fence = 6; view->remaining() != 0; ++fence) {
    const auto entry = view->fetch();
    REQUIRE(entry);
    CHECK(entry->is_valid());
    CHECK(raw(entry->fence()) == fence);
    view->consume();
  }
  CHECK(view->head() == 11);
  CHECK(memory.max_reads(c.at, 0x1000) == 1);
  CHECK(memory.max_reads(advance(c.at, 64 + 3 * 64), 3 * 64) == 0);  // slots 3 to 5
}

TEST_CASE("a drop for too many entries stores the tail that was checked", "[ring]") {
  ring_case c;
  c.header.tail = 9;
  fake_memory memory{memory_mood::hostile};
  c.write(memory);
  CHECK(open_ring(memory, c.at, c.mapped_bytes).why().code == error_code::cmd_decode);
  CHECK(c.head(memory) == 9);
  CHECK(memory.max_reads(c.at, 64) == 1);
}

TEST_CASE("a reset drops what is pending, and touches no memory that is not there", "[ring]") {
  ring_case c;
  c.header.head = 3;
  c.header.tail = 7;
  fake_memory memory;
  c.write(memory);
  CHECK(drop_pending(memory, c.at));
  CHECK(c.head(memory) == 7);
  CHECK(drop_pending(memory, gpa{0}));
  CHECK(drop_pending(memory, gpa{0x900000}));
  CHECK(drop_pending(memory, gpa{UINT64_MAX - 31}).why().code == error_code::out_of_bounds);
}

TEST_CASE("any header bytes give a ring within its bounds or an error", "[ring]") {
  const auto seed = GENERATE(11u, 12u);
  CAPTURE(seed);
  std::mt19937 random{seed};
  int opened = 0;
  for (int step = 0; step < 20'000; ++step) {
    ring_case c;
    auto* words = reinterpret_cast<std::uint32_t*>(&c.header);
    for (int n = static_cast<int>(random() % 3); n != 0; --n) {
      words[random() % 8] = random() % 2 == 0 ? static_cast<std::uint32_t>(random())
                                              : static_cast<std::uint32_t>(random() % 300);
    }
    fake_memory memory;
    c.write(memory);
    auto view = open_ring(memory, c.at, c.mapped_bytes);
    if (!view) continue;
    ++opened;
    REQUIRE(view->remaining() <= view->layout().entry_count());
    REQUIRE(view->layout().size_bytes() <= c.mapped_bytes);
    while (view->remaining() != 0) {
      REQUIRE(view->fetch());
      view->consume();
    }
    REQUIRE(c.head(memory) == c.header.tail);
  }
  CHECK(opened > 100);
}
