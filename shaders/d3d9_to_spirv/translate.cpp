// SPDX-License-Identifier: MIT
// Direct3D 9 shaders as SPIR-V: the steps in their order.
#include "d3d9_to_spirv/translate.hpp"

#include "d3d9_to_spirv/shader_context.hpp"

#include <utility>

namespace aerogpu::d3d9 {

namespace {

void declare_capabilities(shader_context& to) {
  to.module.capability(spv::Capability::Shader);
  if (!to.kills) return;
  to.module.capability(spv::Capability::DemoteToHelperInvocationEXT);
  to.module.extension("SPV_EXT_demote_to_helper_invocation");
}

}  // namespace

auto translate(const program& shader, const translate_options& options) noexcept
    -> result<translation> {
  if (const auto ok = check_program(shader, options); !ok) return ok.why();
  shader_context to{shader, options};
  if (to.registers.is_exhausted()) {
    return make_error(error_code::out_of_memory, "no memory for a shader's constants");
  }
  if (!shader.version.is_pixel) {
    const auto extra = collect_extra_varyings(shader);
    if (!extra) return extra.why();
    to.out.extra_varyings = *extra;
  }
  heap_array<spirv_id> functions;
  if (const auto ok = emit_routines(to, functions); !ok) return ok.why();
  if (shader.version.is_pixel) {
    emit_pixel_entry(to, functions.front());
  } else {
    emit_vertex_entry(to, functions.front());
  }
  declare_capabilities(to);
  if (to.module.size_words() > max_module_words) {
    return make_error(error_code::unsupported, "shader translates to too much code",
                      to.module.size_words(), max_module_words);
  }
  to.out.uses_constants = to.registers.uses_constants();
  to.out.float_constants = to.registers.float_constants();
  to.out.uses_ints_or_bools = to.registers.uses_ints_or_bools();
  auto words = to.module.finish();
  if (!words) return words.why();
  to.out.words = *std::move(words);
  return std::move(to.out);
}

}  // namespace aerogpu::d3d9
