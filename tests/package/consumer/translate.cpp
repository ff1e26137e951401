// SPDX-License-Identifier: MIT
// A program outside of the project: a Direct3D 9 shader as SPIR-V, without any graphics interface.
#include "d3d9_to_spirv/translate.hpp"

#include "d3d9_to_spirv/assembly/assemble.hpp"

#include <cstdio>
#include <span>

using namespace aerogpu;

auto main() -> int {
  const auto tokens = d3d9::assemble("ps_2_0\ndef c0, 1, 0, 0, 1\nmov oC0, c0\n");
  if (!tokens) return 1;
  const auto shader = d3d9::parse(std::as_bytes(std::span{*tokens}));
  if (!shader) return 2;
  const auto module = d3d9::translate(*shader);
  if (!module || module->words.size() < 5) return 3;
  std::printf("consumer: SPIR-V %08x, %u color\n", static_cast<unsigned>(module->words[0]),
              module->color_outputs);
  return 0;
}
