// SPDX-License-Identifier: MIT
#include "dxbc_to_spirv/check.hpp"
#include "dxbc_to_spirv/compile.hpp"
#include "dxbc_to_spirv/compiler/shader_compiler.hpp"
#include "dxbc_to_spirv/program/container.hpp"
#include "tests/compiler_process/support.hpp"
#include "tests/support/byte_code/dxbc_samples.hpp"
#include "tests/support/byte_code/shaders.hpp"

#include <cstdlib>

using namespace aerogpu;
namespace sm4 = aerogpu::test::sm4;

namespace {

/// With every option that reaches the process.
auto option_variants() -> std::vector<dxbc::compile_options> {
  std::vector<dxbc::compile_options> variants(4);
  variants[1].demotes = true;
  variants[1].wants_names = true;
  variants[2].hull.partitioning = 3;
  variants[2].hull.output_primitive = 4;
  variants[3].draws_points = true;
  return variants;
}

/// A job of bytes that no check saw.
auto unchecked_job(const_bytes container, shader_stage stage) -> heap_array<std::byte> {
  dxbc::compiled facts;
  facts.stage = stage;
  auto job = dxbc::write_job(container, facts, {});
  REQUIRE(job);
  return *std::move(job);
}

}  // namespace

TEST_CASE("the process makes of every sample what the library makes in this process") {
  const auto process = dxbc::open_shader_compiler({});
  REQUIRE(process != nullptr);
  for (const auto& options : option_variants()) {
    for (const auto& [name, bytes] : sm4::samples()) {
      INFO(name);
      const auto here = dxbc::compile(bytes, options);
      const auto there = dxbc::compile(bytes, options, process.get());
      INFO(there.why().what);
      REQUIRE(here);
      REQUIRE(there);
      CHECK(there->words == here->words);
    }
  }
  CHECK(process->process().counters().starts == 1);
  CHECK(process->process().counters().deaths == 0);
}

TEST_CASE("containers of the tests that are none do not end the process") {
  const auto process = dxbc::open_shader_compiler({});
  const auto good = sm4::ps_color();
  for (std::size_t size = 0; size < good.size(); ++size) {
    const auto job = unchecked_job(const_bytes{good}.first(size), shader_stage::pixel);
    static_cast<void>(process->process().compile(BUILT_COMPILER, job.view(), nullptr));
  }
  CHECK(process->process().counters().answers + process->process().counters().deaths ==
        good.size());
}

TEST_CASE("a request that is no job ends the real process, and the next one is answered") {
  dxbc::compiler_process process;
  CHECK(process.compile(BUILT_COMPILER, test::job_that('w'), nullptr).why().code ==
        error_code::unsupported);
  CHECK(process.counters().deaths == 1);
  const auto job = unchecked_job(sm4::ps_color(), shader_stage::pixel);
  CHECK(process.compile(BUILT_COMPILER, job.view(), nullptr));
}

TEST_CASE("a program that is not there is refused with a sentence that says what to do") {
  const auto named = dxbc::open_shader_compiler({.program = "/nowhere/compiler"});
  const auto why = dxbc::compile(sm4::ps_color(), {}, named.get()).why();
  CHECK(why.code == error_code::unsupported);
  CHECK(test::says(why, "shader_compiler_program"));
  REQUIRE(setenv("AEROGPU_SHADER_COMPILER", "/nowhere/either", 1) == 0);
  const auto searched = dxbc::open_shader_compiler({});
  const auto other = dxbc::compile(sm4::ps_color(), {}, searched.get()).why();
  REQUIRE(unsetenv("AEROGPU_SHADER_COMPILER") == 0);
  CHECK(other.code == error_code::unsupported);
  CHECK(test::says(other, "AEROGPU_SHADER_COMPILER"));
  CHECK(dxbc::compile(sm4::ps_color(), {}, searched.get()));  // It was installed meanwhile.
}

TEST_CASE("what the process answers is judged like a stranger's") {
  const auto strange = dxbc::open_shader_compiler({.program = FAKE_COMPILER});
  // The first byte of a real job is a stage, for which the fake aborts.
  const auto why = dxbc::compile(sm4::vs_passing(), {}, strange.get()).why();
  CHECK(why.code == error_code::unsupported);
  CHECK(strange->process().counters().deaths == 1);
}
