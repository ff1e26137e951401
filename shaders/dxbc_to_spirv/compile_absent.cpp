// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compile.hpp"

namespace aerogpu::dxbc {

auto is_available() noexcept -> bool {
  return false;
}

class shader_compiler {};

void close_shader_compiler::operator()(shader_compiler* compiler) const noexcept {
  delete compiler;
}

auto open_shader_compiler(const compiler_choice&) noexcept -> owned_shader_compiler {
  return nullptr;
}

auto compile(const_bytes, const compile_options&, shader_compiler*) -> result<compiled> {
  return make_error(error_code::unsupported,
                    "this build has no libvkd3d-shader: install libvkd3d-dev and build again");
}

auto compile(const_bytes container, const compile_options& options) -> result<compiled> {
  return compile(container, options, nullptr);
}

}  // namespace aerogpu::dxbc
