// SPDX-License-Identifier: MIT
/// \file Shaders translated from text, and questions about the SPIR-V that comes out.
#pragma once

#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "d3d9_to_spirv/program.hpp"
#include "d3d9_to_spirv/translate.hpp"
#include "tests/catch.hpp"
#include "tests/support/shaders/spirv_tools.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aerogpu::d3d9::test {

using words = std::vector<std::uint32_t>;

/// What the validator says about a module; empty when it is valid.
[[nodiscard]] inline auto complaints(std::span<const std::uint32_t> module) -> std::string {
  return aerogpu::test::spirv_complaints(module, SPV_ENV_VULKAN_1_3);
}

[[nodiscard]] inline auto program_of(std::string_view text) -> program {
  const auto tokens = assemble(text);
  INFO(text << "\nline " << tokens.why().detail << ": " << tokens.why().what);
  REQUIRE(tokens);
  auto parsed = parse(std::as_bytes(std::span{*tokens}));
  INFO("token " << parsed.why().offset / 4 << ": " << parsed.why().what);
  REQUIRE(parsed);
  return *std::move(parsed);
}

/// A translation, with its words as tests ask about them.
struct valid_translation : translation {
  explicit valid_translation(translation&& made)
      : translation(std::move(made)), words(translation::words.begin(), translation::words.end()) {}
  std::vector<std::uint32_t> words;
};

/// A valid module of the text.
[[nodiscard]] inline auto translated(std::string_view text, const translate_options& options = {})
    -> valid_translation {
  auto made = translate(program_of(text), options);
  INFO(text << "\nbyte " << made.why().offset << ": " << made.why().what);
  REQUIRE(made);
  CHECK(complaints(made->words) == "");
  return valid_translation{*std::move(made)};
}

/// Why a text that parses is not translated; code none if it is.
[[nodiscard]] inline auto refusal(std::string_view text, const translate_options& options = {})
    -> error {
  return translate(program_of(text), options).why();
}

/// One instruction of a module.
struct spirv_instruction {
  spv::Op op;
  std::span<const std::uint32_t> operands;
};

[[nodiscard]] inline auto instructions_of(const words& module) -> std::vector<spirv_instruction> {
  constexpr std::size_t header = 5;
  std::vector<spirv_instruction> all;
  for (std::size_t at = header; at < module.size(); at += module[at] >> 16) {
    all.push_back({static_cast<spv::Op>(module[at] & 0xFFFF),
                   std::span{module}.subspan(at + 1, (module[at] >> 16) - 1)});
  }
  return all;
}

[[nodiscard]] inline auto count(const words& module, spv::Op op) -> std::ptrdiff_t {
  return std::ranges::count(instructions_of(module), op, &spirv_instruction::op);
}

[[nodiscard]] inline auto count(const words& module, GLSLstd450 function) -> std::ptrdiff_t {
  return std::ranges::count_if(instructions_of(module), [function](const spirv_instruction& in) {
    return in.op == spv::Op::OpExtInst && in.operands[3] == static_cast<std::uint32_t>(function);
  });
}

/// The instructions look into the module: it must outlive them.
auto instructions_of(words&& module) -> std::vector<spirv_instruction> = delete;

/// Ids that carry a decoration, with its literal or 0.
[[nodiscard]] inline auto decorated(const words& module, spv::Decoration what)
    -> std::vector<std::pair<std::uint32_t, std::uint32_t>> {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const spirv_instruction& in : instructions_of(module)) {
    if (in.op != spv::Op::OpDecorate || in.operands[1] != static_cast<std::uint32_t>(what))
      continue;
    found.emplace_back(in.operands[0], in.operands.size() > 2 ? in.operands[2] : 0);
  }
  return found;
}

[[nodiscard]] inline auto has_builtin(const words& module, spv::BuiltIn what) -> bool {
  return std::ranges::count(decorated(module, spv::Decoration::BuiltIn),
                            static_cast<std::uint32_t>(what),
                            &std::pair<std::uint32_t, std::uint32_t>::second) == 1;
}

/// Storage class of a variable.
[[nodiscard]] inline auto storage_of(const words& module, std::uint32_t id) -> spv::StorageClass {
  for (const spirv_instruction& in : instructions_of(module)) {
    if (in.op == spv::Op::OpVariable && in.operands[1] == id) {
      return static_cast<spv::StorageClass>(in.operands[2]);
    }
  }
  return spv::StorageClass::Max;
}

/// Locations of inputs or outputs, in order.
[[nodiscard]] inline auto locations(const words& module, spv::StorageClass storage)
    -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> found;
  for (const auto& [id, location] : decorated(module, spv::Decoration::Location)) {
    if (storage_of(module, id) == storage) found.push_back(location);
  }
  std::ranges::sort(found);
  return found;
}

/// Locations whose variables carry a decoration.
[[nodiscard]] inline auto locations_with(const words& module, spv::Decoration what)
    -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> found;
  for (const auto& [id, location] : decorated(module, spv::Decoration::Location)) {
    for (const auto& [other, literal] : decorated(module, what)) {
      if (other == id) found.push_back(location);
    }
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace aerogpu::d3d9::test
