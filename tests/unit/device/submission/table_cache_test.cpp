// SPDX-License-Identifier: MIT
#include "aerogpu/device/submission/table_cache.hpp"

#include "tests/catch.hpp"
#include "tests/unit/memory/table_bytes.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu {
namespace {

using namespace test;

auto table_entries(std::uint32_t count) -> std::vector<aerogpu_alloc_entry> {
  std::vector<aerogpu_alloc_entry> all;
  for (std::uint32_t i = 1; i <= count; ++i) all.push_back({i, 0, i * 0x1000ull, 16, 0});
  return all;
}

}  // namespace

TEST_CASE("a table cache holds the last table, whatever its size", "[device]") {
  table_cache cache;
  CHECK_FALSE(cache.table().is_present());
  for (const std::uint32_t count : {1u, 33u, 1000u, 2u}) {
    REQUIRE(cache.parse(table_bytes(table_entries(count))));
    REQUIRE(cache.table().is_present());
    CHECK(cache.table().size() == count);
    for (std::uint32_t id = 1; id <= count; ++id) {
      REQUIRE(cache.table().find(alloc_id{id}) != nullptr);
      CHECK(cache.table().find(alloc_id{id})->first == gpa{id * 0x1000ull});
    }
    CHECK(cache.table().find(alloc_id{count + 1}) == nullptr);
  }
}

TEST_CASE("slots are made for what a table claims, and stay", "[device]") {
  table_cache cache;
  REQUIRE(cache.parse(table_bytes(table_entries(1))));
  const std::size_t least = cache.table().capacity();
  REQUIRE(cache.parse(table_bytes(table_entries(32))));
  CHECK(cache.table().capacity() == least);
  REQUIRE(cache.parse(table_bytes(table_entries(500))));
  const std::size_t most = cache.table().capacity();
  CHECK(most >= 500);
  REQUIRE(cache.parse(table_bytes(table_entries(1))));
  CHECK(cache.table().capacity() == most);
}

TEST_CASE("no bytes make the table absent", "[device]") {
  table_cache cache;
  REQUIRE(cache.parse(table_bytes(table_entries(3))));
  REQUIRE(cache.parse({}));
  CHECK_FALSE(cache.table().is_present());
  CHECK(cache.table().find(alloc_id{1}) == nullptr);
}

TEST_CASE("a table that is cut, or claims more than its bytes hold, takes no memory", "[device]") {
  const auto claimed = GENERATE(as<std::uint32_t>{}, 3, 1u << 20, 0xFFFFFFFF);
  table_cache cache;
  auto bytes = table_bytes(table_entries(2));
  CHECK_FALSE(cache.parse(const_bytes{bytes}.first(sizeof(aerogpu_alloc_table_header) - 1)));
  auto header = table_header(2);
  header.entry_count = claimed;
  store(bytes.data(), header);
  CHECK(cache.parse(bytes).why().code == error_code::out_of_bounds);
  CHECK(cache.table().capacity() == 0);
  CHECK_FALSE(cache.table().is_present());
  bytes = table_bytes(table_entries(2));
  CHECK_FALSE(cache.parse(const_bytes{bytes}.first(bytes.size() - 1)));
  CHECK_FALSE(cache.table().is_present());
}

}  // namespace aerogpu
