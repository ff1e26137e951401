// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/program/container.hpp"

#include "dxbc_to_spirv/compile.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/byte_code/shaders.hpp"

using namespace aerogpu;
namespace sm4 = aerogpu::test::sm4;

namespace {

auto code_of_taking(const test::byte_vector& bytes) -> error_code {
  return dxbc::parse_container(bytes).why().code;
}

}  // namespace

TEST_CASE("a container that is put together again has the same parts and a right checksum") {
  for (const auto& [name, bytes] : sm4::samples()) {
    INFO(name);
    const auto parts = dxbc::parse_container(bytes);
    REQUIRE(parts);
    const auto again = dxbc::put_together(*parts);
    REQUIRE(again);
    const auto same = dxbc::parse_container(again->view());
    REQUIRE(same);
    CHECK(same->tokens == parts->tokens);
    CHECK(same->inputs.size() == parts->inputs.size());
    CHECK(same->patch_constants.size() == parts->patch_constants.size());
    CHECK(load<std::array<std::uint32_t, 4>>(again->data() + 4) ==
          test::dxbc_checksum(again->view()));
  }
}

TEST_CASE("a container with a wrong checksum is compiled") {
  auto bytes = sm4::vs_passing();
  const auto right = dxbc::compile(bytes);
  for (std::size_t i = 4; i < 20; ++i) bytes[i] = std::byte{0};
  const auto repaired = dxbc::compile(bytes);
  REQUIRE(right);
  REQUIRE(repaired);
  CHECK(repaired->words == right->words);
}

TEST_CASE("every cut of a container is refused") {
  const auto bytes = sm4::ps_textured();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK(code_of_taking(test::part_of(bytes, 0, size)) == error_code::invalid_parameter);
  }
}

TEST_CASE("a malformed header of a container is refused") {
  const auto [offset, value] = GENERATE(table<std::size_t, std::uint32_t>({
      {0, 0x43425845u},   // Magic.
      {24, 0xFFFFFFFFu},  // Total size.
      {28, 5000u},        // Chunk count.
      {32, 0xFFFFFFF0u},  // First chunk.
  }));
  auto bytes = sm4::vs_passing();
  store(bytes.data() + offset, value);
  CHECK(code_of_taking(bytes) == error_code::invalid_parameter);
}

TEST_CASE("a malformed signature is refused") {
  const auto [offset, value] = GENERATE(table<std::size_t, std::uint32_t>({
      {0, 65u},          // Count.
      {0, 0x10000000u},  // Count.
      {4, 0xFFFFFFFFu},  // Table.
      {8, 0xFFFFFFFFu},  // Name.
      {20, 4u},          // Type.
      {24, 32u},         // Register.
      {28, 0u},          // Mask.
  }));
  auto signature = test::make_signature({sm4::position_in});
  store(signature.data() + offset, value);
  const auto code = sm4::program{sm4::program_type::vertex, 4}.op(sm4::ret).tokens();
  const auto bytes = test::make_sm4("SHDR", signature, test::make_signature({}), code);
  CHECK(code_of_taking(bytes) == error_code::invalid_parameter);
}

TEST_CASE("the newer signature chunks are read like the old ones") {
  test::byte_vector newer(8 + 32);
  store(newer.data(), std::array<std::uint32_t, 10>{1, 8, 0, 40, 0, 0, 3, 5, 0x0F0F, 0});
  for (const char c : std::string_view{"POSITION"}) newer.push_back(static_cast<std::byte>(c));
  newer.push_back(std::byte{0});
  const auto code = sm4::program{sm4::program_type::vertex, 4}.op(sm4::ret).tokens();
  const auto parts =
      dxbc::parse_container(test::make_dxbc({{"ISG1", newer}, {"SHDR", test::token_bytes(code)}}));
  REQUIRE(parts);
  REQUIRE(parts->inputs.size() == 1);
  CHECK(parts->inputs[0].name.view() == "POSITION");
  CHECK(parts->inputs[0].register_number == 5);
  CHECK(parts->inputs[0].mask == 0xF);
}

TEST_CASE("an element without a type is taken for a float") {
  const auto code = sm4::program{sm4::program_type::vertex, 4}.op(sm4::ret).tokens();
  const auto parts = dxbc::parse_container(
      test::make_sm4("SHDR", test::make_signature({{"POSITION", 0, 0, 0, 0, 0xF, 0xF}}), {}, code));
  // An empty chunk is no signature.
  CHECK(parts.why().code == error_code::invalid_parameter);
  const auto whole = dxbc::parse_container(
      test::make_sm4("SHDR", test::make_signature({{"POSITION", 0, 0, 0, 0, 0xF, 0xF}}),
                     test::make_signature({}), code));
  REQUIRE(whole);
  CHECK(whole->inputs[0].type == sm4::is_float);
}

TEST_CASE("Direct3D 9 tokens in a container are unsupported") {
  CHECK(code_of_taking(test::make_dxbc({{"SHDR", test::vs_2_0_position()}})) ==
        error_code::unsupported);
}

TEST_CASE("instructions whose length is not where Direct3D puts it are unsupported") {
  // mov o0, v0 with opcode 1 and the length in bits 11 and up.
  const auto bytes = test::make_sm4("SHDR", test::make_signature({sm4::position_in}),
                                    test::make_signature({sm4::position_out}),
                                    {0x00010040, 7, 1u | 5u << 11, 0, 0, 0, 0});
  CHECK(code_of_taking(bytes) == error_code::unsupported);
}

TEST_CASE("shader models that there are not, or not yet, are unsupported") {
  const auto [major, minor] =
      GENERATE(table<std::uint32_t, std::uint32_t>({{3, 0}, {4, 2}, {5, 1}, {6, 0}}));
  const auto code = sm4::program{sm4::program_type::vertex, major, minor}.op(sm4::ret).tokens();
  CHECK(code_of_taking(test::make_sm4("SHEX", test::make_signature({}), test::make_signature({}),
                                      code)) == error_code::unsupported);
}
