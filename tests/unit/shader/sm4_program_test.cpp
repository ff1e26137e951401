// SPDX-License-Identifier: MIT
#include "aerogpu/shader/sm4_program.hpp"

#include "aerogpu/shader/dxbc_container.hpp"
#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <cstdint>
#include <vector>

namespace aerogpu {
namespace {

using namespace test;
using words = std::vector<std::uint32_t>;

auto parse_tokens(const words& tokens) -> result<sm4_program> {
  return parse_sm4_program(std::as_bytes(std::span{tokens}));
}

/// A vertex shader 4.0 of these instructions.
auto program_of(words instructions) -> result<sm4_program> {
  const auto size = static_cast<std::uint32_t>(instructions.size() + 2);
  instructions.insert(instructions.begin(), {0x00010040, size});
  return parse_tokens(instructions);
}

void check_refused(const error& why, std::uint32_t offset, std::uint64_t detail,
                   std::uint64_t limit) {
  INFO(why.what);
  CHECK(why.code == error_code::invalid_parameter);
  CHECK(why.offset == offset);
  CHECK(why.detail == detail);
  CHECK(why.limit == limit);
}

/// A container of `chunks` chunks of `chunk_bytes` content, the bytes behind its header and table.
auto container_of(std::uint32_t chunks, std::uint32_t chunk_bytes) -> words {
  words all{dxbc_magic, 0, 0, 0, 0, 1, 0, chunks};
  for (std::uint32_t i = 0; i < chunks; ++i) all.push_back(32 + 4 * chunks + i * (8 + chunk_bytes));
  for (std::uint32_t i = 0; i < chunks; ++i) {
    all.push_back(fourcc("CHK0") + (i << 24));
    all.push_back(chunk_bytes);
    all.resize(all.size() + chunk_bytes / 4, 0xC0 + i);
  }
  all[6] = static_cast<std::uint32_t>(all.size() * 4);
  return all;
}

auto parse_container(const words& all) -> result<dxbc_container> {
  return dxbc_container::parse(std::as_bytes(std::span{all}));
}

}  // namespace

TEST_CASE("a version token names stage, major and minor", "[sm4_program]") {
  const auto [type, stage] =
      GENERATE(table<std::uint32_t, shader_stage>({{0, shader_stage::pixel},
                                                   {1, shader_stage::vertex},
                                                   {2, shader_stage::geometry},
                                                   {3, shader_stage::hull},
                                                   {4, shader_stage::domain},
                                                   {5, shader_stage::compute}}));
  const auto program = parse_tokens({type << 16 | 0x51, 2});
  REQUIRE(program);
  CHECK(program->stage == stage);
  CHECK(program->major == 5);
  CHECK(program->minor == 1);
  CHECK(program->is_walkable);
  CHECK(program->input_control_points == 0);
}

TEST_CASE("a header that is cut, unknown or too long is refused", "[sm4_program]") {
  check_refused(parse_tokens({}).why(), 0, 0, 0);
  check_refused(parse_tokens({0x00010040}).why(), 0, 4, 0);
  check_refused(parse_tokens({0x00060040, 2}).why(), 0, 0x00060040, 0);
  check_refused(parse_tokens({0x00010040, 1}).why(), 0, 1, 2);
  check_refused(parse_tokens({0x00010040, 3}).why(), 0, 3, 2);
  CHECK(parse_tokens({0x00010040, 2, 0xFFFFFFFF}));  // Tokens behind the end.
}

TEST_CASE("instructions are walked by their lengths to the end", "[sm4_program]") {
  const auto walks = [](words instructions) {
    const auto program = program_of(std::move(instructions));
    REQUIRE(program);
    return program->is_walkable;
  };
  CHECK(walks({0x0100003E}));                             // ret
  CHECK(walks({0x03000036, 1, 2, 0x0100003E}));           // mov, ret
  CHECK_FALSE(walks({0x0000003E}));                       // no length
  CHECK_FALSE(walks({0x0200003E}));                       // past the end
  CHECK(walks({0x81000036}));                             // the length has 7 bits
  CHECK(walks({0x00000035, 3, 0xFFFFFFFF, 0x0100003E}));  // custom data: its own length
  CHECK(walks({0x7F000835, 2}));                          // of any class
  CHECK_FALSE(walks({0x00000035, 0}));
  CHECK_FALSE(walks({0x00000035, 4, 0}));
  CHECK_FALSE(walks({0x00000035}));
}

TEST_CASE("a stream other than 0 is refused where it is used or declared", "[sm4_program]") {
  for (const std::uint32_t opcode : {0x75u, 0x76u, 0x77u, 0x8Fu}) {
    INFO(opcode);
    CHECK(program_of({0x03000000 | opcode, 0, 0}));
    check_refused(program_of({0x0100003E, 0x03000000 | opcode, 0, 2}).why(), 12, 2, 0);
    CHECK(program_of({0x02000000 | opcode, 7}));  // Names none.
  }
  for (const std::uint32_t opcode : {0x74u, 0x78u, 0x8Eu, 0x90u}) {
    CHECK(program_of({0x03000000 | opcode, 0, 2}));
  }
}

TEST_CASE("control points are six bits of their declaration", "[sm4_program]") {
  const auto points = [](std::uint32_t token) { return program_of({token})->input_control_points; };
  CHECK(points(0x01000093 | 4u << 11) == 4);
  CHECK(points(0x01000093 | 32u << 11) == 32);
  CHECK(points(0x01000093 | 0x7Fu << 11) == 63);
  CHECK(points(0x01000092 | 4u << 11) == 0);
}

TEST_CASE("a container finds the first chunk of a name", "[sm4_program]") {
  const words all = container_of(3, 8);
  const auto container = parse_container(all);
  REQUIRE(container);
  CHECK(container->bytes().size() == all.size() * 4);
  for (std::uint32_t i = 0; i < 3; ++i) {
    const const_bytes chunk = container->find(fourcc("CHK0") + (i << 24));
    REQUIRE(chunk.size() == 8);
    CHECK(load<std::uint32_t>(chunk.data()) == 0xC0 + i);
  }
  CHECK(container->find(fourcc("NONE")).data() == nullptr);
  CHECK(container->find(fourcc("DXBC")).data() == nullptr);
  CHECK(fourcc("ABCD") == 0x44434241);
}

TEST_CASE("a container that says what is not so is refused with its place", "[sm4_program]") {
  const words good = container_of(2, 8);
  const auto size = static_cast<std::uint32_t>(good.size() * 4);
  const auto with = [&](std::size_t word, std::uint32_t value) {
    words all = good;
    all[word] = value;
    return parse_container(all);
  };
  const auto bytes = std::as_bytes(std::span{good});
  check_refused(dxbc_container::parse(bytes.first(31)).why(), 0, 31, 32);
  check_refused(with(6, 31).why(), 24, 31, size);
  check_refused(with(6, size + 1).why(), 24, size + 1, size);
  check_refused(with(7, 4097).why(), 28, 4097, 4096);
  check_refused(with(7, 11).why(), 28, 11, size);
  check_refused(with(8, size - 7).why(), 32, size - 7, size);
  check_refused(with(9, 0xFFFFFFFF).why(), 36, 0xFFFFFFFF, size);
  check_refused(with(15, 9).why(), 36, 56, size);  // The second chunk is a byte longer.
  CHECK(with(15, 7));
  CHECK(with(6, size));
  CHECK(dxbc_container::is_container(bytes));
  CHECK_FALSE(dxbc_container::is_container(bytes.first(3)));
  CHECK_FALSE(dxbc_container::is_container(bytes.subspan(4)));
}

}  // namespace aerogpu
