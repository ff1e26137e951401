// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/compiler/shader_compiler.hpp"
#include "tests/compiler_process/support.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/byte_code/shaders.hpp"
#include "tests/support/vulkan/vulkan_leaks.hpp"
#include "vulkan/vulkan_backend.hpp"

using namespace aerogpu;
using namespace aerogpu::vulkan;
namespace sm4 = aerogpu::test::sm4;

namespace {

/// Clip and cull distances in one register, for which libvkd3d-shader 1.2 aborts.
auto clip_and_cull() -> test::byte_vector {
  constexpr std::uint32_t sv_clip = 2, sv_cull = 3, dcl_input_ps_siv = 0x64;
  sm4::program code{sm4::program_type::pixel, 4};
  code.op(dcl_input_ps_siv, {sm4::to(sm4::input, {1}, "xy"), sm4::word(sv_clip)}, sm4::linear)
      .op(dcl_input_ps_siv, {sm4::to(sm4::input, {1}, "zw"), sm4::word(sv_cull)}, sm4::linear)
      .op(sm4::dcl_output, {sm4::to(sm4::output, {0})})
      .op(sm4::mov, {sm4::to(sm4::output, {0}), sm4::from(sm4::input, {1})})
      .op(sm4::ret);
  return sm4::container({{sm4::position_out,
                          {"SV_ClipDistance", 0, sv_clip, sm4::is_float, 1, 0x3, 0x3},
                          {"SV_CullDistance", 0, sv_cull, sm4::is_float, 1, 0xC, 0xC}},
                         {sm4::target_out}},
                        code);
}

/// Past the checks of `dxbc::compile`, which refuse such programs.
auto job_without_checks(const_bytes container) -> heap_array<std::byte> {
  dxbc::compiled facts;
  facts.stage = shader_stage::pixel;
  auto job = dxbc::write_job(container, facts, {});
  REQUIRE(job.why().code == error_code::none);
  return *std::move(job);
}

auto open_backend(const char* program, shader_compiler_place place = shader_compiler_place::process)
    -> std::unique_ptr<vulkan_backend> {
  test::require_vulkan_device();
  backend_options options;
  options.shader_compiler = place;
  options.shader_compiler_program = program;
  auto made = vulkan_backend::create(options);
  INFO(made.why().what);
  REQUIRE(made);
  return *std::move(made);
}

auto create(vulkan_backend& backend, std::uint32_t name, const test::byte_vector& code,
            shader_language language) -> error {
  const shader_desc desc{static_cast<shader_handle>(name), shader_stage::vertex, language, code};
  auto made = backend.create_shader(desc);
  if (!made) return made.why();
  backend.destroy(std::move(*made));
  return {};
}

}  // namespace

TEST_CASE("a program for which the library aborts costs its process and nothing else") {
  dxbc::compiler_process process;
  const auto deadly = job_without_checks(clip_and_cull());
  const auto why = process.compile(BUILT_COMPILER, deadly.view(), nullptr).why();
  CHECK(why.code == error_code::unsupported);
  CHECK(test::says(why, "ends the shader compiler"));
  CHECK(process.counters().deaths == 1);
  CHECK(process.compile(BUILT_COMPILER, job_without_checks(sm4::ps_color()).view(), nullptr));
}

TEST_CASE("a backend whose compiler ends refuses that shader alone") {
  const auto backend = open_backend(FAKE_COMPILER);  // Aborts for every real job.
  const auto why = create(*backend, 1, sm4::vs_passing(), shader_language::dxbc_container);
  CHECK(why.code == error_code::unsupported);
  CHECK(test::says(why, "ends the shader compiler"));
  CHECK(create(*backend, 2, test::vs_2_0_position(), shader_language::d3d9_tokens).code ==
        error_code::none);
  CHECK(backend->live_objects() == 0);
}

TEST_CASE("a backend without the compiler's program says so for each shader, and goes on") {
  const auto backend = open_backend("/nowhere/compiler");
  const auto why = create(*backend, 1, sm4::vs_passing(), shader_language::dxbc_container);
  CHECK(why.code == error_code::unsupported);
  CHECK(test::says(why, "shader_compiler_program"));
  CHECK(create(*backend, 2, test::vs_2_0_position(), shader_language::d3d9_tokens).code ==
        error_code::none);
}

TEST_CASE("a backend finds the compiler of its build") {
  const auto backend = open_backend("");
  CHECK(create(*backend, 1, sm4::vs_passing(), shader_language::dxbc_container).code ==
        error_code::none);
  CHECK(test::has_children());
}

TEST_CASE("a backend that is told to compile in its own process starts no other") {
  const auto backend = open_backend("/nowhere/compiler", shader_compiler_place::in_process);
  CHECK(create(*backend, 1, sm4::vs_passing(), shader_language::dxbc_container).code ==
        error_code::none);
  CHECK_FALSE(test::has_children());
}
