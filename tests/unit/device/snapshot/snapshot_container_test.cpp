// SPDX-License-Identifier: MIT
#include "aerogpu/device/snapshot/snapshot_container.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace aerogpu {
namespace {

using namespace test;
using entries = std::vector<aerogpu::detail::snapshot_entry>;

/// Ends the bytes with a right checksum.
auto with_checksum(snapshot_writer& out) -> byte_vector {
  out.put(crc32(out.bytes()));
  REQUIRE(out.why().code == error_code::none);
  return {out.bytes().begin(), out.bytes().end()};
}

/// A snapshot of these sections, whose directory says it has `count`.
auto snapshot_of(const entries& directory, std::uint32_t count, std::size_t content_bytes = 0)
    -> byte_vector {
  snapshot_writer out;
  out.put(snapshot_magic);
  out.put(snapshot_version);
  out.put(std::uint32_t{0});
  out.put_bytes(counting(content_bytes));
  for (const auto& entry : directory) {
    out.put(entry.section);
    out.put(entry.reserved);
    out.put(entry.offset);
    out.put(entry.size);
  }
  out.put(count);
  return with_checksum(out);
}

/// Empty sections with numbers from 100 on.
auto empty_sections(std::uint32_t count) -> byte_vector {
  entries directory;
  for (std::uint32_t i = 0; i < count; ++i) {
    directory.push_back({static_cast<snapshot_section>(100 + i), 0, 16, 0});
  }
  return snapshot_of(directory, count);
}

auto code_of(const byte_vector& bytes) -> error_code {
  const auto parsed = snapshot_sections::parse(bytes);
  return parsed ? error_code::none : parsed.why().code;
}

}  // namespace

TEST_CASE("a snapshot has 64 sections at most", "[device][snapshot]") {
  const auto full = empty_sections(64);
  const auto sections = snapshot_sections::parse(full);
  REQUIRE(sections);
  CHECK(sections->has(static_cast<snapshot_section>(100)));
  CHECK(sections->has(static_cast<snapshot_section>(163)));
  CHECK_FALSE(sections->has(static_cast<snapshot_section>(164)));
  CHECK(code_of(empty_sections(65)) == error_code::corrupt);
  CHECK(code_of(empty_sections(100)) == error_code::corrupt);
  CHECK(code_of(empty_sections(0)) == error_code::none);
}

TEST_CASE("a directory lies between the header and the footer", "[device][snapshot]") {
  const entries one{{snapshot_section::fences, 0, 16, 0}};
  CHECK(code_of(snapshot_of(one, 1)) == error_code::none);
  CHECK(code_of(snapshot_of(one, 2)) == error_code::corrupt);
  CHECK(code_of(snapshot_of({}, 1)) == error_code::corrupt);
  CHECK(code_of(snapshot_of({}, UINT32_MAX)) == error_code::corrupt);
}

TEST_CASE("a section lies in front of the directory", "[device][snapshot]") {
  const auto with = [](std::uint64_t offset, std::uint64_t size) {
    return code_of(snapshot_of({{snapshot_section::fences, 0, offset, size}}, 1, 8));
  };
  CHECK(with(16, 8) == error_code::none);
  CHECK(with(24, 0) == error_code::none);
  CHECK(with(16, 9) == error_code::corrupt);
  CHECK(with(17, 8) == error_code::corrupt);
  CHECK(with(25, 0) == error_code::corrupt);
  CHECK(with(UINT64_MAX, 2) == error_code::corrupt);
}

TEST_CASE("a section has the bytes that its entry says", "[device][snapshot]") {
  const auto bytes = snapshot_of(
      {{snapshot_section::fences, 0, 18, 4}, {snapshot_section::captured, 0, 16, 1}}, 2, 8);
  const auto sections = snapshot_sections::parse(bytes);
  REQUIRE(sections);
  const const_bytes fences = sections->bytes(snapshot_section::fences);
  CHECK(fences.data() == bytes.data() + 18);
  CHECK(fences.size() == 4);
  CHECK(sections->bytes(snapshot_section::captured).size() == 1);
  CHECK(sections->bytes(snapshot_section::deferred).empty());
}

TEST_CASE("a section that occurs twice is corrupt", "[device][snapshot]") {
  const aerogpu::detail::snapshot_entry fences{snapshot_section::fences, 0, 16, 0};
  CHECK(code_of(snapshot_of({fences, fences}, 2)) == error_code::corrupt);
}

TEST_CASE("what is built is parsed, wherever it stands in the writer", "[device][snapshot]") {
  const std::size_t before = GENERATE(0u, 5u);
  snapshot_writer out;
  out.put_bytes(counting(before));
  snapshot_builder builder{out};
  builder.begin(snapshot_section::fences);
  out.put(std::uint32_t{7});
  builder.begin(snapshot_section::latches);
  builder.begin(snapshot_section::flip);
  out.put(std::uint8_t{9});
  builder.finish();
  const auto sections = snapshot_sections::parse(out.bytes().subspan(before));
  REQUIRE(sections);
  const const_bytes fences = sections->bytes(snapshot_section::fences);
  REQUIRE(fences.size() == 4);
  CHECK(load<std::uint32_t>(fences.data()) == 7);
  CHECK(sections->has(snapshot_section::latches));
  CHECK(sections->bytes(snapshot_section::latches).empty());
  REQUIRE(sections->bytes(snapshot_section::flip).size() == 1);
  CHECK(sections->bytes(snapshot_section::flip)[0] == std::byte{9});
}

TEST_CASE("a builder holds every section there is and more", "[device][snapshot]") {
  snapshot_writer out;
  snapshot_builder builder{out};
  for (std::uint32_t i = 1; i <= 16; ++i) builder.begin(static_cast<snapshot_section>(i));
  builder.finish();
  const auto sections = snapshot_sections::parse(out.bytes());
  REQUIRE(sections);
  for (std::uint32_t i = 1; i <= 16; ++i) {
    CHECK(sections->has(static_cast<snapshot_section>(i)));
  }
}

TEST_CASE("short bytes, another magic, version or checksum are told apart", "[device][snapshot]") {
  const auto good = empty_sections(0);
  REQUIRE(good.size() == 24);
  CHECK(code_of(part_of(good, 0, 23)) == error_code::corrupt);
  CHECK(code_of({}) == error_code::corrupt);
  for (std::size_t i = 0; i < good.size(); ++i) {
    CAPTURE(i);
    byte_vector bytes = good;
    bytes[i] ^= std::byte{0x40};
    const bool is_version = i >= 8 && i < 12;
    CHECK(code_of(bytes) == (is_version ? error_code::bad_version : error_code::corrupt));
  }
}

}  // namespace aerogpu
