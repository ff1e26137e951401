// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/program/checksum.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_code/dxbc_container.hpp"

using namespace aerogpu;

namespace {

auto hex(const dxbc::checksum& sum) -> std::string {
  constexpr std::string_view digits{"0123456789abcdef"};
  std::string text;
  for (const std::byte b : bytes_of(sum)) {
    text += digits[static_cast<std::size_t>(b >> 4)];
    text += digits[static_cast<std::size_t>(b & std::byte{15})];
  }
  return text;
}

}  // namespace

TEST_CASE("the checksum of known containers is what Direct3D's compiler writes") {
  struct vector {
    std::vector<test::dxbc_chunk> chunks;
    const char* expected;
  };
  const std::vector<vector> vectors{
      {{}, "fe86074c402fc2e90e0f4fa3bf065bc0"},
      {{{"SHDR", test::filled(4, 0)}}, "d4369facc3bc517e8c213852499cd6b1"},
      {{{"TEST", test::counting(20, 0)}}, "14df90cb1281c46e455b47097e8e7444"},
      {{{"TEST", test::counting(56, 0)}}, "ae7906ea9880e681ff5473217b0004a0"}};
  for (const auto& [chunks, expected] : vectors) {
    CHECK(hex(dxbc::checksum_of(test::make_dxbc(chunks))) == expected);
  }
}

TEST_CASE("the padding of the checksum is right at every length of the last block") {
  for (std::size_t size = 0; size < 140; ++size) {
    const auto container = test::make_dxbc({{"TEST", test::counting(size * 4)}});
    CHECK(dxbc::checksum_of(container) == test::dxbc_checksum(container));
  }
}
