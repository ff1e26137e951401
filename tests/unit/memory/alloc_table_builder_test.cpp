// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/alloc_table_builder.hpp.
#include "aerogpu/memory/alloc_table_builder.hpp"

#include "aerogpu/memory/alloc_table.hpp"
#include "tests/catch.hpp"
#include "tests/data/golden_vectors.hpp"

#include <algorithm>
#include <vector>

using namespace aerogpu;

namespace {

/// A builder with room for `entries` entries.
struct stored_builder {
  explicit stored_builder(std::uint32_t entries = 8, std::size_t slots = 64)
      : bytes(static_cast<std::size_t>(alloc_table_bytes(entries)), std::byte{0xEE}),
        index(slots),
        builder(bytes, index) {}

  std::vector<std::byte> bytes;
  std::vector<alloc_table_builder::slot> index;
  alloc_table_builder builder;
};

auto reference(std::uint32_t id, std::uint64_t first, std::uint64_t size) -> alloc_reference {
  return {alloc_id{id}, alloc_object{id}, size, gpa{first}, true, false};
}

auto unplaced(std::uint32_t id, std::uint64_t size) -> alloc_reference {
  return {alloc_id{id}, alloc_object{id}, size, gpa{0xBAD}, false, false};
}

auto entry_of(const_bytes table, std::uint32_t index) -> aerogpu_alloc_entry {
  return load<aerogpu_alloc_entry>(table.data() + alloc_table_bytes(index));
}

}  // namespace

TEST_CASE("a built table is the golden one, byte for byte", "[memory][builder]") {
  stored_builder stored;
  CHECK(stored.builder.add({alloc_id{7}, alloc_object{1}, 0x4000, gpa{0x123456000}, true, false}));
  CHECK(stored.builder.add({alloc_id{0x80000001}, alloc_object{2}, 0x1000, gpa{0}, true, true}));
  const auto expected = test::bytes_from_hex(test::golden("two_entries").hex);
  CHECK(std::ranges::equal(stored.builder.finish(), expected));
}

TEST_CASE("the host reads back every entry that was added", "[memory][builder]") {
  stored_builder stored{100, 256};
  for (std::uint32_t id = 1; id <= 100; ++id) {
    alloc_reference added = reference(id * 77, id * 0x1000, id);
    added.is_read_only = id % 3 == 0;
    const auto at = stored.builder.add(added);
    REQUIRE(at);
    CHECK(at->index == id - 1);
    CHECK(at->is_new);
  }
  std::vector<alloc_table::slot> slots(256);
  alloc_table table{slots};
  REQUIRE(table.parse(stored.builder.finish()));
  CHECK(table.size() == 100);
  for (std::uint32_t id = 1; id <= 100; ++id) {
    const alloc_range* range = table.find(alloc_id{id * 77});
    REQUIRE(range != nullptr);
    CHECK(range->first == gpa{id * 0x1000});
    CHECK(range->size_bytes == id);
    CHECK(range->is_read_only == (id % 3 == 0));
  }
}

TEST_CASE("aliases merge into one entry of the larger size", "[memory][builder]") {
  const auto [first, second] =
      GENERATE(table<std::uint64_t, std::uint64_t>({{16, 64}, {64, 16}, {64, 64}}));
  stored_builder stored;
  REQUIRE(stored.builder.add(reference(7, 0x1000, first)));
  const auto merged = stored.builder.add(reference(7, 0x1000, second));
  REQUIRE(merged);
  CHECK(merged->index == 0);
  CHECK_FALSE(merged->is_new);
  const auto table = stored.builder.finish();
  CHECK(+load<aerogpu_alloc_table_header>(table.data()).entry_count == 1);
  CHECK(+entry_of(table, 0).size_bytes == 64);
}

TEST_CASE("an entry is read-only only if all its aliases are", "[memory][builder]") {
  const auto [first, second, merged] = GENERATE(table<bool, bool, bool>(
      {{true, true, true}, {true, false, false}, {false, true, false}, {false, false, false}}));
  stored_builder stored;
  alloc_reference added = reference(7, 0x1000, 16);
  added.is_read_only = first;
  REQUIRE(stored.builder.add(added));
  added.is_read_only = second;
  REQUIRE(stored.builder.add(added));
  CHECK((+entry_of(stored.builder.finish(), 0).flags == AEROGPU_ALLOC_FLAG_READONLY) == merged);
}

TEST_CASE("an id that names two places is a collision and changes nothing", "[memory][builder]") {
  stored_builder stored;
  REQUIRE(stored.builder.add(reference(7, 0x1000, 16)));
  alloc_reference other = reference(7, 0x1000, 32);
  SECTION("another address") {
    other.first = gpa{0x2000};
  }
  SECTION("another allocation at the same address") {
    other.object = alloc_object{99};
  }
  CHECK(stored.builder.add(other).why().code == error_code::invalid_parameter);
  CHECK(stored.builder.size() == 1);
  CHECK(+entry_of(stored.builder.finish(), 0).size_bytes == 16);
}

TEST_CASE("an alias that is not placed yet takes the address of the one that is",
          "[memory][builder]") {
  const bool placed_first = GENERATE(true, false);
  stored_builder stored;
  REQUIRE(stored.builder.add(placed_first ? reference(7, 0x1000, 16) : unplaced(7, 16)));
  REQUIRE(stored.builder.add(placed_first ? unplaced(7, 16) : reference(7, 0x1000, 16)));
  CHECK(+entry_of(stored.builder.finish(), 0).gpa == 0x1000);
  CHECK(stored.builder.add(reference(7, 0x2000, 16)).why().code == error_code::invalid_parameter);
}

TEST_CASE("an entry that is not placed holds address 0 until it is", "[memory][builder]") {
  stored_builder stored;
  REQUIRE(stored.builder.add(unplaced(7, 16)));
  const mutable_bytes table = stored.builder.finish();
  CHECK(+entry_of(table, 0).gpa == 0);
  CHECK(set_alloc_table_address(table, 0, gpa{0x5000}));
  CHECK(+entry_of(table, 0).gpa == 0x5000);
  CHECK(set_alloc_table_address(table, 1, gpa{0}).why().code == error_code::invalid_parameter);
  CHECK(set_alloc_table_address(table, 0, gpa{UINT64_MAX - 8}).why().code ==
        error_code::size_overflow);
  CHECK(+entry_of(table, 0).gpa == 0x5000);
}

TEST_CASE("id 0, size 0 and a range that wraps are refused", "[memory][builder]") {
  stored_builder stored;
  CHECK(stored.builder.add(reference(0, 0x1000, 16)).why().code == error_code::invalid_parameter);
  CHECK(stored.builder.add(reference(7, 0x1000, 0)).why().code == error_code::invalid_parameter);
  CHECK(stored.builder.add(reference(7, UINT64_MAX, 1)).why().code == error_code::size_overflow);
  REQUIRE(stored.builder.add(reference(7, UINT64_MAX - 16, 16)));
  CHECK(stored.builder.add(reference(7, UINT64_MAX - 16, 17)).why().code ==
        error_code::size_overflow);
  CHECK(+entry_of(stored.builder.finish(), 0).size_bytes == 16);
}

TEST_CASE("a full table says no_space and stays as it was, and aliases still merge",
          "[memory][builder]") {
  stored_builder stored{2};
  REQUIRE(stored.builder.add(reference(1, 0x1000, 16)));
  REQUIRE(stored.builder.add(reference(2, 0x2000, 16)));
  CHECK_FALSE(stored.builder.finish().empty());
  const std::vector<std::byte> before = stored.bytes;
  CHECK(stored.builder.add(reference(3, 0x3000, 16)).why().code == error_code::no_space);
  CHECK(stored.bytes == before);
  CHECK(stored.builder.size() == 2);
  CHECK(stored.builder.add(reference(2, 0x2000, 8)));
}

TEST_CASE("a full index says no_space", "[memory][builder]") {
  stored_builder stored{8, 4};
  for (std::uint32_t id = 1; id <= 3; ++id) REQUIRE(stored.builder.add(reference(id, id, 1)));
  CHECK(stored.builder.add(reference(4, 4, 1)).why().code == error_code::no_space);
}

TEST_CASE("a table names 65535 ids and no more", "[memory][builder]") {
  stored_builder stored{max_alloc_table_entries + 1, 1u << 17};
  for (std::uint32_t id = 1; id <= max_alloc_table_entries; ++id) {
    if (!stored.builder.add(reference(id, id, 1))) FAIL("entry " << id);
  }
  CHECK(stored.builder.add(reference(0x10000, 1, 1)).why().code == error_code::invalid_parameter);
  CHECK(stored.builder.add(reference(9, 9, 1)));
  CHECK(stored.builder.finish().size() == alloc_table_bytes(max_alloc_table_entries));
}

TEST_CASE("without entries there is no table", "[memory][builder]") {
  stored_builder stored{0};
  CHECK(stored.builder.finish().empty());
  alloc_table_builder nothing{{}, {}};
  CHECK(nothing.finish().empty());
  CHECK(nothing.add(reference(1, 1, 1)).why().code == error_code::no_space);
}

TEST_CASE("a restarted builder has forgotten its entries", "[memory][builder]") {
  stored_builder stored;
  REQUIRE(stored.builder.add(reference(7, 0x1000, 16)));
  std::vector<std::byte> next(static_cast<std::size_t>(alloc_table_bytes(1)));
  stored.builder.restart(next);
  CHECK(stored.builder.finish().empty());
  REQUIRE(stored.builder.add(reference(7, 0x9000, 16)));
  CHECK(stored.builder.finish().data() == next.data());
  CHECK(+entry_of(next, 0).gpa == 0x9000);
}

TEST_CASE("dropping entries closes the gaps in order", "[memory][builder]") {
  const std::uint32_t dropped_mask = GENERATE(range(0u, 16u));
  stored_builder stored;
  for (std::uint32_t id = 1; id <= 4; ++id) REQUIRE(stored.builder.add(reference(id, id * 16, id)));
  const mutable_bytes left = remove_alloc_table_entries(
      stored.builder.finish(),
      [&](std::uint32_t index) { return (dropped_mask >> index & 1) != 0; });
  std::vector<std::uint32_t> expected;
  for (std::uint32_t id = 1; id <= 4; ++id) {
    if ((dropped_mask >> (id - 1) & 1) == 0) expected.push_back(id);
  }
  if (expected.empty()) {
    CHECK(left.empty());
    return;
  }
  std::vector<alloc_table::slot> slots(16);
  alloc_table table{slots};
  REQUIRE(table.parse(left));
  CHECK(left.size() == alloc_table_bytes(static_cast<std::uint32_t>(expected.size())));
  for (std::uint32_t i = 0; i < expected.size(); ++i)
    CHECK(+entry_of(left, i).alloc_id == expected[i]);
}

TEST_CASE("dropping entries of no table gives no table", "[memory][builder]") {
  CHECK(remove_alloc_table_entries({}, [](std::uint32_t) { return false; }).empty());
}
