// SPDX-License-Identifier: MIT
// Helpers of the suite.
#include "tests/shaders/shader_suite.hpp"

#include "d3d9_to_spirv/assembly/assemble.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <sstream>

namespace aerogpu::test {

auto device() -> shader_device& {
  return *shader_device::find();
}

auto program_of(std::string_view text) -> d3d9::program {
  const auto tokens = d3d9::assemble(text);
  INFO(text << "\nline " << tokens.why().detail << ": " << tokens.why().what);
  REQUIRE(tokens);
  auto parsed = d3d9::parse(std::as_bytes(std::span{*tokens}));
  INFO("token " << parsed.why().offset / 4 << ": " << parsed.why().what);
  REQUIRE(parsed);
  return *std::move(parsed);
}

auto translated(std::string_view text, const d3d9::translate_options& options)
    -> d3d9::translation {
  auto made = d3d9::translate(program_of(text), options);
  INFO(text << "\nbyte " << made.why().offset << ": " << made.why().what);
  REQUIRE(made);
  return *std::move(made);
}

/// Where a shader has subroutines its result is stored in front of main's `ret`.
auto with_result(std::string_view body, std::string_view store) -> std::string {
  const std::size_t main_end = std::min(body.find("ret\nlabel"), body.size());
  std::string text{body.substr(0, main_end)};
  if (!text.empty() && text.back() != '\n') text += '\n';
  return text + std::string{store} + std::string{body.substr(main_end)} + "\n";
}

auto run_body(std::string_view version, std::string_view body,
              const d3d9::constant_block& constants) -> float4 {
  const bool is_sm1_pixel = version.starts_with("ps_1");
  const bool is_vs_3 = version.starts_with("vs_3");
  std::string text = std::string{version} + "\n";
  if (version[0] == 'p') {
    text += with_result(body, is_sm1_pixel ? "" : "mov oC0, r0\n");
    const shader_code code = code_of(translated(text), constants);
    return device().run_pixel(code, std::vector<varyings>(1)).colors[0][0];
  }
  text += is_vs_3 ? "dcl_position v0\ndcl_position o0\ndcl_texcoord o1\nmov o0, v0\n"
                  : "mov oPos, v0\n";
  text += with_result(body, is_vs_3 ? "mov o1, r0\n" : "mov oT0, r0\n");
  constexpr std::uint32_t texcoord_0 = 2;
  const shader_code code = code_of(translated(text), constants);
  return device().run_vertex(code, std::vector<attributes>(1), 1u << texcoord_0)[0][texcoord_0];
}

auto with_names(std::string_view text,
                std::initializer_list<std::pair<std::string_view, std::string_view>> names)
    -> std::string {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    std::string_view word = text.substr(at, std::max<std::size_t>(end - at, 1));
    at += word.size();
    for (const auto& [name, value] : names) {
      if (word == name) {
        word = value;
        break;
      }
    }
    out += word;
  }
  return out;
}

auto split(std::string_view list) -> std::vector<std::string> {
  std::istringstream in{std::string{list}};
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

}  // namespace aerogpu::test
