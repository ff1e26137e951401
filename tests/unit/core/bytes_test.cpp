// SPDX-License-Identifier: MIT
// Tests of aerogpu/core/bytes.hpp.
#include "aerogpu/core/bytes.hpp"

#include "tests/catch.hpp"

#include <array>

using namespace aerogpu;

TEST_CASE("load and store work at every alignment and are little-endian", "[core]") {
  std::array<std::byte, 16> bytes{};
  for (std::size_t at = 0; at < 8; ++at) {
    store(bytes.data() + at, std::uint64_t{0x0807060504030201ull});
    CHECK(load<std::uint8_t>(bytes.data() + at) == 1);
    CHECK(load<std::uint32_t>(bytes.data() + at) == 0x04030201u);
    CHECK(load<std::uint64_t>(bytes.data() + at) == 0x0807060504030201ull);
  }
}

TEST_CASE("copy_bytes accepts empty ranges without storage", "[core]") {
  copy_bytes({}, {});
  std::array<std::byte, 2> to{};
  const std::array<std::byte, 2> from{std::byte{1}, std::byte{2}};
  copy_bytes(to, from);
  CHECK(to == from);
}

TEST_CASE("copy_registers copies any number of registers, and nothing beside them", "[core]") {
  for (std::size_t count = 0; count <= 20; ++count) {
    std::array<std::byte, 16 * 22> from{};
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 7 + 1);
    std::array<std::byte, 16 * 22> to{};
    auto expected = to;
    copy_bytes(std::span{expected}.subspan(3, count * 16), std::span{from}.subspan(5, count * 16));
    copy_registers(to.data() + 3, std::span{from}.subspan(5, count * 16));
    CHECK(to == expected);
  }
}

TEST_CASE("bytes_of sees exactly one object, and its mutable twin writes it", "[core]") {
  std::uint32_t value = 0x01020304;
  CHECK(bytes_of(value).size() == 4);
  CHECK(bytes_of(value)[0] == std::byte{4});
  mutable_bytes_of(value)[3] = std::byte{0xFF};
  CHECK(value == 0xFF020304);
}

TEST_CASE("float bit patterns survive the round trip, NaN payloads included", "[core]") {
  for (const std::uint32_t bits :
       {0x00000000u, 0x3F800000u, 0x80000000u, 0x7FC12345u, 0x00000001u}) {
    CHECK(as_bits(as_float(bits)) == bits);
  }
}
