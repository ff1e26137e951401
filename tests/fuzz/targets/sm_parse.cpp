// SPDX-License-Identifier: MIT
// Fuzzes the Direct3D 9 parser, and what prints and assembles the shaders it accepts.
#include "aerogpu/shader/d3d9_bytecode.hpp"
#include "d3d9_to_spirv/assembly/assemble.hpp"
#include "d3d9_to_spirv/assembly/disassemble.hpp"
#include "d3d9_to_spirv/program.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace aerogpu;

namespace {

/// The text assembles to tokens that mean the same.
void check_text(const d3d9::program& shader, const std::string& text) {
  const auto again = d3d9::assemble(text);
  fuzz::claim(static_cast<bool>(again), "what is printed can be assembled");
  const auto reparsed = d3d9::parse(std::as_bytes(std::span{*again}));
  fuzz::claim(static_cast<bool>(reparsed), "what is assembled can be parsed");
  fuzz::claim(reparsed->instructions.size() == shader.instructions.size() &&
                  reparsed->declarations.size() == shader.declarations.size() &&
                  reparsed->definitions.size() == shader.definitions.size() &&
                  reparsed->routines.size() == shader.routines.size(),
              "a shader has the same parts after a round through text");
  const auto tokens = d3d9::assemble(d3d9::disassemble(*reparsed));
  fuzz::claim(tokens && *tokens == *again, "a shader made of text has the same tokens again");
}

}  // namespace

auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  const const_bytes bytes = std::as_bytes(std::span{data, size});
  const auto shader = d3d9::parse(bytes);
  if (!shader) {
    fuzz::claim(shader.why().offset <= size && shader.why().offset % 4 == 0,
                "an error is at a token of the shader");
    return 0;
  }
  const auto checked = parse_d3d9_bytecode(bytes);
  fuzz::claim(checked && checked->size_bytes == shader->size_bytes,
              "the processor accepts what the backend parses");
  check_text(*shader, d3d9::disassemble(*shader));
  check_text(*shader, d3d9::disassemble_listing(*shader));
  return 0;
}
