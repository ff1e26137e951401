// SPDX-License-Identifier: MIT
// Tests of aerogpu/memory/alloc_table.hpp.
#include "aerogpu/memory/alloc_table.hpp"

#include "tests/catch.hpp"
#include "tests/data/golden_vectors.hpp"
#include "tests/support/colliding_ids.hpp"
#include "tests/unit/memory/table_bytes.hpp"

#include <map>
#include <vector>

using namespace aerogpu;
using aerogpu::test::table_bytes;
using aerogpu::test::table_header;

namespace {

using entries = std::vector<aerogpu_alloc_entry>;

/// A table with its storage.
struct stored_table {
  explicit stored_table(std::size_t slots = 64) : storage(slots), table(storage) {}

  auto parse(const std::vector<std::byte>& bytes) -> error { return table.parse(bytes).why(); }

  std::vector<alloc_table::slot> storage;
  alloc_table table;
};

constexpr aerogpu_alloc_entry good_entry{7, 0, 0x1000, 0x100, 0};

template <class Change>
auto header_error(Change change) -> error {
  aerogpu_alloc_table_header header = table_header(1);
  change(header);
  std::vector<std::byte> bytes = table_bytes({good_entry});
  store(bytes.data(), header);
  return stored_table{}.parse(bytes);
}

}  // namespace

TEST_CASE("the golden table resolves to its two allocations", "[memory][alloc_table]") {
  stored_table stored;
  REQUIRE(stored.parse(test::bytes_from_hex(test::golden("two_entries").hex)).code ==
          error_code::none);
  CHECK(stored.table.size() == 2);
  const alloc_range* writable = stored.table.find(alloc_id{7});
  REQUIRE(writable != nullptr);
  CHECK(writable->first == gpa{0x123456000});
  CHECK(writable->size_bytes == 0x4000);
  CHECK_FALSE(writable->is_read_only);
  const alloc_range* read_only = stored.table.find(alloc_id{0x80000001});
  REQUIRE(read_only != nullptr);
  CHECK(read_only->first == gpa{0});
  CHECK(read_only->is_read_only);
}

TEST_CASE("each malformed table header is a cmd_decode error", "[memory][alloc_table]") {
  using header = aerogpu_alloc_table_header;
  const auto change = GENERATE(values<void (*)(header&)>({
      [](header& h) { h.magic = 0x434F4C42; },
      [](header& h) { h.abi_version = 0x00020000; },
      [](header& h) { h.abi_version = 0x00000004; },
      [](header& h) { h.size_bytes = 23; },
      [](header& h) { h.size_bytes = 0; },
      [](header& h) { h.size_bytes = 24 + 33; },
      [](header& h) { h.size_bytes = UINT32_MAX; },
      [](header& h) { h.entry_stride_bytes = 31; },
      [](header& h) { h.entry_stride_bytes = 0; },
  }));
  CHECK(header_error(change).code == error_code::cmd_decode);
}

TEST_CASE("entries that exceed the table are out of bounds, in 64 bits", "[memory][alloc_table]") {
  const auto [count, stride] = GENERATE(table<std::uint32_t, std::uint32_t>(
      {{2, 32}, {1, 33}, {0x08000000, 32}, {0x80000000, 0x80000000}, {UINT32_MAX, UINT32_MAX}}));
  const error why = header_error([&, count = count, stride = stride](auto& header) {
    header.entry_count = count;
    header.entry_stride_bytes = stride;
  });
  CHECK(why.code == error_code::out_of_bounds);
}

TEST_CASE("checks of a header come in the order of wire.md 6.2", "[memory][alloc_table]") {
  aerogpu_alloc_table_header header = table_header(9);
  header.entry_stride_bytes = 1;
  header.size_bytes = 1;
  header.abi_version = 0;
  header.magic = 0;
  const auto what = [&] {
    return std::string_view{check_alloc_table_header(header, 56, 56).why().what};
  };
  CHECK(what() == "allocation table magic is wrong");
  header.magic = AEROGPU_ALLOC_TABLE_MAGIC;
  CHECK(what() == "allocation table is of another major version");
  header.abi_version = 0x00010000;
  CHECK(what() == "size_bytes is less than the table header");
  header.size_bytes = 57;
  CHECK(what() == "size_bytes exceeds the descriptor's");
  header.size_bytes = 56;
  CHECK(what() == "entry_stride_bytes is less than an entry");
  header.entry_stride_bytes = 32;
  CHECK(what() == "entries exceed the table's size_bytes");
  header.entry_count = 1;
  CHECK(check_alloc_table_header(header, 56, 56));
}

TEST_CASE("a refused table header tells its value and what bounds it", "[memory][alloc_table]") {
  aerogpu_alloc_table_header header = table_header(2);
  const auto check = [&](std::uint64_t detail, std::uint64_t limit, std::uint32_t most = 100) {
    const error why = check_alloc_table_header(header, 100, most).why();
    INFO(why.what);
    CHECK(why.detail == detail);
    CHECK(why.limit == limit);
  };
  header.entry_count = 3;
  check(96, 64);
  header.entry_stride_bytes = 31;
  check(31, 32);
  check(88, 87, 87);
  header.size_bytes = 101;
  check(101, 100);
  header.size_bytes = 23;
  check(23, 24);
  header.abi_version = 0x00020003;
  check(2, 1);
}

TEST_CASE("a table above the host's limit is a cmd_decode error", "[memory][alloc_table]") {
  const aerogpu_alloc_table_header header = table_header(4);
  CHECK(check_alloc_table_header(header, header.size_bytes, header.size_bytes));
  const error why = check_alloc_table_header(header, UINT64_MAX, header.size_bytes - 1).why();
  CHECK(why.code == error_code::cmd_decode);
  CHECK(why.detail == +header.size_bytes);
  CHECK(why.limit == header.size_bytes - 1);
}

TEST_CASE("any minor version of major 1 is read", "[memory][alloc_table]") {
  const std::uint32_t version = GENERATE(0x00010000u, 0x00010004u, 0x0001FFFFu);
  CHECK(header_error([&](auto& h) { h.abi_version = version; }).code == error_code::none);
}

TEST_CASE("bytes too few for a header are a cmd_decode error", "[memory][alloc_table]") {
  const std::size_t size = GENERATE(0u, 1u, 23u);
  std::vector<std::byte> bytes = table_bytes(entries{});
  bytes.resize(size);
  CHECK(stored_table{}.parse(bytes).code == error_code::cmd_decode);
}

TEST_CASE("each bad entry fails the table with its offset", "[memory][alloc_table]") {
  const auto [bad, code] = GENERATE(table<aerogpu_alloc_entry, error_code>({
      {{0, 0, 0x1000, 0x100, 0}, error_code::cmd_decode},
      {{8, 0, 0x1000, 0, 0}, error_code::cmd_decode},
      {{8, 0, UINT64_MAX, 0, 0}, error_code::cmd_decode},
      {{0, 0, UINT64_MAX, UINT64_MAX, 0}, error_code::cmd_decode},
      {{8, 0, UINT64_MAX, 1, 0}, error_code::out_of_bounds},
      {{8, 0, 1, UINT64_MAX, 0}, error_code::out_of_bounds},
      {{8, 0, 0x8000000000000000, 0x8000000000000000, 0}, error_code::out_of_bounds},
      {{7, 0, UINT64_MAX, 1, 0}, error_code::out_of_bounds},
      {{7, 0, 0x1000, 0x100, 0}, error_code::cmd_decode},
      {{7, 1, 0x9000, 0x900, 0}, error_code::cmd_decode},
  }));
  CAPTURE(+bad.alloc_id, +bad.gpa, +bad.size_bytes);
  stored_table stored;
  const error why = stored.parse(table_bytes({good_entry, bad, {9, 0, 0, 1, 0}}));
  CHECK(why.code == code);
  CHECK(why.offset == 24 + 32);
  CHECK_FALSE(stored.table.is_present());
  CHECK(stored.table.find(alloc_id{7}) == nullptr);
}

TEST_CASE("the highest range that does not wrap is good", "[memory][alloc_table]") {
  stored_table stored;
  REQUIRE(
      stored.parse(table_bytes({{1, 0, UINT64_MAX - 1, 1, 0}, {2, 0, 0, UINT64_MAX, 0}})).code ==
      error_code::none);
  CHECK(*stored.table.resolve(alloc_id{2}, UINT64_MAX, 0) == gpa{UINT64_MAX});
}

TEST_CASE("a larger stride and bytes after size_bytes are skipped", "[memory][alloc_table]") {
  const std::uint32_t stride = GENERATE(32u, 36u, 40u, 64u, 1000u);
  std::vector<std::byte> bytes = table_bytes(
      table_header(3, stride), {{1, 0, 0x10, 1, 0}, {2, 1, 0x20, 2, 0}, {3, 0, 0x30, 3, 0}});
  bytes.resize(bytes.size() + 100, std::byte{0xFF});
  stored_table stored;
  REQUIRE(stored.parse(bytes).code == error_code::none);
  for (const std::uint32_t id : {1u, 2u, 3u}) {
    CHECK(stored.table.find(alloc_id{id})->first == gpa{id * 0x10});
    CHECK(stored.table.find(alloc_id{id})->is_read_only == (id == 2));
  }
}

TEST_CASE("reserved fields and unknown flag bits are ignored", "[memory][alloc_table]") {
  stored_table stored;
  aerogpu_alloc_table_header header = table_header(1);
  header.reserved0 = UINT32_MAX;
  REQUIRE(stored.parse(table_bytes(header, {{5, 0xFFFFFFFE, 0, 1, UINT64_MAX}})).code ==
          error_code::none);
  CHECK_FALSE(stored.table.find(alloc_id{5})->is_read_only);
}

TEST_CASE("an empty table is present and resolves nothing", "[memory][alloc_table]") {
  stored_table stored{0};
  aerogpu_alloc_table_header header = table_header(0);
  REQUIRE(stored.parse(table_bytes(header, {})).code == error_code::none);
  CHECK(stored.table.is_present());
  CHECK(stored.table.resolve(alloc_id{1}, 0, 0).why().code == error_code::unknown_alloc_id);
}

TEST_CASE("a range resolves inside its allocation only", "[memory][alloc_table]") {
  stored_table stored;
  REQUIRE(stored.parse(table_bytes({{7, 1, 0x1000, 0x100, 0}})).code == error_code::none);
  const auto [offset, size, code] = GENERATE(table<std::uint64_t, std::uint64_t, error_code>(
      {{0, 0x100, error_code::none},
       {0xFF, 1, error_code::none},
       {0x100, 0, error_code::none},
       {0, 0x101, error_code::alloc_out_of_bounds},
       {0x100, 1, error_code::alloc_out_of_bounds},
       {0x101, 0, error_code::alloc_out_of_bounds},
       {UINT64_MAX, 1, error_code::size_overflow},
       {1, UINT64_MAX, error_code::size_overflow}}));
  const auto at = stored.table.resolve(alloc_id{7}, offset, size);
  CHECK(at.why().code == code);
  if (at) CHECK(*at == gpa{0x1000 + offset});
}

TEST_CASE("an id resolves by name, whatever its place in the table", "[memory][alloc_table]") {
  stored_table stored;
  REQUIRE(stored.parse(table_bytes({{9, 0, 0x9000, 1, 0}, {3, 0, 0x3000, 1, 0}})).code ==
          error_code::none);
  CHECK(*stored.table.resolve(alloc_id{3}, 0, 1) == gpa{0x3000});
  REQUIRE(stored.parse(table_bytes({{3, 0, 0x5000, 1, 0}, {9, 0, 0x3000, 1, 0}})).code ==
          error_code::none);
  CHECK(*stored.table.resolve(alloc_id{3}, 0, 1) == gpa{0x5000});
}

TEST_CASE("a write is refused for read-only memory before its bounds are looked at",
          "[memory][alloc_table]") {
  stored_table stored;
  REQUIRE(stored.parse(table_bytes({{1, 1, 0x1000, 16, 0}, {2, 0, 0x2000, 16, 0}})).code ==
          error_code::none);
  CHECK(stored.table.resolve_for_write(alloc_id{1}, 99, 1).why().code == error_code::read_only);
  CHECK(stored.table.resolve_for_write(alloc_id{2}, 16, 1).why().code ==
        error_code::alloc_out_of_bounds);
  CHECK(*stored.table.resolve_for_write(alloc_id{2}, 8, 8) == gpa{0x2008});
  CHECK(stored.table.resolve_for_write(alloc_id{3}, 0, 1).why().code ==
        error_code::unknown_alloc_id);
}

TEST_CASE("a submission without a table is told so, and so is the one after it",
          "[memory][alloc_table]") {
  stored_table stored;
  CHECK(stored.table.resolve(alloc_id{7}, 0, 1).why().code == error_code::missing_alloc_table);
  REQUIRE(stored.parse(table_bytes({good_entry})).code == error_code::none);
  stored.table.clear();
  CHECK(stored.table.resolve(alloc_id{7}, 0, 1).why().code == error_code::missing_alloc_table);
  CHECK(stored.table.find(alloc_id{7}) == nullptr);
  CHECK(stored.table.size() == 0);
}

TEST_CASE("a later table forgets the earlier one", "[memory][alloc_table]") {
  stored_table stored;
  REQUIRE(stored.parse(table_bytes({good_entry})).code == error_code::none);
  REQUIRE(stored.parse(table_bytes({{8, 0, 0, 1, 0}})).code == error_code::none);
  CHECK(stored.table.find(alloc_id{7}) == nullptr);
  std::map<std::uint32_t, std::uint64_t> seen;
  stored.table.for_each(
      [&](alloc_id id, const alloc_range& range) { seen[raw(id)] = range.size_bytes; });
  CHECK(seen == std::map<std::uint32_t, std::uint64_t>{{8, 1}});
}

TEST_CASE("slots_for is a power of two that holds the entries, and one fewer does not",
          "[memory][alloc_table]") {
  const std::uint32_t count = GENERATE(1u, 2u, 3u, 4u, 6u, 7u, 12u, 13u, 16u, 48u, 49u, 1000u);
  entries list;
  for (std::uint32_t i = 1; i <= count; ++i) list.push_back({i * 0x9E3779B1u, 0, i, 1, 0});
  const auto slots = static_cast<std::size_t>(alloc_table::slots_for(count));
  CHECK(stored_table{slots}.parse(table_bytes(list)).code == error_code::none);
  if (slots > 1) {
    CHECK(stored_table{slots / 2}.parse(table_bytes(list)).code == error_code::out_of_memory);
  }
  CHECK(alloc_table::slots_for(UINT32_MAX) == 0x200000000);
}

TEST_CASE("a table whose ids meet under the key that its guest knows is entered under another",
          "[memory][alloc_table]") {
  constexpr std::size_t slots = 16'384;
  std::vector<alloc_table::slot> storage(slots);
  alloc_table table{storage, hash_key{3}};
  entries list;
  for (const std::uint32_t id : test::ids_that_meet(hash_key{3}, slots, 64, 12'000)) {
    list.push_back({id, 0, id, 1, 0});
  }
  REQUIRE(table.parse(table_bytes(list)));
  CHECK(table.size() == list.size());
  for (const aerogpu_alloc_entry& entry : list) {
    REQUIRE(table.find(alloc_id{entry.alloc_id}) != nullptr);
    CHECK(raw(table.find(alloc_id{entry.alloc_id})->first) == entry.gpa);
  }
  // The next table, of whoever knows only the first key, meets no obstacle.
  REQUIRE(table.parse(table_bytes(list)));
}

TEST_CASE("a table whose ids meet under each key in turn is refused, and the next one is not",
          "[memory][alloc_table]") {
  constexpr std::size_t slots = 16'384;
  std::vector<alloc_table::slot> storage(slots);
  alloc_table table{storage, hash_key{3}};
  entries list;
  hash_key key{3};
  for (std::uint32_t i = 0; i < 4; ++i, key = key.next()) {
    for (const std::uint32_t id : test::ids_that_meet(key, slots, 1, 400, 1 + (i << 28))) {
      list.push_back({id, 0, id, 1, 0});
    }
  }
  const auto parsed = table.parse(table_bytes(list));
  CHECK(parsed.why().code == error_code::out_of_memory);
  CHECK(parsed.why().detail == list.size());
  CHECK_FALSE(table.is_present());
  CHECK(table.find(alloc_id{list[0].alloc_id}) == nullptr);
  CHECK(table.parse(table_bytes({good_entry})));
  CHECK(table.find(alloc_id{7}) != nullptr);
}

TEST_CASE("of an id that occurs twice among ids that meet, the second one is told",
          "[memory][alloc_table]") {
  std::vector<alloc_table::slot> storage(2'048);
  alloc_table table{storage, hash_key{3}};
  entries list;
  for (const std::uint32_t id : test::ids_that_meet(hash_key{3}, 2'048, 1, 500)) {
    list.push_back({id, 0, id, 1, 0});
  }
  list.push_back(list[0]);
  const auto why = table.parse(table_bytes(list)).why();
  CHECK(why.code == error_code::cmd_decode);
  CHECK(why.detail == list[0].alloc_id);
  CHECK(why.offset == sizeof(aerogpu_alloc_table_header) + 500 * sizeof(aerogpu_alloc_entry));
}
