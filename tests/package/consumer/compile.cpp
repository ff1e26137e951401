// SPDX-License-Identifier: MIT
// A program outside of the project: a Direct3D 10 shader as SPIR-V, through the compiler's process.
#include "dxbc_to_spirv/compile.hpp"

#include "tests/support/byte_code/shaders.hpp"

#include <cstdio>

using namespace aerogpu;

auto main() -> int {
  const auto compiler = dxbc::open_shader_compiler({});
  const auto container = test::vs_4_0_position();
  const auto module = dxbc::compile(container, {}, compiler.get());
  if (!module) return std::printf("consumer: %s\n", module.why().what), 1;
  std::printf("consumer: SPIR-V %08x, %s\n", static_cast<unsigned>(module->words[0]),
              module->stage == shader_stage::vertex ? "vertex" : "not vertex");
  return 0;
}
