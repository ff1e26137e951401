// SPDX-License-Identifier: MIT
// Prints where it would find the shader compiler's program, or why it does not.
#include "dxbc_to_spirv/compiler/program_path.hpp"

#include <cstdio>

auto main() -> int {
  aerogpu::dxbc::path_buffer found{};
  const auto done = aerogpu::dxbc::find_compiler_program("", found);
  std::printf("%s", done ? found.data() : done.why().what);
  return done ? 0 : 1;
}
