// SPDX-License-Identifier: MIT
#include "aerogpu/device/snapshot/saved_vram.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstddef>
#include <cstdint>

namespace aerogpu {
namespace {

using namespace test;

constexpr std::size_t page = 4096;
constexpr std::size_t record = 4 + page;

auto saved_pages(byte_vector vram) -> byte_vector {
  snapshot_writer out;
  save_vram(vram, out);
  REQUIRE(out.why().code == error_code::none);
  return {out.bytes().begin(), out.bytes().end()};
}

/// What is wrong with a section for `vram_bytes` of video memory.
auto fault_of(const byte_vector& section, std::size_t vram_bytes) -> error {
  snapshot_reader in{section};
  check_vram(section, vram_bytes, in);
  return in.why();
}

/// Records of pages of ones with these numbers.
auto records(std::initializer_list<std::uint32_t> numbers) -> byte_vector {
  byte_vector section;
  for (const std::uint32_t number : numbers) {
    byte_vector one = test::filled(record, 1);
    store(one.data(), number);
    section.insert(section.end(), one.begin(), one.end());
  }
  return section;
}

}  // namespace

TEST_CASE("pages that are not zero are saved by rising number", "[device][snapshot]") {
  byte_vector vram(4 * page);
  vram[page] = std::byte{5};          // The first byte of page 1,
  vram[4 * page - 1] = std::byte{7};  // and the last of page 3.
  const byte_vector section = saved_pages(vram);
  REQUIRE(section.size() == 2 * record);
  CHECK(load<std::uint32_t>(section.data()) == 1);
  CHECK(section[4] == std::byte{5});
  CHECK(section[5] == std::byte{0});
  CHECK(load<std::uint32_t>(section.data() + record) == 3);
  CHECK(section.back() == std::byte{7});
  CHECK(saved_pages(byte_vector(4 * page)).empty());
  CHECK(saved_pages({}).empty());
}

TEST_CASE("a page of one value is zero only when that is 0", "[device][snapshot]") {
  CHECK(saved_pages(test::filled(page, 0)).empty());
  CHECK(saved_pages(test::filled(page, 9)).size() == record);
  CHECK(saved_pages(test::filled(1, 0)).empty());
  CHECK(saved_pages(test::filled(1, 9)).size() == record);
}

TEST_CASE("a last page that is cut is saved with zeros behind it", "[device][snapshot]") {
  const byte_vector section = saved_pages(test::filled(page + 3, 9));
  REQUIRE(section.size() == 2 * record);
  CHECK(part_of(section, record + 4, 4) == bytes_from({9, 9, 9, 0}));
  CHECK(part_of(section, record + 4 + 3, page - 3) == test::filled(page - 3, 0));
}

TEST_CASE("loading replaces every page, saved or not", "[device][snapshot]") {
  byte_vector vram(3 * page + 10);
  overwrite(vram, page, counting(page));
  overwrite(vram, 3 * page, counting(10));
  byte_vector other = test::filled(vram.size(), 0xEE);
  load_vram(saved_pages(vram), other);
  CHECK(other == vram);
  load_vram({}, other);
  CHECK(other == byte_vector(vram.size()));
}

TEST_CASE("a writer without room saves no half page", "[device][snapshot]") {
  byte_vector vram = test::filled(page, 1);
  snapshot_writer out{record - 1};
  save_vram(vram, out);
  CHECK(out.why().code == error_code::out_of_memory);
  CHECK(out.bytes().size() == 4);
}

TEST_CASE("a section of video memory is whole records that rise and lie inside",
          "[device][snapshot]") {
  CHECK(fault_of({}, 0).code == error_code::none);
  CHECK(fault_of(records({0, 1, 3}), 4 * page).code == error_code::none);
  CHECK(fault_of(records({1}), page + 1).code == error_code::none);
  const auto check_corrupt = [](const error& why, std::uint64_t detail, std::uint64_t limit) {
    INFO(why.what);
    CHECK(why.code == error_code::corrupt);
    CHECK(why.detail == detail);
    CHECK(why.limit == limit);
  };
  check_corrupt(fault_of(test::filled(record - 1, 0), page), record - 1, record);
  check_corrupt(fault_of(test::filled(record + 1, 0), page), record + 1, record);
  check_corrupt(fault_of(records({1, 1}), 4 * page), 1, 2);
  check_corrupt(fault_of(records({3, 2}), 4 * page), 2, 4);
  check_corrupt(fault_of(records({4}), 4 * page), 4, 4);
  check_corrupt(fault_of(records({1}), page), 1, 1);
  check_corrupt(fault_of(records({0, 2}), page + 1), 2, 2);
}

}  // namespace aerogpu
