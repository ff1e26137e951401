// SPDX-License-Identifier: MIT
/// \file Shaders as text and as tokens, for the tests of the Direct3D 9 front end.
#pragma once

#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "d3d9_to_spirv/assembly/disassemble.hpp"
#include "d3d9_to_spirv/program.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aerogpu::d3d9::test {

using tokens = std::vector<std::uint32_t>;

inline constexpr std::uint32_t end = 0x0000FFFF;

/// Every version there is, with its name.
inline constexpr std::array<std::pair<std::uint32_t, std::string_view>, 17> versions{{
    {0xFFFE0100, "vs_1_0"},
    {0xFFFE0101, "vs_1_1"},
    {0xFFFE0200, "vs_2_0"},
    {0xFFFE0201, "vs_2_x"},
    {0xFFFE02FF, "vs_2_sw"},
    {0xFFFE0300, "vs_3_0"},
    {0xFFFE03FF, "vs_3_sw"},
    {0xFFFF0100, "ps_1_0"},
    {0xFFFF0101, "ps_1_1"},
    {0xFFFF0102, "ps_1_2"},
    {0xFFFF0103, "ps_1_3"},
    {0xFFFF0104, "ps_1_4"},
    {0xFFFF0200, "ps_2_0"},
    {0xFFFF0201, "ps_2_x"},
    {0xFFFF02FF, "ps_2_sw"},
    {0xFFFF0300, "ps_3_0"},
    {0xFFFF03FF, "ps_3_sw"},
}};

[[nodiscard]] inline auto parse_tokens(const tokens& shader) -> result<program> {
  return parse(std::as_bytes(std::span{shader}));
}

/// What the text assembles to.
[[nodiscard]] inline auto assembled(std::string_view text) -> tokens {
  auto shader = assemble(text);
  INFO(text << "\nline " << shader.why().detail << ": " << shader.why().what);
  REQUIRE(shader);
  return *std::move(shader);
}

/// The program that the text means.
[[nodiscard]] inline auto program_of(std::string_view text) -> program {
  auto parsed = parse_tokens(assembled(text));
  INFO(text << "\ntoken " << parsed.why().offset / 4 << ": " << parsed.why().what);
  REQUIRE(parsed);
  return *std::move(parsed);
}

/// The program that the tokens mean.
[[nodiscard]] inline auto program_of(const tokens& shader) -> program {
  auto parsed = parse_tokens(shader);
  INFO("token " << parsed.why().offset / 4 << ": " << parsed.why().what);
  REQUIRE(parsed);
  return *std::move(parsed);
}

/// What is wrong with a shader, and where: "3 register type is unknown".
[[nodiscard]] inline auto complaint(const tokens& shader) -> std::string {
  const auto parsed = parse_tokens(shader);
  if (parsed) return "";
  return std::to_string(parsed.why().offset / 4) + " " + parsed.why().what;
}
[[nodiscard]] inline auto complaint(std::string_view text) -> std::string {
  return complaint(assembled(text));
}

}  // namespace aerogpu::d3d9::test
