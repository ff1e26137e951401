// SPDX-License-Identifier: MIT
#include "aerogpu/shader/shader_signature.hpp"

#include "tests/catch.hpp"
#include "tests/support/byte_patterns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aerogpu {
namespace {

using namespace test;

constexpr auto& isgn = aerogpu::detail::isgn_shape;
constexpr auto& isg1 = aerogpu::detail::isg1_shape;

struct chunk_entry {
  std::string_view name = "POSITION";
  std::uint32_t index = 0;
  std::uint32_t system_value = 0;
  std::uint32_t register_index = 0;
};

void append_word(byte_vector& to, std::uint32_t word) {
  const auto bytes = bytes_of(word);
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// The content of a chunk: header, `gap` bytes, entries, names.
auto chunk_of(const std::vector<chunk_entry>& entries, bool is_isg1, std::uint32_t gap = 0)
    -> byte_vector {
  const std::uint32_t entry_size = is_isg1 ? 32 : 24;
  const std::uint32_t table = 8 + gap;
  auto name_at = static_cast<std::uint32_t>(table + entries.size() * entry_size);
  byte_vector chunk;
  append_word(chunk, static_cast<std::uint32_t>(entries.size()));
  append_word(chunk, table);
  chunk.resize(table, std::byte{0xEE});
  for (const chunk_entry& e : entries) {
    if (is_isg1) append_word(chunk, 0xEEEEEEEE);  // Stream.
    for (const std::uint32_t word :
         {name_at, e.index, e.system_value, 3u, e.register_index, 0xFu}) {
      append_word(chunk, word);
    }
    if (is_isg1) append_word(chunk, 0xEEEEEEEE);  // Minimum precision.
    name_at += static_cast<std::uint32_t>(e.name.size()) + 1;
  }
  for (const chunk_entry& e : entries) {
    for (const char c : e.name) chunk.push_back(static_cast<std::byte>(c));
    chunk.push_back(std::byte{0});
  }
  return chunk;
}

void check_input(const vertex_input& input, const chunk_entry& expected) {
  CHECK(input.has_semantic);
  CHECK(input.semantic.name_hash == semantic_name_hash(expected.name));
  CHECK(input.semantic.index == expected.index);
  CHECK(input.register_index == expected.register_index);
}

auto signature_code(const byte_vector& chunk, bool is_isg1 = false) -> error_code {
  const auto parsed = parse_input_signature(chunk, is_isg1 ? isg1 : isgn);
  return parsed ? error_code::none : parsed.why().code;
}

}  // namespace

TEST_CASE("entries of both kinds of signature are read, wherever their table lies",
          "[shader_signature]") {
  const bool is_isg1 = GENERATE(false, true);
  const std::uint32_t gap = GENERATE(0u, 4u, 12u);
  const std::vector<chunk_entry> entries{
      {"POSITION", 0, 0, 0}, {"TEXCOORD", 7, 0, 31}, {"COLOR", 1, 1, 2}};
  const byte_vector chunk = chunk_of(entries, is_isg1, gap);
  const auto inputs = parse_input_signature(chunk, is_isg1 ? isg1 : isgn);
  REQUIRE(inputs);
  REQUIRE(inputs->size() == 3);
  for (std::size_t i = 0; i < 3; ++i) check_input((*inputs)[i], entries[i]);
}

TEST_CASE("values that the hardware makes are no inputs", "[shader_signature]") {
  const auto [system_value, is_input] = GENERATE(table<std::uint32_t, bool>(
      {{0, true}, {1, true}, {5, true}, {6, false}, {7, false}, {8, false}, {9, true}}));
  const byte_vector chunk = chunk_of({{"SV", 0, system_value, 3}}, false);
  const auto inputs = parse_input_signature(chunk, isgn);
  REQUIRE(inputs);
  CHECK(inputs->size() == (is_input ? 1 : 0));
}

TEST_CASE("32 inputs in registers 0 to 31 fit, and one more does not", "[shader_signature]") {
  std::vector<chunk_entry> entries;
  for (std::uint32_t i = 0; i < 32; ++i) entries.push_back({"A", i, 0, i});
  CHECK(signature_code(chunk_of(entries, false)) == error_code::none);
  CHECK(signature_code(chunk_of(entries, true), true) == error_code::none);
  entries.push_back({"A", 32, 0, 0});
  CHECK(signature_code(chunk_of(entries, false)) == error_code::invalid_parameter);
  CHECK(signature_code(chunk_of(entries, true), true) == error_code::invalid_parameter);
  CHECK(signature_code(chunk_of({{"A", 0, 0, 32}}, false)) == error_code::invalid_parameter);
}

TEST_CASE("a signature has 256 entries at most, generated ones among them", "[shader_signature]") {
  std::vector<chunk_entry> entries(256, {"SV_VertexID", 0, 6, 0});
  CHECK(signature_code(chunk_of(entries, false)) == error_code::none);
  entries.push_back(entries[0]);
  CHECK(signature_code(chunk_of(entries, false)) == error_code::invalid_parameter);
}

TEST_CASE("a signature cut anywhere is refused", "[shader_signature]") {
  const bool is_isg1 = GENERATE(false, true);
  const byte_vector chunk = chunk_of({{"POSITION", 0, 0, 0}, {"COLOR", 0, 0, 1}}, is_isg1);
  for (std::size_t size = 0; size < chunk.size(); ++size) {
    CAPTURE(size);
    CHECK(signature_code(part_of(chunk, 0, size), is_isg1) == error_code::invalid_parameter);
  }
  CHECK(signature_code(chunk, is_isg1) == error_code::none);
}

TEST_CASE("a name ends within 256 bytes and inside its chunk", "[shader_signature]") {
  const std::string name(255, 'N');
  CHECK(signature_code(chunk_of({{name, 0, 0, 0}}, false)) == error_code::none);
  const std::string longer(256, 'N');
  CHECK(signature_code(chunk_of({{longer, 0, 0, 0}}, false)) == error_code::invalid_parameter);
  byte_vector chunk = chunk_of({{"P", 0, 0, 0}}, false);
  CHECK(signature_name(chunk, 32) == "P");
  CHECK(signature_name(chunk, 33).data() != nullptr);
  CHECK(signature_name(chunk, 33).empty());
  CHECK(signature_name(chunk, 34).data() == nullptr);
  CHECK(signature_name(chunk, UINT32_MAX).data() == nullptr);
}

}  // namespace aerogpu
