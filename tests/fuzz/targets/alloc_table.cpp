// SPDX-License-Identifier: MIT
// Fuzzes the allocation table: what is accepted keeps every promise of wire.md 6.2.
#include "aerogpu/memory/alloc_table.hpp"

#include "tests/fuzz/fuzz.hpp"

#include <array>

using namespace aerogpu;

namespace {

constexpr std::size_t slot_count = 4096;

void check_entry(const alloc_table& table, alloc_id id, const alloc_range& range) {
  fuzz::claim(raw(id) != 0 && range.size_bytes != 0, "ids and sizes are not zero");
  fuzz::claim(raw(range.first) + range.size_bytes > raw(range.first), "ranges do not wrap");
  fuzz::claim(table.find(id) == &range, "an entry is found by its id");
  const auto whole = table.resolve(id, 0, range.size_bytes);
  fuzz::claim(whole && *whole == range.first, "the whole allocation resolves");
  fuzz::claim(table.resolve(id, range.size_bytes, 0).why().code == error_code::none,
              "an empty range at the end resolves");
  fuzz::claim(
      table.resolve(id, 1, range.size_bytes).why().code == error_code::alloc_out_of_bounds ||
          range.size_bytes == UINT64_MAX,
      "a range past the end does not resolve");
  const auto write = table.resolve_for_write(id, 0, 1);
  fuzz::claim((write.why().code == error_code::read_only) == range.is_read_only,
              "only a read-only allocation refuses writes");
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  static std::array<alloc_table::slot, slot_count> slots{};
  static alloc_table table{slots};
  const const_bytes bytes = std::as_bytes(std::span{data, size});
  const auto parsed = table.parse(bytes);
  fuzz::claim(static_cast<bool>(parsed) == table.is_present(), "a refused table is absent");
  if (!parsed) {
    fuzz::claim(table.size() == 0, "a refused table has no entries");
    return 0;
  }
  fuzz::claim(table.size() == load<aerogpu_alloc_table_header>(bytes.data()).entry_count,
              "every entry is kept");
  table.for_each([](alloc_id id, const alloc_range& range) { check_entry(table, id, range); });
  return 0;
}
