// SPDX-License-Identifier: MIT
// Tests of tests/support/byte_code/dxbc_container.hpp and of the shaders built with it.
#include "tests/support/byte_code/dxbc_container.hpp"

#include "aerogpu/core/bytes.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_code/shaders.hpp"

#include <cstdint>
#include <vector>

using namespace aerogpu;
using namespace aerogpu::test;

TEST_CASE("the container checksum is what real tools accept, short and long tails", "[support]") {
  const auto [container, checksum] = GENERATE(table<byte_vector, byte_vector>({
      {make_dxbc({}), bytes_from({0xFE, 0x86, 0x07, 0x4C, 0x40, 0x2F, 0xC2, 0xE9, 0x0E, 0x0F, 0x4F,
                                  0xA3, 0xBF, 0x06, 0x5B, 0xC0})},
      {make_dxbc({{"SHDR", filled(4, 0)}}),
       bytes_from({0xD4, 0x36, 0x9F, 0xAC, 0xC3, 0xBC, 0x51, 0x7E, 0x8C, 0x21, 0x38, 0x52, 0x49,
                   0x9C, 0xD6, 0xB1})},
      {make_dxbc({{"TEST", counting(0x14, 0)}}),
       bytes_from({0x14, 0xDF, 0x90, 0xCB, 0x12, 0x81, 0xC4, 0x6E, 0x45, 0x5B, 0x47, 0x09, 0x7E,
                   0x8E, 0x74, 0x44})},
      {make_dxbc({{"TEST", counting(0x38, 0)}}),
       bytes_from({0xAE, 0x79, 0x06, 0xEA, 0x98, 0x80, 0xE6, 0x81, 0xFF, 0x54, 0x73, 0x21, 0x7B,
                   0x00, 0x04, 0xA0})},
  }));
  CHECK(part_of(container, 4, 16) == checksum);
}

namespace {

/// The code chunk of a container of three chunks.
auto code_of(const byte_vector& container) -> std::vector<std::uint32_t> {
  const auto at = load<std::uint32_t>(container.data() + 32 + 2 * 4);
  std::vector<std::uint32_t> tokens(load<std::uint32_t>(container.data() + at + 4) / 4);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    tokens[i] = load<std::uint32_t>(container.data() + at + 8 + i * 4);
  }
  return tokens;
}

}  // namespace

TEST_CASE("the SM4 shaders are whole: lengths add up and the last instruction is ret",
          "[support]") {
  const auto container =
      GENERATE(vs_4_0_position(), vs_4_0_origin(), ps_4_0_white(), cs_5_0_nothing(), gs_4_0_point(),
               vs_4_0_transformed(), ps_4_0_textured());
  const auto code = code_of(container);
  REQUIRE(code.size() > 2);
  CHECK(code[1] == code.size());
  std::size_t at = 2, last = 0;
  while (at < code.size()) {
    last = at;
    REQUIRE((code[at] >> 24 & 0x7F) != 0);
    at += code[at] >> 24 & 0x7F;
  }
  CHECK(at == code.size());
  CHECK(code[last] == 0x0100003E);
}

TEST_CASE("the SM2 shaders are whole: lengths lead to the end token", "[support]") {
  const auto bytes = GENERATE(vs_2_0_position(), ps_2_0_white(), ps_2_0_textured());
  std::size_t at = 4;
  while (at < bytes.size() && load<std::uint32_t>(bytes.data() + at) != 0x0000FFFF) {
    at += 4 * (1 + (load<std::uint32_t>(bytes.data() + at) >> 24 & 0xF));
  }
  CHECK(at + 4 == bytes.size());
}
