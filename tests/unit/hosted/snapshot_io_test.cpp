// SPDX-License-Identifier: MIT
#include "aerogpu/hosted/snapshot_io.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

using namespace aerogpu;

namespace {

enum class color : std::uint8_t { red, green, blue };

}  // namespace

TEST_CASE("what was written is read", "[snapshot_io]") {
  snapshot_writer out;
  out.put(true);
  out.put(std::uint64_t{0x123456789ABCDEF0});
  out.put(-1.5f);
  out.put(color::blue);
  out.put_bytes(bytes_of(std::uint32_t{7}));
  REQUIRE(out.why().code == error_code::none);

  snapshot_reader in{out.bytes()};
  CHECK(in.take<bool>());
  CHECK(in.take<std::uint64_t>() == 0x123456789ABCDEF0);
  CHECK(in.take<float>() == -1.5f);
  CHECK(in.take_enum(color::blue) == color::blue);
  const const_bytes rest = in.take_bytes(4);
  REQUIRE(rest.size() == 4);
  CHECK(load<std::uint32_t>(rest.data()) == 7);
  CHECK(in.is_good());
  CHECK(in.left() == 0);
}

TEST_CASE("a writer stops at its limit and says so", "[snapshot_io]") {
  snapshot_writer out{8};
  out.put(std::uint64_t{1});
  CHECK(out.why().code == error_code::none);
  out.put(std::uint8_t{1});
  CHECK(out.why().code == error_code::out_of_memory);
  CHECK(out.extend(0).empty());
  CHECK(out.bytes().size() == 8);
}

TEST_CASE("what a writer expects does not move as it grows", "[snapshot_io]") {
  constexpr std::size_t size = 1 << 20;
  snapshot_writer out;
  out.put(std::uint32_t{7});
  out.expect(size);
  out.put(std::uint32_t{8});
  const std::byte* const at = out.bytes().data();
  out.put_bytes(test::counting(size - 4));
  CHECK(out.bytes().data() == at);
  CHECK(load<std::uint32_t>(out.bytes().data()) == 7);
  out.put(std::uint32_t{9});
  CHECK(out.bytes().size() == size + 8);
}

TEST_CASE("a writer expects no more than its limit, and what no heap has is out of memory",
          "[snapshot_io]") {
  snapshot_writer small{16};
  small.expect(UINT64_MAX);
  small.put(std::uint64_t{1});
  small.put(std::uint64_t{2});
  CHECK(small.why().code == error_code::none);
  snapshot_writer large;
  large.put(std::uint64_t{1});
  large.expect(UINT64_MAX / 2);
  CHECK(large.why().code == error_code::out_of_memory);
  REQUIRE(large.bytes().size() == 8);
  CHECK(load<std::uint64_t>(large.bytes().data()) == 1);
}

TEST_CASE("a size that no heap has is out of memory", "[snapshot_io]") {
  snapshot_writer out;
  out.put(std::uint8_t{1});
  CHECK(out.extend(UINT64_MAX / 2).empty());
  CHECK(out.why().code == error_code::out_of_memory);
}

TEST_CASE("the first failure of a writer stays", "[snapshot_io]") {
  snapshot_writer out;
  out.fail(make_error(error_code::device_lost, "first"));
  out.fail(make_error(error_code::internal, "second"));
  out.put(std::uint32_t{1});
  CHECK(out.why().code == error_code::device_lost);
  CHECK(out.bytes().empty());
}

TEST_CASE("a writer that is taken back forgets bytes and failure, and goes on", "[snapshot_io]") {
  snapshot_writer out;
  out.put(std::uint32_t{1});
  out.put(std::uint32_t{2});
  out.fail(make_error(error_code::device_lost, "first"));
  out.rewind(4);
  CHECK(out.why().code == error_code::none);
  out.put(std::uint8_t{3});
  snapshot_reader in{out.bytes()};
  CHECK(in.take<std::uint32_t>() == 1);
  CHECK(in.take<std::uint8_t>() == 3);
  CHECK(in.left() == 0);
}

TEST_CASE("a reader past the end is corrupt, and returns zero from then on", "[snapshot_io]") {
  const std::array bytes{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}, std::byte{5}};
  snapshot_reader in{bytes};
  CHECK(in.take<std::uint32_t>() == 0x04030201);
  CHECK(in.take<std::uint32_t>() == 0);
  CHECK(in.why().code == error_code::corrupt);
  CHECK(in.why().offset == 4);
  CHECK(in.take<std::uint8_t>() == 0);
}

TEST_CASE("a count is bounded by its limit and by the bytes that are left", "[snapshot_io]") {
  const auto [count, limit, is_good] = GENERATE(table<std::uint32_t, std::uint64_t, bool>({
      {0, 0, true},
      {4, 4, true},
      {5, 4, false},
      {5, 100, false},
      {UINT32_MAX, UINT64_MAX, false},
  }));
  snapshot_writer out;
  out.put(count);
  for (int i = 0; i < 4; ++i) out.put(std::uint32_t{0});
  snapshot_reader in{out.bytes()};
  CHECK(in.take_count(limit, 4) == (is_good ? count : 0));
  CHECK(in.is_good() == is_good);
}

TEST_CASE("a flag of 2 and an enumerator past the last are corrupt", "[snapshot_io]") {
  const std::array bytes{std::byte{2}, std::byte{3}};
  snapshot_reader flag{bytes};
  CHECK_FALSE(flag.take<bool>());
  CHECK_FALSE(flag.is_good());
  snapshot_reader enumerator{const_bytes{bytes}.subspan(1)};
  CHECK(enumerator.take_enum(color::blue) == color::red);
  CHECK_FALSE(enumerator.is_good());
}
