// Prints where it would find the shader compiler's program, or why it does not.
#include "vulkan/dxbc/compiler/program_path.hpp"

#include <cstdio>

auto main() -> int {
  aerogpu::vulkan::dxbc::path_buffer found{};
  const auto done = aerogpu::vulkan::dxbc::find_compiler_program("", found);
  std::printf("%s", done ? found.data() : done.why().what);
  return done ? 0 : 1;
}
